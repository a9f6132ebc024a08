// JSON text to values: every digit kept, nesting bounded, nothing of the text in a message.
import { isDigit, needsExactness } from './decimal.ts'
import type { Json, JsonObject } from './json.ts'
import { nativeJson } from './native-json.ts'

export interface ParseJsonOptions {
  /** Arrays and objects within one another; a scalar has depth 0. Default 64. */
  readonly maxDepth?: number
}

/** What is said where nothing more is known of the mistake. */
export const NOT_JSON = 'it is not JSON'

/** The text is no JSON, or nested too deep. `offset` counts UTF-16 units; null where it is not known. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly offset: number | null

  constructor(message: string, offset: number | null) {
    super(message)
    this.offset = offset
  }
}

/** Beyond this many characters the nesting is checked before anything is built, for memory's sake. */
const CHECK_TEXT_BEYOND = 1 << 20

/**
 * Reads one JSON text and keeps every digit.
 *
 * Integers beyond ±(2^53 − 1), and numbers whose digits a double would change, become ExactNumber; all others are
 * plain numbers. A byte order mark is skipped. Of members with one name the last wins, as everywhere in JavaScript.
 * `__proto__` is a member like any other. A lone surrogate written as an escape is kept and is written escaped again.
 * Throws JsonError, whose message quotes nothing of the text.
 *
 * One plain JSON.parse and two cheap searches are the whole cost unless a number really needs care; only then the
 * text is read again with the source of each number.
 */
export function parseJson(source: string, options: ParseJsonOptions = {}): Json {
  const { maxDepth = 64 } = options
  const text = source.charCodeAt(0) === BYTE_ORDER_MARK ? source.slice(1) : source
  if (text.length > CHECK_TEXT_BEYOND) checkNesting(text, maxDepth)
  const value = parseNative(text)
  const plain = surveyValue(value, maxDepth) && !mayLoseDigits(text)
  if (!plain) return nativeJson.parse(text, reviveExact) as Json
  rememberPlain(value, text.length)
  return value
}

/** The value of a JSON text; undefined for a text that is none. */
export function tryParseJson(source: string): Json | undefined {
  try {
    return parseJson(source)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

/**
 * Reads one JSON text of which is known that no number of it needs exactness and how deep it is nested: nothing of
 * that is looked at. Throws JsonError as `parseJson` does.
 */
export function parsePlain(text: string): Json {
  const value = parseNative(text)
  rememberPlain(value, text.length)
  return value
}

/**
 * True when the value is known to hold no exact number: a scalar, the root of what was read last without meeting one,
 * or an upper part of a large text of that kind. False says nothing. It saves walks over large values.
 */
export function isKnownPlain(value: Json): boolean {
  return typeof value !== 'object' || value === null || value === lastPlain || plainParts.has(value)
}

const BYTE_ORDER_MARK = 0xfeff
/** Larger values are not kept alive for the sake of a walk. */
const REMEMBERED_TEXT = 1 << 20
/**
 * The value read last, mostly the one that is looked at next. One place and no WeakSet, which every answer would pay for;
 * with many answers at once a value may be forgotten, and is walked then.
 */
let lastPlain: object | null = null

/** Upper parts of large values, which many requests read at the same time: a walk would take longer than a slice. */
const plainParts = new WeakSet()

/** Notes that none of these values holds an exact number. They are never changed. */
export function rememberPlainParts(values: readonly object[]): void {
  for (const value of values) plainParts.add(value)
}

/** Notes that a value, read from a text of so many characters, holds no exact number. */
export function rememberPlain(value: Json, characters: number): void {
  lastPlain = characters <= REMEMBERED_TEXT && typeof value === 'object' ? value : null
}

function parseNative(text: string): Json {
  try {
    // The grammar of JSON is the type; exact numbers come in later.
    return JSON.parse(text) as Json
  } catch (error) {
    throw translate(error)
  }
}

/** V8 quotes the text around the mistake; that text is data of others and stays out of our message. */
function translate(error: unknown): JsonError {
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('Unexpected end')) {
    return new JsonError('the JSON text ends inside a value', null)
  }
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined) return new JsonError(NOT_JSON, null)
  return new JsonError(`it is not JSON at character ${Number(position) + 1}`, Number(position))
}

function reviveExact(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value
  return needsExactness(context.source) ? nativeJson.rawJSON(context.source) : value
}

/**
 * Walks a parsed value once: throws when it is nested too deep, and says whether all its numbers are within the
 * integers a double holds. Walking the value costs a tenth of reading the text character by character, because
 * texts are most of an answer and are not looked at.
 */
function surveyValue(value: Json | undefined, room: number): boolean {
  if (typeof value === 'number')
    return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return true
  if (room === 0) throw tooDeep(null)
  return Array.isArray(value)
    ? surveyArray(value, room - 1)
    : surveyObject(value as JsonObject, room - 1)
}

function surveyArray(list: readonly Json[], room: number): boolean {
  let safe = true
  for (let index = 0; index < list.length; index++) {
    const element = list[index]
    if (typeof element === 'object' ? element !== null : typeof element === 'number') {
      if (!surveyValue(element, room)) safe = false
    }
  }
  return safe
}

function surveyObject(object: JsonObject, room: number): boolean {
  let safe = true
  // Object.keys would allocate a list per object; what a parser built has own enumerable members only.
  for (const name in object) {
    const member = object[name]
    if (typeof member === 'object' ? member !== null : typeof member === 'number') {
      if (!surveyValue(member, room)) safe = false
    }
  }
  return safe
}

function tooDeep(offset: number | null): JsonError {
  return new JsonError('its JSON is nested too deep', offset)
}

/**
 * Whether a number of the text loses digits although its value looks harmless: one with a fraction and more than
 * 15 digits, or with a negative exponent (`1e-400` is read as 0). Numbers that come out large are found in the value.
 * What looks like such a number inside a text is a false alarm and costs time only.
 */
function mayLoseDigits(text: string): boolean {
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) {
    if (isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1))) {
      if (isInexactNumberAround(text, at, 15)) return true
    }
  }
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + 1)) {
    const letter = text.charCodeAt(at - 1)
    if ((letter === 0x65 || letter === 0x45) && isDigit(text.charCodeAt(at - 2))) {
      if (isInexactNumberAround(text, at - 1, 0)) return true
    }
  }
  return false
}

/**
 * Looks at the number token around `at`, the place of its point or exponent letter. Only what begins as a number is walked
 * to its end: a text such as `1.1.1.1` would be walked again from every point in it.
 */
function isInexactNumberAround(text: string, at: number, digitsThatFit: number): boolean {
  let start = startOfDigits(text, at)
  // Before an exponent a fraction may stand.
  if (text.charCodeAt(at) !== POINT && text.charCodeAt(start - 1) === POINT)
    start = startOfDigits(text, start - 1)
  if (text.charCodeAt(start - 1) === MINUS) start--
  if (!BEFORE_NUMBER.test(text.slice(Math.max(0, start - 1), start))) return false
  let end = at + 1
  while (isNumberCharacter(text.charCodeAt(end))) end++
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start
  return end - first - 1 > digitsThatFit && needsExactness(text.slice(start, end))
}

/** Where the digits begin that end before a place. */
function startOfDigits(text: string, end: number): number {
  let start = end
  while (isDigit(text.charCodeAt(start - 1))) start--
  return start
}

const POINT = 0x2e
const MINUS = 0x2d
/** What can stand before a number: a blank, a comma, a colon, an opening bracket, nothing. */
const BEFORE_NUMBER = /^[ \t\n\r,:[]?$/

/** Whether a character can stand in a number: digits, a point, signs and the letter of an exponent. */
export function isNumberCharacter(code: number): boolean {
  return (
    isDigit(code) || code === POINT || code === MINUS || code === 0x2b || (code | 0x20) === 0x65
  )
}

/** Counts brackets outside of texts, without recursion; gives up at the first one too many. */
function checkNesting(text: string, maxDepth: number): void {
  let depth = 0
  let at = 0
  for (;;) {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : quote
    for (; at < end; at++) {
      // `[` and `{` differ in one bit, and so do `]` and `}`.
      const code = text.charCodeAt(at) & ~0x20
      if (code === 0x5b) {
        if (++depth > maxDepth) throw tooDeep(at)
      } else if (code === 0x5d) depth--
    }
    if (quote === -1) return
    at = endOfText(text, quote + 1) ?? text.length
  }
}

/** The place behind the quotation mark that ends a text that goes on, outside of escapes, at `start`; null: none ends it. */
export function endOfText(text: string, start: number): number | null {
  let at = start
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return null
    let backslashes = 0
    while (quote - 1 - backslashes >= at && text.charCodeAt(quote - 1 - backslashes) === 0x5c)
      backslashes++
    at = quote + 1
    if (backslashes % 2 === 0) return at
  }
}
