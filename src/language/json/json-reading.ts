// JSON text to values in slices: a text from outside may be as large and as unusual as the limits allow, and must not hold up
// the event loop. Ordinary texts of known origin are read by parse-json.ts, which is faster.
import { isDigit, needsExactness } from './decimal.ts'
import type { Json } from './json.ts'
import { nativeJson } from './native-json.ts'
import { pointerTo } from './pointer.ts'
import {
  endOfText,
  isNumberCharacter,
  JsonError,
  rememberPlain,
  rememberPlainParts,
} from './parse-json.ts'

/** The text is JSON, and has what is refused: a member that is `duplicate`, names a `prototype` or is one of too `many`. */
export class JsonRefused extends Error {
  override readonly name = 'JsonRefused'
  readonly kind: 'duplicate' | 'prototype' | 'many'
  /** JSON pointer of the member. */
  readonly pointer: string
  /** Of the member. It is the sender's text, but for names of prototypes. */
  readonly member: string

  constructor(kind: JsonRefused['kind'], pointer: string, member: string) {
    super(kind)
    this.kind = kind
    this.pointer = pointer
    this.member = member
  }
}

type JsonMembers = Record<string, Json>

/** An object or list that is open, and the one around it. */
interface Open {
  readonly around: Open | null
  /** Under which it stands there; a list's own count tells the place of an element. */
  readonly name: string | null
  /** null: it is a list. */
  readonly members: JsonMembers | null
  readonly elements: Json[] | null
  readonly depth: number
  /** Members that were read. */
  count: number
}

/** Engines keep objects of many members as tables, whose names alone take longer than a slice to list. */
export const MAX_MEMBERS = 10_000

/** Values between two looks at the time. */
const VALUES_BETWEEN_LOOKS = 64

/**
 * One reading of a JSON text (RFC 8259), `maxDepth` lists and objects deep. Every digit is kept as by `parseJson`, a byte
 * order mark is skipped. Of members with one name no last one wins: they are refused, and so are `__proto__`, a
 * `constructor` with a `prototype`, and objects of more than 10,000 members, wherever they stand.
 */
export class JsonReading {
  readonly #text: string
  readonly #maxDepth: number
  #at: number
  #open: Open | null = null
  /** Of the member whose value comes next. */
  #name = ''
  #value: Json = null
  #isPlain = true
  /** Of a large text the lists and objects that everything else is in. */
  readonly #upper: object[] = []
  #isDone = false

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
    this.#at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  }

  /** What was read. Throws a TypeError before `readOn` has said true. */
  get value(): Json {
    if (!this.#isDone) throw new TypeError('the text is not read to its end')
    return this.#value
  }

  /**
   * Reads on until the end, or until `isOver`, which is asked every 64 values; true: all is read. Throws JsonError, whose
   * message quotes nothing of the text, and JsonRefused.
   */
  readOn(isOver: () => boolean): boolean {
    for (let values = 1; !this.#readValue(); values++) {
      if (values % VALUES_BETWEEN_LOOKS === 0 && isOver()) return false
    }
    this.#isDone = true
    if (this.#isPlain) {
      rememberPlain(this.#value, this.#text.length)
      rememberPlainParts(this.#upper)
    }
    return true
  }

  /** One value, of a list or an object its beginning, and what stands before the next one; true: there is none. */
  #readValue(): boolean {
    const text = this.#text
    this.#skipBlanks()
    const code = text.charCodeAt(this.#at)
    if (code === OBJECT || code === LIST) {
      this.#at++
      this.#openContainer(code === OBJECT)
      this.#skipBlanks()
      if (text.charCodeAt(this.#at) !== code + 2) {
        if (code === OBJECT) this.#readName()
        return false
      }
    } else if (code === QUOTE) this.#place(this.#readText())
    else if (code === MINUS || isDigit(code)) this.#place(this.#readNumber())
    else this.#place(this.#readWord())
    return this.#readEnds()
  }

  /** Behind a value: the ends of lists and objects, then a comma and a name. */
  #readEnds(): boolean {
    for (;;) {
      this.#skipBlanks()
      const code = this.#text.charCodeAt(this.#at)
      const open = this.#open
      if (open === null) {
        if (this.#at < this.#text.length) throw this.#wrong()
        return true
      }
      if (code === COMMA) {
        this.#at++
        if (open.members !== null) {
          this.#skipBlanks()
          this.#readName()
        }
        return false
      }
      if (code !== (open.members === null ? LIST_END : OBJECT_END)) throw this.#wrong()
      this.#at++
      this.#open = open.around
    }
  }

  #openContainer(isObject: boolean): void {
    const around = this.#open
    const depth = (around?.depth ?? 0) + 1
    if (depth > this.#maxDepth) throw new JsonError('its JSON is nested too deep', this.#at - 1)
    const members: JsonMembers | null = isObject ? {} : null
    const elements: Json[] | null = isObject ? null : []
    if (depth <= UPPER_DEPTH && this.#upper.length < MAX_UPPER && this.#text.length > LARGE_TEXT)
      this.#upper.push((members ?? elements) as object)
    const name = around === null || around.members === null ? null : this.#name
    this.#place(members ?? elements)
    this.#open = { around, name, members, elements, depth, count: 0 }
  }

  #place(value: Json): void {
    const open = this.#open
    if (open === null) this.#value = value
    else if (open.members === null) open.elements?.push(value)
    // No name of a prototype comes this far.
    else open.members[this.#name] = value
  }

  /** The name of a member, and the colon behind it. */
  #readName(): void {
    if (this.#text.charCodeAt(this.#at) !== QUOTE) throw this.#wrong()
    const name = this.#readText()
    const open = this.#open
    if (open?.members == null) throw new TypeError('a name stands in an object')
    if (name === '__proto__') throw new JsonRefused('prototype', pointerIn(open, name), name)
    if (name === 'prototype' && open.name === 'constructor')
      throw new JsonRefused('prototype', pointerOf(open), open.name)
    if (Object.hasOwn(open.members, name))
      throw new JsonRefused('duplicate', pointerIn(open, name), name)
    if (++open.count > MAX_MEMBERS) throw new JsonRefused('many', pointerOf(open), name)
    this.#name = name
    this.#skipBlanks()
    if (this.#text.charCodeAt(this.#at) !== COLON) throw this.#wrong()
    this.#at++
  }

  /** A text whose quotation mark is here. */
  #readText(): string {
    const text = this.#text
    const start = this.#at + 1
    // Most are short and plain; what is cut out of a text is a copy up to this length, and keeps all of it alive beyond.
    const near = Math.min(start + SHORT_TEXT, text.length)
    let at = start
    while (at < near) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.#at = at + 1
        return text.slice(start, at)
      }
      if (code === BACKSLASH || code < 0x20) break
      at++
    }
    const end = endOfText(text, at)
    if (end === null) throw new JsonError('the JSON text ends inside a value', null)
    try {
      // The grammar of JSON is the type.
      const read = JSON.parse(text.slice(start - 1, end)) as string
      this.#at = end
      return read
    } catch {
      this.#at = start - 1
      throw this.#wrong()
    }
  }

  #readNumber(): Json {
    const text = this.#text
    const start = this.#at
    let at = start
    if (text.charCodeAt(at) === MINUS) at++
    const digits = at
    let whole = 0
    for (let code = text.charCodeAt(at); isDigit(code); code = text.charCodeAt(++at))
      whole = whole * 10 + (code - ZERO)
    const count = at - digits
    const code = text.charCodeAt(at)
    const isInteger = code !== POINT && (code | 0x20) !== LOWER_E
    const isLed = count > 1 && text.charCodeAt(digits) === ZERO
    if (isInteger && !isLed && count > 0 && count <= SAFE_DIGITS) {
      this.#at = at
      return digits === start ? whole : -whole
    }
    while (isNumberCharacter(text.charCodeAt(at))) at++
    const source = text.slice(start, at)
    if (!NUMBER.test(source)) throw this.#wrong()
    this.#at = at
    if (!needsExactness(source)) return Number(source)
    this.#isPlain = false
    return nativeJson.rawJSON(source)
  }

  #readWord(): Json {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    throw this.#wrong()
  }

  #skipBlanks(): void {
    const text = this.#text
    let at = this.#at
    for (;;) {
      const code = text.charCodeAt(at)
      if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) break
      at++
    }
    this.#at = at
  }

  #wrong(): JsonError {
    const at = this.#at
    return at >= this.#text.length
      ? new JsonError('the JSON text ends inside a value', null)
      : new JsonError(`it is not JSON at character ${at + 1}`, at)
  }
}

function pointerIn(open: Open, name: string): string {
  return pointerTo(pointerOf(open), [shortened(name)])
}

function pointerOf({ around, name }: Open): string {
  if (around === null) return ''
  return pointerIn(around, name ?? String((around.elements?.length ?? 1) - 1))
}

/** A name may be as long as the text. */
function shortened(name: string): string {
  return name.length <= LONG_NAME ? name : `${name.slice(0, LONG_NAME)}…`
}

const BYTE_ORDER_MARK = 0xfeff
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const COLON = 0x3a
const LIST = 0x5b
const BACKSLASH = 0x5c
const LIST_END = 0x5d
const LOWER_E = 0x65
const OBJECT = 0x7b
const OBJECT_END = 0x7d
const SHORT_TEXT = 13
const LONG_NAME = 100
const LARGE_TEXT = 32 * 1024
const UPPER_DEPTH = 4
const MAX_UPPER = 64
/** Integers of so many digits are within those that a double holds. */
const SAFE_DIGITS = 15
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
