// An answer before it is sent.
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'
import type { MediaFile } from '../files/media-file.ts'
import { readByteRange } from './byte-range.ts'
import { pack } from './pack.ts'
import { scalarText } from './same-scalar.ts'
import { encodeXml } from './xml-text.ts'

export interface WireAnswer {
  readonly status: number
  /** Names in lower case; the length is added when it is sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: WireBody
}

export type WireBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | {
      readonly kind: 'file'
      readonly file: MediaFile
      readonly start: number
      readonly end: number
    }

type Decode = ResponseRules['decode']

/** How an answer is read, which is how it is written. */
type Reading = { readonly [Key in 'decode' | 'unpack']?: ResponseRules[Key] | undefined }

const ENCODERS: Readonly<
  Record<Decode, { readonly type: string; readonly encode: (body: Json) => string }>
> = {
  json: { type: 'application/json; charset=utf-8', encode: (body) => JSON.stringify(body) },
  jsonl: {
    type: 'application/x-ndjson',
    encode: (body) =>
      listOf(body)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
  },
  csv: { type: 'text/csv; charset=utf-8', encode: (body) => encodeCsv(listOf(body)) },
  xml: { type: 'application/xml; charset=utf-8', encode: encodeXml },
  text: {
    type: 'text/plain; charset=utf-8',
    encode: (body) => scalarText(body) ?? JSON.stringify(body),
  },
  content: { type: 'application/json; charset=utf-8', encode: (body) => JSON.stringify(body) },
  none: { type: 'text/plain; charset=utf-8', encode: () => '' },
}

/** An answer with a value as its body; absent = an empty body. */
export function valueAnswer(
  status: number,
  body: Json | undefined,
  headers: Readonly<Record<string, string>> = {},
  { decode = 'json', unpack }: Reading = {},
): WireAnswer {
  if (body === undefined || decode === 'none') return { status, headers, body: { kind: 'none' } }
  const { type, encode } = ENCODERS[decode]
  if (unpack !== undefined) {
    const bytes = pack(Buffer.from(encode(body)), unpack)
    const packed = { 'content-type': 'application/octet-stream', ...headers }
    return { status, headers: packed, body: { kind: 'bytes', bytes } }
  }
  return {
    status,
    headers: { 'content-type': type, ...headers },
    body: { kind: 'text', text: encode(body) },
  }
}

/** A file, whole or in the part that the Range header asks for; 416 when it lies outside. Source: RFC 9110, section 15. */
export function fileAnswer(
  file: MediaFile,
  headers: Readonly<Record<string, string>>,
  lastModified: string,
): WireAnswer {
  const about = { 'accept-ranges': 'bytes', etag: file.etag, 'last-modified': lastModified }
  // A range holds only for the file it was asked of.
  const condition = headers['if-range']
  const isSame = condition === undefined || condition === file.etag || condition === lastModified
  const range = readByteRange(isSame ? headers['range'] : undefined, file.size)
  if (range.kind === 'unsatisfiable') {
    const beyond = { ...about, 'content-range': `bytes */${file.size}` }
    return { status: 416, headers: beyond, body: { kind: 'none' } }
  }
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: file.size - 1 }
  const part = { 'content-range': `bytes ${start}-${end}/${file.size}` }
  return {
    status: range.kind === 'part' ? 206 : 200,
    headers: { 'content-type': file.contentType, ...about, ...(range.kind === 'part' ? part : {}) },
    body: { kind: 'file', file, start, end },
  }
}

function listOf(body: Json): readonly Json[] {
  return Array.isArray(body) ? body : [body]
}

/** A head line with the names of the first record, then a line per record (RFC 4180). */
function encodeCsv(records: readonly Json[]): string {
  const [first] = records
  const names = isJsonObject(first) ? Object.keys(first) : []
  const lines = records.map((record) =>
    names.map((name) => csvCell(isJsonObject(record) ? (record[name] ?? null) : null)),
  )
  return [names.map(csvCell), ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function csvCell(value: Json): string {
  const text = value === null ? '' : (scalarText(value) ?? JSON.stringify(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
