// Somebody else's words, made fit to stand in a message of ours.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json } from '../../language/json/json.ts'

/** A value as text: texts and numbers as they are, lists and objects as JSON; null for what is absent, null or empty. */
export function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value === '' ? null : value
  if (isExactNumber(value)) return value.rawJSON
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Text on one line, without control characters, cut to `maxLength` UTF-16 units. */
export function oneLine(text: string, maxLength: number): string {
  // Cutting twice keeps the work bounded whatever a vendor sends; the first cut leaves room for what collapses.
  const line = text
    .slice(0, maxLength * 8)
    .replace(UNPRINTABLE, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

/** Control characters, line and paragraph separators, and the marks that turn the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu
