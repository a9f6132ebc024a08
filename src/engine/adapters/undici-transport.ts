// The Transport port over undici: connections per origin, every origin judged by the outgoing guard.
import type { LookupFunction, Socket } from 'node:net'

import type { buildConnector, Dispatcher } from 'undici'

import { ConnectorError } from '../../errors.ts'
import type {
  SendOptions,
  Transport,
  UpstreamResponse,
  UpstreamStream,
} from '../exchange/transport.ts'
import { DEFAULT_LIMITS, type TransportLimits } from '../exchange/transport-limits.ts'
import type { ClientCertificate, UpstreamRequest } from '../request/upstream-request.ts'

import { BufferedCall } from './buffered-call.ts'
import { certificateId, checkCertificate } from './client-certificate.ts'
import { OriginPool, overloaded } from './origin-pool.ts'
import {
  createOutgoingGuard,
  type OutgoingGuard,
  type OutgoingGuardOptions,
} from './outgoing-guard.ts'
import { isCertificateAlert } from './transport-error.ts'
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
  readonly #sockets: Sockets
  /** By origin, the one opened first in front. */
  readonly #origins = new Map<string, OpenOrigin>()
  #closed: ConnectorError | null = null

  constructor(options: UndiciTransportOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#guard = createOutgoingGuard(options)
    this.#dispatcher = options.dispatcher
    this.#sockets = new Sockets(this.limits.sockets, () => {
      for (const { pools } of this.#origins.values())
        for (const pool of Object.values(pools)) pool.closeIdle()
    })
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

  route(url: string, tls?: ClientCertificate): Route {
    if (this.#closed !== null) throw this.#closed
    const { prefix, path } = splitUrl(url)
    // Connections that show a certificate are its own.
    const key = tls === undefined ? prefix : `${prefix} ${certificateId(tls)}`
    const { pools, origin, host } = this.#origins.get(key) ?? this.#open(prefix, tls)
    return { pools, origin, host, path }
  }

  #open(prefix: string, tls?: ClientCertificate): OpenOrigin {
    const url = URL.parse(prefix)
    // What the parser finds beyond the origin in this part would be read differently by other parsers: `https://a\@b`.
    if (url === null || url.host === '' || url.pathname !== '/' || url.search + url.hash !== '') {
      throw new ConnectorError('destination_refused', 'The address is not a plain https URL', {
        details: { reason: 'url' },
      })
    }
    const { origin, hostname: host } = url
    const key = tls === undefined ? origin : `${origin} ${certificateId(tls)}`
    const known = this.#origins.get(key)
    if (known !== undefined) return known
    const { connections, streams, queue } = this.limits
    const lookup = this.#guard(url)
    const dispatcher = this.#dispatcher
    // A local vendor on http sees no certificate.
    const shown = tls !== undefined && url.protocol === 'https:' ? tls : null
    if (shown !== null) {
      if (dispatcher !== undefined) throw notShown(host)
      checkCertificate(shown)
    }
    const loadClient =
      dispatcher === undefined
        ? () => loadConnections(origin, this.limits, this.#sockets, { lookup, shown })
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
    this.#origins.set(key, opened)
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
  limits: TransportLimits,
  sockets: Sockets,
  { lookup, shown }: { readonly lookup: LookupFunction; readonly shown: ClientCertificate | null },
): Promise<() => Dispatcher> {
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  const { default: makeConnector } = await import('undici/lib/core/connect.js')
  const connect = makeConnector({
    lookup,
    timeout: limits.connectMs,
    allowH2: false,
    // NODE_TLS_REJECT_UNAUTHORIZED must not switch the check off.
    rejectUnauthorized: true,
    ...(shown !== null && {
      cert: shown.certificate,
      key: shown.key,
      ...(shown.passphrase !== null && { passphrase: shown.passphrase }),
    }),
  })
  return () =>
    new Client(origin, {
      connect: sockets.within(connect),
      pipelining: 1,
      maxHeaderSize: limits.headBytes,
      // The call itself watches the time, from the line to the last byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
}

function notShown(host: string): ConnectorError {
  return new ConnectorError(
    'destination_refused',
    `${host} needs a client certificate, and the connections are made by a dispatcher of the host app, which would show none; nothing was sent`,
    { details: { reason: 'dispatcher', sent: false } },
  )
}

/** How a client makes its connection. */
type Connector = ReturnType<typeof buildConnector>

/** At most so many connections at once, whatever they lead to. */
class Sockets {
  readonly #max: number
  readonly #makeRoom: () => void
  readonly #open = new Set<Socket>()

  constructor(max: number, makeRoom: () => void) {
    this.#max = max
    this.#makeRoom = makeRoom
  }

  within(connect: Connector): Connector {
    return (options, callback) => {
      if (this.#isFull() && !this.#hasMadeRoom()) {
        callback(overloaded(`${this.#max} connections to third parties are open already`), null)
        return
      }
      // What undici's connector gives, although its type says nothing of it.
      const socket = connect(options, callback) as unknown as Socket
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
      // The end that follows an alert would stand for it.
      socket.on('error', (error) => {
        if (isCertificateAlert(error)) socket.destroy(error)
      })
    }
  }

  #isFull(): boolean {
    return this.#open.size >= this.#max
  }

  #hasMadeRoom(): boolean {
    this.#makeRoom()
    // They have given their descriptors back, and say so a little later.
    for (const socket of this.#open) if (socket.destroyed) this.#open.delete(socket)
    return !this.#isFull()
  }
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
