// Connections within what the process may have open: callers, third parties and files share it.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { descriptorLimit, type SocketShares, socketShares } from '../database/descriptors.ts'
import { ConnectorError } from '../errors.ts'
import type { TransportLimits } from '../engine/exchange/transport-limits.ts'
import { answerOnSocket } from '../service/http/front.ts'
import type { ServiceLog } from '../service/log.ts'
import type { ServiceSettings } from '../service/settings.ts'

/** Callers beyond their share whose requests are read, so that probes among them are answered; others are refused unread. */
const REFUSED_TOGETHER = 8
const PROBES = /^\/(?:healthz|readyz|metrics)\b/
/** How long such a caller may take for its request. */
const REFUSAL_MS = 1_000
const RETRY_AFTER_MS = 1_000
const TELL_EVERY_MS = 60_000
/** With fewer of them an operator should know. */
const ENOUGH = 4_096

export function socketsOf({ databaseUrl, databasePool }: ServiceSettings): SocketShares {
  return socketShares(databaseUrl === null ? 0 : databasePool)
}

/** Connections and streams per origin such that two origins in use leave something to a third one. */
export function withinSockets(
  sockets: number,
  { connections, streams }: Pick<TransportLimits, 'connections' | 'streams'>,
): Pick<TransportLimits, 'sockets' | 'connections' | 'streams'> {
  const third = Math.max(1, Math.floor(sockets / 3))
  return {
    sockets,
    connections: Math.min(connections, third),
    streams: Math.min(streams, third),
  }
}

/** Says at the start what few descriptors come to. */
export function tellDescriptors(log: ServiceLog, settings: ServiceSettings): void {
  const limit = descriptorLimit()
  if (limit < ENOUGH)
    log.warn(
      { descriptors: limit, ...socketsOf(settings) },
      'this process may have few files and sockets open: beyond these connections it answers 503; raise the limit (ulimit -n)',
    )
}

/**
 * Lets at most so many callers in. What it gives says what a request is answered that came over a connection beyond them:
 * `overloaded`; null for all others and for probes. Connections that rest between two requests make room first. An
 * `accept` that fails ends nothing.
 */
export function boundCallers(
  server: Server,
  max: number,
  log: ServiceLog,
): (request: IncomingMessage, response: ServerResponse) => ConnectorError | null {
  const beyond = new WeakSet<Duplex>()
  let open = 0
  const tell = rarely((times, reason) =>
    log.warn(
      { times, reason, max },
      'more callers than this process has descriptors for: some were refused; raise the limit (ulimit -n)',
    ),
  )
  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
    if (open <= max) return
    server.closeIdleConnections()
    beyond.add(socket)
    if (open <= max + REFUSED_TOGETHER) {
      socket.setTimeout(REFUSAL_MS, () => socket.destroy())
      return
    }
    // Its request cannot be waited for.
    tell('connections')
    answerOnSocket(tooMany(), socket)
    socket.destroySoon()
  })
  // Without a listener it would end the process. The connection waits until the system has room.
  server.on('error', ({ code = 'error' }: NodeJS.ErrnoException) => {
    if (!server.listening) return
    server.closeIdleConnections()
    tell(code)
  })
  return ({ socket, url = '' }, response) => {
    if (!beyond.has(socket)) return null
    if (open <= max) {
      beyond.delete(socket)
      socket.setTimeout(0)
      return null
    }
    response.shouldKeepAlive = false
    if (PROBES.test(url)) return null
    tell('connections')
    return tooMany()
  }
}

function tooMany(): ConnectorError {
  return new ConnectorError('overloaded', 'too many connections are open; nothing was sent', {
    retryAfterMs: RETRY_AFTER_MS,
  })
}

/** Calls back at once, and then at most once a minute with how often it was called since. */
function rarely(tell: (times: number, reason: string) => void): (reason: string) => void {
  let times = 0
  let toldAt = -Infinity
  return (reason) => {
    times++
    if (performance.now() - toldAt < TELL_EVERY_MS) return
    toldAt = performance.now()
    tell(times, reason)
    times = 0
  }
}
