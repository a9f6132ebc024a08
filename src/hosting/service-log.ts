// The log as JSON lines on standard output.
import { destination, type DestinationStream } from 'pino'
import type { ServiceLog } from '../service/log.ts'
import type { LogLevel } from '../service/settings.ts'

/** Members that no caller may hand over; they are masked in case one does. */
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
/**
 * So many lines are put together and written at once, which takes a fraction of what it takes between requests; but
 * a reader who follows them waits no longer than this.
 */
const TOGETHER = 64
const WAITING_MS = 100
/** Characters that wait while nothing can be written, as on a full disk; what comes beyond them is lost. */
const MAX_WAITING = 1024 * 1024

/**
 * Lines with `level` in words and `time` in RFC 3339, written together every so often, and at once from `warn` on or to
 * a `stream` that is given. `close` writes out what is left.
 */
export function createServiceLog(
  level: LogLevel,
  stream?: DestinationStream,
): ServiceLog & { close(): void } {
  const output = stream === undefined ? openOutput() : writeAtOnce(stream)
  const write = (name: Exclude<LogLevel, 'silent'>): ServiceLog['info'] => {
    const head = `{"level":"${name}","time":"`
    const isUrgent = name === 'warn' || name === 'error'
    return (facts, message) => {
      output.add({ head, ms: Date.now(), facts, message })
      if (isUrgent) output.flush()
    }
  }
  const isShown = (name: LogLevel): boolean => LEVELS.indexOf(name) >= LEVELS.indexOf(level)
  return {
    debug: isShown('debug') ? write('debug') : ignore,
    info: isShown('info') ? write('info') : ignore,
    warn: isShown('warn') ? write('warn') : ignore,
    error: isShown('error') ? write('error') : ignore,
    close: () => output.close(),
  }
}

interface Line {
  readonly head: string
  /** Since 1970. */
  readonly ms: number
  readonly facts: object
  readonly message: string
}

interface Output {
  add(line: Line): void
  flush(): void
  close(): void
}

function ignore(): void {}

function writeAtOnce(stream: DestinationStream): Output {
  return { add: (line) => stream.write(textOf(line)), flush() {}, close() {} }
}

function openOutput(): Output {
  const stream = destination({ fd: 1, sync: true, maxLength: MAX_WAITING })
  let waiting: Line[] = []
  let lost = 0
  // It tries again with the next lines. Without a listener the process would end.
  stream.on('error', () => {})
  stream.on('drop', (text: string) => (lost += text.split('\n').length - 1))
  stream.on('drain', () => {
    if (lost === 0) return
    const facts = { lost }
    lost = 0
    const message = 'lines of the log are lost: they could not be written for some time'
    waiting.push({ head: '{"level":"warn","time":"', ms: Date.now(), facts, message })
  })
  const flush = (): void => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    stream.write(lines.map(textOf).join(''))
  }
  const timer = setInterval(flush, WAITING_MS).unref()
  process.once('exit', flush)
  return {
    add(line) {
      waiting.push(line)
      if (waiting.length >= TOGETHER) flush()
    },
    flush,
    close() {
      clearInterval(timer)
      process.off('exit', flush)
      flush()
    },
  }
}

/** Texts are put together: an object with all members would be built for nothing else. */
function textOf({ head, ms, facts, message }: Line): string {
  const members = JSON.stringify(redacted(facts)).slice(1, -1)
  const rest = `${members === '' ? '' : `,${members}`},"msg":${JSON.stringify(message)}}\n`
  return `${head}${timeText(ms)}"${rest}`
}

let lastTime = { ms: 0, text: '' }

/** Many lines are written within one millisecond. */
function timeText(ms: number): string {
  if (lastTime.ms !== ms) lastTime = { ms, text: new Date(ms).toISOString() }
  return lastTime.text
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
