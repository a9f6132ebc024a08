// A draft of a manifest from a vendor's OpenAPI document: everything that can be said is said, all guesses are marked
// for review, and what cannot be said is told.
import { Document, isMap, isScalar, type Node } from 'yaml'
import type { Json, JsonObject } from '../../../language/json/json.ts'
import {
  type ActionName,
  CHECKS,
  gives,
  readsOneRecord,
} from '../../../language/manifest/actions.ts'
import { loadManifest } from '../../../language/manifest/load.ts'
import { didYouMean } from '../../../language/manifest/suggest.ts'
import { OpenApiError, type OpenApiDocument, type OpenApiOperation } from './document.ts'
import { draftAuth } from './draft-auth.ts'
import { entityName, parameterName, partsOf } from './draft-names.ts'
import { draftPagination, step } from './draft-pagination.ts'
import { draftServer } from './draft-server.ts'
import {
  draftSchema,
  type DraftSchema,
  flattened,
  membersOf,
  propertiesOf,
  requiredOf,
  typesOf,
} from './draft-schema.ts'

export interface Draft {
  /** YAML that lints without findings. */
  readonly text: string
  /** What was left out or guessed, one sentence each. */
  readonly notes: readonly string[]
  readonly actions: number
}

export interface DraftOptions {
  readonly type: string
  /** Of the first line, for editors. */
  readonly schema: string
  /** `GET /customers`; empty: every operation. */
  readonly paths: readonly string[]
}

type Member = Record<string, unknown>

interface DraftEntity {
  record: DraftSchema | null
  readonly actions: Map<string, DraftAction>
}
interface DraftAction {
  readonly action: Member
  readonly review: string | null
}

type Entities = Map<string, DraftEntity>

/** What is drafted from, and where to tell what was left out. */
interface Drafting {
  readonly document: OpenApiDocument
  readonly note: (text: string) => void
}

/**
 * Drafts a manifest. Actions that the lint refuses are left out and named in the notes, so the draft itself is sound.
 * Throws OpenApiError for a path that the document does not have, and when nothing could be drafted.
 */
export function draftManifest(document: OpenApiDocument, options: DraftOptions): Draft {
  const notes: string[] = []
  const note = (text: string): void => void notes.push(text)
  const entities = new Map<string, DraftEntity>()
  for (const operation of chosen(document, options.paths)) {
    addOperation({ document, note }, operation, entities)
  }
  const { server, config, addressOf } = draftServer(document.server, note)
  const auth = draftAuth(document, addressOf, note)
  const { title, docs } = document
  for (;;) {
    if (entities.size === 0) throw new OpenApiError('no operation of the document could be drafted')
    const manifest = defined({
      manifest: 1,
      connector: defined({
        type: options.type,
        title: title ?? options.type,
        version: '0.1.0',
        docs: docs !== null && /^https?:/.test(docs) ? docs : null,
      }),
      server,
      config,
      auth: Object.keys(auth).length === 0 ? null : auth,
      check: draftCheck(entities),
      entities: Object.fromEntries([...entities].map(([name, entity]) => [name, written(entity)])),
    })
    const refused = firstProblem(manifest, options.type)
    if (refused === null) {
      const actions = [...entities.values()].reduce((sum, each) => sum + each.actions.size, 0)
      return { text: toYaml(manifest, options, entities, notes), notes, actions }
    }
    const [, entity = '', , action = ''] = refused.path.split('.')
    const at = entities.get(entity)
    if (at === undefined) throw new OpenApiError(`the draft is refused: ${refused.message}`)
    note(`${entity}${at.actions.has(action) ? `.${action}` : ''} is left out: ${refused.message}`)
    if (at.actions.delete(action) && at.actions.size > 0) continue
    entities.delete(entity)
  }
}

function defined(members: Member): Member {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null))
}

function written({ record, actions }: DraftEntity): Member {
  const drafted = [...actions].map(([name, { action }]) => [name, action] as const)
  return defined({ record, actions: Object.fromEntries(drafted) })
}

function chosen(document: OpenApiDocument, paths: readonly string[]): readonly OpenApiOperation[] {
  if (paths.length === 0) return document.operations
  const known = document.operations.map(({ method, path }) => `${method} ${path}`)
  return paths.map((wanted) => {
    const [method = '', path = ''] = wanted.trim().split(/\s+/)
    const found = document.operations[known.indexOf(`${method.toUpperCase()} ${path}`)]
    if (found !== undefined) return found
    throw new OpenApiError(
      `the document has no "${wanted}"${didYouMean(wanted, known)}; write it as --path "GET /customers"`,
    )
  })
}

function addOperation(drafting: Drafting, operation: OpenApiOperation, entities: Entities): void {
  const { document, note } = drafting
  const { method, path, answer, body } = operation
  const { words, endsInId } = partsOf(path)
  const last = words.at(-1)
  if (last === undefined) return note(`${method} ${path} is left out: its path has no name`)
  if (body?.kind === 'other') return note(`${method} ${path} is left out: its body is ${body.type}`)
  const records = method === 'GET' && !endsInId ? recordsOf(document, answer, last) : null
  const action = actionOf(operation, endsInId, records !== null)
  const candidates = [last, words.slice(-2).join('_'), words.join('_')].map(entityName)
  const name = candidates.find((candidate) => entities.get(candidate)?.actions.has(action) !== true)
  if (name === undefined)
    return note(`${method} ${path} is left out: ${candidates[0]}.${action} is there already`)
  const entity = entities.get(name) ?? { record: null, actions: new Map() }
  entities.set(name, entity)
  entity.actions.set(action, draftAction(drafting, operation, action, records))
  const one = records?.item ?? (readsOneRecord(action) ? recordSchema(document, answer) : null)
  if (one !== null && (entity.record === null || readsOneRecord(action))) entity.record = one
}

function actionOf({ method }: OpenApiOperation, endsInId: boolean, lists: boolean): ActionName {
  if (method === 'GET') return lists ? 'list' : 'get'
  if (method === 'DELETE') return 'delete'
  return method === 'POST' && !endsInId ? 'create' : 'update'
}

interface Records {
  readonly path: string
  readonly item: DraftSchema | null
}

const LIST_NAMES = ['data', 'items', 'results', 'records', 'values', 'list', 'entries']

/** Where the records of a listing lie; null: the answer is no listing. */
function recordsOf(
  document: OpenApiDocument,
  written: JsonObject | null,
  word: string,
): Records | null {
  if (written === null) return null
  const answer = flattened(document, written)
  const item = (list: JsonObject): DraftSchema | null => objectOf(document, list['items'])
  if (answer['type'] === 'array') return { path: '$', item: item(answer) }
  const lists = Object.entries(propertiesOf(document, answer))
    .map(([name, member]) => [name, flattened(document, member)] as const)
    .filter(([, list]) => list['type'] === 'array')
  const [name, list] =
    lists.find(([candidate]) => [...LIST_NAMES, word].includes(candidate)) ??
    (lists.length === 1 ? (lists[0] ?? []) : [])
  return name === undefined || list === undefined
    ? null
    : { path: step('$', name), item: item(list) }
}

function recordSchema(document: OpenApiDocument, answer: JsonObject | null): DraftSchema | null {
  return answer === null ? null : objectOf(document, enveloped(document, answer)?.schema ?? answer)
}

/** The members of a record; null where none are described. */
function objectOf(document: OpenApiDocument, schema: Json | undefined): DraftSchema | null {
  const properties = membersOf(document, schema, 'record')
  return Object.keys(properties).length === 0 ? null : { properties }
}

/** The only object of an answer that wraps its record, as `{ data: {…} }`. */
function enveloped(
  document: OpenApiDocument,
  answer: JsonObject,
): { readonly path: string; readonly schema: Json } | null {
  const [only, ...others] = Object.entries(propertiesOf(document, answer))
  if (only === undefined || others.length > 0) return null
  const [name, schema] = only
  const isObject = flattened(document, schema)['type'] === 'object'
  return isObject ? { path: step('$', name), schema } : null
}

/** Declares a parameter under a name like that of the wire, and gives the name. */
type Take = (wire: string, schema: DraftSchema, isRequired: boolean) => string

function draftAction(
  { document, note }: Drafting,
  operation: OpenApiOperation,
  action: string,
  records: Records | null,
): DraftAction {
  const where = `${operation.method} ${operation.path}`
  const params: Record<string, DraftSchema> = {}
  const required: string[] = []
  const take: Take = (wire, schema, isRequired) => {
    const wanted = parameterName(wire)
    const name = Object.hasOwn(params, wanted) ? `${wanted}_2` : wanted
    params[name] = schema
    if (isRequired) required.push(name)
    return name
  }
  const { names, request } = draftRequest({ document, note }, operation, take)
  const paging = gives(action, 'list')
    ? draftPagination(document, operation, (wire) => names.get(wire) ?? wire)
    : null
  if (paging !== null && paging.adds !== null)
    params[paging.adds] = {
      type: 'string',
      description: 'The sealed address of the next page, from meta.next.',
    }
  const { answer, summary, description, deprecated, scopes } = operation
  const wrapped =
    gives(action, 'record') && answer !== null ? enveloped(document, answer)?.path : undefined
  const schema = { ...(required.length > 0 && { required }), properties: params }
  return {
    action: defined({
      summary: summary ?? firstSentence(description) ?? where,
      deprecated: deprecated || null,
      scopes: scopes.length === 0 ? null : scopes,
      params: Object.keys(params).length === 0 ? null : schema,
      request,
      response: records !== null ? { records: records.path } : wrapped && { record: wrapped },
      pagination: paging?.pagination,
    }),
    review: paging?.review ?? null,
  }
}

/** The request, and the names of its parameters by those on the wire. */
function draftRequest(
  { document, note }: Drafting,
  operation: OpenApiOperation,
  take: Take,
): { readonly names: ReadonlyMap<string, string>; readonly request: Member } {
  const query: unknown[] = []
  const headers: Member = {}
  const names = new Map<string, string>()
  let { path } = operation
  for (const parameter of operation.parameters) {
    const { name: wire, in: place, description, required } = parameter
    if (place === 'cookie')
      note(`${operation.method} ${operation.path}: the cookie ${wire} is left out`)
    if (place === 'cookie' || IGNORED_HEADERS.test(wire)) continue
    const schema = withText(draftSchema(document, parameter.schema, 'input'), description)
    const name = take(wire, scalarIn(place, schema), required)
    names.set(wire, name)
    const value = `{{ params.${name} }}`
    if (place === 'path') path = path.replaceAll(`{${wire}}`, value)
    else if (place === 'query') query.push(name === wire ? name : { [wire]: value })
    else headers[wire] = value
  }
  const request = defined({
    http: `${operation.method} ${path}`,
    query: query.length === 0 ? null : query,
    headers: Object.keys(headers).length === 0 ? null : headers,
    ...draftBody(document, operation, take),
  })
  return { names, request }
}

/** Headers that are the engine's own, or that authentication sets. */
const IGNORED_HEADERS =
  /^(accept|content-type|content-length|authorization|host|cookie|user-agent)$/i

/** Paths and headers hold scalars only. */
function scalarIn(place: string, schema: DraftSchema): DraftSchema {
  const types = typesOf(schema)
  const isFit = !types.includes('object') && (place === 'query' || !types.includes('array'))
  if (!isFit) {
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

function draftBody(document: OpenApiDocument, { body }: OpenApiOperation, take: Take): Member {
  if (body === null || body.kind === 'other') return {}
  const schema = flattened(document, body.schema)
  const members = membersOf(document, schema, 'input')
  if (Object.keys(members).length === 0) {
    if (body.kind !== 'json') return {}
    const name = take('body', draftSchema(document, schema, 'input'), body.required)
    return { body: `{{ params.${name} }}` }
  }
  const must = requiredOf(schema)
  const entries = Object.entries(members).map(([wire, member]) => {
    const name = take(wire, member, body.required && must.includes(wire))
    return { wire, name, value: `{{ params.${name} }}`, isNested: holdsObjects(member) }
  })
  if (body.kind === 'multipart') {
    const written = propertiesOf(document, schema)
    const parts = entries.map(({ wire, name, value }) => {
      const { type, format } = document.follow(written[wire])
      // A file is given as base64.
      return type === 'file' || format === 'binary'
        ? [wire, { base64: value, filename: name, type: 'application/octet-stream' }]
        : [wire, value]
    })
    return { multipart: Object.fromEntries(parts) }
  }
  return {
    [body.kind === 'form' ? 'form' : 'body']: entries.map(({ wire, name, value, isNested }) => {
      // Forms of vendors nest by brackets with numbers.
      if (body.kind === 'form' && isNested) return { [wire]: { $value: value, $style: 'indices' } }
      return wire === name ? name : { [wire]: value }
    }),
  }
}

function holdsObjects(schema: DraftSchema): boolean {
  const types = typesOf(schema)
  const items = (schema['items'] ?? {}) as DraftSchema
  return types.includes('object') || (types.includes('array') && holdsObjects(items))
}

function firstSentence(text: string | null): string | null {
  return text === null ? null : (/^[^\n.]{1,120}/.exec(text)?.[0] ?? null)
}

/** The first read that needs no parameter. */
function draftCheck(entities: ReadonlyMap<string, DraftEntity>): Member | null {
  for (const [entity, { actions }] of entities) {
    for (const name of CHECKS) {
      const params = actions.get(name)?.action['params'] as
        { readonly required?: unknown } | undefined
      if (actions.has(name) && params?.required === undefined) return { entity, action: name }
    }
  }
  return null
}

function firstProblem(
  manifest: Member,
  type: string,
): { readonly path: string; readonly message: string } | null {
  const { problems } = loadManifest({ object: manifest, file: `${type}.json` })
  return problems.find(({ severity }) => severity === 'error') ?? null
}

function toYaml(
  manifest: Member,
  { schema }: DraftOptions,
  entities: ReadonlyMap<string, DraftEntity>,
  notes: readonly string[],
): string {
  const document = new Document(manifest, { aliasDuplicateObjects: false })
  for (const [entity, { actions }] of entities) {
    for (const [action, { review }] of actions) {
      if (review === null) continue
      const pair = document.getIn(['entities', entity, 'actions', action], true)
      if (!isMap(pair)) continue
      const at = pair.items.find(({ key }) => isScalar(key) && key.value === 'pagination')
      const key = at?.key as Node | undefined
      if (key !== undefined) key.commentBefore = ` review: ${review}`
    }
  }
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    '# A draft from an OpenAPI document. Lines marked "review" are guesses: compare them with the vendor.',
    ...notes.map((line) => `# note: ${line.replaceAll('\n', ' ')}`),
  ]
  return `${head.join('\n')}\n${document.toString({ lineWidth: 140 })}`
}
