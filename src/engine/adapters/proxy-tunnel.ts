// A connection through a proxy: CONNECT, and what is spoken behind it as if there were no proxy.
import { isIP, type LookupFunction, connect as openSocket, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'

import type { buildConnector } from 'undici'

import { ConnectorError } from '../../errors.ts'

import type { Proxy } from './proxy.ts'
import { isOfThisProcess, unreachable } from './transport-error.ts'

/** How a client makes its connection. */
export type Connector = ReturnType<typeof buildConnector>

export interface Tunnel {
  readonly proxy: Proxy
  /** Asked for each name before the proxy is; what it finds goes nowhere, its error ends the attempt. */
  readonly check: LookupFunction
  readonly timeoutMs: number
  /** Of the proxy's answer. */
  readonly headBytes: number
}

/**
 * A connector that speaks to third parties through a proxy; `connect` makes TLS with the third party over the tunnel, so
 * certificates are those of a direct connection, ours included.
 *
 * Gives `upstream_unreachable` with the proxy's name where it does not connect.
 */
export function throughProxy(tunnel: Tunnel, connect: Connector): Connector {
  return (options, callback) => {
    const port = Number(options.port === '' ? 443 : options.port)
    const target = { host: options.hostname, port }
    return openTunnel(tunnel, target, (error, socket) => {
      if (socket === null) callback(error, null)
      else if (options.protocol === 'https:') connect({ ...options, httpSocket: socket }, callback)
      else callback(null, socket)
    }) as unknown as ReturnType<Connector>
  }
}

type Opened = (...given: [error: Error, socket: null] | [error: null, socket: Socket]) => void

interface Target {
  readonly host: string
  readonly port: number
}

/** Connects to a proxy and has it connect to `target`; calls back once, with the socket of the tunnel or what went wrong. */
export function openTunnel(tunnel: Tunnel, target: Target, opened: Opened): Socket {
  return new Opening(tunnel, target, opened).socket
}

class Opening {
  readonly socket: Socket
  readonly #tunnel: Tunnel
  readonly #target: Target
  readonly #opened: Opened
  readonly #timer: NodeJS.Timeout
  #isOver = false
  #head: Buffer = Buffer.alloc(0)

  constructor(tunnel: Tunnel, target: Target, opened: Opened) {
    this.#tunnel = tunnel
    this.#target = target
    this.#opened = opened
    const { proxy, timeoutMs } = tunnel
    this.socket = connectTo(proxy, () => this.#check())
    this.#timer = setTimeout(
      () => this.#failed([`did not connect within ${timeoutMs} ms`, 'proxy_timeout']),
      timeoutMs,
    )
    // Stays: behind the tunnel its errors are those of the connection over it.
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      if (isOfThisProcess(error)) this.#fail(error)
      else this.#failed([unreachable(error), error.code ?? 'unknown'], { error })
    })
    this.socket.on('close', () => this.#failed(['closed the connection', 'proxy_closed']))
  }

  #check(): void {
    const { host } = this.#target
    if (this.#isOver) return
    // Node looks no literal up: the guard has judged it already.
    if (isIP(host) > 0) this.#ask()
    else
      this.#tunnel.check(host, { all: true }, (error) => {
        if (error !== null) this.#fail(error)
        else if (!this.#isOver) this.#ask()
      })
  }

  #ask(): void {
    const { authorization } = this.#tunnel.proxy
    const place = placeOf(this.#target)
    this.socket.on('data', this.#read)
    this.socket.write(
      `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n` +
        `${authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`}\r\n`,
    )
  }

  readonly #read = (chunk: Buffer): void => {
    this.#head = Buffer.concat([this.#head, chunk])
    const at = this.#head.indexOf('\r\n\r\n')
    if (at >= 0) this.#judge(this.#head.toString('latin1', 0, at + 4), at + 4)
    else if (this.#head.length > this.#tunnel.headBytes)
      this.#failed(['sent a head that is too large', 'proxy_malformed'])
  }

  #judge(head: string, length: number): void {
    const [, text] = /^HTTP\/1\.[01] (\d{3})(?: |\r\n)/.exec(head) ?? []
    const status = Number(text)
    const isSuccess = status >= 200 && status < 300
    // Nothing speaks before its client does, behind a CONNECT that has succeeded.
    if (isSuccess && length === this.#head.length) {
      this.#end()
      this.socket.pause()
      this.#opened(null, this.socket)
    } else if (text === undefined || isSuccess)
      this.#failed(['does not speak proper HTTP', 'proxy_malformed'])
    else this.#failed(refusal(status, this.#target), { status })
  }

  #failed(why: Why, more: Failed = {}): void {
    this.#fail(failure(this.#target.host, this.#tunnel.proxy, why, more))
  }

  #fail(error: Error): void {
    if (this.#isOver) return
    this.#end()
    this.socket.destroy()
    this.#opened(error, null)
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.socket.off('data', this.#read)
  }
}

function connectTo({ host, port, isTls }: Proxy, connected: () => void): Socket {
  const socket = isTls
    ? openTls({
        host,
        port,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
        ...(isIP(host) === 0 && { servername: host }),
      })
    : openSocket({ host, port })
  socket.setNoDelay(true)
  socket.once(isTls ? 'secureConnect' : 'connect', connected)
  return socket
}

function placeOf({ host, port }: Target): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** The text follows the name of the proxy. */
type Why = readonly [text: string, reason: string]

interface Failed {
  readonly status?: number
  readonly error?: Error
}

function refusal(status: number, target: Target): Why {
  // tinyproxy says 401.
  if (status === 407 || status === 401)
    return ['wants another user or password', 'proxy_authentication']
  if (status >= 500) return [`could not connect to it (status ${status})`, 'proxy_failed']
  return [`does not let calls to ${placeOf(target)} through (status ${status})`, 'proxy_refused']
}

function failure(
  host: string,
  { name }: Proxy,
  [text, reason]: Why,
  { status, error }: Failed,
): ConnectorError {
  return new ConnectorError(
    'upstream_unreachable',
    `${host} cannot be reached: the proxy ${name} ${text}`,
    {
      details: { proxy: name, reason, ...(status !== undefined && { proxy_status: status }) },
      cause: error,
    },
  )
}
