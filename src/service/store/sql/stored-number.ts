// The numbers that a store may hold: integers that every reader gets back as they were written.
import { defect } from '../../../database/defect.ts'

/** The longest time that anything may be put off, in milliseconds: 100 years. */
const MAX_DISTANCE_MS = 100 * 365 * 86_400_000

/** Throws `internal_error` for a parameter that is no integer between -2^53 and 2^53. Other values pass. */
export function requireStorable(value: unknown): void {
  if (typeof value === 'number' && isUnreadable(value)) throw outOfRange()
}

/** Throws `internal_error` for a distance in time that would lead out of what can be stored. */
export function requireDistance(ms: number): void {
  if (!(Math.abs(ms) <= MAX_DISTANCE_MS)) throw outOfRange()
}

/** Whether a value of a row is a number that does not come back as it was written. */
export function isUnreadable(value: unknown): boolean {
  return typeof value === 'number' ? !Number.isSafeInteger(value) : typeof value === 'bigint'
}

function outOfRange(): Error {
  return defect('the store', new RangeError('a number that was to be stored is out of range'))
}
