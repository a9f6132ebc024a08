// Moments to the second, by the clock of the reader.

const EXACT_PARTS = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const
const SHORT = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hourCycle: 'h23',
  ...EXACT_PARTS,
})
const WHOLE = new Intl.DateTimeFormat('en', {
  dateStyle: 'full',
  timeStyle: 'long',
  hourCycle: 'h23',
})

/** To the second, with the zone of the reader: `Nov 28, 21:05:12 UTC`. */
export function exactLocal(at: string): string {
  return SHORT.format(new Date(at))
}

const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' })

/** Without day and zone: `21:05:12`. */
export function clockLocal(at: string): string {
  return CLOCK.format(new Date(at))
}

/** The same with weekday and year, for tooltips. */
export function wholeLocal(at: string): string {
  return WHOLE.format(new Date(at))
}
