// Times as helpers see them: read, moved and written in the offset they came with. No clock, no time zones.
import { isDigit } from '../json/decimal.ts'
import type { Json } from '../json/json.ts'
import { ValueError } from './value-error.ts'

const MS_PER_MINUTE = 60_000
const MS_PER_HOUR = 60 * MS_PER_MINUTE
const MS_PER_DAY = 24 * MS_PER_HOUR

interface Time {
  /** What the value was: the result of arithmetic is written in the same way. */
  readonly kind: 'date' | 'dateTime' | 'seconds'
  /** The reading, as milliseconds since 1970 on a clock of that offset. */
  readonly localMs: number
  /** Minutes ahead of UTC; null when the text names no offset, which counts as UTC. */
  readonly offsetMinutes: number | null
  /** Digits of the second beyond the third. */
  readonly finer: string
}

const MAX_TEXT = 64

const ISO =
  /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?)?$/
// Seconds of 1973 to 5138 either side of 1970; fewer digits could be a year or a date.
const UNIX_SECONDS = /^-?\d{9,11}$/

/**
 * Writes a time: `iso`, `epoch_s` and `epoch_ms` (integers), or letters: yyyy MM dd HH mm ss SSS, XXX (`+02:00` or `Z`),
 * XX (`+0200` or `Z`), `T` and every character that is no letter as they are, other text in single quotes.
 */
export type TimeFormat = (time: Json) => Json

/** Compiles a format. Throws ValueError that names what is no part of a format. */
export function compileTimeFormat(format: string): TimeFormat {
  const special = Object.hasOwn(SPECIAL_FORMATS, format) ? SPECIAL_FORMATS[format] : undefined
  if (special !== undefined) return (value) => special(parseTime(value))
  const parts = readFormat(format)
  return (value) => {
    const time = parseTime(value)
    const clock = new Date(time.localMs)
    let text = ''
    for (const part of parts) text += typeof part === 'string' ? part : part(clock, time)
    return text
  }
}

const SPECIAL_FORMATS: Readonly<Record<string, (time: Time) => Json>> = {
  iso: (time) => writeIso({ ...time, offsetMinutes: time.offsetMinutes ?? 0 }),
  epoch_s: (time) => Math.floor(utcMs(time) / 1000),
  epoch_ms: (time) => utcMs(time),
}

/** `clock` shows in UTC what the time shows in its offset. */
type Field = (clock: Date, time: Time) => string
const FIELDS: Readonly<Record<string, Field>> = {
  yyyy: (clock) => pad(clock.getUTCFullYear(), 4),
  MM: (clock) => pad(clock.getUTCMonth() + 1),
  dd: (clock) => pad(clock.getUTCDate()),
  HH: (clock) => pad(clock.getUTCHours()),
  mm: (clock) => pad(clock.getUTCMinutes()),
  ss: (clock) => pad(clock.getUTCSeconds()),
  SSS: (clock) => pad(clock.getUTCMilliseconds(), 3),
  XXX: (_, time) => writeOffset(time.offsetMinutes ?? 0, ':'),
  XX: (_, time) => writeOffset(time.offsetMinutes ?? 0, ''),
}
const FORMAT_PART = /yyyy|MM|dd|HH|mm|ss|SSS|XXX?|'((?:[^']|'')*)'|T|[^A-Za-z']+|(.)/gsy

function readFormat(format: string): readonly (string | Field)[] {
  const parts: (string | Field)[] = []
  for (const match of format.matchAll(FORMAT_PART)) {
    const [part, quoted, unknown] = match
    if (unknown !== undefined || part === 'X') {
      const hint = unknown === 'Z' ? '; XXX writes the offset' : ''
      throw new ValueError(
        `a time format has no "${part}": it is made of yyyy MM dd HH mm ss SSS XXX XX, or is iso, epoch_s or epoch_ms${hint}`,
      )
    }
    if (quoted !== undefined) parts.push(quoted.replaceAll("''", "'"))
    else parts.push(Object.hasOwn(FIELDS, part) ? (FIELDS[part] ?? part) : part)
  }
  if (parts.length === 0) throw new ValueError('a time format is not empty')
  return parts
}

/** A parsed duration: calendar months, whole days, and the rest. */
interface Duration {
  readonly months: number
  readonly days: number
  readonly ms: number
}
const DURATION =
  /^(-?)P(?=.)(?:(\d{1,5})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,7})D)?(?:T(?=.)(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,11})(?:[.,](\d{1,3}))?S)?)?$/

/** Compiles an ISO 8601 duration (`P1D`, `-PT30M`, `P1M`, `PT23H59M59.999S`) into a function that adds it to a time. */
export function compileDuration(text: string): (time: Json) => Json {
  const duration = parseDuration(text)
  return (time) => writeSame(add(parseTime(time), duration))
}

function parseDuration(text: string): Duration {
  const match = text.length <= MAX_TEXT ? DURATION.exec(text) : null
  if (match === null) throw new ValueError('this is no ISO 8601 duration such as P1D or -PT30M')
  const sign = match[1] === '-' ? -1 : 1
  const number = (group: number): number => Number(match[group] ?? 0)
  const fractionMs = Number((match[9] ?? '').padEnd(3, '0'))
  const minutes = number(6) * 60 + number(7)
  return {
    months: sign * (number(2) * 12 + number(3)),
    days: sign * (number(4) * 7 + number(5)),
    ms: sign * (minutes * MS_PER_MINUTE + number(8) * 1000 + fractionMs),
  }
}

const ROUNDING_MS: Readonly<Record<string, number>> = {
  P1D: MS_PER_DAY,
  PT1H: MS_PER_HOUR,
  PT1M: MS_PER_MINUTE,
  PT1S: 1000,
}

/** Compiles a unit (`P1D`, `PT1H`, `PT1M`, `PT1S`) into a function that gives the first whole one not before a time. */
export function compileRoundUp(unit: string): (time: Json) => Json {
  const unitMs = Object.hasOwn(ROUNDING_MS, unit) ? ROUNDING_MS[unit] : undefined
  if (unitMs === undefined) {
    throw new ValueError(`a time is rounded up to ${Object.keys(ROUNDING_MS).join(', ')}`)
  }
  return (value) => {
    const time = parseTime(value)
    const atLeastMs = time.localMs + (/[1-9]/.test(time.finer) ? 1 : 0)
    return writeSame({
      ...time,
      localMs: inRange(Math.ceil(atLeastMs / unitMs) * unitMs),
      finer: '',
    })
  }
}

/** Months first, then days, then the rest; a day that the month lacks becomes its last one. */
function add(time: Time, { months, days, ms }: Duration): Time {
  let localMs = time.localMs
  if (months !== 0) {
    const date = new Date(localMs)
    const day = date.getUTCDate()
    localMs = date.setUTCMonth(date.getUTCMonth() + months)
    if (date.getUTCDate() !== day) localMs = date.setUTCDate(0)
  }
  localMs = inRange(localMs + days * MS_PER_DAY + ms)
  const kind = time.kind === 'date' && ms !== 0 ? 'dateTime' : time.kind
  return { ...time, kind, localMs }
}

function parseTime(value: Json): Time {
  if (typeof value === 'number') return fromSeconds(value)
  if (typeof value !== 'string') throw new ValueError('this is no time: ISO text or Unix seconds')
  if (value.length <= MAX_TEXT) {
    if (ISO.test(value)) return fromIso(value)
    if (UNIX_SECONDS.test(value)) return fromSeconds(Number(value))
  }
  throw new ValueError('this text is no ISO 8601 time')
}

function fromIso(text: string): Time {
  const withTime = text.length > 10
  const withSeconds = text[16] === ':'
  let end = withSeconds ? 19 : 16
  let fraction = ''
  if (withSeconds && (text[19] === '.' || text[19] === ',')) {
    end = 20
    while (isDigit(text.charCodeAt(end))) end++
    fraction = text.slice(20, end)
  }
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)]
  const hour = withTime ? twoDigits(text, 11) : 0
  const minute = withTime ? twoDigits(text, 14) : 0
  const second = withSeconds ? twoDigits(text, 17) : 0
  const date = new Date(0)
  const midnightMs = date.setUTCFullYear(Number(text.slice(0, 4)), month - 1, day)
  // A day that the month lacks has become one of the next month. A second of 60 is the next minute's first.
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || second > 60)
    throw new ValueError('there is no such date or time')
  const ms = fraction === '' ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  const clockMs = hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * 1000 + ms
  return {
    kind: withTime ? 'dateTime' : 'date',
    localMs: inRange(midnightMs + clockMs),
    offsetMinutes: withTime && text.length > end ? parseOffset(text.slice(end)) : null,
    finer: fraction.slice(3),
  }
}

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528
}

function fromSeconds(seconds: number): Time {
  const localMs = inRange(Math.round(seconds * 1000))
  return { kind: 'seconds', localMs, offsetMinutes: 0, finer: '' }
}

function parseOffset(text: string): number {
  if (text === 'Z' || text === 'z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(-2)) * (text.length > 3 ? 1 : 0)
  if (hours > 23 || minutes > 59) throw new ValueError('there is no such offset from UTC')
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** Years 0 to 9999: beyond them there is no four-digit year to write. */
function inRange(localMs: number): number {
  if (localMs >= -62_167_219_200_000 && localMs <= 253_402_300_799_999) return localMs
  throw new ValueError('the time lies outside the years 0 to 9999')
}

function utcMs(time: Time): number {
  return time.localMs - (time.offsetMinutes ?? 0) * MS_PER_MINUTE
}

function writeSame(time: Time): Json {
  if (time.kind === 'seconds') return time.localMs / 1000
  return time.kind === 'date' ? writeDate(new Date(time.localMs)) : writeIso(time)
}

/** The fraction is left out when it is zero, the offset when there is none. */
function writeIso(time: Time): string {
  const clock = new Date(time.localMs)
  const [hour, minute] = [pad(clock.getUTCHours()), pad(clock.getUTCMinutes())]
  const fraction = pad(clock.getUTCMilliseconds(), 3) + time.finer
  const second = pad(clock.getUTCSeconds()) + (/[1-9]/.test(fraction) ? `.${fraction}` : '')
  const offset = time.offsetMinutes === null ? '' : writeOffset(time.offsetMinutes, ':')
  return `${writeDate(clock)}T${hour}:${minute}:${second}${offset}`
}

function writeDate(clock: Date): string {
  return `${pad(clock.getUTCFullYear(), 4)}-${pad(clock.getUTCMonth() + 1)}-${pad(clock.getUTCDate())}`
}

function writeOffset(minutes: number, separator: string): string {
  if (minutes === 0) return 'Z'
  const size = Math.abs(minutes)
  return (minutes < 0 ? '-' : '+') + pad(Math.floor(size / 60)) + separator + pad(size % 60)
}

function pad(number: number, width = 2): string {
  return String(number).padStart(width, '0')
}
