// What a step of an action sends, next to what the vendor's operation takes.
import type { Expression, Template } from '../../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../../language/json/json.ts'
import { isJsonObject } from '../../../language/json/members.ts'
import { comparedBody } from '../../../language/manifest/body-forms/forms.ts'
import {
  carriedBy,
  credentialHeaders,
} from '../../../language/manifest/credential-places/places.ts'
import type { DocumentPath } from '../../../language/manifest/document.ts'
import { dereference, requiredIn, typeNamesOf } from '../../../language/manifest/json-schema.ts'
import type {
  Action,
  Entry,
  JsonSchema,
  Manifest,
  RequestTemplate,
} from '../../../language/manifest/manifest.ts'
import { BODY_KINDS, type OpenApiOperation, type OpenApiParameter } from '../openapi/document.ts'
import {
  below,
  compareValue,
  nearName,
  OPTIONAL,
  type Place,
  REQUIRED,
  schemaLike,
  tell,
} from './compare-value.ts'
import { readSchema } from './vendor-schema.ts'

/** One request of an action, and the operation that it is. */
export interface SentRequest {
  readonly manifest: Manifest
  /** Null: a request that is no action, which has no parameters. */
  readonly action: Action | null
  readonly request: RequestTemplate
  readonly operation: OpenApiOperation
  /** The condition under which it is sent. */
  readonly test: Expression | null
}

/** Compares query, headers and body. `place` is that of the request. */
export function compareRequest(sent: SentRequest, place: Place): void {
  compareParameters(sent, 'query', place)
  compareParameters(sent, 'header', place)
  compareBody(sent, place)
}

function compareParameters(sent: SentRequest, place: 'query' | 'header', site: Place): void {
  const { request, operation, manifest } = sent
  const entries = place === 'query' ? request.query : request.headers
  const known = operation.parameters.filter((parameter) => parameter.in === place)
  const isSame = (a: string, b: string): boolean =>
    place === 'header' ? a.toLowerCase() === b.toLowerCase() : a === b || a === `${b}[]`
  const used = new Set<OpenApiParameter>()
  for (const entry of entries) {
    const at = {
      ...below(site, ` ${place}.${entry.name}`, place, entry.name),
      direction: 'text',
    } as const
    const exact = known.find(({ name }) => isSame(entry.name, name) || isSame(name, entry.name))
    const [base, ...steps] = stepsOf(entry.name)
    const parameter = exact ?? known.find(({ name }) => name === base)
    if (parameter === undefined) {
      // Documents leave out headers that all operations take.
      if (place === 'query') tellUnknown(entry.name, sent, at)
      continue
    }
    used.add(parameter)
    if (parameter.deprecated)
      tell(at, {
        kind: 'deprecated',
        level: 'warning',
        message: 'the document calls it deprecated',
      })
    const schema = exact === undefined ? memberAt(parameter.schema, steps, at) : parameter.schema
    if (schema === null) tellUnknown(entry.name, sent, at)
    else if (!isJsonText(entry, schema, sent, at)) compareTemplate(entry.value, schema, sent, at)
    if (parameter.required && exact !== undefined && !isAlwaysThere(entry.value, sent))
      tell(at, { kind: 'missing', level: 'error', message: OPTIONAL })
  }
  const theirs = known.filter((parameter) => !used.has(parameter))
  for (const { name, required, schema } of theirs) {
    if (isCredential(name, manifest) || STANDARD.has(name.toLowerCase())) continue
    const at = below(site, ` ${place}.${name}`, place, name)
    if (required) tell(at, { kind: 'missing', level: 'error', message: REQUIRED })
    else if (place === 'query' && schema['deprecated'] !== true)
      tell(at, {
        kind: 'missing',
        level: 'note',
        message: 'the document takes it',
        suggested: schemaLike(schema, site.follow),
      })
  }
}

/** Headers that the engine sets, or that mean the same at every vendor. */
const STANDARD: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-length',
  'user-agent',
  'range',
  'idempotency-key',
])

function tellUnknown(name: string, { operation, request }: SentRequest, at: Place): void {
  const others = operation.parameters.filter((one) => one.name === name).map((one) => one.in)
  const isInBody =
    comparedBody(request.body) === null &&
    operation.body !== null &&
    readSchema(operation.body.schema, at.follow).members.has(name)
  const elsewhere = isInBody ? 'body' : others[0]
  if (elsewhere !== undefined)
    return tell(at, {
      kind: 'stale',
      level: 'error',
      message: `the document has it in the ${elsewhere}`,
    })
  const names = operation.parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []))
  tell(at, {
    kind: 'unknown',
    level: 'error',
    message: 'the document does not have it',
    hint: nearName(name, names),
  })
}

/** `created[gte]` is [`created`, `gte`]; a list (`expand[]`) has no name. */
function stepsOf(name: string): readonly string[] {
  const [base = '', ...rest] = name.split('[')
  return [base, ...rest.map((step) => step.replace(/\]$/, ''))]
}

/** Whether an object travels as JSON where the document has a text: what is in it is said nowhere. */
function isJsonText(
  { value, style }: Entry,
  schema: JsonObject,
  sent: SentRequest,
  { follow, definitions }: Place,
): boolean {
  if (style !== 'json' || value.kind !== 'value') return false
  const own = schemaBehind(value, sent)
  const { types } = readSchema(schema, follow)
  return (
    own !== null &&
    typeNamesOf(dereference(own.schema, definitions)).includes('object') &&
    types.length === 1 &&
    types[0] === 'string'
  )
}

/** The schema of a member of what is sent in parts; null: there is none. */
function memberAt(
  schema: JsonObject,
  steps: readonly string[],
  { follow }: Place,
): JsonObject | null {
  let found: JsonObject = schema
  for (const step of steps) {
    const { members, further, items, isOpen } = readSchema(found, follow)
    const next = step === '' || /^\d+$/.test(step) ? items : (members.get(step) ?? further)
    if (next === null) return isOpen ? {} : null
    found = next
  }
  return found
}

/** A parameter that only repeats how a call is authenticated. */
function isCredential(name: string, { auth }: Manifest): boolean {
  const carried = auth.flatMap(({ apply }) => carriedBy(apply))
  const queries = carried.flatMap((part) => (part.in === 'query' ? [part.name] : []))
  return (
    AUTHENTICATION.test(name) ||
    queries.includes(name) ||
    credentialHeaders(carried).includes(name.toLowerCase())
  )
}

const AUTHENTICATION = /^(authorization|(access|oauth|auth|api)?[_-]?token|(x-)?api[_-]?key|key)$/i

function compareBody(sent: SentRequest, site: Place): void {
  const { request, operation } = sent
  const { body } = operation
  const own = comparedBody(request.body)
  if (own === null) {
    const place = below(site, ' body', 'body')
    if (body?.required === true && readSchema(body.schema, site.follow).required.size > 0)
      tell(place, { kind: 'missing', level: 'error', message: REQUIRED })
    return
  }
  const place = below(site, ' body', own.word)
  if (body === null)
    return tell(place, {
      kind: 'unknown',
      level: 'error',
      message: 'the document describes no body of this request',
    })
  if (BODY_KINDS.has(own.kind) && BODY_KINDS.has(body.kind) && own.kind !== body.kind)
    tell(place, {
      kind: 'stale',
      level: 'warning',
      message: `the body is ${own.kind} here and ${body.kind} in the document`,
    })
  if (own.members === null) return
  const { arriveAs, entries, data } = own.members
  const at = { ...place, direction: arriveAs } as const
  if (entries !== null) compareForm(entries, body.schema, sent, at)
  else compareTemplate(data, body.schema, sent, at)
}

/** A form, whose names may lead into objects: `address[city]`. */
function compareForm(
  entries: readonly Entry[],
  schema: JsonObject,
  sent: SentRequest,
  place: Place,
): void {
  const { required, members, isOpen } = readSchema(schema, place.follow)
  const given = new Set<string>()
  for (const entry of entries) {
    const { name, value } = entry
    const at = below(place, `.${name}`, name)
    const [base = ''] = stepsOf(name)
    const isWhole = members.has(name)
    given.add(isWhole ? name : base)
    const found = isWhole ? (members.get(name) ?? null) : memberAt(schema, stepsOf(name), at)
    if (found !== null) {
      if (!isJsonText(entry, found, sent, at)) compareTemplate(value, found, sent, at)
    } else if (!isOpen)
      tell(at, {
        kind: 'unknown',
        level: 'error',
        message: 'the document does not have it',
        hint: nearName(name, [...members.keys()]),
      })
    if (required.has(name) && !isAlwaysThere(value, sent))
      tell(at, { kind: 'missing', level: 'error', message: OPTIONAL })
  }
  tellUngiven(given, schema, sent, place)
}

function tellUngiven(
  given: ReadonlySet<string>,
  schema: JsonObject,
  { manifest }: SentRequest,
  place: Place,
): void {
  const { required, members } = readSchema(schema, place.follow)
  for (const [name, member] of members) {
    if (given.has(name) || isCredential(name, manifest)) continue
    const at = below(place, `.${name}`, name)
    if (required.has(name)) tell(at, { kind: 'missing', level: 'error', message: REQUIRED })
    else if (member['deprecated'] !== true)
      tell(at, { kind: 'missing', level: 'note', message: 'the document takes it' })
  }
}

/** What a template can become, next to the vendor's schema of the place. */
function compareTemplate(
  template: Template,
  schema: JsonObject,
  sent: SentRequest,
  place: Place,
): void {
  switch (template.kind) {
    case 'constant':
      return compareConstant(template.value, schema, place)
    case 'when':
      return compareTemplate(template.value, schema, sent, place)
    case 'value': {
      const own = schemaBehind(template, sent)
      if (own !== null) compareValue(own.schema, schema, { ...place, at: own.at })
      return
    }
    case 'array': {
      const { items } = readSchema(schema, place.follow)
      if (items === null) return
      for (const item of template.items) compareTemplate(item, items, sent, below(place, '[]'))
      return
    }
    case 'object':
      return compareObject(template, schema, sent, place)
    case 'text':
  }
}

function compareConstant(value: Json, schema: JsonObject, place: Place): void {
  const type =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : Number.isInteger(value)
          ? 'integer'
          : typeof value
  const isScalar = type !== 'array' && type !== 'object'
  compareValue({ type, ...(isScalar && { const: value }) }, schema, place)
}

function compareObject(
  template: Extract<Template, { readonly kind: 'object' }>,
  schema: JsonObject,
  sent: SentRequest,
  place: Place,
): void {
  const { members, required, further, isOpen } = readSchema(schema, place.follow)
  for (const [name, value] of template.members) {
    const at = below(place, `.${name}`, name)
    const theirs = members.get(name) ?? further
    if (theirs !== null) compareTemplate(value, theirs, sent, at)
    else if (!isOpen)
      tell(at, {
        kind: 'unknown',
        level: 'error',
        message: 'the document does not have it',
        hint: nearName(name, [...members.keys()]),
      })
    if (required.has(name) && !isAlwaysThere(value, sent))
      tell(at, { kind: 'missing', level: 'error', message: OPTIONAL })
  }
  tellUngiven(new Set(template.members.map(([name]) => name)), schema, sent, place)
}

/** The schema of the parameter that a template stands for, and where it is written; null: it is more than a parameter. */
function schemaBehind(
  { expression }: Extract<Template, { readonly kind: 'value' }>,
  { action, manifest }: SentRequest,
): { readonly schema: JsonSchema; readonly at: DocumentPath } | null {
  const named =
    expression.kind === 'call' && expression.helper === 'default' ? expression.args[0] : expression
  if (named?.kind !== 'path' || named.root !== 'params' || action === null) return null
  let schema: JsonSchema = action.params.schema
  const at: (string | number)[] = ['entities', action.entity, 'actions', action.name, 'params']
  for (const name of named.path) {
    const { properties } = dereference(schema, manifest.definitions)
    const next = isJsonObject(properties) ? properties[name] : undefined
    if (!isJsonObject(next)) return null
    schema = next
    at.push('properties', name)
  }
  return { schema, at }
}

/** Whether a template has a value in every call that is valid. */
function isAlwaysThere(template: Template, sent: SentRequest): boolean {
  if (template.kind === 'when') return false
  if (template.kind === 'text')
    return template.text.every((part) => typeof part === 'string' || isSure(part, sent))
  return template.kind !== 'value' || isSure(template.expression, sent)
}

function isSure(part: unknown, sent: SentRequest): boolean {
  const expression = part as Expression
  if (expression.kind === 'call') {
    const { helper, args } = expression
    if (helper === 'default') return args.some((one) => isSure(one, sent))
    return args.every((one) => isSure(one, sent))
  }
  if (expression.kind !== 'path' || expression.root !== 'params') return true
  const { action, manifest, test } = sent
  if (action === null) return false
  if (test !== null && provenBy(test).includes(expression.path.join('.'))) return true
  const filled = action.params.defaults.map(({ at }) => at.join('.'))
  let schema: JsonSchema = action.params.schema
  for (const [step, name] of expression.path.entries()) {
    const { properties, ...rest } = dereference(schema, manifest.definitions)
    const isFilled = filled.includes(expression.path.slice(0, step + 1).join('.'))
    if (!isFilled && !requiredIn(rest).includes(name)) return false
    const next = isJsonObject(properties) ? properties[name] : undefined
    schema = isJsonObject(next) ? next : {}
  }
  return true
}

/** The parameters that are certainly given when a condition is true. */
function provenBy(test: Expression): readonly string[] {
  if (test.kind === 'path') return test.root === 'params' ? [test.path.join('.')] : []
  if (test.kind !== 'call' || !PROVING.has(test.helper)) return []
  return (test.helper === 'and' ? test.args : test.args.slice(0, 1)).flatMap(provenBy)
}

const PROVING: ReadonlySet<string> = new Set(['and', 'given', 'match', 'eq', 'in'])
