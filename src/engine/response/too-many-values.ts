// How much would be made of a text, before anything is: a value takes many times the bytes that it is written in.
import { endOfText } from '../../language/json/parse-json.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'

/** How much may still be made of the texts of one answer. */
export interface Room {
  left: number
}

/** Values of one answer. */
const MAX_VALUES = 4_000_000
/** What an object, a list or a line takes, in values. */
const CONTAINER = 4
/** No shorter answer holds too many. */
const SHORT_BYTES = 1024 * 1024

/** For an answer of so many bytes; null: it needs no counting. */
export function roomFor(bytes: number): Room | null {
  return bytes <= SHORT_BYTES ? null : { left: MAX_VALUES }
}

/**
 * Takes what would be made of a text from the room; false: there is not enough. What stands between quotation marks is one
 * value, whatever it holds. Elements of XML are counted where they are read.
 */
export function takeRoom(room: Room, text: string, decode: ResponseRules['decode']): boolean {
  const form = FORMS[decode]
  if (form === undefined) return true
  const { weights, endOfQuoted } = form
  for (let at = 0; ;) {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : quote
    for (; at < end; at++) room.left -= weights[text.charCodeAt(at)] ?? 0
    // In a table a quotation mark inside of them is written as two: what holds many is many pieces.
    if (quote !== -1) room.left--
    if (room.left < 0) return false
    if (quote === -1) return true
    at = endOfQuoted(text, quote + 1) ?? text.length
  }
}

interface Form {
  /** By character: of what stands before a value, or begins one. */
  readonly weights: Uint8Array
  /** The place behind the quotation mark that ends what begins here; null: none does. */
  readonly endOfQuoted: (text: string, start: number) => number | null
}

const FORMS: Partial<Readonly<Record<ResponseRules['decode'], Form>>> = {
  json: { weights: weightsOf('[{'), endOfQuoted: endOfText },
  content: { weights: weightsOf('[{'), endOfQuoted: endOfText },
  jsonl: { weights: weightsOf('[{\n'), endOfQuoted: endOfText },
  csv: {
    weights: weightsOf('\n'),
    endOfQuoted: (text, start) => text.indexOf('"', start) + 1 || null,
  },
}

function weightsOf(containers: string): Uint8Array {
  const weights = new Uint8Array(128)
  weights[','.charCodeAt(0)] = 1
  for (const container of containers) weights[container.charCodeAt(0)] = CONTAINER
  return weights
}
