// One operation of a document as an action: its parameters, its request, its answer.
import { type ActionName, gives } from '../../../language/manifest/actions.ts'
import type { JsonObject } from '../../../language/json/json.ts'
import { parameterName } from './draft-names.ts'
import { draftPagination, type PagingParam, step } from './draft-pagination.ts'
import {
  draftSchema,
  type DraftSchema,
  flattened,
  membersOf,
  propertiesOf,
  requiredOf,
  typesOf,
} from './draft-schema.ts'
import { literalServer } from './draft-server.ts'
import {
  listOf,
  type OpenApiDocument,
  type OpenApiOperation,
  type WireStyle,
  textIn,
} from './document.ts'

/** What is drafted from, and where to tell what was left out. */
export interface Drafting {
  readonly document: OpenApiDocument
  readonly note: (text: string) => void
}

export interface DraftAction {
  readonly action: Record<string, unknown>
  /** The evidence of its pagination. */
  readonly review: string | null
  /** The listing has no pagination until a person has decided. */
  readonly isUndecided: boolean
}

/** What is known of an operation before it is drafted. */
export interface Answered {
  readonly operation: OpenApiOperation
  readonly action: ActionName
  /** Path of the records of a listing. */
  readonly records: string | null
  readonly result: DraftSchema | null
}

/** Declares a parameter under a name like that of the wire, and gives the name. */
type Take = (wire: string, schema: DraftSchema, isRequired: boolean) => string

export function draftAction(drafting: Drafting, known: Answered): DraftAction {
  const { operation, action, records, result } = known
  const params: Record<string, DraftSchema> = {}
  const required: string[] = []
  const take: Take = (wire, schema, isRequired) => {
    const wanted = parameterName(wire)
    const name = Object.hasOwn(params, wanted) ? `${wanted}_${Object.keys(params).length}` : wanted
    params[name] = schema
    if (isRequired) required.push(name)
    return name
  }
  const { names, request, refuse } = draftRequest(drafting, operation, take)
  const isListing = gives(action, 'list')
  const turning = isListing ? pagingParams(drafting.document, operation, names, params) : []
  const paging = isListing ? draftPagination(drafting.document, operation, turning) : null
  if (paging !== null && paging.adds !== null)
    params[paging.adds] = {
      type: 'string',
      description: 'The sealed address of the next page, from meta.next.',
    }
  const { answer, summary, description, deprecated, scopes } = operation
  const wrapped =
    gives(action, 'record') && answer !== null
      ? enveloped(drafting.document, answer, operation.path)?.path
      : undefined
  const schema = { ...(required.length > 0 && { required }), properties: params }
  return {
    action: defined({
      summary: summary ?? firstSentence(description) ?? `${operation.method} ${operation.path}`,
      deprecated: deprecated || null,
      scopes: scopes.length === 0 ? null : scopes,
      params: Object.keys(params).length === 0 ? null : schema,
      refuse,
      request: {
        ...request,
        ...(operation.file === 'elsewhere' && gives(action, 'stream') && { redirects: 3 }),
      },
      response: records !== null ? { records } : wrapped && { record: wrapped },
      result,
      pagination: paging?.pagination,
    }),
    review: paging?.review ?? null,
    isUndecided: isListing && paging === null,
  }
}

export function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null))
}

/** Members that answers carry next to what they are about. */
const ASIDE =
  /^(ok|success|status|errors?|warnings?|object|url|request_?id|response_metadata|meta|links?|_links|included|message|code|pagination|paging)$/i

/**
 * The object of an answer that wraps its record, as `{ data: {…} }` or `{ ok: true, user: {…} }`; of a single record also
 * the first of a list that is called as the path (`GET /Contacts/{id}`, `{ Contacts: [{…}] }`).
 */
export function enveloped(
  document: OpenApiDocument,
  answer: JsonObject,
  path: string,
): { readonly path: string; readonly schema: JsonObject[string] } | null {
  const all = Object.entries(propertiesOf(document, answer))
  const [only, ...others] = all.filter(([name]) => !ASIDE.test(name))
  if (only === undefined || others.length > 0) return null
  const [name, schema] = only
  const flat = flattened(document, schema)
  if (typesOf(flat).includes('object')) return { path: step('$', name), schema }
  const [, collection] = /([^/{}]+)\/\{[^/{}]+\}$/.exec(path) ?? []
  const isOne = typesOf(flat).includes('array') && collection?.toLowerCase() === name.toLowerCase()
  return isOne && flat['items'] !== undefined
    ? { path: `${step('$', name)}[0]`, schema: flat['items'] }
    : null
}

/** The query and the body of a listing, where parameters turn pages. */
function pagingParams(
  document: OpenApiDocument,
  { parameters, body }: OpenApiOperation,
  names: ReadonlyMap<string, string>,
  params: Readonly<Record<string, DraftSchema>>,
): readonly PagingParam[] {
  const ofQuery = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, description, schema }) => {
      const text = description ?? textIn(document.follow(schema)['description'])
      return [name, text, typesOf(flattened(document, schema))] as const
    })
  const ofBody = Object.entries(body === null ? {} : propertiesOf(document, body.schema)).flatMap(
    ([name, member]) => {
      const schema = flattened(document, member)
      const own = [name, textIn(schema['description']), typesOf(schema)] as const
      if (!/^(pagination|paging|page|options)$/i.test(name)) return [own]
      const inner = Object.entries(propertiesOf(document, member)).map(([below, written]) => {
        const { description } = flattened(document, written)
        return [
          `${name}.${below}`,
          textIn(description),
          typesOf(flattened(document, written)),
        ] as const
      })
      return [own, ...inner]
    },
  )
  return [...ofQuery, ...ofBody].flatMap(([wire, text, types]) => {
    const [top = '', ...rest] = names.has(wire) ? [wire] : wire.split('.')
    const name = names.get(top)
    // A member must be declared for pagination to move it.
    const isThere = rest.every((one) =>
      Object.hasOwn((params[name ?? '']?.['properties'] ?? {}) as object, one),
    )
    return name === undefined || !isThere
      ? []
      : [{ wire, name: [name, ...rest].join('.'), text, types }]
  })
}

interface Requested {
  /** The names of parameters by those on the wire. */
  readonly names: ReadonlyMap<string, string>
  readonly request: Record<string, unknown>
  readonly refuse: readonly object[] | null
}

function draftRequest(drafting: Drafting, operation: OpenApiOperation, take: Take): Requested {
  const { document, note } = drafting
  const query: unknown[] = []
  const headers: Record<string, unknown> = {}
  const names = new Map<string, string>()
  let { path } = operation
  for (const parameter of operation.parameters) {
    const { name: wire, in: place, description, required } = parameter
    if (place === 'cookie')
      note(`${operation.method} ${operation.path}: the cookie ${wire} is left out`)
    if (place === 'cookie' || (place === 'header' && IGNORED_HEADERS.test(wire))) continue
    if (place !== 'path' && repeatsAuth(document, { wire, place, text: description })) continue
    const drafted = withText(draftSchema(document, parameter.schema, 'input'), description)
    const schema = place === 'query' ? inQuery(drafted, parameter.style) : scalarIn(place, drafted)
    if (place === 'query' && schema === null) {
      note(
        `${operation.method} ${operation.path}: no style says how the object ${wire} travels; it is left out`,
      )
      continue
    }
    const name = take(wire, schema ?? drafted, required)
    names.set(wire, name)
    const value = `{{ params.${name} }}`
    if (place === 'path') path = path.replaceAll(`{${wire}}`, value)
    else if (place === 'query')
      query.push(...entriesOf(wire, name, { schema: schema ?? drafted, style: parameter.style }))
    else headers[wire] = value
  }
  // A document may forget to declare what its path holds.
  for (const [whole, wire = ''] of path.matchAll(/(?<!\{)\{([^{}]+)\}(?!\})/g))
    path = path.replace(whole, `{{ params.${take(wire, { type: 'string' }, true)} }}`)
  const { members, refuse, ...body } = draftBody(drafting, operation, take)
  for (const [wire, name] of members) names.set(wire, name)
  const request = defined({
    http: `${operation.method} ${originOf(operation)}${path}`,
    query: query.length === 0 ? null : query,
    headers: Object.keys(headers).length === 0 ? null : headers,
    ...body,
  })
  return { names, request, refuse }
}

/** Headers that are the engine's own, or that authentication sets. */
const IGNORED_HEADERS =
  /^(accept|content-type|content-length|authorization|host|cookie|user-agent)$/i

/** Whether a parameter is what authentication puts on the request anyway. */
function repeatsAuth(
  { security }: OpenApiDocument,
  {
    wire,
    place,
    text,
  }: { readonly wire: string; readonly place: string; readonly text: string | null },
): boolean {
  const schemes = Object.values(security)
  const keys = schemes.filter(({ type }) => type === 'apiKey').map(({ name }) => textIn(name))
  if (schemes.some((one) => one['name'] === wire && one['in'] === place)) return true
  if (text === null || schemes.length === 0) return false
  const isKey = /^((access|auth|api|oauth)_?)?(token|api_?key|key|secret|client_?id)$/i.test(wire)
  if (!isKey) return false
  return (
    keys.some((key) => key.length > 3 && text.includes(key)) || /^authentication token/i.test(text)
  )
}

type Styled = { readonly schema: DraftSchema; readonly style: WireStyle }

/** What a caller gives for a query parameter; null: nothing says how it travels. */
function inQuery(schema: DraftSchema, style: WireStyle): DraftSchema | null {
  if (Object.keys(schema).length === 0) return { type: 'string' }
  const types = typesOf(schema)
  const isNested = holdsObjects(schema) && !types.includes('object')
  const canNest = style === 'deep' || style === 'json'
  if (isNested) return canNest ? schema : null
  if (!types.includes('object') || canNest) return schema
  return style === 'members' &&
    Object.keys((schema['properties'] ?? {}) as object).length > 0 &&
    types.length === 1
    ? schema
    : null
}

function entriesOf(wire: string, name: string, { schema, style }: Styled): readonly unknown[] {
  const types = typesOf(schema)
  const value = `{{ params.${name} }}`
  const isList = types.includes('array')
  if (types.includes('object') && style === 'members')
    return Object.keys(schema['properties'] as object).map((member) => ({
      [member]: `{{ params.${name}.${/^[\w-]+$/.test(member) ? member : `[${member}]`} }}`,
    }))
  const styled = styleOf(schema, style)
  if (styled !== null && (isList || types.includes('object')))
    return [{ [wire]: { $value: value, $style: styled } }]
  return [name === wire ? name : { [wire]: value }]
}

/** The word of the language; null: its default. */
function styleOf(schema: DraftSchema, style: WireStyle): string | null {
  if (style === 'deep') return isDeep(schema) ? 'indices' : 'brackets'
  return style === 'members' || style === 'repeat' ? null : style
}

/** Whether a member of the list or object is one, too. */
function isDeep(schema: DraftSchema): boolean {
  const below = [
    ...Object.values((schema['properties'] ?? {}) as Record<string, DraftSchema>),
    (schema['items'] ?? {}) as DraftSchema,
  ]
  return below.some((one) => typesOf(one).some((type) => type === 'object' || type === 'array'))
}

/** Paths and headers hold scalars only. */
function scalarIn(place: string, schema: DraftSchema): DraftSchema {
  const types = typesOf(schema)
  if (types.includes('object') || types.includes('array')) {
    const { description } = schema
    return { type: 'string', ...(description !== undefined && { description }) }
  }
  if (Object.keys(schema).length === 0) return { type: 'string' }
  if (place !== 'path' || !types.includes('null')) return schema
  const others = types.filter((type) => type !== 'null')
  return { ...schema, type: others.length === 1 ? (others[0] ?? 'string') : others }
}

function withText(schema: DraftSchema, description: string | null): DraftSchema {
  if (description === null || schema['description'] !== undefined) return schema
  const text = description.replaceAll(/\s+/g, ' ').replaceAll('{{', '{ {')
  return { ...schema, description: text.length > 300 ? `${text.slice(0, 299)}…` : text }
}

interface Bodied {
  /** The names of parameters by the members of the body. */
  readonly members: readonly (readonly [wire: string, name: string])[]
  readonly refuse: readonly object[] | null
  readonly [form: string]: unknown
}

function draftBody({ document }: Drafting, { body }: OpenApiOperation, take: Take): Bodied {
  if (body === null || body.kind === 'other') return { members: [], refuse: null }
  const schema = flattened(document, body.schema)
  const written = propertiesOf(document, schema)
  const kept = Object.entries(membersOf(document, schema, 'input')).filter(
    ([wire]) =>
      !repeatsAuth(document, {
        wire,
        place: 'body',
        text: textIn(document.follow(written[wire])['description']),
      }),
  )
  if (kept.length === 0) {
    if (body.kind !== 'json' || Object.keys(written).length > 0)
      return { members: [], refuse: null }
    const name = take('body', draftSchema(document, schema, 'input'), body.required)
    return { members: [], refuse: null, body: `{{ params.${name} }}` }
  }
  const must = requiredOf(schema)
  const entries = kept.map(([wire, member]) => {
    const name = take(wire, member, body.required && must.includes(wire))
    return { wire, name, value: `{{ params.${name} }}`, schema: member }
  })
  const members = entries.map(({ wire, name }) => [wire, name] as const)
  const refuse = body.required ? refusals(document, body.schema, new Map(members)) : null
  if (body.kind === 'multipart') {
    const parts = entries.map(({ wire, name, value }) => {
      const { type, format } = document.follow(written[wire])
      // A file is given as base64.
      return type === 'file' || format === 'binary'
        ? [wire, { base64: value, filename: name, type: 'application/octet-stream' }]
        : [wire, value]
    })
    return { members, refuse, multipart: Object.fromEntries(parts) }
  }
  return {
    members,
    refuse,
    [body.kind === 'form' ? 'form' : 'body']: entries.flatMap(
      ({ wire, name, value, schema: one }) => {
        const style = body.styles.get(wire)
        if (body.kind === 'form' && style !== undefined && style !== 'members')
          return entriesOf(wire, name, { schema: one, style })
        // Forms of vendors nest by brackets with numbers.
        if (body.kind === 'form' && holdsObjects(one))
          return { [wire]: { $value: value, $style: 'indices' } }
        return wire === name ? name : { [wire]: value }
      },
    ),
  }
}

/** `anyOf` and `oneOf` of required names: one of the lists must be given, as the document says. */
function refusals(
  document: OpenApiDocument,
  written: JsonObject,
  names: ReadonlyMap<string, string>,
): readonly object[] | null {
  const schema = document.follow(written)
  const always = requiredOf(flattened(document, schema))
  const lists = [...listOf(schema['anyOf'] ?? schema['oneOf'])].map((one) =>
    requiredOf(flattened(document, one)).filter((name) => !always.includes(name)),
  )
  if (lists.length < 2 || lists.some((list) => list.length === 0)) return null
  if (lists.flat().some((wire) => !names.has(wire))) return null
  const given = lists.map((list) => {
    const each = list.map((wire) => `(given params.${names.get(wire) ?? wire})`)
    return each.length === 1 ? (each[0] ?? '') : `(and ${each.join(' ')})`
  })
  return [
    {
      if: `{{ not (or ${[...new Set(given)].join(' ')}) }}`,
      params: [...new Set(lists.flat().map((wire) => names.get(wire) ?? wire))],
      message: `Give ${[...new Set(lists.map((list) => list.join(' and ')))].join(', or ')}.`,
    },
  ]
}

function holdsObjects(schema: DraftSchema): boolean {
  const types = typesOf(schema)
  const items = (schema['items'] ?? {}) as DraftSchema
  return types.includes('object') || (types.includes('array') && holdsObjects(items))
}

/** The base of an operation that is to be called elsewhere; empty for all others. */
function originOf({ server }: OpenApiOperation): string {
  return literalServer(server) ?? ''
}

function firstSentence(text: string | null): string | null {
  // Some documents write their texts as HTML.
  const plain = text?.replaceAll(/<\/?[a-z]+[^<>]*>/gi, '').trim()
  return plain === undefined ? null : (/^[^\n.]{1,120}/.exec(plain)?.[0] ?? null)
}
