// Finds where a value lies in the bytes of a JSON text, without building anything, and makes sure that all of it is JSON.
import { isDigit } from './decimal.ts'
import { type JsonBlocks, jsonBlocksFor } from './json-blocks.ts'

export interface JsonPlaces {
  /** Where the root begins, then the value under each name of the path. As many as `ends`. */
  readonly starts: readonly number[]
  /** The place behind each of them. */
  readonly ends: readonly number[]
  /** Elements, where the value at the end of the path is a list; null: it is none. */
  readonly elements: number | null
  /** Whether some number without fraction and exponent has more digits than every double holds. */
  readonly hasLongIntegers: boolean
}

/**
 * Follows `path`, names of members from the root, through the bytes of one JSON text (RFC 8259).
 *
 * Null says: this text is to be read in the ordinary way. It is no JSON, or nested deeper than `maxDepth`, or does not
 * lead along the path, or does so twice, or writes a name on the way with an escape. What is given back lies in a text
 * that JSON.parse would take. Whether the bytes are UTF-8 is the caller's question.
 *
 * With the `blocks` strings are skipped over in a third of the time.
 */
export function scanJson(
  bytes: Uint8Array,
  path: readonly Uint8Array[],
  maxDepth = 64,
  blocks: JsonBlocks | null = jsonBlocksFor(bytes.length),
): JsonPlaces | null {
  return new Scan(bytes, path, maxDepth, blocks?.marks(bytes) ?? null).run()
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const BROKEN = -1

/** 1: space, tab, the ends of lines. */
const BLANKS = new Uint8Array(0x21)
for (const blank of ' \t\n\r') BLANKS[blank.charCodeAt(0)] = 1

/** 1: a byte that stands for itself inside a text. */
const PLAIN = new Uint8Array(256).fill(1, 0x20)
PLAIN[QUOTE] = 0
PLAIN[BACKSLASH] = 0

/** How many bytes an escape has behind its letter, plus one; 0: there is no such escape. */
const ESCAPES = new Uint8Array(256)
for (const letter of '"\\/bfnrt') ESCAPES[letter.charCodeAt(0)] = 1
ESCAPES[0x75] = 5

const HEX = new Uint8Array(256)
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = 1

/** More digits may be more than a double holds. */
const SAFE_DIGITS = 15

class Scan {
  readonly #bytes: Uint8Array
  readonly #marks: Uint32Array | null
  readonly #path: readonly Uint8Array[]
  readonly #maxDepth: number
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #elements: number | null = null
  /** Elements of the list that ended last. */
  #counted = 0
  #hasLongIntegers = false

  constructor(
    bytes: Uint8Array,
    path: readonly Uint8Array[],
    maxDepth: number,
    marks: Uint32Array | null,
  ) {
    this.#bytes = bytes
    this.#marks = marks
    this.#path = path
    this.#maxDepth = maxDepth
  }

  run(): JsonPlaces | null {
    const start = skipBlanks(this.#bytes, 0)
    const end = this.#onPath(start, 0)
    if (end === BROKEN || skipBlanks(this.#bytes, end) !== this.#bytes.length) return null
    if (this.#ends.length !== this.#path.length + 1) return null
    return {
      starts: this.#starts,
      ends: this.#ends.toReversed(),
      elements: this.#elements,
      hasLongIntegers: this.#hasLongIntegers,
    }
  }

  /** A value on the path, `level` names from the root; the place behind it. */
  #onPath(start: number, level: number): number {
    const bytes = this.#bytes
    if (this.#starts.length !== level) return BROKEN
    this.#starts.push(start)
    let end: number
    if (level < this.#path.length) {
      const name = this.#path[level] ?? null
      end = bytes[start] === OBJECT ? this.#object(start, level + 1, name) : BROKEN
    } else {
      end = this.#value(start, level)
      if (bytes[start] === LIST) this.#elements = this.#counted
    }
    this.#ends.push(end)
    return end
  }

  /** Any value, inside of `depth` lists and objects; the place behind it. */
  #value(start: number, depth: number): number {
    const bytes = this.#bytes
    const first = bytes[start]
    if (first === QUOTE) return skipText(bytes, this.#marks, start + 1)
    if (first === OBJECT) return this.#object(start, depth + 1, null)
    if (first === LIST) return this.#list(start, depth + 1)
    if (first === 0x74) return skipWord(bytes, start, TRUE)
    if (first === 0x66) return skipWord(bytes, start, FALSE)
    if (first === 0x6e) return skipWord(bytes, start, NULL)
    return this.#number(start)
  }

  /** `next`: the name of the member that the path goes on with; null: it does not lead through here. */
  #object(start: number, depth: number, next: Uint8Array | null): number {
    const bytes = this.#bytes
    const marks = this.#marks
    if (depth > this.#maxDepth) return BROKEN
    let at = start + 1
    if (isBlank(bytes[at])) at = skipBlanks(bytes, at)
    if (bytes[at] === OBJECT_END) return at + 1
    for (;;) {
      if (bytes[at] !== QUOTE) return BROKEN
      const nameStart = at + 1
      at = skipText(bytes, marks, nameStart)
      if (at === BROKEN || (next !== null && hasEscape(bytes, nameStart, at))) return BROKEN
      const isNext = next !== null && isText(bytes, nameStart, at - 1, next)
      if (isBlank(bytes[at])) at = skipBlanks(bytes, at)
      if (bytes[at] !== COLON) return BROKEN
      at++
      if (isBlank(bytes[at])) at = skipBlanks(bytes, at)
      if (isNext) at = this.#onPath(at, depth)
      else at = bytes[at] === QUOTE ? skipText(bytes, marks, at + 1) : this.#value(at, depth)
      if (at === BROKEN) return BROKEN
      if (isBlank(bytes[at])) at = skipBlanks(bytes, at)
      if (bytes[at] === OBJECT_END) return at + 1
      if (bytes[at] !== COMMA) return BROKEN
      at++
      if (isBlank(bytes[at])) at = skipBlanks(bytes, at)
    }
  }

  #list(start: number, depth: number): number {
    const bytes = this.#bytes
    if (depth > this.#maxDepth) return BROKEN
    let at = skipBlanks(bytes, start + 1)
    let count = 0
    for (; count > 0 || bytes[at] !== LIST_END; at = skipBlanks(bytes, at + 1)) {
      at = this.#value(at, depth)
      if (at === BROKEN) return BROKEN
      count++
      at = skipBlanks(bytes, at)
      if (bytes[at] === LIST_END) break
      if (bytes[at] !== COMMA) return BROKEN
    }
    this.#counted = count
    return at + 1
  }

  #number(start: number): number {
    const bytes = this.#bytes
    let at = bytes[start] === MINUS ? start + 1 : start
    const digits = at
    if (bytes[at] === ZERO) at++
    else at = skipDigits(bytes, at)
    if (at === BROKEN) return BROKEN
    const whole = at
    if (bytes[at] === POINT) {
      at = skipDigits(bytes, at + 1)
      if (at === BROKEN) return BROKEN
    }
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      at++
      if (bytes[at] === PLUS || bytes[at] === MINUS) at++
      at = skipDigits(bytes, at)
    }
    if (at === whole && whole - digits > SAFE_DIGITS) this.#hasLongIntegers = true
    return at
  }
}

const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')]

function skipWord(bytes: Uint8Array, start: number, word: Uint8Array): number {
  return isText(bytes, start, start + word.length, word) ? start + word.length : BROKEN
}

/** One digit at least. */
function skipDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (isDigit(bytes[at] ?? 0)) at++
  return at === start ? BROKEN : at
}

/** The place behind the quotation mark that ends the text beginning at `start`. */
function skipText(bytes: Uint8Array, marks: Uint32Array | null, start: number): number {
  let at = start
  for (;;) {
    at = marks === null ? nextMark(bytes, at) : nextMarked(marks, at)
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte !== BACKSLASH) return BROKEN
    const size = ESCAPES[bytes[at + 1] ?? 0] ?? 0
    if (size === 0) return BROKEN
    for (let digit = 1; digit < size; digit++) {
      if (HEX[bytes[at + 1 + digit] ?? 0] !== 1) return BROKEN
    }
    at += 1 + size
  }
}

/** The next byte that does not stand for itself inside a text, or the end. */
function nextMark(bytes: Uint8Array, start: number): number {
  const { length } = bytes
  let at = start
  // Within the bounds of the loop.
  while (at < length && PLAIN[bytes[at] as number] === 1) at++
  return at
}

/** The same by one bit per byte. The bit behind the last byte is set, and escapes end before it. */
function nextMarked(marks: Uint32Array, start: number): number {
  let index = start >>> 5
  const here = (marks[index] ?? 0) >>> (start & 31)
  if (here !== 0) return start + lowestBit(here)
  let bits: number | undefined
  do bits = marks[++index]
  while (bits === 0)
  return bits === undefined ? BROKEN : index * 32 + lowestBit(bits)
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true
  return false
}

function isText(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false
  for (let index = 0; index < text.length; index++) {
    if (bytes[start + index] !== text[index]) return false
  }
  return true
}

function isBlank(byte: number | undefined): boolean {
  // Most bytes that are asked about are none, and fail the first test.
  return byte !== undefined && byte <= 0x20 && BLANKS[byte] === 1
}

function skipBlanks(bytes: Uint8Array, start: number): number {
  let at = start
  while (isBlank(bytes[at])) at++
  return at
}
