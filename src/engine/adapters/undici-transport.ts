// The Transport port over undici: connections per origin, every origin judged by the outgoing guard.
import type { LookupFunction } from 'node:net'

import type { Dispatcher } from 'undici'

import { ConnectorError } from '../../errors.ts'
import type {
  SendOptions,
  Transport,
  UpstreamResponse,
  UpstreamStream,
} from '../exchange/transport.ts'
import { DEFAULT_LIMITS, type TransportLimits } from '../exchange/transport-limits.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'

import { BufferedCall } from './buffered-call.ts'
import { OriginPool } from './origin-pool.ts'
import {
  createOutgoingGuard,
  type OutgoingGuard,
  type OutgoingGuardOptions,
} from './outgoing-guard.ts'
import { StreamedCall } from './streamed-call.ts'
import type { CallTransport, Route } from './upstream-call.ts'

export interface UndiciTransportOptions extends OutgoingGuardOptions {
  readonly limits?: Partial<TransportLimits>
  /**
   * Used instead of pools of our own, for proxies and recorders. It makes its connections: then only URLs and IP literals
   * are judged, not the addresses that names resolve to, and its own limits hold for connecting and for heads. It is
   * not closed with the transport.
   */
  readonly dispatcher?: Dispatcher | undefined
}

type OpenOrigin = Omit<Route, 'path'>

/**
 * Sends requests as they are: no cookies, no proxy from the environment, no retry, and of redirects only what the
 * request allows. A connection carries one request at a time and keeps nothing of it.
 *
 * What makes a transport closes it: calls under way then fail with `aborted`, and all sockets are gone.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): Transport {
  return new UndiciTransport(options)
}

class UndiciTransport implements Transport, CallTransport {
  readonly limits: TransportLimits
  readonly #guard: OutgoingGuard
  readonly #dispatcher: Dispatcher | undefined
  /** By origin, the one opened first in front. */
  readonly #origins = new Map<string, OpenOrigin>()
  #closed: ConnectorError | null = null

  constructor(options: UndiciTransportOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#guard = createOutgoingGuard(options)
    this.#dispatcher = options.dispatcher
  }

  send(request: UpstreamRequest, options: SendOptions = {}): Promise<UpstreamResponse> {
    return new Promise((resolve, reject) => {
      new BufferedCall({ transport: this, request, options, resolve, reject }).launch()
    })
  }

  stream(request: UpstreamRequest, options: SendOptions = {}): Promise<UpstreamStream> {
    return new Promise((resolve, reject) => {
      new StreamedCall({ transport: this, request, options, resolve, reject }).launch()
    })
  }

  async close(): Promise<void> {
    this.#closed ??= new ConnectorError('aborted', 'The transport is closed')
    const pools = [...this.#origins.values()].flatMap((open) => Object.values(open.pools))
    this.#origins.clear()
    for (const pool of pools) await pool.destroy(this.#closed)
  }

  route(url: string): Route {
    if (this.#closed !== null) throw this.#closed
    const { prefix, path } = splitUrl(url)
    const { pools, origin, host } = this.#origins.get(prefix) ?? this.#open(prefix)
    return { pools, origin, host, path }
  }

  #open(prefix: string): OpenOrigin {
    const url = URL.parse(prefix)
    // What the parser finds beyond the origin in this part would be read differently by other parsers: `https://a\@b`.
    if (url === null || url.host === '' || url.pathname !== '/' || url.search + url.hash !== '') {
      throw new ConnectorError('destination_refused', 'The address is not a plain https URL', {
        details: { reason: 'url' },
      })
    }
    const { origin, hostname: host } = url
    const known = this.#origins.get(origin)
    if (known !== undefined) return known
    const { connections, streams, queue } = this.limits
    const lookup = this.#guard(url)
    const dispatcher = this.#dispatcher
    const loadClient =
      dispatcher === undefined
        ? () => loadConnections(origin, lookup, this.limits)
        : async () => () => dispatcher
    const shared = { host, queue, loadClient, owned: dispatcher === undefined }
    const opened: OpenOrigin = {
      origin,
      host,
      pools: {
        buffered: new OriginPool({ ...shared, connections }),
        streamed: new OriginPool({ ...shared, connections: streams }),
      },
    }
    this.#origins.set(origin, opened)
    if (this.#origins.size > this.limits.origins) this.#forgetOne(opened)
    return opened
  }

  /** Lets the oldest idle origin go; its connections idle out within seconds anyway. */
  #forgetOne(latest: OpenOrigin): void {
    for (const [key, candidate] of this.#origins) {
      const pools = Object.values(candidate.pools)
      if (candidate === latest || pools.some(({ idle }) => !idle)) continue
      this.#origins.delete(key)
      for (const pool of pools) void pool.destroy(null)
      return
    }
  }
}

/** What makes connections to one origin, all with the guard's look-up and one memory of TLS sessions. */
async function loadConnections(
  origin: string,
  lookup: LookupFunction,
  limits: TransportLimits,
): Promise<() => Dispatcher> {
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  const { default: buildConnector } = await import('undici/lib/core/connect.js')
  const connect = buildConnector({
    lookup,
    timeout: limits.connectMs,
    allowH2: false,
    // NODE_TLS_REJECT_UNAUTHORIZED must not switch the check off.
    rejectUnauthorized: true,
  })
  return () =>
    new Client(origin, {
      connect,
      pipelining: 1,
      maxHeaderSize: limits.headBytes,
      // The call itself watches the time, from the line to the last byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
}

/** Cuts an absolute URL behind its host. The rest goes onto the wire as it is, but for the fragment. */
function splitUrl(url: string): { readonly prefix: string; readonly path: string } {
  const start = url.indexOf('://')
  if (start < 0) return { prefix: url, path: '/' }
  let end = start + 3
  while (end < url.length && !'/?#'.includes(url.charAt(end))) end++
  const hash = url.indexOf('#', end)
  const rest = url.slice(end, hash < 0 ? undefined : hash)
  return { prefix: url.slice(0, end), path: rest.startsWith('/') ? rest : `/${rest}` }
}
