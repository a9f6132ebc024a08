// Bytes of an answer to a value.
import { ConnectorError, type Outcome } from '../../errors.ts'
import type { Json } from '../../language/json/json.ts'
import { JsonError, parseJson } from '../../language/json/parse-json.ts'
import { parsePlainJson } from '../../language/json/plain-json.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'
import { isHtmlType, isJsonType, readContentType } from './content-type.ts'
import { CsvError, parseCsv } from './csv.ts'

export type Decode = ResponseRules['decode']

/**
 * The value of a successful answer, whole or in the pieces it came in; undefined for an empty body and where the manifest decodes nothing.
 *
 * `json` wants a content type that says JSON, or none at all; `jsonl` gives the list of its lines, `csv` a list of
 * objects of texts named by the header row, `text` the text. A page for people is never one of these. Texts are
 * UTF-8 unless the content type names another charset; a byte order mark is skipped.
 * Throws `upstream_malformed` for another content type, for bytes that are not in their charset, and for what
 * cannot be read; the message quotes nothing of the body. `outcome`: what that failure says about a write.
 */
export function decodeBody(
  body: Buffer | readonly Buffer[],
  contentType: string | undefined,
  decode: Decode,
  outcome: Outcome = 'not_applied',
): Json | undefined {
  const pieces = Buffer.isBuffer(body) ? [body] : body
  if (decode === 'none' || pieces.every(({ length }) => length === 0)) return undefined
  const announced = readContentType(contentType)
  if (announced !== null && !accepts(decode, announced.type)) {
    throw malformed(`it is ${announced.type}, not ${NAMES[decode]}`, outcome)
  }
  const charset = announced?.charset ?? 'utf-8'
  if (decode === 'json' && charset === 'utf-8') {
    const value = parsePlainJson(pieces)
    if (value !== undefined) return value
  }
  const [first] = pieces
  const whole = first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
  const text = decodeText(whole, charset, outcome)
  try {
    return READERS[decode](text)
  } catch (error) {
    if (!(error instanceof JsonError) && !(error instanceof CsvError)) throw error
    throw malformed(error.message, outcome, error)
  }
}

/**
 * The value of an answer that reports a failure, for error rules and messages; undefined when it cannot be read.
 *
 * A JSON content type is read as JSON whatever the manifest says about successes, because most vendors report
 * failures of every action in one form. Never throws.
 */
export function decodeErrorBody(
  body: Buffer | readonly Buffer[],
  contentType: string | undefined,
  decode: Decode,
): Json | undefined {
  const announced = readContentType(contentType)
  const isJson = announced === null || isJsonType(announced.type)
  try {
    return decodeBody(body, contentType, isJson ? 'json' : decode)
  } catch {
    // What cannot be decoded counts as no body: the status alone decides.
    return undefined
  }
}

const NAMES: Readonly<Record<Exclude<Decode, 'none'>, string>> = {
  json: 'JSON',
  jsonl: 'JSON lines',
  csv: 'CSV',
  text: 'plain text',
}

const READERS: Readonly<Record<Exclude<Decode, 'none'>, (text: string) => Json | undefined>> = {
  json: (text) => (text.trim() === '' ? undefined : parseJson(text)),
  jsonl: (text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => parseJson(line)),
  csv: parseCsv,
  text: (text) => text,
}

function accepts(decode: Decode, type: string): boolean {
  return decode === 'json' ? isJsonType(type) : !isHtmlType(type)
}

/** Charsets are those of the WHATWG Encoding Standard. */
function decodeText(body: Buffer, charset: string, outcome: Outcome): string {
  if (charset === 'utf-8') {
    const text = (body as Buffer & Utf8Sliceable).utf8Slice(0, body.length)
    // What is no UTF-8 becomes this character; where it was written, the decoder below finds nothing wrong.
    if (!text.includes(REPLACEMENT))
      return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  }
  try {
    return (charset === 'utf-8' ? UTF_8 : new TextDecoder(charset, { fatal: true })).decode(body)
  } catch (error) {
    // RangeError: no such charset; TypeError: bytes that mean nothing in it.
    throw malformed('its bytes are not text in the charset it announces', outcome, error)
  }
}

const REPLACEMENT = '\ufffd'
const BYTE_ORDER_MARK = 0xfeff

/** What `toString` ends in; called directly it costs half of what a TextDecoder does. Every Buffer of Node has it. */
interface Utf8Sliceable {
  utf8Slice(start: number, end: number): string
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function malformed(reason: string, outcome: Outcome, cause?: unknown): ConnectorError {
  const message = `The answer of the third party cannot be read: ${reason}`
  return new ConnectorError('upstream_malformed', message, { outcome, cause })
}
