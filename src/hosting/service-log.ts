// The log as JSON lines on standard output.
import { pino, type DestinationStream } from 'pino'
import type { ServiceLog } from '../service/log.ts'
import type { LogLevel } from '../service/settings.ts'

/** Members that no caller should hand over; a second wall behind never doing so. */
const REDACTED = [
  'authorization',
  'credentials',
  'client_secret',
  'access_token',
  'refresh_token',
  'token',
  'secret',
  'password',
  'params',
  'body',
]

/** Lines with `level` in words and `time` in RFC 3339. `close` writes out what is buffered. */
export function createServiceLog(
  level: LogLevel,
  destination?: DestinationStream,
): ServiceLog & { close(): void } {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: REDACTED.flatMap((name) => [name, `*.${name}`]),
        censor: '[secret]',
      },
    },
    ...(destination === undefined ? [] : [destination]),
  )
  return {
    debug: (facts, message) => logger.debug(facts, message),
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error: (facts, message) => logger.error(facts, message),
    close: () => logger.flush(),
  }
}
