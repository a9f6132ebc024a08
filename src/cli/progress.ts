// How far something is, for people who wait: a line on standard error of a terminal, which goes when it is done.
import type { Channel } from './terminal.ts'

/** Tells how far it is: `done` and `total` in the same unit; total null when it is unknown. */
type Update = (done: number, total: number | null) => void

const BAR = 24
const EVERY_MS = 80
/** Before it, a rate says nothing. */
const RATE_AFTER_S = 0.5
const CLEAR = '\r\u001B[2K'

interface Progress {
  /** What is counted. */
  readonly label: string
  readonly format?: (amount: number) => string
}

/** Runs with a progress line, which is cleared at the end. Where no person looks, nothing is written. */
export async function withProgress<T>(
  err: Channel,
  { label, format = String }: Progress,
  run: (update: Update) => Promise<T>,
): Promise<T> {
  if (!err.isTerminal) return await run(() => {})
  const started = performance.now()
  let drawnAt = Number.NEGATIVE_INFINITY
  const update: Update = (done, total) => {
    const now = performance.now()
    if (now - drawnAt < EVERY_MS && done !== total) return
    drawnAt = now
    const line = progressLine({ label, format }, done, total, (now - started) / 1000)
    err.write(`${CLEAR}${line.slice(0, err.columns - 1)}`)
  }
  try {
    return await run(update)
  } finally {
    err.write(CLEAR)
  }
}

/** Text that stands in one place of a terminal and is written again there. */
export interface TextInPlace {
  /** Writes it where the one before stands. */
  draw(text: string): void
  /** Takes it away; what stood above stays. */
  clear(): void
}

/** Lines that a screen has no room for are left out: nothing reaches above its first line. */
export function textInPlace(out: Pick<Channel, 'write' | 'columns' | 'rows'>): TextInPlace {
  let drawn = 0
  const clear = (): void => {
    if (drawn > 0) out.write(`\u001B[${drawn}A\r\u001B[J`)
    drawn = 0
  }
  return {
    clear,
    draw(text) {
      const lines = text.trimEnd().split('\n')
      const room = out.rows - 1
      const kept: string[] = []
      let used = 0
      for (const line of lines) {
        // A line that is too long takes several.
        const height = Math.max(1, Math.ceil(line.length / out.columns))
        if (used + height > room) break
        used += height
        kept.push(line)
      }
      clear()
      out.write(`${kept.join('\n')}\n`)
      drawn = used
    },
  }
}

/** `records  ██████░░ 500 of 2000  250/s  6 s left`: the rate once it is known, the rest where the total is. */
export function progressLine(
  { label, format = String }: Progress,
  done: number,
  total: number | null,
  seconds: number,
): string {
  const rate = seconds > RATE_AFTER_S ? done / seconds : 0
  const amount =
    total === null ? format(done) : `${bar(done / total)} ${format(done)} of ${format(total)}`
  return [
    label,
    amount,
    ...(rate > 0 ? [`${format(Math.round(rate))}/s`] : []),
    ...(rate > 0 && total !== null && total > done
      ? [`${duration((total - done) / rate)} left`]
      : []),
  ].join('  ')
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Bytes for people: 1.5 MiB. */
export function formatBytes(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const amount = bytes / 1024 ** power
  return `${power === 0 ? amount : amount.toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB'][power]}`
}

function bar(share: number): string {
  const full = Math.min(BAR, Math.max(0, Math.round(share * BAR)))
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`
}
