// One line that moves while something long is under way; only on a terminal.

export interface Progress {
  /** `done` and `total` in the same unit; total null when nobody knows it. */
  update(done: number, total: number | null): void
  /** Clears the line. */
  end(): void
}

export interface ProgressOptions {
  readonly label: string
  /** How amounts are written; default: as they are. */
  readonly format?: (amount: number) => string
  readonly stream: {
    readonly isTTY?: boolean
    readonly columns?: number
    write(text: string): unknown
  }
  /** Milliseconds that never jump. */
  readonly now?: () => number
}

const BAR = 24
const EVERY_MS = 80

/** A progress line on `stream`; does nothing when that is no terminal. */
export function createProgress({
  label,
  format = String,
  stream,
  now = () => performance.now(),
}: ProgressOptions): Progress {
  if (stream.isTTY !== true) return { update: () => {}, end: () => {} }
  const started = now()
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    update(done, total) {
      if (now() - drawnAt < EVERY_MS && done !== total) return
      drawnAt = now()
      const seconds = (drawnAt - started) / 1000
      const rate = seconds > 0.5 ? `  ${format(Math.round(done / seconds))}/s` : ''
      const amount =
        total === null ? format(done) : `${bar(done / total)} ${format(done)} of ${format(total)}`
      stream.write(
        `\r\u001B[2K${`${label}  ${amount}${rate}`.slice(0, (stream.columns ?? 80) - 1)}`,
      )
    },
    end() {
      stream.write('\r\u001B[2K')
    },
  }
}

/** Runs with a progress line on standard error, which is cleared at the end. */
export async function withProgress<T>(
  label: string,
  run: (update: Progress['update']) => Promise<T>,
  format?: (amount: number) => string,
): Promise<T> {
  const progress = createProgress({
    label,
    stream: process.stderr,
    ...(format === undefined ? {} : { format }),
  })
  try {
    return await run((done, total) => progress.update(done, total))
  } finally {
    progress.end()
  }
}

/** Bytes for people: 1.5 MiB. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  let amount = bytes
  let unit = 0
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit++
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`
}

function bar(share: number): string {
  const full = Math.min(BAR, Math.max(0, Math.round(share * BAR)))
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`
}
