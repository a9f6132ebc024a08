// One line that moves while something long is under way; only on a terminal.

/** Tells how far it is: `done` and `total` in the same unit; total null when it is unknown. */
type Update = (done: number, total: number | null) => void

const BAR = 24
const EVERY_MS = 80
const CLEAR = '\r\u001B[2K'

/** Runs with a progress line on standard error, which is cleared at the end. */
export async function withProgress<T>(
  label: string,
  run: (update: Update) => Promise<T>,
  format: (amount: number) => string = String,
): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY) return await run(() => {})
  const started = performance.now()
  let drawnAt = Number.NEGATIVE_INFINITY
  const update: Update = (done, total) => {
    const now = performance.now()
    if (now - drawnAt < EVERY_MS && done !== total) return
    drawnAt = now
    const seconds = (now - started) / 1000
    const rate = seconds > 0.5 ? `  ${format(Math.round(done / seconds))}/s` : ''
    const amount =
      total === null ? format(done) : `${bar(done / total)} ${format(done)} of ${format(total)}`
    stderr.write(`${CLEAR}${`${label}  ${amount}${rate}`.slice(0, (stderr.columns ?? 80) - 1)}`)
  }
  try {
    return await run(update)
  } finally {
    stderr.write(CLEAR)
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
