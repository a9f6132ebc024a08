// Request bodies run backwards, by the form of body that a manifest gives them.
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { SentBody } from '../../language/manifest/body-forms/body-form.ts'
import { type BodyTemplate, readBodyForm } from '../../language/manifest/body-forms/forms.ts'
import { readParts } from './multipart.ts'
import type { Reader } from './read-back.ts'
import { readEntries } from './read-entries.ts'
import { mediaTypeOf, readPairs, type WireRequest } from './wire-request.ts'

export function readBody(reader: Reader, template: BodyTemplate, request: WireRequest): void {
  if (template.kind !== 'none') readBodyForm(template, sentBody(reader, request))
  else if (request.body.length > 0) reader.problem('body', 'is not expected')
}

const SUFFIXES: ReadonlySet<string> = new Set(['json', 'xml'])

function sentBody(reader: Reader, request: WireRequest): SentBody {
  const isOf = (type: string): boolean => {
    const given = mediaTypeOf(request)
    const wanted = type.split(';')[0]?.trim().toLowerCase()
    if (given === wanted) return true
    // Vendors name JSON of their own `application/vnd.….v2+json`, and XML so, too. Source: RFC 6839.
    const suffix = wanted?.split('/')[1] ?? ''
    if (SUFFIXES.has(suffix) && given.endsWith(`+${suffix}`)) return true
    reader.problem('content-type', `must be ${type}`)
    return false
  }
  const known = <T>(value: T | null, what: string): T | undefined => {
    if (value !== null) return value
    reader.problem('body', `is not ${what}`)
    return undefined
  }
  const text = (type: string): string | undefined =>
    isOf(type) ? request.body.toString('utf8') : undefined
  return {
    text,
    bytes: () => ({ body: request.body, type: request.headers['content-type'] ?? '' }),
    json() {
      const given = text('application/json')
      const value = given === undefined ? undefined : tryParseJson(given)
      if (given !== undefined && value === undefined) reader.problem('body', 'is not JSON')
      return value
    },
    form(entries) {
      const given = text('application/x-www-form-urlencoded')
      const pairs = given === undefined ? undefined : known(readPairs(given), 'a form')
      if (pairs !== undefined) readEntries(reader, entries, pairs)
    },
    parts: (type) =>
      isOf(type)
        ? known(readParts(request.headers['content-type'] ?? '', request.body), 'multipart')
        : undefined,
    template: (template, value, field, style) => reader.template(template, value, field, style),
    finished: (expected, value, field) => reader.finished(expected, value, field),
    constant() {
      reader.constants++
    },
    problem: (field, message) => reader.problem(field, message),
  }
}
