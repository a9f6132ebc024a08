// What of an upstream answer may be shown: little, and nothing secret.
import type { Answer } from '../../language/expression/pick.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json } from '../../language/json/json.ts'
import { JWT_SHAPE } from '../../language/manifest/token-shape.ts'
import { isJsonType, readContentType } from './content-type.ts'
import { oneLine } from './plain-text.ts'

/** Masks the secrets a call knows by value. */
export type Redact = (text: string) => string

/** UTF-8 bytes of the longest excerpt. */
export const MAX_EXCERPT_BYTES = 2048
/** A longer body is not quoted: masking has to see the whole of it, and failures are shorter. */
const MAX_BODY_BYTES = 256 * 1024
const MASK = '[secret]'

/**
 * The body of an answer for people: at most 2 KiB of JSON or plain text; null for anything else (a page, a file),
 * for an empty body and for one beyond 256 KiB.
 *
 * Masked are the secrets `redact` knows, the values of members and query parameters named like secrets, what
 * follows `Bearer` or `Basic`, and JSON Web Tokens. Masking comes before cutting, so that no half of a secret is left over.
 */
export function excerptOf(answer: Answer, raw: Uint8Array | null, redact: Redact): string | null {
  if (raw === null || raw.length === 0 || raw.length > MAX_BODY_BYTES) return null
  const text = readableText(answer, raw)
  return text === null ? null : cut(redact(maskPairs(text)))
}

/** Somebody else's words on one line, at most `maxLength` long, without anything secret. */
export function quoteOf(text: string, maxLength: number, redact: Redact): string {
  return oneLine(redact(maskPairs(text)), maxLength)
}

/**
 * Text without the values of pairs that are named like secrets, without what follows `Bearer` or `Basic`, and without JSON
 * Web Tokens: those of a block `jwt` are made for one attempt, so nobody remembers them.
 */
export function maskPairs(text: string): string {
  return text
    .replace(JWT_SHAPE, MASK)
    .replace(QUERY_PAIR, `$1${MASK}`)
    .replace(JSON_PAIR, `$1${MASK}`)
    .replace(HEADER, `$1${MASK}`)
    .replace(SCHEME, `$1 ${MASK}`)
}

function readableText(answer: Answer, raw: Uint8Array): string | null {
  const announced = readContentType(answer.headers['content-type'])
  if (answer.body !== undefined && (announced === null || isJsonType(announced.type))) {
    return JSON.stringify(maskMembers(answer.body))
  }
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8').trim()
  const isText = announced === null ? !text.startsWith('<') : announced.type === 'text/plain'
  return isText && text !== '' ? text : null
}

// Bounded repetition: an unbounded run in front of the word would make the search quadratic.
const SECRET_NAME =
  '[\\w.-]{0,40}?(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|authorization|cookie|credential|signature)s?'
// Not `name: value` in general: "password: must not be null" is what a vendor says about a field.
const QUERY_PAIR = new RegExp(`(\\b${SECRET_NAME}=)[^\\s"'&,;<>\\\\]+`, 'gi')
const JSON_PAIR = new RegExp(`(["']${SECRET_NAME}["']\\s{0,8}:\\s{0,8}["'])[^"'\\\\]+`, 'gi')
const HEADER =
  /\b((?:proxy-)?authorization:\s?|(?:set-)?cookie:\s?|[\w-]{0,40}?api-key:\s?)[^\r\n"]+/gi
// A digit or `=` tells a credential from a sentence about basic authentication.
const SCHEME = /\b(bearer|basic)\s{1,8}(?=[\w.~+/-]{0,400}[\d=])[\w.~+/=-]{6,}/gi
const SECRET_MEMBER = new RegExp(`^${SECRET_NAME}$`, 'i')

/** The value without what its members named like secrets hold. */
function maskMembers(value: Json): Json {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value
  if (Array.isArray(value)) return value.map(maskMembers)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_MEMBER.test(name) && member !== null ? MASK : maskMembers(member),
    ]),
  )
}

function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_EXCERPT_BYTES) return text
  // The ellipsis takes three bytes; a character cut in half would be read as U+FFFD.
  const kept = bytes.subarray(0, MAX_EXCERPT_BYTES - 3).toString('utf8')
  return `${kept.replace(/\uFFFD+$/, '')}…`
}
