// Moments in records: shown in the reader's own time, with the exact text at hand.
import type { Json } from '../api/json-text.ts'

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/
const LOCAL = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** A moment as people read it where they are; null: the value is none. */
export function localMoment(value: Json | undefined): string | null {
  const at = Date.parse(exactMoment(value) ?? '')
  return Number.isNaN(at) ? null : LOCAL.format(at)
}

/** The moment as the third party wrote it; null: the value is none. */
export function exactMoment(value: Json | undefined): string | null {
  return typeof value === 'string' && value.length <= 40 && MOMENT.test(value) ? value : null
}

/** A moment as a field of the browser for moments has it, in the reader's own time; '' for what is none. */
export function pickedFrom(text: string, exact: 'minute' | 'second'): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return ''
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, exact === 'minute' ? 16 : 19)
}

/** What was picked there, in UTC whatever the clock of the reader says; '' for nothing. */
export function momentPicked(picked: string): string {
  return picked === '' ? '' : new Date(picked).toISOString().replace('.000Z', 'Z')
}
