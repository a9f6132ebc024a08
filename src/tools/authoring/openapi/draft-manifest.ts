// A draft of a manifest from a vendor's document: everything that can be said is said, guesses are marked for review,
// what a person must decide is refused by lint until then, and what cannot be said is told.
import { Document, isMap, isScalar, type Node } from 'yaml'
import type { Json, JsonObject } from '../../../language/json/json.ts'
import {
  type ActionName,
  CHECKS,
  gives,
  kindOf,
  readsOneRecord,
  VENDOR_SEARCH,
} from '../../../language/manifest/actions.ts'
import { loadManifest } from '../../../language/manifest/load.ts'
import type { ManifestProblem } from '../../../language/manifest/problem.ts'
import { OpenApiError, type OpenApiDocument, type OpenApiOperation } from './document.ts'
import { defined, draftAction, type DraftAction, type Drafting, enveloped } from './draft-action.ts'
import { type AuthStub, draftAuth } from './draft-auth.ts'
import { draftFailures } from './draft-errors.ts'
import { entityNames, type Named, namedBy, type Thing } from './draft-names.ts'
import { step } from './draft-pagination.ts'
import { draftServer, hostsWith } from './draft-server.ts'
import { type DraftSchema, flattened, membersOf, propertiesOf, typesOf } from './draft-schema.ts'
import { byTag } from './select-operations.ts'

export interface Draft {
  /** YAML whose only findings of lint are listings that a person must decide. */
  readonly text: string
  readonly report: DraftReport
}

/** What became of the document, one sentence or operation each. */
export interface DraftReport {
  readonly entities: number
  readonly actions: number
  /** What was concluded from evidence, and should be compared with the vendor. */
  readonly guessed: readonly string[]
  /** Listings whose pagination the document does not tell. */
  readonly undecided: readonly string[]
  /** What is left out, and why. */
  readonly missing: readonly string[]
}

export interface DraftOptions {
  readonly type: string
  /** Of the first line, for editors. */
  readonly schema: string
  readonly operations: readonly OpenApiOperation[]
  /** Of a document without security; null: none was chosen. */
  readonly auth: AuthStub | null
}

type Member = Record<string, unknown>

interface DraftEntity {
  record: DraftSchema | null
  readonly actions: Map<string, DraftAction & { readonly operation: OpenApiOperation }>
}

type Entities = Map<string, DraftEntity>

/** As the loader has it. */
const MAX_BYTES = 1024 * 1024

/**
 * Drafts a manifest. Actions that the lint refuses are left out and named in the report, so the draft is sound but for
 * what a person must decide. Throws OpenApiError when nothing could be drafted, and when it is too large for a file.
 */
export function draftManifest(document: OpenApiDocument, options: DraftOptions): Draft {
  const missing: string[] = []
  const guessed: string[] = []
  const drafting: Drafting = { document, note: (text) => void missing.push(text) }
  const guess = (text: string): void => void guessed.push(text)
  const entities = draftEntities(drafting, options.operations)
  const { server, config, addressOf } = draftServer(document.server, guess)
  const auth = draftAuth(document, { addressOf, note: drafting.note, stub: options.auth })
  const defaults = draftFailures({ document, note: guess }, options.operations)
  const { title, docs } = document
  const manifestOf = (): Member =>
    defined({
      manifest: 1,
      connector: defined({
        type: options.type,
        title: title ?? options.type,
        version: '0.1.0',
        docs: docs !== null && /^https?:/.test(docs) ? docs : null,
      }),
      server: hostsWith(
        server,
        options.operations.map((operation) => operation.server),
      ),
      config,
      auth: Object.keys(auth).length === 0 ? null : auth,
      check: draftCheck(entities),
      defaults,
      entities: Object.fromEntries([...entities].map(([name, entity]) => [name, written(entity)])),
    })
  const manifest = soundManifest(manifestOf, {
    entities,
    auth,
    type: options.type,
    note: drafting.note,
  })
  const all = [...entities].flatMap(([entity, { actions }]) =>
    [...actions].map(([action, drafted]) => ({ name: `${entity}.${action}`, drafted })),
  )
  const report: DraftReport = {
    entities: entities.size,
    actions: all.length,
    guessed: [
      ...guessed,
      ...all.flatMap(({ name, drafted: { review } }) =>
        review === null ? [] : `${name}: ${review}`,
      ),
    ],
    undecided: all.flatMap(({ name, drafted }) => (drafted.isUndecided ? name : [])),
    missing,
  }
  const text = toYaml(manifest, options, entities)
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw tooLarge(options.operations, Buffer.byteLength(text))
  return { text, report }
}

function tooLarge(operations: readonly OpenApiOperation[], bytes: number): OpenApiError {
  const tags = [...byTag(operations)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([tag, { length }]) => `${tag} (${length})`)
  return new OpenApiError(
    `${operations.length} operations make ${bytes.toLocaleString('en')} bytes, and a manifest has at most 1 MiB: --split writes one for each tag, and --tag, --path and --operations take a part; the tags are ${tags.slice(0, 12).join(', ')}${tags.length > 12 ? ' …' : ''}`,
  )
}

interface Sounding {
  readonly entities: Entities
  readonly auth: Record<string, unknown>
  readonly type: string
  readonly note: (text: string) => void
}

/** Leaves out what the lint refuses, all of a round at once. */
function soundManifest(manifestOf: () => Member, { entities, auth, type, note }: Sounding): Member {
  for (;;) {
    if (entities.size === 0) throw new OpenApiError('no operation of the document could be drafted')
    const manifest = manifestOf()
    const refused = problemsOf(manifest, type)
    if (refused.length === 0) return manifest
    if (refused.some(({ rule }) => rule === 'yaml/size')) {
      const actions = [...entities.values()].flatMap((one) => [...one.actions.values()])
      throw tooLarge(
        actions.map(({ operation }) => operation),
        JSON.stringify(manifest).length,
      )
    }
    const told = new Set<string>()
    for (const { path, message } of refused) {
      const [part, name = '', key, action = ''] = path.split('.')
      const entity = part === 'entities' ? entities.get(name) : undefined
      const where = key === 'actions' ? `${name}.${action}` : name
      if (told.has(where)) continue
      told.add(where)
      if (part === 'auth' && Object.hasOwn(auth, name)) {
        note(`method "${name}" is left out: ${message}`)
        Reflect.deleteProperty(auth, name)
      } else if (entity === undefined) {
        if (part !== 'entities') throw new OpenApiError(`the draft is refused: ${path}: ${message}`)
      } else if (key === 'record' && entity.record !== null) {
        note(`the record of ${name} is left out: ${message}`)
        entity.record = null
      } else {
        note(`${where} is left out: ${message}`)
        if (!entity.actions.delete(action) || entity.actions.size === 0) entities.delete(name)
      }
    }
  }
}

function written({ record, actions }: DraftEntity): Member {
  const drafted = [...actions].map(([name, { action }]) => [name, action] as const)
  return defined({ record, actions: Object.fromEntries(drafted) })
}

interface Placed {
  readonly operation: OpenApiOperation
  readonly named: Named
  readonly thing: Thing
}

function draftEntities(
  { document, note }: Drafting,
  operations: readonly OpenApiOperation[],
): Entities {
  const usable = operations.flatMap((operation) => {
    const named = namedBy(operation.path)
    const where = `${operation.method} ${operation.path}`
    if (named === null) note(`${where} is left out: its path has no name`)
    else if (operation.body?.kind === 'other')
      note(`${where} is left out: its body is ${operation.body.type}`)
    else return [{ operation, named }]
    return []
  })
  const things = Map.groupBy(usable, ({ named }) => named.words.join('/'))
  const placed: readonly Placed[] = [...things.values()].flatMap((all) => {
    const [first] = all
    const thing = {
      words: first?.named.words ?? [],
      hasItem: all.some(({ named }) => named.endsInId || named.verb === 'get'),
      hasCollection: all.some(({ named }) => !named.endsInId),
    }
    return all.map((one) => ({ ...one, thing }))
  })
  const names = entityNames([...new Set(placed.map(({ thing }) => thing))])
  const entities: Entities = new Map()
  for (const { operation, named, thing } of placed) {
    const wanted = names.get(thing) ?? ''
    const records = recordsOf(document, operation, named)
    const action = actionOf(operation, named, records !== null)
    const name = [wanted, `${wanted}_${operation.method.toLowerCase()}`].find(
      (each) =>
        entities.get(each)?.actions.has(action) !== true &&
        (each === wanted || !new Set(names.values()).has(each)),
    )
    if (name === undefined) {
      note(
        `${operation.method} ${operation.path} is left out: ${wanted}.${action} is there already`,
      )
      continue
    }
    const entity = entities.get(name) ?? { record: null, actions: new Map() }
    entities.set(name, entity)
    addAction({ document, note }, { operation, action, records, entity })
  }
  for (const entity of entities.values()) settleResults(entity)
  return entities
}

interface Added {
  readonly operation: OpenApiOperation
  readonly action: ActionName
  readonly records: Records | null
  readonly entity: DraftEntity
}

function addAction(drafting: Drafting, { operation, action, records, entity }: Added): void {
  const listed = gives(action, 'list') ? (records?.item ?? null) : null
  const one = gives(action, 'record') ? recordSchema(drafting.document, operation) : null
  const path = gives(action, 'list') ? (records?.path ?? '$') : null
  const drafted = draftAction(drafting, { operation, action, records: path, result: one ?? listed })
  entity.actions.set(action, { ...drafted, operation })
  // What `get` reads is the record; the item of the list is, where there is no `get`.
  if (readsOneRecord(action) && one !== null) entity.record = one
  else if (listed !== null && action !== VENDOR_SEARCH) entity.record ??= listed
}

/** An answer that has less than half of its members in common with the record is a result of its own. */
function settleResults({ record, actions }: DraftEntity): void {
  const known = new Set(Object.keys((record?.['properties'] ?? {}) as object))
  for (const { action } of actions.values()) {
    const result = action['result'] as DraftSchema | undefined
    const members = Object.keys((result?.['properties'] ?? {}) as object)
    const common = members.filter((name) => known.has(name)).length
    if (common * 2 >= members.length) delete action['result']
  }
}

function actionOf(
  { method, file, id }: OpenApiOperation,
  { endsInId, verb }: Named,
  lists: boolean,
): ActionName {
  const isRead = method === 'GET' || (method === 'POST' && verb !== null)
  if (method === 'GET' && file !== null) return 'download'
  if (verb === VENDOR_SEARCH && isRead && lists) return verb
  if (verb !== null && verb !== VENDOR_SEARCH && (method === 'POST' || method === 'GET')) {
    if (method === 'GET' || kindOf(verb)?.effect === null) return lists ? 'list' : 'get'
    return verb
  }
  if (method === 'GET') return lists ? 'list' : 'get'
  if (method === 'DELETE') return 'delete'
  // Some vendors create by PUT on the collection.
  const creates = method === 'POST' || /^(create|add|insert)/i.test(id ?? '')
  return creates && !endsInId ? 'create' : 'update'
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
  named: Named,
): Records | null {
  const { answer: given, method } = operation
  const isListing = method === 'GET' ? !named.endsInId : named.verb !== null && method === 'POST'
  if (given === null || !isListing) return null
  const answer = flattened(document, given)
  const item = (list: JsonObject): DraftSchema | null => objectOf(document, list['items'])
  if (typesOf(answer).includes('array')) return { path: '$', item: item(answer) }
  const lists = Object.entries(propertiesOf(document, answer))
    .filter(([name]) => !/^(links|errors?|warnings?|included)$/i.test(name))
    .map(([name, member]) => [name, flattened(document, member)] as const)
    .filter(([, list]) => typesOf(list).includes('array'))
  const word = named.words.at(-1) ?? ''
  const called = lists.find(([candidate]) => [...LIST_NAMES, word].includes(candidate))
  // One object that holds one list among other things is a record, unless its list is called as one.
  const isRecord = named.verb === 'get' || propertiesOf(document, answer)['id'] !== undefined
  const [name, list] = called ?? (lists.length === 1 && !isRecord ? (lists[0] ?? []) : [])
  return name === undefined || list === undefined
    ? null
    : { path: step('$', name), item: item(list) }
}

function recordSchema(
  document: OpenApiDocument,
  { answer, path }: OpenApiOperation,
): DraftSchema | null {
  if (answer === null) return null
  return objectOf(document, enveloped(document, answer, path)?.schema ?? answer)
}

/** The members of a record; null where none are described. */
function objectOf(document: OpenApiDocument, schema: Json | undefined): DraftSchema | null {
  const properties = membersOf(document, schema, 'record')
  return Object.keys(properties).length === 0 ? null : { properties }
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

/** What lint refuses, but for what a person must decide. */
function problemsOf(manifest: Member, type: string): readonly ManifestProblem[] {
  const { problems } = loadManifest({ object: manifest, file: `${type}.json` })
  return problems.filter(
    ({ severity, rule }) => severity === 'error' && rule !== 'pagination/missing',
  )
}

const DECIDE = [
  ' decide: the document does not say how this listing goes on, and lint refuses it until you write it here:',
  '   pagination: { type: none, reason: The vendor sends everything at once. }',
  '   or one of cursor, page, offset and link (section 9 of the language)',
].join('\n')

function toYaml(manifest: Member, { schema }: DraftOptions, entities: Entities): string {
  const document = new Document(manifest, { aliasDuplicateObjects: false })
  for (const [entity, { actions }] of entities) {
    for (const [action, { review, isUndecided }] of actions) {
      if (review === null && !isUndecided) continue
      const pair = document.getIn(['entities', entity, 'actions', action], true)
      if (!isMap(pair)) continue
      if (isUndecided) pair.comment = DECIDE
      const at = pair.items.find(({ key }) => isScalar(key) && key.value === 'pagination')
      const key = at?.key as Node | undefined
      if (key !== undefined && review !== null) key.commentBefore = ` review: ${review}`
    }
  }
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    '# A draft from an OpenAPI document. Lines marked "review" are guesses: compare them with the vendor.',
  ]
  return `${head.join('\n')}\n${document.toString({ lineWidth: 140 })}`
}
