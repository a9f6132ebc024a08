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
import { draftPagination, propertiesOf, step } from './draft-pagination.ts'
import { draftServer, type DraftedServer } from './draft-server.ts'
import { draftSchema, type DraftSchema, flattened, membersOf, requiredOf } from './draft-schema.ts'

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
  readonly actions: Map<string, { readonly action: Member; readonly review: string | null }>
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
    addOperation(document, operation, entities, note)
  }
  const drafted = draftServer(document.server, note)
  const auth = draftAuth(document, drafted.addressOf, note)
  for (;;) {
    if (entities.size === 0) throw new OpenApiError('no operation of the document could be drafted')
    const manifest = assemble(document, options, drafted, auth, entities)
    const refused = firstProblem(manifest, options.type)
    if (refused === null) {
      const actions = [...entities.values()].reduce((sum, { actions }) => sum + actions.size, 0)
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

function chosen(document: OpenApiDocument, paths: readonly string[]): readonly OpenApiOperation[] {
  if (paths.length === 0) return document.operations
  const known = document.operations.map(({ method, path }) => `${method} ${path}`)
  return paths.map((wanted) => {
    const [method = '', path = ''] = wanted.trim().split(/\s+/)
    const found = document.operations.find(
      (one) => one.method === method.toUpperCase() && one.path === path,
    )
    if (found !== undefined) return found
    throw new OpenApiError(
      `the document has no "${wanted}"${didYouMean(wanted, known)}; write it as --path "GET /customers"`,
    )
  })
}

function addOperation(
  document: OpenApiDocument,
  operation: OpenApiOperation,
  entities: Map<string, DraftEntity>,
  note: (text: string) => void,
): void {
  const where = `${operation.method} ${operation.path}`
  const { words, endsInId } = partsOf(operation.path)
  const last = words.at(-1)
  if (last === undefined) {
    note(`${where} is left out: its path has no name`)
    return
  }
  if (operation.body?.kind === 'other') {
    note(`${where} is left out: its body is ${operation.body.type}`)
    return
  }
  const records =
    operation.method === 'GET' && !endsInId ? recordsOf(document, operation, last) : null
  const action = actionOf(operation, endsInId, records !== null)
  const candidates = [
    entityName(last),
    entityName(words.slice(-2).join('_')),
    entityName(words.join('_')),
  ]
  const name = candidates.find((candidate) => entities.get(candidate)?.actions.has(action) !== true)
  if (name === undefined) {
    note(`${where} is left out: ${candidates[0]}.${action} is there already`)
    return
  }
  const entity = entities.get(name) ?? { record: null, actions: new Map() }
  entities.set(name, entity)
  const drafted = draftAction(document, operation, action, records, note)
  entity.actions.set(action, drafted)
  const one = records?.item ?? (readsOneRecord(action) ? recordSchema(document, operation) : null)
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
  operation: OpenApiOperation,
  word: string,
): Records | null {
  if (operation.answer === null) return null
  const answer = flattened(document, operation.answer, 0)
  if (answer['type'] === 'array') return { path: '$', item: itemOf(document, answer) }
  const lists = Object.entries(propertiesOf(document, answer)).filter(
    ([, member]) => flattened(document, member, 0)['type'] === 'array',
  )
  const wanted = [...LIST_NAMES, word]
  const [name, list] =
    lists.find(([candidate]) => wanted.includes(candidate)) ??
    (lists.length === 1 ? (lists[0] ?? []) : [])
  if (name === undefined) return null
  return { path: step('$', name), item: itemOf(document, flattened(document, list, 0)) }
}

function itemOf(document: OpenApiDocument, list: JsonObject): DraftSchema | null {
  const properties = membersOf(document, list['items'], 'record')
  return Object.keys(properties).length === 0 ? null : { properties }
}

function recordSchema(document: OpenApiDocument, operation: OpenApiOperation): DraftSchema | null {
  if (operation.answer === null) return null
  const at = enveloped(document, operation.answer)
  const properties = membersOf(document, at === null ? operation.answer : at.schema, 'record')
  return Object.keys(properties).length === 0 ? null : { properties }
}

/** The only object of an answer that wraps its record, as `{ data: {…} }`. */
function enveloped(
  document: OpenApiDocument,
  answer: JsonObject,
): { readonly path: string; readonly schema: Json } | null {
  const members = Object.entries(propertiesOf(document, answer))
  const [only] = members
  if (only === undefined || members.length > 1) return null
  const [name, schema] = only
  return flattened(document, schema, 0)['type'] === 'object'
    ? { path: step('$', name), schema: schema }
    : null
}

function draftAction(
  document: OpenApiDocument,
  operation: OpenApiOperation,
  action: string,
  records: Records | null,
  note: (text: string) => void,
): { readonly action: Member; readonly review: string | null } {
  const where = `${operation.method} ${operation.path}`
  const params: Record<string, DraftSchema> = {}
  const required: string[] = []
  const query: unknown[] = []
  const headers: Member = {}
  const take = (wire: string, schema: DraftSchema, isRequired: boolean): string => {
    const wanted = parameterName(wire)
    const name = Object.hasOwn(params, wanted) ? `${wanted}_2` : wanted
    params[name] = schema
    if (isRequired) required.push(name)
    return name
  }
  const names = new Map<string, string>()
  let path = operation.path
  for (const parameter of operation.parameters) {
    if (parameter.in === 'cookie' || IGNORED_HEADERS.has(parameter.name.toLowerCase())) {
      if (parameter.in === 'cookie') note(`${where}: the cookie ${parameter.name} is left out`)
      continue
    }
    const schema = withText(draftSchema(document, parameter.schema, 'input'), parameter.description)
    const name = take(parameter.name, scalarIn(parameter.in, schema), parameter.required)
    names.set(parameter.name, name)
    if (parameter.in === 'path')
      path = path.replaceAll(`{${parameter.name}}`, `{{ params.${name} }}`)
    else if (parameter.in === 'query')
      query.push(name === parameter.name ? name : { [parameter.name]: `{{ params.${name} }}` })
    else headers[parameter.name] = `{{ params.${name} }}`
  }
  const request: Member = { http: `${operation.method} ${path}` }
  if (query.length > 0) request['query'] = query
  if (Object.keys(headers).length > 0) request['headers'] = headers
  Object.assign(request, draftBody(document, operation, take))
  const paging = gives(action, 'list')
    ? draftPagination(document, operation, (wire) => names.get(wire) ?? wire)
    : null
  if (paging !== null && paging.adds !== null)
    params[paging.adds] = {
      type: 'string',
      description: 'The sealed address of the next page, from meta.next.',
    }
  const wrapped = gives(action, 'record') ? envelopeOf(document, operation) : null
  return {
    action: {
      summary: operation.summary ?? firstSentence(operation.description) ?? where,
      ...(operation.deprecated ? { deprecated: true } : {}),
      ...(operation.scopes.length === 0 ? {} : { scopes: operation.scopes }),
      ...(Object.keys(params).length === 0
        ? {}
        : { params: { ...(required.length === 0 ? {} : { required }), properties: params } }),
      request,
      ...(records === null ? {} : { response: { records: records.path } }),
      ...(wrapped === null ? {} : { response: { record: wrapped } }),
      ...(paging === null ? {} : { pagination: paging.pagination }),
    },
    review: paging?.review ?? null,
  }
}

function envelopeOf(document: OpenApiDocument, operation: OpenApiOperation): string | null {
  return operation.answer === null ? null : (enveloped(document, operation.answer)?.path ?? null)
}

/** Headers that are the engine's own, or that authentication sets. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'content-length',
  'authorization',
  'host',
  'cookie',
  'user-agent',
])

/** Paths and headers hold scalars only. */
function scalarIn(place: string, schema: DraftSchema): DraftSchema {
  const types = [schema['type'] ?? []].flat() as readonly Json[]
  const isScalar = !types.includes('object') && !types.includes('array')
  if (place === 'query' ? !types.includes('object') : isScalar)
    return Object.keys(schema).length === 0 ? { type: 'string' } : withoutNull(place, schema)
  return {
    type: 'string',
    ...(schema['description'] === undefined ? {} : { description: schema['description'] }),
  }
}

function withoutNull(place: string, schema: DraftSchema): DraftSchema {
  const { type } = schema
  if (place !== 'path' || !Array.isArray(type)) return schema
  const types = type.filter((one) => one !== 'null')
  return { ...schema, type: types.length === 1 ? (types[0] ?? 'string') : types }
}

function withText(schema: DraftSchema, description: string | null): DraftSchema {
  if (description === null || schema['description'] !== undefined) return schema
  const text = description.replaceAll(/\s+/g, ' ').replaceAll('{{', '{ {')
  return { ...schema, description: text.length > 300 ? `${text.slice(0, 299)}…` : text }
}

function draftBody(
  document: OpenApiDocument,
  { body }: OpenApiOperation,
  take: (wire: string, schema: DraftSchema, isRequired: boolean) => string,
): Member {
  if (body === null || body.kind === 'other') return {}
  const schema = flattened(document, body.schema, 0)
  const members = membersOf(document, schema, 'input')
  if (Object.keys(members).length === 0) {
    if (body.kind !== 'json') return {}
    const name = take('body', draftSchema(document, schema, 'input'), body.required)
    return { body: `{{ params.${name} }}` }
  }
  const must = requiredOf(schema)
  const entries = Object.entries(members).map(([wire, member]) => {
    const name = take(wire, member, body.required && must.includes(wire))
    return { wire, name, isNested: holdsObjects(member) }
  })
  if (body.kind === 'multipart')
    return {
      multipart: Object.fromEntries(entries.map((entry) => partOf(entry, document, schema))),
    }
  return {
    [body.kind === 'form' ? 'form' : 'body']: entries.map(({ wire, name, isNested }) => {
      const value = `{{ params.${name} }}`
      // Forms of vendors nest by brackets with numbers.
      if (body.kind === 'form' && isNested) return { [wire]: { $value: value, $style: 'indices' } }
      return wire === name ? name : { [wire]: value }
    }),
  }
}

/** A file is given as base64. */
function partOf(
  { wire, name }: { readonly wire: string; readonly name: string },
  document: OpenApiDocument,
  schema: JsonObject,
): readonly [string, unknown] {
  const { type, format } = document.follow(propertiesOf(document, schema)[wire])
  const value = `{{ params.${name} }}`
  return type === 'file' || format === 'binary'
    ? [wire, { base64: value, filename: name, type: 'application/octet-stream' }]
    : [wire, value]
}

function holdsObjects(schema: DraftSchema): boolean {
  const types = [schema['type'] ?? []].flat() as readonly Json[]
  const { items } = schema
  return (
    types.includes('object') ||
    (types.includes('array') && holdsObjects((items ?? {}) as DraftSchema))
  )
}

function firstSentence(text: string | null): string | null {
  return text === null ? null : (/^[^\n.]{1,120}/.exec(text)?.[0] ?? null)
}

function assemble(
  document: OpenApiDocument,
  { type }: DraftOptions,
  { server, config }: DraftedServer,
  auth: Record<string, Member>,
  entities: ReadonlyMap<string, DraftEntity>,
): Member {
  const check = checkOf(entities)
  return {
    manifest: 1,
    connector: {
      type,
      title: document.title ?? type,
      version: '0.1.0',
      ...(document.docs === null || !/^https?:/.test(document.docs) ? {} : { docs: document.docs }),
    },
    server,
    ...(config === null ? {} : { config }),
    ...(Object.keys(auth).length === 0 ? {} : { auth }),
    ...(check === null ? {} : { check }),
    entities: Object.fromEntries(
      [...entities].map(([name, { record, actions }]) => [
        name,
        {
          ...(record === null ? {} : { record }),
          actions: Object.fromEntries(
            [...actions].map(([action, drafted]) => [action, drafted.action]),
          ),
        },
      ]),
    ),
  }
}

/** The first read that needs no parameter. */
function checkOf(entities: ReadonlyMap<string, DraftEntity>): Member | null {
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
