// The Transport port over undici: connections per origin, every origin judged by the outgoing guard.
import type { LookupFunction, Socket } from 'node:net'

import type { Dispatcher } from 'undici'

import { ConnectorError } from '../../errors.ts'
import type {
  SendOptions,
  Transport,
  UpstreamResponse,
  UpstreamStream,
} from '../exchange/transport.ts'
import type { GivenDispatcher } from '../exchange/given-dispatcher.ts'
import type { ProxyOptions } from '../exchange/proxy-options.ts'
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
import { type Proxy, type ProxyRule, readProxy } from './proxy.ts'
import type { Connector, Tunnel } from './proxy-tunnel.ts'
import { isCertificateAlert } from './transport-error.ts'
import { StreamedCall } from './streamed-call.ts'
import type { CallTransport, Route } from './upstream-call.ts'

export interface UndiciTransportOptions extends Omit<OutgoingGuardOptions, 'proxy'> {
  readonly limits?: Partial<TransportLimits>
  /** Calls to https addresses leave through it, judged by the guard before it is asked. Plain http goes directly. */
  readonly proxy?: string | ProxyOptions | undefined
  /**
   * Used instead of pools of our own, for recorders. It makes its connections: then only URLs and IP literals
   * are judged, not the addresses that names resolve to, and its own limits hold for connecting and for heads. It is
   * not closed with the transport.
   */
  readonly dispatcher?: GivenDispatcher | undefined
  /** What calls are told once it is closed. */
  readonly closedMessage?: string
}

type OpenOrigin = Omit<Route, 'path'>

/**
 * Sends requests as they are: no cookies, no proxy but the one that is given, no retry, and of redirects only what the
 * request allows. A connection carries one request at a time and keeps nothing of it.
 *
 * What makes a transport closes it: calls under way then fail with `aborted`, and all sockets are gone.
 * Throws TypeError for a proxy whose address is none, and for one next to a dispatcher.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): Transport {
  return new UndiciTransport(options)
}

class UndiciTransport implements Transport, CallTransport {
  readonly limits: TransportLimits
  readonly #guard: OutgoingGuard
  readonly #proxy: Proxied | null
  readonly #dispatcher: Dispatcher | undefined
  readonly #sockets: Sockets
  readonly #closedMessage: string
  /** By origin, the one opened first in front. */
  readonly #origins = new Map<string, OpenOrigin>()
  #closed: ConnectorError | null = null

  constructor(options: UndiciTransportOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    const { proxy, ...guarded } = options
    if (proxy !== undefined && options.dispatcher !== undefined)
      throw new TypeError(
        'proxy and dispatcher are both given: the dispatcher makes the connections',
      )
    this.#guard = createOutgoingGuard(guarded)
    this.#proxy = proxy === undefined ? null : proxied(readProxy(proxy), guarded)
    // What has the method of a dispatcher is one: undici's classes have many more that nothing here calls.
    this.#dispatcher = options.dispatcher as Dispatcher | undefined
    this.#closedMessage = options.closedMessage ?? 'The transport is closed'
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
    this.#closed ??= new ConnectorError('aborted', this.#closedMessage)
    const pools = [...this.#origins.values()].flatMap((open) => Object.values(open.pools))
    this.#origins.clear()
    for (const pool of pools) await pool.destroy(this.#closed)
  }

  route(url: string, tls?: ClientCertificate): Route {
    if (this.#closed !== null) throw this.#closed
    const { prefix, path } = splitUrl(url)
    // Connections that show a certificate are its own.
    const key = tls === undefined ? prefix : `${prefix} ${certificateId(tls)}`
    const { pools, origin, host, proxy } = this.#origins.get(key) ?? this.#open(prefix, tls)
    return { pools, origin, host, proxy, path }
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
    const by = this.#proxy?.rule.takes(url) === true ? this.#proxy : null
    const lookup = by === null ? this.#guard(url) : by.guard(url)
    const proxy = by?.rule.proxy ?? null
    const dispatcher = this.#dispatcher
    // A local vendor on http sees no certificate.
    const shown = tls !== undefined && url.protocol === 'https:' ? tls : null
    if (shown !== null) {
      if (dispatcher !== undefined) throw notShown(host)
      checkCertificate(shown)
    }
    const loadClient =
      dispatcher === undefined
        ? () => loadConnections(origin, this.limits, this.#sockets, { lookup, shown, proxy })
        : async () => () => dispatcher
    const shared = { host, queue, loadClient, owned: dispatcher === undefined }
    const opened: OpenOrigin = {
      origin,
      host,
      proxy: proxy?.name ?? null,
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

interface Proxied {
  readonly rule: ProxyRule
  /** What judges requests that leave through it. */
  readonly guard: OutgoingGuard
}

function proxied(rule: ProxyRule, options: OutgoingGuardOptions): Proxied {
  return { rule, guard: createOutgoingGuard({ ...options, proxy: rule }) }
}

interface Connecting {
  readonly lookup: LookupFunction
  readonly shown: ClientCertificate | null
  readonly proxy: Proxy | null
}

/** What makes connections to one origin, all with the guard's look-up and one memory of TLS sessions. */
async function loadConnections(
  origin: string,
  limits: TransportLimits,
  sockets: Sockets,
  { lookup, shown, proxy }: Connecting,
): Promise<() => Dispatcher> {
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  const { default: makeConnector } = await import('undici/lib/core/connect.js')
  const { connectMs, headBytes } = limits
  const connect = makeConnector({
    lookup,
    timeout: connectMs,
    allowH2: false,
    // NODE_TLS_REJECT_UNAUTHORIZED must not switch the check off.
    rejectUnauthorized: true,
    ...(shown !== null && {
      cert: shown.certificate,
      key: shown.key,
      ...(shown.passphrase !== null && { passphrase: shown.passphrase }),
    }),
  })
  const last = endingAtAlerts(connect)
  const connector =
    proxy === null
      ? last
      : await tunnelled({ proxy, check: lookup, timeoutMs: connectMs, headBytes }, last)
  return () =>
    new Client(origin, {
      connect: sockets.within(connector),
      pipelining: 1,
      maxHeaderSize: headBytes,
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

async function tunnelled(tunnel: Tunnel, connect: Connector): Promise<Connector> {
  const { throughProxy } = await import('./proxy-tunnel.ts')
  return throughProxy(tunnel, connect)
}

/** The end that follows an alert would stand for it. */
function endingAtAlerts(connect: Connector): Connector {
  return (options, callback) => {
    const opened = connect(options, callback)
    const socket = socketOf(opened)
    socket.on('error', (error) => {
      if (isCertificateAlert(error)) socket.destroy(error)
    })
    return opened
  }
}

/** What connectors give, although undici's type says nothing of it. */
function socketOf(opened: ReturnType<Connector>): Socket {
  return opened as unknown as Socket
}

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
      const socket = socketOf(connect(options, callback))
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
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
  const length = url.slice(start + 3).search(/[/?#]/)
  const end = length < 0 ? url.length : start + 3 + length
  const hash = url.indexOf('#', end)
  const rest = url.slice(end, hash < 0 ? undefined : hash)
  return { prefix: url.slice(0, end), path: rest.startsWith('/') ? rest : `/${rest}` }
}
