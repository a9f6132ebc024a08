// Request bodies run backwards, one function per kind of body a manifest can have.
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import type { BodyTemplate, MultipartPart, RelatedPart } from '../../language/manifest/manifest.ts'
import { readParts } from './multipart.ts'
import type { Part } from './multipart.ts'
import type { Reader } from './read-back.ts'
import { readEntries } from './read-entries.ts'
import { mediaTypeOf, readPairs } from './wire-request.ts'
import type { WireRequest } from './wire-request.ts'

type BodyReaders = {
  readonly [K in BodyTemplate['kind']]: (
    reader: Reader,
    template: Extract<BodyTemplate, { kind: K }>,
    request: WireRequest,
  ) => void
}

const READERS: BodyReaders = {
  none(reader, _template, request) {
    if (request.body.length > 0) reader.problem('body', 'is not expected')
  },
  json(reader, template, request) {
    const value = readJson(reader, request)
    if (value !== undefined) reader.template(template.value, value, '')
  },
  form(reader, template, request) {
    if (!expectType(reader, request, 'application/x-www-form-urlencoded')) return
    const pairs = readPairs(request.body.toString('utf8'))
    if (pairs === null) reader.problem('body', 'is not a form')
    else readEntries(reader, template.entries, pairs)
  },
  multipart(reader, template, request) {
    if (!expectType(reader, request, 'multipart/form-data')) return
    const parts = readParts(request.headers['content-type'] ?? '', request.body)
    if (parts === null) reader.problem('body', 'is not multipart')
    else readFields(reader, template.parts, parts)
  },
  related(reader, template, request) {
    if (!expectType(reader, request, 'multipart/related')) return
    const parts = readParts(request.headers['content-type'] ?? '', request.body)
    if (parts === null || parts.length !== template.parts.length) {
      reader.problem('body', `must have ${template.parts.length} parts`)
      return
    }
    for (const [index, expected] of template.parts.entries()) {
      const part = parts[index]
      if (part !== undefined) readRelated(reader, expected, part, `part ${index + 1}`)
    }
  },
  graphql(reader, template, request) {
    const value = readJson(reader, request)
    if (value === undefined) return
    if (!isJsonObject(value) || typeof value['query'] !== 'string') {
      reader.problem('query', 'is missing')
      return
    }
    if (!reader.finished(template.query, value['query'], 'query')) {
      reader.problem('query', 'is unknown')
    }
    reader.template(template.variables, value['variables'] ?? {}, 'variables')
  },
  text(reader, template, request) {
    if (!expectType(reader, request, template.type)) return
    if (!reader.finished(template.text, request.body.toString('utf8'), 'body')) {
      reader.problem('body', 'has an unknown form')
    }
  },
}

/** Reads the body of a request against the body of a request template. */
export function readBody(reader: Reader, template: BodyTemplate, request: WireRequest): void {
  // The table pairs each kind with its own template, which an index by union cannot say.
  const read = READERS[template.kind] as (
    reader: Reader,
    template: BodyTemplate,
    request: WireRequest,
  ) => void
  read(reader, template, request)
}

function readJson(reader: Reader, request: WireRequest): Json | undefined {
  if (!expectType(reader, request, 'application/json')) return undefined
  try {
    return parseJson(request.body.toString('utf8'))
  } catch {
    reader.problem('body', 'is not JSON') // What is wrong in it is the sender's to find.
    return undefined
  }
}

function expectType(reader: Reader, request: WireRequest, type: string): boolean {
  const given = mediaTypeOf(request)
  if (given === type.split(';')[0]?.trim().toLowerCase()) return true
  reader.problem('content-type', `must be ${type}`)
  return false
}

function readFields(
  reader: Reader,
  expected: readonly MultipartPart[],
  parts: readonly Part[],
): void {
  for (const part of parts) {
    const field = part.name ?? ''
    const template = expected.find((candidate) => candidate.name === field)
    if (template === undefined) reader.problem(field, 'is unknown')
    else if (template.kind === 'field') {
      reader.template(template.value, part.body.toString('utf8'), field, 'repeat')
    } else {
      reader.template(template.base64, part.body.toString('base64'), field)
      reader.template(template.filename, part.filename ?? '', `${field} filename`, 'repeat')
      reader.template(template.type, part.headers['content-type'] ?? '', `${field} type`, 'repeat')
    }
  }
}

function readRelated(reader: Reader, expected: RelatedPart, part: Part, field: string): void {
  if (expected.kind === 'file') {
    reader.template(expected.base64, part.body.toString('base64'), field)
    return
  }
  try {
    reader.template(expected.value, parseJson(part.body.toString('utf8')), field)
  } catch {
    reader.problem(field, 'is not JSON') // As above.
  }
}
