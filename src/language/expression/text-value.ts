// A JSON value as the text of a place that only holds text.
import { isExactNumber } from '../json/exact-number.ts'
import type { Json } from '../json/json.ts'
import { wellFormed } from './encode.ts'
import { ValueError } from './value-error.ts'

/** The text of a scalar. Throws ValueError for lists and objects, null, and text that is no valid Unicode. */
export function printScalar(value: Json): string {
  if (typeof value === 'string') return wellFormed(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isExactNumber(value)) return value.rawJSON
  throw new ValueError(
    `this place holds text, not ${value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object'}`,
  )
}

/** The value of a header. Throws ValueError for anything but printable ASCII: a line break would start another header. */
export function headerValue(value: Json): string {
  const text = printScalar(value)
  if (!/^[\x20-\x7e]*$/.test(text)) {
    throw new ValueError('a header holds printable ASCII characters only, no line breaks')
  }
  return text
}

/** JSON text. Throws ValueError when half a surrogate pair is in it: it would arrive as something else. */
export function jsonText(value: Json): string {
  const text = JSON.stringify(value)
  // JSON.stringify escapes lone surrogates and nothing else this way; the text of a backslash is doubled.
  if (/(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/.test(text))
    throw new ValueError('the text is no valid Unicode')
  return text
}

/** The bytes of base64 text. Throws ValueError for anything else. */
export function decodeBase64(base64: Json): Uint8Array {
  if (
    typeof base64 !== 'string' ||
    !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)
  ) {
    throw new ValueError('must be base64 text')
  }
  return Buffer.from(base64, 'base64')
}
