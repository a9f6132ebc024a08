// Encoders for single values, used by helpers of the same name and by the places of a request.
import type { TextPart } from './syntax.ts'
import { ValueError } from './value-error.ts'

const UNRESERVED = /^[\w\-.~]*$/

/** Percent-encodes all but the unreserved characters of RFC 3986. Throws ValueError for text that is no valid Unicode. */
export function percentEncode(text: string): string {
  if (UNRESERVED.test(text)) return text
  return encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Percent-encodes one whole segment of a path. Throws ValueError for an empty one, for control characters, and for `.`
 * and `..`, which URL parsers fold even when encoded.
 */
export function encodeSegment(text: string): string {
  if (text === '') throw new ValueError('a segment of the path is empty')
  if (text === '.' || text === '..')
    throw new ValueError('a segment of the path must not be "." or ".."')
  if (/\p{Cc}/u.test(text)) throw new ValueError('a path must not hold control characters')
  return percentEncode(text)
}

/** Escapes text for XML; line breaks and tabs become references. Throws ValueError for characters that XML 1.0 lacks. */
export function escapeXml(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that must not pass
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(wellFormed(text))) {
    throw new ValueError('XML cannot hold control characters')
  }
  return text.replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The text itself. Throws ValueError when half a surrogate pair is in it: nothing outside JavaScript can hold that. */
export function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new ValueError('the text is no valid Unicode')
  return text
}

/** Whether a value may hold several segments, which its helper has encoded and checked one by one. */
export function spansSegments(part: TextPart): boolean {
  return typeof part !== 'string' && part.kind === 'call' && part.helper === 'segments'
}
