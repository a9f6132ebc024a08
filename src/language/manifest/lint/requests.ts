// Values at places that cannot take them, and templates at places that are never filled in.
import type { Expression, HelperName, Text } from '../../expression/syntax.ts'
import { formIn } from '../body-forms/forms.ts'
import { type DocumentPath, formatPath, problemAt } from '../document.ts'
import type { ManifestDraft, PlacedText, TextPlace } from '../draft.ts'
import { ACTIONS, type HttpMethod } from '../actions.ts'
import type { Style } from '../manifest.ts'
import type { ManifestProblem } from '../problem.ts'
import type { FieldsSource, RequestSource, SchemaType } from '../source.ts'
import { innerOf, isExpression, onlyExpression, passedArguments } from './expression-facts.ts'
import { lookUpPath } from './expressions.ts'
import { fieldsOf, type PlacedField, requestsOf } from './request-facts.ts'
import {
  alternatives,
  itemsOf,
  lookUp,
  type SchemaNode,
  typeOfValue,
  typesOf,
} from './schema-walk.ts'
import { paramsOf } from './param-facts.ts'
import { actionsOf } from '../draft.ts'
import { type PlaceScope, scopeOf } from './scopes.ts'

/** Findings about lists and objects where a scalar is needed, and about braces that nobody reads. */
export function lintRequests(draft: ManifestDraft): readonly ManifestProblem[] {
  return [
    ...draft.texts.flatMap((placed) => lintScalars(draft, placed)),
    ...lintFields(draft),
    ...lintContentTypes(draft),
    ...lintMethods(draft),
    ...lintUnread(draft),
  ]
}

/** A request of an action that only reads, or of the check, that changes data by its method. */
function lintMethods(draft: ManifestDraft): readonly ManifestProblem[] {
  const { document, source } = draft
  const places = new Map(
    actionsOf(source).map((action) => [formatPath(action.at), action] as const),
  )
  return requestsOf(source).flatMap(({ at, source: request }): readonly ManifestProblem[] => {
    // entities.x.actions.y of the longer path; the request of the check stands below the root.
    const action = at[0] === 'check' ? null : places.get(formatPath(at.slice(0, 4)))
    const [method] = request.http.split(' ')
    // A check reads as a `get` does; the requests of a login may send what they like.
    const methods = action === undefined ? null : ACTIONS[action?.name ?? 'get'].methods
    const isChanging = methods !== null && !methods.includes(method as HttpMethod)
    if (isChanging && request.reads !== true) {
      const owner = action == null ? 'the check' : `${action.entity}.${action.name}`
      return [
        problemAt(document, {
          at: [...at, 'http'],
          rule: 'request/changing-method',
          message: `${owner} only reads, and sends ${method}, which changes data at most vendors`,
          hint: 'write reads: true beside http if this vendor changes nothing by it; else make it an update or a delete',
        }),
      ]
    }
    if (request.reads === undefined || isChanging) return []
    return [
      problemAt(document, {
        at: [...at, 'reads'],
        part: 'key',
        rule: 'request/reads-without-effect',
        message: '"reads" acts on a PUT, PATCH or DELETE of an action that only reads',
        hint: 'remove it',
      }),
    ]
  })
}

/** A header that calls the body something else than it is: bytes cannot be sent raw, they would travel as JSON text. */
function lintContentTypes(draft: ManifestDraft): readonly ManifestProblem[] {
  const { source, document } = draft
  const common = [
    ...fieldsOf(source.defaults?.request?.headers, ['defaults', 'request', 'headers']),
    ...fieldsOf(source.server.headers, ['server', 'headers']),
  ]
  const told = new Set<string>()
  return requestsOf(source).flatMap(({ at, source: request }) => {
    const [word, entry] = formIn(request) ?? []
    const header = [...fieldsOf(request.headers, [...at, 'headers']), ...common].find(
      ({ name }) => name.toLowerCase() === 'content-type',
    )
    if (word === undefined || entry?.sent == null || header === undefined) return []
    const { as, fits } = entry.sent
    const { value } = header
    // A type that the caller chooses is left to the caller, but for a body of nothing but bytes.
    const isOpen = typeof value !== 'string' || value.includes('{{')
    if (isOpen ? !isBytes(request.body) : fits.test(value)) return []
    const place = formatPath(header.at)
    if (told.has(place)) return []
    told.add(place)
    return [
      problemAt(document, {
        at: header.at,
        part: header.part,
        rule: 'request/content-type',
        message: `"${word}" is sent as ${as}, whatever Content-Type says`,
        hint: 'remove the header; bytes are sent by multipart or related, never alone',
      }),
    ]
  })
}

/** `body: { base64: … }`, as the parts of multipart and related are written. */
function isBytes(body: RequestSource['body']): boolean {
  if (typeof body !== 'object') return false
  return (
    fieldsOf(body, [])
      .map(({ name }) => name)
      .join() === 'base64'
  )
}

const SCALAR_PLACES: ReadonlySet<TextPlace> = new Set<TextPlace>([
  'request.path',
  'request.headers',
  'download.headers',
  'server.url',
  'server.headers',
])

/** Paths, headers, hosts and texts with parts are made of scalars. */
function lintScalars(draft: ManifestDraft, placed: PlacedText): readonly ManifestProblem[] {
  const { text, place } = placed
  const alone = onlyExpression(text) !== null
  if (alone && !SCALAR_PLACES.has(place)) return []
  const scope = scopeOf(draft, placed)
  return printed(text).flatMap((expression) => {
    const types = inferTypes(draft, scope, expression)
    if (types === null || !isNeverScalar(types)) return []
    return [
      problemAt(draft.document, {
        at: placed.at,
        part: placed.part,
        ...innerOf(placed, expression),
        rule: 'request/needs-scalar',
        message: `${types.has('array') ? 'a list' : 'an object'} cannot stand in ${placeName(place)}`,
        hint: types.has('array')
          ? "write {{ join … ',' }} or {{ json … }}"
          : 'write {{ json … }}, or one of its members',
      }),
    ]
  })
}

function placeName(place: TextPlace): string {
  if (place === 'request.path') return 'a path'
  if (place === 'server.url') return 'a URL'
  return place.endsWith('headers') ? 'a header' : 'a text'
}

/** The expressions of a text without blocks. */
function printed(text: Text): readonly Expression[] {
  return text.filter(isExpression)
}

function isNeverScalar(types: ReadonlySet<SchemaType>): boolean {
  const others = [...types].filter((type) => type !== 'null')
  return others.length > 0 && others.every((type) => type === 'array' || type === 'object')
}

/** The types an expression can give; null when nobody can tell. */
function inferTypes(
  draft: ManifestDraft,
  scope: PlaceScope,
  expression: Expression,
): ReadonlySet<SchemaType> | null {
  if (expression.kind === 'literal') return new Set([typeOfValue(expression.value)])
  if (expression.kind === 'local') return null
  if (expression.kind === 'path') {
    const found = lookUpPath(draft, scope, expression)
    if (found?.kind !== 'found') return null
    return new Set(found.nodes.flatMap((node) => [...typesOf(draft.source, node)]))
  }
  const fixed = GIVES[expression.helper]
  if (fixed === 'unknown') return null
  if (fixed !== 'arguments') return new Set([fixed])
  const types = passedArguments(expression).map((argument) => inferTypes(draft, scope, argument))
  return types.includes(null) ? null : new Set(types.flatMap((each) => [...(each ?? [])]))
}

/** What a helper gives. Text helpers work on each element of a list, so they give what they are given. */
const GIVES: Readonly<Record<HelperName, SchemaType | 'arguments' | 'unknown'>> = {
  default: 'arguments',
  or: 'arguments',
  and: 'arguments',
  not: 'boolean',
  if: 'arguments',
  eq: 'boolean',
  in: 'boolean',
  given: 'boolean',
  lower: 'unknown',
  upper: 'unknown',
  trim: 'unknown',
  replace: 'unknown',
  match: 'unknown',
  join: 'string',
  split: 'array',
  quote: 'unknown',
  first: 'unknown',
  last: 'unknown',
  only: 'unknown',
  unique: 'array',
  length: 'integer',
  lookup: 'unknown',
  graphql_fields: 'string',
  int: 'integer',
  float: 'number',
  string: 'string',
  json: 'string',
  base64: 'unknown',
  urlencode: 'unknown',
  xml: 'unknown',
  hash_sha256: 'unknown',
  hmac_sha256: 'unknown',
  date: 'unknown',
  add_duration: 'unknown',
  round_up: 'unknown',
  now: 'string',
}

/** Styles that have a form for objects. */
const OBJECT_STYLES: ReadonlySet<Style> = new Set<Style>(['brackets', 'indices', 'json'])

/** Names of parameters in headers, and objects in queries and forms. */
function lintFields(draft: ManifestDraft): readonly ManifestProblem[] {
  const standard = draft.source.defaults?.request?.style ?? 'repeat'
  return actionsOf(draft.source).flatMap((action) => {
    const params = paramsOf(draft.source, action)
    const requests = [
      { at: [...action.at, 'request'], request: action.source.request },
      ...(action.source.steps ?? []).map(({ request }, index) => ({
        at: [...action.at, 'steps', index, 'request'],
        request,
      })),
    ]
    return requests.flatMap(({ at, request }) => [
      ...named(draft, params, request?.headers, [...at, 'headers']).flatMap(({ field, nodes }) =>
        nodes.every((node) => isNeverScalar(typesOf(draft.source, node)))
          ? [
              problemAt(draft.document, {
                at: field.at,
                part: field.part,
                rule: 'request/needs-scalar',
                message: `the parameter "${field.name}" is no scalar and cannot stand in a header`,
                hint: `write { ${field.name}: "{{ json params.${field.name} }}" }`,
              }),
            ]
          : [],
      ),
      ...(['query', 'form'] as const).flatMap((key) =>
        styled(draft, params, request?.[key], [...at, key], standard).flatMap(
          ({ field, style, nodes }) =>
            nodes.every((node) => holdsObjects(draft, node)) && !OBJECT_STYLES.has(style)
              ? [
                  problemAt(draft.document, {
                    at: field.at,
                    part: field.part,
                    rule: 'request/object-needs-style',
                    message: `an object has no form in the style ${style}`,
                    hint: `write { ${field.name}: { $value: …, $style: json } }, or brackets or indices`,
                  }),
                ]
              : [],
        ),
      ),
    ])
  })
}

interface TypedField {
  readonly field: PlacedField
  readonly nodes: readonly SchemaNode[]
}

/** The entries that are names of parameters, with the parameters' schemas. */
function named(
  draft: ManifestDraft,
  params: SchemaNode,
  fields: FieldsSource | undefined,
  at: DocumentPath,
): readonly TypedField[] {
  return fieldsOf(fields, at).flatMap((field) => {
    const found = field.value === undefined ? lookUp(draft.source, params, [field.name]) : null
    return found?.kind === 'found' ? [{ field, nodes: found.nodes }] : []
  })
}

/** The entries whose value is one parameter, with its schema and the style it is written in. */
function styled(
  draft: ManifestDraft,
  params: SchemaNode,
  fields: FieldsSource | undefined,
  at: DocumentPath,
  standard: Style,
): readonly (TypedField & { readonly style: Style })[] {
  const listed = named(draft, params, fields, at).map((typed) => ({ ...typed, style: standard }))
  const written = fieldsOf(fields, at).flatMap((field) => {
    const { $value, $style } = asDirective(field.value)
    const value = $value ?? field.value
    const placed = draft.texts.find(
      (text) =>
        formatPath(text.at) ===
        formatPath($value === undefined ? field.at : [...field.at, '$value']),
    )
    const expression =
      typeof value === 'string' && placed !== undefined ? onlyExpression(placed.text) : null
    if (expression?.kind !== 'path' || expression.root !== 'params') return []
    const found = lookUp(draft.source, params, expression.path)
    return found.kind === 'found' ? [{ field, nodes: found.nodes, style: $style ?? standard }] : []
  })
  return [...listed, ...written]
}

function asDirective(value: unknown): { readonly $value?: unknown; readonly $style?: Style } {
  return typeof value === 'object' && value !== null && '$value' in value ? value : {}
}

/** Whether a value is always an object, or a list of objects. */
function holdsObjects(draft: ManifestDraft, node: SchemaNode): boolean {
  const types = [...typesOf(draft.source, node)].filter((type) => type !== 'null')
  if (types.length === 0) return false
  return alternatives(draft.source, node)
    .filter(
      (part) => !typesOf(draft.source, part).has('null') || typesOf(draft.source, part).size > 1,
    )
    .every((part) => {
      const own = [...typesOf(draft.source, part)].filter((type) => type !== 'null')
      if (own.every((type) => type === 'object')) return true
      const items = itemsOf(draft.source, part)
      return (
        own.every((type) => type === 'array') &&
        items.length > 0 &&
        items.every((item) => [...typesOf(draft.source, item)].every((type) => type === 'object'))
      )
    })
}

/** Texts for people: braces in them are braces. */
const PROSE: ReadonlySet<string> = new Set([
  'title',
  'description',
  'summary',
  'deprecated',
  'untested',
  'docs',
  'examples',
])

/** An expression at a place that is never filled in would travel as it is written. */
function lintUnread(draft: ManifestDraft): readonly ManifestProblem[] {
  const read = new Set([
    ...draft.texts.filter(({ part }) => part === 'value').map(({ at }) => formatPath(at)),
    ...draft.paths.filter(({ part }) => part === 'value').map(({ at }) => formatPath(at)),
  ])
  const problems: ManifestProblem[] = []
  const visit = (value: unknown, at: DocumentPath): void => {
    if (typeof value === 'string') {
      if (!/\{\{\s*[\w(#/]/.test(value) || read.has(formatPath(at))) return
      problems.push(
        problemAt(draft.document, {
          at,
          rule: 'expression/not-evaluated',
          message: 'this place takes no expression: the braces would stay as they are',
          hint: at.at(-1) === 'default' ? 'write default_from' : null,
        }),
      )
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const isMember = at.at(-1) === 'properties'
        if (!isMember && (PROSE.has(key) || key.startsWith('x-'))) continue
        visit(member, [...at, Array.isArray(value) ? Number(key) : key])
      }
    }
  }
  visit(draft.document.value, [])
  return problems
}
