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
import type { TransportLimits } from '../exchange/transport-limits.ts'
import { DEFAULT_LIMITS } from '../exchange/transport-limits.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'

import { BufferedCall } from './buffered-call.ts'
import { OriginPool } from './origin-pool.ts'
import type { OutgoingGuardOptions } from './outgoing-guard.ts'
import { createOutgoingGuard } from './outgoing-guard.ts'
import { StreamedCall } from './streamed-call.ts'
import type { CallContext, CallKind, Route } from './upstream-call.ts'

export interface UndiciTransportOptions extends OutgoingGuardOptions {
  readonly limits?: Partial<TransportLimits>
  /**
   * Used instead of pools of our own, for proxies and recorders. It connects by itself: then only URLs and IP literals
   * are judged, not the addresses that names resolve to, and its own limits hold for connecting and for heads. It is
   * not closed with the transport.
   */
  readonly dispatcher?: Dispatcher
}

interface OpenOrigin {
  readonly origin: string
  readonly host: string
  readonly pools: Readonly<Record<CallKind, OriginPool>>
}

/**
 * Sends requests as they are: no cookies, no proxy from the environment, no retry, and of redirects only what the
 * request allows. A connection carries one request at a time and keeps nothing of it.
 *
 * Whoever makes it closes it: calls under way then fail with `aborted`, and all sockets are gone.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): Transport {
  const limits: TransportLimits = { ...DEFAULT_LIMITS, ...options.limits }
  const guard = createOutgoingGuard(options)
  /** By origin, the one opened first in front. */
  const origins = new Map<string, OpenOrigin>()
  let closed: ConnectorError | null = null

  const context: CallContext = { limits, route }

  return {
    send: (request: UpstreamRequest, options: SendOptions = {}) =>
      new Promise<UpstreamResponse>((resolve, reject) => {
        new BufferedCall(context, request, options, { resolve, reject }).launch()
      }),
    stream: (request: UpstreamRequest, options: SendOptions = {}) =>
      new Promise<UpstreamStream>((resolve, reject) => {
        new StreamedCall(context, request, options, { resolve, reject }).launch()
      }),
    close,
  }

  function route(url: string): Route {
    if (closed !== null) throw closed
    const { prefix, path } = splitUrl(url)
    const known = origins.get(prefix) ?? open(prefix)
    return { pools: known.pools, origin: known.origin, host: known.host, path }
  }

  function open(prefix: string): OpenOrigin {
    const url = URL.parse(prefix)
    // What the parser finds beyond the origin in this part would be read differently by somebody else: `https://a\@b`.
    if (url === null || url.host === '' || url.pathname !== '/' || url.search + url.hash !== '') {
      throw new ConnectorError('destination_refused', 'The address is not a plain https URL', {
        details: { reason: 'url' },
      })
    }
    const known = origins.get(url.origin)
    if (known !== undefined) return known

    const lookup = guard.admit(url)
    const { dispatcher } = options
    const load =
      dispatcher === undefined
        ? () => loadConnections(url.origin, lookup, limits)
        : async () => () => dispatcher
    const pool = (connections: number): OriginPool =>
      new OriginPool({
        host: url.hostname,
        connections,
        queue: limits.queue,
        load,
        owned: dispatcher === undefined,
      })
    const opened: OpenOrigin = {
      origin: url.origin,
      host: url.hostname,
      pools: { buffered: pool(limits.connections), streamed: pool(limits.streams) },
    }
    origins.set(url.origin, opened)
    if (origins.size > limits.origins) forgetOne(opened)
    return opened
  }

  /** Lets the oldest idle origin go; its connections idle out within seconds anyway. */
  function forgetOne(latest: OpenOrigin): void {
    for (const [key, candidate] of origins) {
      const pools = Object.values(candidate.pools)
      if (candidate === latest || pools.some(({ idle }) => !idle)) continue
      origins.delete(key)
      for (const pool of pools) void pool.destroy(null)
      return
    }
  }

  async function close(): Promise<void> {
    closed ??= new ConnectorError('aborted', 'The transport is closed')
    const all = [...origins.values()]
    origins.clear()
    for (const { pools } of all) for (const pool of Object.values(pools)) await pool.destroy(closed)
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
