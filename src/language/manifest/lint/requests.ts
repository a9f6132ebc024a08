// Values at places that cannot take them, and templates at places that are never filled in.
import { isExpression, spanOf } from '../../expression/parse-text.ts'
import { HELPERS } from '../../expression/helpers.ts'
import type { Expression, ParamPath } from '../../expression/syntax.ts'
import { ACTIONS, type HttpMethod } from '../actions.ts'
import { formIn, httpOf } from '../body-forms/forms.ts'
import { type DocumentPath, formatPath } from '../document.ts'
import type { PlacedText, TextPlace } from '../draft.ts'
import type { Style } from '../manifest.ts'
import type { RequestSource, SchemaType } from '../source.ts'
import { onlyExpression, passedArguments } from './expression-facts.ts'
import { lookUpPath } from './expressions.ts'
import { keyAt, type Lint } from './lint.ts'
import { fieldsOf, type PlacedField, requestsIn, requestsOf } from './request-facts.ts'
import { type SchemaView, typeOfValue } from './schema-walk.ts'
import { callsTool } from './tools.ts'
import { paramsOf, type PlaceScope, scopeOf } from './scopes.ts'

/** Findings about lists and objects where a scalar is needed, and about braces that are not read. */
export function lintRequests(lint: Lint): void {
  for (const placed of lint.draft.texts) lintScalars(lint, placed)
  lintFields(lint)
  lintContentTypes(lint)
  lintMethods(lint)
  lintUnread(lint)
}

/** A request of an action that only reads, or of the check, that changes data by its method. */
function lintMethods(lint: Lint): void {
  for (const { at, source: request, action, isFree } of requestsOf(lint)) {
    const [method = ''] = httpOf(request).split(' ')
    if (callsTool(request)) continue
    // A check reads as a `get` does.
    const isChanging =
      !isFree && !ACTIONS[action?.name ?? 'get'].methods.includes(method as HttpMethod)
    if (isChanging && request.reads !== true) {
      const message = `${action?.operation ?? 'the check'} only reads, and sends ${method}, which changes data at most vendors`
      const hint =
        'write reads: true next to http if this request changes nothing at the vendor; otherwise make the action an update or a delete'
      lint.error('request/changing-method', { at: [...at, 'http'] }, message, hint)
    }
    if (request.reads === undefined || isChanging) continue
    const message =
      '"reads" acts on a tool, and on a PUT, PATCH or DELETE of an action that only reads'
    lint.error('request/reads-without-effect', keyAt(...at, 'reads'), message, 'remove it')
  }
}

/** A header that calls the body something else than it is: bytes cannot be sent raw, they would travel as JSON text. */
function lintContentTypes(lint: Lint): void {
  const { server, defaults } = lint.source
  const common = [
    ...fieldsOf(defaults?.request?.headers, ['defaults', 'request', 'headers']),
    ...fieldsOf(server.headers, ['server', 'headers']),
  ]
  const told = new Set<string>()
  for (const { at, source: request } of requestsOf(lint)) {
    const [word, entry] = formIn(request) ?? []
    const header = [...fieldsOf(request.headers, [...at, 'headers']), ...common].find(
      ({ name }) => name.toLowerCase() === 'content-type',
    )
    if (word === undefined || entry?.sent == null || header === undefined) continue
    const { as, fits } = entry.sent
    const { value } = header
    // A type that the caller chooses is left to the caller, but for a body of nothing but bytes.
    const isOpen = typeof value !== 'string' || value.includes('{{')
    if (isOpen ? !isBytes(request.body) : fits.test(value)) continue
    if (told.has(formatPath(header.at))) continue
    told.add(formatPath(header.at))
    const message = `"${word}" is sent as ${as}, whatever Content-Type says`
    const hint =
      'remove the header; a body of nothing but bytes goes by itself: write bytes: { base64, type }'
    lint.error('request/content-type', header, message, hint)
  }
}

/** `body: { base64: … }`, as the parts of multipart and related are written. */
function isBytes(body: RequestSource['body']): boolean {
  const names = typeof body === 'object' ? fieldsOf(body, []).map(({ name }) => name) : []
  return names.join() === 'base64'
}

const SCALAR_PLACES: ReadonlySet<TextPlace> = new Set<TextPlace>([
  'request.path',
  'request.headers',
  'download.headers',
  'upload.headers',
  'server.url',
  'server.headers',
])

/** Paths, headers, hosts and texts with parts are made of scalars. */
function lintScalars(lint: Lint, placed: PlacedText): void {
  const { at, part, text, place } = placed
  if (onlyExpression(text) !== null && !SCALAR_PLACES.has(place)) return
  const scope = scopeOf(lint.source, placed)
  for (const expression of text.filter(isExpression)) {
    const types = inferTypes(scope, expression)
    if (types === null || !isNeverScalar(types)) continue
    const [what, hint] = types.has('array')
      ? ['a list', "write {{ join … ',' }} or {{ json … }}"]
      : ['an object', 'write {{ json … }}, or one of its members']
    const message = `${what} cannot stand in ${placeName(place)}`
    lint.error('request/needs-scalar', { at, part, inner: spanOf(expression) }, message, hint)
  }
}

function placeName(place: TextPlace): string {
  if (place === 'request.path') return 'a path'
  if (place === 'server.url') return 'a URL'
  return place.endsWith('headers') ? 'a header' : 'a text'
}

function isNeverScalar(types: ReadonlySet<SchemaType>): boolean {
  const others = [...types].filter((type) => type !== 'null')
  return others.length > 0 && others.every((type) => type === 'array' || type === 'object')
}

/** The types an expression can give; null when it cannot be told. */
function inferTypes(scope: PlaceScope, expression: Expression): ReadonlySet<SchemaType> | null {
  if (expression.kind === 'literal') return new Set([typeOfValue(expression.value)])
  if (expression.kind === 'local') return null
  if (expression.kind === 'path') {
    const found = lookUpPath(scope, expression)
    if (found?.kind !== 'found') return null
    return new Set(found.views.flatMap((node) => [...node.types()]))
  }
  const { gives } = HELPERS[expression.helper]
  if (gives === undefined) return null
  if (gives !== 'arguments') return new Set([gives])
  const types = passedArguments(expression).map((argument) => inferTypes(scope, argument))
  return types.includes(null) ? null : new Set(types.flatMap((each) => [...(each ?? [])]))
}

/** Styles that have a form for objects. */
const OBJECT_STYLES: ReadonlySet<Style> = new Set<Style>(['brackets', 'indices', 'json'])

/** Names of parameters in headers, and objects in queries and forms. */
function lintFields(lint: Lint): void {
  const { source } = lint
  const standard = source.defaults?.request?.style ?? 'repeat'
  for (const action of lint.actions) {
    const params = paramsOf(source, action)
    const isAlways = (path: ParamPath, test: (node: SchemaView) => boolean): boolean => {
      const found = params.lookUp(path)
      return found.kind === 'found' && found.views.every(test)
    }
    for (const { at, source: request } of requestsIn(action)) {
      for (const field of fieldsOf(request.headers, [...at, 'headers'])) {
        if (field.value !== undefined) continue
        if (!isAlways([field.name], (node) => isNeverScalar(node.types()))) continue
        const message = `the parameter "${field.name}" is no scalar and cannot stand in a header`
        const hint = `write { ${field.name}: "{{ json params.${field.name} }}" }`
        lint.error('request/needs-scalar', field, message, hint)
      }
      for (const key of ['query', 'form', 'headers'] as const)
        for (const { name, value, ...place } of fieldsOf(request[key], [...at, key])) {
          if (value !== null) continue
          const message = `"${name}" has no value here, so it is never sent`
          const hint = `write [${name}] for the parameter of this name, or { ${name}: "{{ … }}" }`
          lint.error('request/name-without-value', place, message, hint)
        }
      for (const key of ['query', 'form'] as const)
        for (const field of fieldsOf(request[key], [...at, key])) {
          const { path, style = standard } = parameterIn(lint, field)
          if (path === null || OBJECT_STYLES.has(style)) continue
          if (!isAlways(path, holdsObjects)) continue
          const message = `an object has no form in the style ${style}`
          const hint = `write { ${field.name}: { $value: …, $style: json } }, or brackets or indices`
          lint.error('request/object-needs-style', field, message, hint)
        }
    }
  }
}

/** The parameter that the value of an entry is, and the style that the entry asks for. */
function parameterIn(
  { draft }: Lint,
  { at, name, value }: PlacedField,
): { readonly path: ParamPath | null; readonly style?: Style } {
  if (value === undefined) return { path: [name] }
  const isDirective = typeof value === 'object' && value !== null && '$value' in value
  const $style = isDirective ? (value as { readonly $style?: Style }).$style : undefined
  const place = formatPath(isDirective ? [...at, '$value'] : at)
  const placed = draft.texts.find((text) => formatPath(text.at) === place)
  const expression = placed === undefined ? null : onlyExpression(placed.text)
  const isParam = expression?.kind === 'path' && expression.root === 'params'
  return { path: isParam ? expression.path : null, ...($style !== undefined && { style: $style }) }
}

/** Whether a value is always an object, or a list of objects. */
function holdsObjects(node: SchemaView): boolean {
  const isOnly = (part: SchemaView, wanted: SchemaType): boolean =>
    [...part.types()].every((type) => type === wanted || type === 'null')
  const parts = node.alternatives().filter((part) => !isOnly(part, 'null'))
  return (
    parts.length > 0 &&
    parts.every((part) => {
      const items = part.items()
      const areObjects = items.length > 0 && items.every((item) => isOnly(item, 'object'))
      return isOnly(part, 'object') || (isOnly(part, 'array') && areObjects)
    })
  )
}

/** Texts for people: braces in them are braces. */
const PROSE =
  /^(title|description|summary|deprecated|untested|docs|help|help_for|form|examples|translations|x-.*)$/

/** An expression at a place that is never filled in would travel as it is written. */
function lintUnread(lint: Lint): void {
  const { draft } = lint
  const read = new Set(
    [...draft.texts, ...draft.paths].flatMap(({ part, at }) =>
      part === 'value' ? [formatPath(at)] : [],
    ),
  )
  const visit = (value: unknown, at: DocumentPath): void => {
    if (typeof value === 'string') {
      if (!/\{\{\s*[\w(#/]/.test(value) || read.has(formatPath(at))) return
      const message = 'this place takes no expression: the braces would stay as they are'
      const hint = at.at(-1) === 'default' ? 'write default_from' : null
      lint.error('expression/not-evaluated', { at }, message, hint)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const isMember = at.at(-1) === 'properties'
        if (!isMember && PROSE.test(key)) continue
        visit(member, [...at, Array.isArray(value) ? Number(key) : key])
      }
    }
  }
  visit(draft.document.value, [])
}
