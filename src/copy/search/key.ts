// Comparison keys: texts whose UTF-8 bytes order as the values do. Of objects and arrays canonical texts are compared.
import { createHash } from 'node:crypto'

import { parseDecimal } from '../../language/json/decimal.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isList } from '../../language/json/members.ts'
import type { ScalarKind } from './filter.ts'
import { codePoints, isPlainText, storable, words } from './text.ts'

export interface ScalarKey {
  readonly kind: ScalarKind
  readonly key: string
}

const MAX_TEXT_LENGTH = 256
/** More significant digits than any index entry could hold. */
const MAX_DIGITS = 1_000
const MAX_EXPONENT = 49_999

/** The kind and key of a scalar; null for null, objects, arrays, and numbers that cannot be read. */
export function scalarKey(value: Json): ScalarKey | null {
  if (typeof value === 'string') return { kind: 'text', key: textKey(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', key: booleanKey(value) }
  if (typeof value === 'number') return ofNumber(String(value))
  return isExactNumber(value) ? ofNumber(value.rawJSON) : null
}

function ofNumber(source: string): ScalarKey | null {
  const key = numberKey(source)
  return key === null ? null : { kind: 'number', key }
}

export function booleanKey(value: boolean): string {
  return value ? '1' : '0'
}

/**
 * The key of a text. A time with an offset is its instant in UTC, so that one instant written in two zones is one value;
 * any other text is itself in NFC. Of a long one the first 256 code points order, and a digest keeps equality exact.
 */
export function textKey(text: string): string {
  const instant = instantKey(text)
  if (instant !== null) return instant
  const plain = isPlainText(text) ? text : storable(text).normalize('NFC')
  if (plain.length <= MAX_TEXT_LENGTH) return plain
  const points = codePoints(plain)
  if (points.length <= MAX_TEXT_LENGTH) return plain
  const digest = createHash('sha256').update(plain).digest('base64url')
  return `${points.slice(0, MAX_TEXT_LENGTH).join('')}\u{10ffff}${digest}`
}

const INSTANT_KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/

/** The distinct words that every text with this key has; none where the key does not tell, as of instants and long texts. */
export function wordsOfKey(key: string): readonly string[] {
  if (INSTANT_KEY.test(key) || key.length > MAX_TEXT_LENGTH) return []
  return [...new Set(words(key))]
}

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))$/

/** `2026-01-31T18:00:00.000000000Z` for a real time with an offset, else null. */
function instantKey(text: string): string | null {
  // Most texts are no times, and this costs less than the expression.
  if (text.length < 17 || text.length > 40 || text.charCodeAt(10) !== 0x54) return null
  const match = INSTANT.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second = '00', fraction = '', sign, ahead, aside] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(ahead ?? 0) > 23 || Number(aside ?? 0) > 59) return null
  // In UTC already, on a day that every month has.
  const isDay = Number(day) >= 1 && Number(day) <= 28
  if (sign === undefined && Number(month) >= 1 && Number(month) <= 12 && isDay)
    return `${text.slice(0, 16)}:${second}.${fraction.padEnd(9, '0')}Z`
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // Date.parse lets 31 February be 3 March.
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) return null
  const offset = (sign === '-' ? -1 : 1) * (Number(ahead ?? 0) * 60 + Number(aside ?? 0)) * 60_000
  const utc = new Date(local - offset).toISOString()
  // Years before 0 and after 9999 are written with a sign and would not order.
  return utc.length === 24 ? `${utc.slice(0, 19)}.${fraction.padEnd(9, '0')}Z` : null
}

/**
 * The key of a number given as JSON text: sign, exponent, digits, with the nines' complement below zero. Exact for any
 * number of digits up to 1,000; null beyond that and for exponents beyond ±49,999.
 */
export function numberKey(source: string): string | null {
  const decimal = parseDecimal(source)
  if (decimal === null) return null
  const { negative, digits } = decimal
  if (digits === '') return '1'
  const exponent = decimal.exponent + digits.length
  if (digits.length > MAX_DIGITS || Math.abs(exponent) > MAX_EXPONENT) return null
  const size = `${String(exponent + 50_000).padStart(5, '0')}${digits}`
  return negative ? `0${complement(size)}~` : `2${size}`
}

function complement(digits: string): string {
  let result = ''
  for (let at = 0; at < digits.length; at++) result += String(9 - Number(digits[at]))
  return result
}

const NUMBER_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export function isNumberText(text: string): boolean {
  return NUMBER_TEXT.test(text)
}

/** Orders two texts by code points, which is the order of their UTF-8 bytes and not that of `<`. */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a !== b) return place(a) - place(b)
  }
  return left.length - right.length
}

/** UTF-16 writes what lies above U+FFFF with units below U+E000. */
function place(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** JSON text without blanks, members in the order of code points, numbers by value: `1.0` is `1`. */
export function canonical(value: Json): string {
  if (typeof value === 'number') return canonicalNumber(String(value))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isExactNumber(value)) return canonicalNumber(value.rawJSON)
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  return canonicalObject(value)
}

function canonicalObject(object: JsonObject): string {
  const names = Object.keys(object)
  if (!areSorted(names)) names.sort(compareKeys)
  let text = ''
  for (const name of names) {
    // Object.keys names members that are there.
    const member = canonical(object[name] as Json)
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${member}`
  }
  return text === '' ? '{}' : `${text}}`
}

function areSorted(names: readonly string[]): boolean {
  for (let at = 1; at < names.length; at++)
    if (compareKeys(names[at - 1] ?? '', names[at] ?? '') > 0) return false
  return true
}

/** The `#` keeps numbers apart from texts; a number without a key stands for itself. */
function canonicalNumber(source: string): string {
  return `#${numberKey(source) ?? source}`
}
