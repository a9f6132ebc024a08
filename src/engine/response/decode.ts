// Bytes of an answer to a value.
import { ConnectorError, type Outcome } from '../../errors.ts'
import { isNotLoaded } from '../../late-modules.ts'
import type { Json } from '../../language/json/json.ts'
import { isList } from '../../language/json/members.ts'
import { JsonError, parseJson } from '../../language/json/parse-json.ts'
import { parsePlainJson } from '../../language/json/plain-json.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'
import { isHtmlType, isJsonType, isXmlType, readContentType } from './content-type.ts'
import { CsvError, parseCsv } from './csv.ts'
import { type Room, roomFor, takeRoom } from './too-many-values.ts'
import { parseXml, XmlError } from './xml.ts'

export type Decode = ResponseRules['decode']

/**
 * The value of a successful answer, whole or in the pieces it came in; undefined for an empty body and where the manifest
 * decodes nothing.
 *
 * `json` wants a content type that says JSON, or none at all; `jsonl` gives the list of its lines, `csv` a list of
 * objects of texts named by the header row, `xml` the object of its element (xml.ts), `text` the text. A page for people
 * is never one of these. Texts are UTF-8 unless the content type names another charset, or an XML document in its first
 * line; a byte order mark is skipped.
 * Throws `upstream_malformed` for another content type, for bytes that are not in their charset, and for what
 * cannot be read; the message quotes nothing of the body; `upstream_response_too_large` for more values than memory has a
 * place for. `outcome`: what that failure says about a write.
 */
export function decodeBody(
  body: Buffer | readonly Buffer[],
  contentType: string | undefined,
  decode: Decode,
  outcome: Outcome = 'not_applied',
): Json | undefined {
  return decodePieces(body, contentType, { decode, outcome, room: roomFor(bytesIn(body)) })
}

interface Decoding {
  readonly decode: Decode
  readonly outcome: Outcome
  /** What is left to one of several files; null: they are short. */
  readonly room: Room | null
}

function decodePieces(
  body: Buffer | readonly Buffer[],
  contentType: string | undefined,
  { decode, outcome, room }: Decoding,
): Json | undefined {
  const pieces = Buffer.isBuffer(body) ? [body] : body
  if (decode === 'none' || pieces.every(({ length }) => length === 0)) return undefined
  const announced = readContentType(contentType)
  if (announced !== null && !accepts(decode, announced.type)) {
    throw malformed(`it is ${announced.type}, not ${NAMES[decode]}`, outcome)
  }
  const [first] = pieces
  const charset = announced?.charset ?? (decode === 'xml' ? encodingOf(first) : null) ?? 'utf-8'
  if (decode === 'json' && charset === 'utf-8' && room === null) {
    const value = parsePlainJson(pieces)
    if (value !== undefined) return value
  }
  const whole = first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
  const text = decodeText(whole, charset, outcome)
  if (room !== null && !takeRoom(room, text, decode)) throw tooManyValues(outcome)
  try {
    return READERS[decode](text)
  } catch (error) {
    const isOfText = [JsonError, CsvError, XmlError].some((known) => error instanceof known)
    if (!(error instanceof Error) || !isOfText) throw error
    throw malformed(error.message, outcome, error)
  }
}

/**
 * The value of the files that an answer was packed of; undefined without files.
 *
 * Of several files the lists are read one behind the other (`jsonl`, `csv`); what is no list cannot be put together.
 * Throws as `decodeBody` does; the content type of an archive says nothing about its files.
 */
export function decodeFiles(
  files: readonly Buffer[],
  decode: Decode,
  outcome: Outcome,
): Json | undefined {
  const room = roomFor(bytesIn(files))
  const values = files.map((file) => decodePieces(file, undefined, { decode, outcome, room }))
  if (values.length <= 1) return values[0]
  return values.flatMap((value) => {
    if (value === undefined) return []
    if (isList(value)) return value
    throw malformed(`it holds ${files.length} files, and they are no lists`, outcome)
  })
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
  const isJson = announced === null ? decode !== 'xml' : isJsonType(announced.type)
  try {
    return decodeBody(body, contentType, isJson ? 'json' : decode)
  } catch (error) {
    if (isNotLoaded(error)) throw error
    // What cannot be decoded counts as no body: the status alone decides.
    return undefined
  }
}

function bytesIn(body: Buffer | readonly Buffer[]): number {
  return Buffer.isBuffer(body) ? body.length : body.reduce((sum, { length }) => sum + length, 0)
}

function tooManyValues(outcome: Outcome): ConnectorError {
  const message =
    'The answer of the third party holds more values than are read at once: millions of fields, lines or members'
  return new ConnectorError('upstream_response_too_large', message, { outcome })
}

const NAMES: Readonly<Record<Exclude<Decode, 'none'>, string>> = {
  json: 'JSON',
  jsonl: 'JSON lines',
  csv: 'CSV',
  xml: 'XML',
  text: 'plain text',
  content: 'the result of a tool',
}

const READERS: Readonly<Record<Exclude<Decode, 'none'>, (text: string) => Json | undefined>> = {
  json: (text) => (text.trim() === '' ? undefined : parseJson(text)),
  jsonl: (text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => parseJson(line)),
  csv: parseCsv,
  xml: parseXml,
  text: (text) => text,
  content: (text) => parseJson(text),
}

function accepts(decode: Decode, type: string): boolean {
  if (decode === 'json') return isJsonType(type)
  return decode === 'xml' ? isXmlType(type) : !isHtmlType(type)
}

/** The encoding that an XML document names, by its first bytes; null: it says nothing. Source: XML 1.0, appendix F. */
function encodingOf(first: Buffer | undefined): string | null {
  const start = first?.subarray(0, 200).toString('latin1') ?? ''
  if (start.startsWith('\xfe\xff')) return 'utf-16be'
  if (start.startsWith('\xff\xfe')) return 'utf-16le'
  return XML_ENCODING.exec(start)?.[1] ?? null
}

const XML_ENCODING = /^(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/

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
