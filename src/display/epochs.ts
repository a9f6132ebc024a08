// Moments and durations that a third party writes as numbers: seconds or milliseconds, where the schema of a record says so.
import { schemaAt } from './schema-at.ts'

/** The formats of the manifest's language that say it, and how many milliseconds one of them has. */
const UNITS = { epoch_s: 1000, epoch_ms: 1 } as const

export type Epoch = keyof typeof UNITS

const DURATIONS = { duration_s: 1000, duration_ms: 1 } as const

export type Duration = keyof typeof DURATIONS

/** What `format` says of a number; null: it is no moment. */
export function epochOf(format: unknown): Epoch | null {
  return typeof format === 'string' && Object.hasOwn(UNITS, format) ? (format as Epoch) : null
}

/**
 * What the numbers at a path of records are, of which each element of a list counts. `record`: their schema, with the
 * definitions that it refers to; null: nobody knows it.
 */
export function epochAt(record: unknown, path: readonly string[]): Epoch | null {
  return epochOf(schemaAt(record, path)?.['format'])
}

/** The same for numbers that say how long something takes. */
export function durationAt(record: unknown, path: readonly string[]): Duration | null {
  const format = schemaAt(record, path)?.['format']
  return typeof format === 'string' && Object.hasOwn(DURATIONS, format)
    ? (format as Duration)
    : null
}

const STEPS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** A duration in its two largest units: `1 h 20 min`, `45 s`, `0.3 s`; null: the value is none. */
export function durationWords(value: unknown, unit: Duration | null): string | null {
  if (unit === null || (typeof value !== 'number' && typeof value !== 'bigint')) return null
  const ms = Number(value) * DURATIONS[unit]
  if (!Number.isFinite(ms) || ms < 0) return null
  const first = STEPS.findIndex(([, size]) => ms >= size)
  const [name, size] = STEPS[first] ?? ['s', 1000]
  const [below, part] = STEPS[first + 1] ?? [null, 0]
  if (first === -1 || below === null) return `${Math.round(ms / 100) / 10} ${name}`
  const rest = Math.floor((ms % size) / part)
  const whole = `${Math.floor(ms / size)} ${name}`
  return rest === 0 ? whole : `${whole} ${rest} ${below}`
}

/** The moment as a date-time of ISO 8601; null: the value is none. 0 stands for none at most third parties. */
export function epochMoment(value: unknown, epoch: Epoch | null): string | null {
  if (epoch === null || (typeof value !== 'number' && typeof value !== 'bigint')) return null
  const at = new Date(Number(value) * UNITS[epoch])
  return Number(value) <= 0 || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** Seconds with six decimals, as a text. */
const SECONDS_IN_TEXT = /^\d{10}\.\d{6}$/
/** What moments are called. */
const NAME_OF_MOMENT =
  /(?:^|[._])(?:ts|timestamp|time|date|at|on)$|[a-z\d](?:Ts|Timestamp|Time|Date|At|On)$/
/** Years in which such a text is a moment, and no amount or number of something. */
const FIRST_MS = Date.parse('2005-01-01T00:00:00Z')
const END_MS = Date.parse('2050-01-01T00:00:00Z')

/**
 * The moment of a value at a path of records: by what its schema says, or where it is a text of seconds with six decimals
 * whose name is one of moments (`ts`, `edited.ts`, `startTime`); null: it is none.
 */
export function momentAt(
  value: unknown,
  epoch: Epoch | null,
  path: readonly string[],
): string | null {
  if (typeof value !== 'string') return epochMoment(value, epoch)
  if (!SECONDS_IN_TEXT.test(value) || !NAME_OF_MOMENT.test(path.at(-1) ?? '')) return null
  const ms = Math.floor(Number(value) * 1000)
  return ms >= FIRST_MS && ms < END_MS ? new Date(ms).toISOString() : null
}

/** The number for a date-time of ISO 8601. */
export function epochFrom(moment: string, epoch: Epoch): number {
  return Math.floor(Date.parse(moment) / UNITS[epoch])
}
