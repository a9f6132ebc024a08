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

/** Connects to a proxy and has it connect to `target`; calls back once, with the socket of the tunnel or what went wrong. */
export function openTunnel(
  { proxy, check, timeoutMs, headBytes }: Tunnel,
  target: { readonly host: string; readonly port: number },
  opened: Opened,
): Socket {
  const { host, port, isTls } = proxy
  const socket = isTls
    ? openTls({
        host,
        port,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
        ...(isIP(host) === 0 && { servername: host }),
      })
    : openSocket({ host, port })
  let isOver = false
  const end = (): void => {
    isOver = true
    clearTimeout(timer)
    socket.off('data', read)
  }
  const fail = (error: Error): void => {
    if (isOver) return
    end()
    socket.destroy()
    opened(error, null)
  }
  const failed = (text: string, reason: string, more: Failed = {}): void =>
    fail(failure(target.host, proxy, text, reason, more))
  const timer = setTimeout(
    () => failed(`did not connect within ${timeoutMs} ms`, 'proxy_timeout'),
    timeoutMs,
  )
  let head = Buffer.alloc(0)
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk])
    const at = head.indexOf('\r\n\r\n')
    if (at < 0) {
      if (head.length > headBytes) failed('sent a head that is too large', 'proxy_malformed')
      return
    }
    const [, status] = /^HTTP\/1\.[01] (\d{3})(?: |\r\n)/.exec(head.toString('latin1')) ?? []
    // Nothing speaks before its client does, behind a CONNECT that has succeeded.
    const isTunnel = status?.startsWith('2') === true && at + 4 === head.length
    if (isTunnel) {
      end()
      socket.pause()
      opened(null, socket)
    } else if (status === undefined || status.startsWith('2'))
      failed('does not speak proper HTTP', 'proxy_malformed')
    else failed(...refusal(Number(status), target), { status: Number(status) })
  }
  const ask = (): void => {
    const place = `${isIP(target.host) === 6 ? `[${target.host}]` : target.host}:${target.port}`
    const { authorization } = proxy
    socket.on('data', read)
    socket.write(
      `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n` +
        `${authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`}\r\n`,
    )
  }
  socket.setNoDelay(true)
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    if (isOver) return
    // Node looks no literal up: the guard has judged it already.
    if (isIP(target.host) > 0) ask()
    else
      check(target.host, { all: true }, (error) => {
        if (isOver) return
        if (error === null) ask()
        else fail(error)
      })
  })
  // Stays: behind the tunnel its errors are those of the connection over it.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (isOfThisProcess(error)) fail(error)
    else failed(unreachable(error), error.code ?? 'unknown', { error })
  })
  socket.on('close', () => failed('closed the connection', 'proxy_closed'))
  return socket
}

interface Failed {
  readonly status?: number
  readonly error?: Error
}

function refusal(
  status: number,
  { host, port }: { readonly host: string; readonly port: number },
): [text: string, reason: string] {
  // tinyproxy says 401.
  if (status === 407 || status === 401)
    return ['wants another user or password', 'proxy_authentication']
  if (status >= 500) return [`could not connect to it (status ${status})`, 'proxy_failed']
  return [`does not let calls to ${host}:${port} through (status ${status})`, 'proxy_refused']
}

function failure(
  host: string,
  { name }: Proxy,
  text: string,
  reason: string,
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
