// The log as JSON lines on standard output.
import { destination, type DestinationStream } from 'pino'
import type { ServiceLog } from '../service/log.ts'
import type { LogLevel } from '../service/settings.ts'

/** Members that no caller should hand over; a second wall behind never doing so. */
const REDACTED: ReadonlySet<string> = new Set([
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
])
const CENSORED = '[secret]'

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[]
/** Lines are written together, so many characters of them, but nobody who follows them waits longer than this. */
const WRITTEN_AT_ONCE = 8 * 1024
const WAITING_MS = 100

/**
 * Lines with `level` in words and `time` in RFC 3339, written together every so often, and at once from `warn` on.
 * `close` writes out what is left.
 */
export function createServiceLog(
  level: LogLevel,
  stream?: DestinationStream,
): ServiceLog & { close(): void } {
  const output =
    stream === undefined ? openOutput() : { ...NOTHING_LEFT, add: stream.write.bind(stream) }
  const write = (
    name: Exclude<LogLevel, 'silent'>,
    isUrgent: boolean,
  ): ((facts: object, message: string) => void) => {
    const head = `{"level":"${name}","time":"`
    // Texts are put together: an object with all members would be built for nothing else.
    return (facts, message) => {
      const members = JSON.stringify(redacted(facts)).slice(1, -1)
      const rest = `${members === '' ? '' : `,${members}`},"msg":${JSON.stringify(message)}}\n`
      output.add(`${head}${timeText(Date.now())}"${rest}`)
      if (isUrgent) output.flush()
    }
  }
  const isShown = (name: LogLevel): boolean => LEVELS.indexOf(name) >= LEVELS.indexOf(level)
  return {
    debug: isShown('debug') ? write('debug', false) : ignore,
    info: isShown('info') ? write('info', false) : ignore,
    warn: isShown('warn') ? write('warn', true) : ignore,
    error: isShown('error') ? write('error', true) : ignore,
    close: () => output.close(),
  }
}

let lastTime = { ms: 0, text: '' }

/** Many lines are written within one millisecond. */
function timeText(ms: number): string {
  if (lastTime.ms !== ms) lastTime = { ms, text: new Date(ms).toISOString() }
  return lastTime.text
}

interface Output {
  add(line: string): void
  flush(): void
  close(): void
}

const NOTHING_LEFT: Pick<Output, 'flush' | 'close'> = { flush() {}, close() {} }

function ignore(): void {}

/** Lines wait here and not in the stream, which measures all that waits with every line that comes. */
function openOutput(): Output {
  const stream = destination({ fd: 1, sync: true })
  let waiting = ''
  const flush = (): void => {
    if (waiting !== '') stream.write(waiting)
    waiting = ''
  }
  const timer = setInterval(flush, WAITING_MS).unref()
  process.once('exit', flush)
  return {
    add(line) {
      waiting += line
      if (waiting.length >= WRITTEN_AT_ONCE) flush()
    },
    flush,
    close() {
      clearInterval(timer)
      process.off('exit', flush)
      flush()
    },
  }
}

/** The facts with such members masked, at the top and one level below. Copies only where there are any. */
function redacted(facts: object, isInside = false): object {
  let copy: Record<string, unknown> | null = null
  // Lists of entries would be made for every line; facts have members of their own only.
  for (const name in facts) {
    const value = (facts as Readonly<Record<string, unknown>>)[name]
    const shown = REDACTED.has(name)
      ? CENSORED
      : isInside || typeof value !== 'object' || value === null
        ? value
        : redacted(value, true)
    if (shown === value) continue
    copy ??= { ...facts }
    copy[name] = shown
  }
  return copy ?? facts
}
