// The Gregorian calendar as arithmetic: at half the price of Date objects, and free of time zones.

export const MS_PER_MINUTE = 60_000
export const MS_PER_DAY = 86_400_000

/** A reading of calendar and clock. */
export interface Reading {
  readonly year: number
  /** From 1. */
  readonly month: number
  /** From 1. */
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly ms: number
}

/** Days of a month, from 1; 0 when there is no such month. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return DAYS[month - 1] ?? 0
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

// Years are counted from March here, so that the leap day is the last of its year, and in blocks of 400 years,
// after which the calendar repeats.
const DAYS_PER_ERA = 146_097
const DAYS_BEFORE_1970 = 719_468

/** Milliseconds since 1970 of a reading, as if its clock showed UTC. A second of 60 is the next minute's first. */
export function toMs({ year, month, day, hour, minute, second, ms }: Reading): number {
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  const days = era * DAYS_PER_ERA + dayOfEra - DAYS_BEFORE_1970
  return days * MS_PER_DAY + hour * 3_600_000 + minute * MS_PER_MINUTE + second * 1000 + ms
}

/** The reading at so many milliseconds since 1970. */
export function toReading(localMs: number): Reading {
  const days = Math.floor(localMs / MS_PER_DAY)
  const msOfDay = localMs - days * MS_PER_DAY
  const shifted = days + DAYS_BEFORE_1970
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
    hour: Math.floor(msOfDay / 3_600_000),
    minute: Math.floor(msOfDay / MS_PER_MINUTE) % 60,
    second: Math.floor(msOfDay / 1000) % 60,
    ms: msOfDay % 1000,
  }
}
