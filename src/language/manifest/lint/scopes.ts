// Which roots an expression may start with at each place, and what each of them holds.
// Source of the table: docs/manifest-language.md, "Expressions".
import type { Root } from '../../expression/syntax.ts'
import { REQUEST_FACTS } from '../../signing/request-facts.ts'
import { accessParts } from '../access/all-access.ts'
import type { Owner, PlacedAction, PlacedText, TextPlace } from '../draft.ts'
import type {
  ActionSource,
  AuthMethodSource,
  EntitySource,
  ManifestSource,
  SchemaSource,
} from '../source.ts'
import { SchemaView, typeOfValue } from './schema-walk.ts'

/** An action by its names. */
export type ActionNames = Pick<PlacedAction, 'entity' | 'name'>

export interface PlaceScope {
  /** The roots that may stand here, with the schema of what they hold. */
  readonly roots: ReadonlyMap<Root, SchemaView>
  /** Roots that the place allows and this manifest has no use for, with the reason. */
  readonly missing: ReadonlyMap<Root, string>
  /** Whether `now` may be called. */
  readonly clock: boolean
}

export function scopeOf(source: ManifestSource, placed: PlacedText): PlaceScope {
  const roots = new Map<Root, SchemaView>()
  const missing = new Map<Root, string>()
  for (const root of allowedRoots(placed)) {
    const node = HOLDS[root](source, placed.owner)
    if (typeof node === 'string') missing.set(root, node)
    else roots.set(root, node)
  }
  const { area } = placed.owner
  // What arrives is compared with what is known; only requests of webhooks.subscribe are made at a time of their own.
  const clock = CLOCKED.has(area) || (area === 'webhooks' && !placed.place.startsWith('webhooks.'))
  return { roots, missing, clock }
}

export function actionOf(source: ManifestSource, owner: Owner): ActionSource | undefined {
  return owner.action === null ? undefined : entityOf(source, owner)?.actions[owner.action]
}

export function entityOf(source: ManifestSource, owner: Owner): EntitySource | undefined {
  return owner.entity === null ? undefined : source.entities[owner.entity]
}

export function methodOf(source: ManifestSource, owner: Owner): AuthMethodSource | undefined {
  return owner.method === null ? undefined : source.auth[owner.method]
}

export function paramsOf(source: ManifestSource, { entity, name }: ActionNames): SchemaView {
  const at = ['entities', entity, 'actions', name, 'params']
  return SchemaView.closed(source, source.entities[entity]?.actions[name]?.params, at)
}

export function configOf(source: ManifestSource): SchemaView {
  return SchemaView.closed(source, source.config, ['config'])
}

type Area = Owner['area']
const CLOCKED: ReadonlySet<Area> = new Set(['auth', 'check', 'sync'])
const EVERYWHERE: readonly Root[] = ['config', 'maps']

/** What stands in an area, where the place does not say otherwise. */
const AREA_ROOTS: Readonly<Record<Area, readonly Root[]>> = {
  action: ['params', 'record_fields', 'steps', 'upload'],
  auth: ['credentials', 'client', 'session', 'jwt'],
  check: [],
  defaults: [],
  schema: [],
  search: [],
  server: [],
  sync: ['cursor', 'parent'],
  webhooks: ['params', 'credentials', 'client', 'webhook', 'subscription'],
}

const PLACE_ROOTS: Readonly<Partial<Record<TextPlace, readonly Root[]>>> = {
  'response.keep': ['params', 'record'],
  'response.set': ['params', 'record', 'response', 'steps'],
  'for_each.if': ['params', 'record'],
  'for_each.params': ['params', 'record'],
  'pagination.carry': ['params', 'response', 'steps'],
  'errors.message': ['params', 'response'],
  'error_body.message': ['params', 'response'],
  'download.headers': ['params'],
  'upload.headers': ['params', 'upload'],
  condition: ['params', 'record_fields', 'steps'],
  'path.index': ['params'],
  derive: ['credentials'],
  jwt: ['credentials', 'client', 'request'],
  'sign.of': ['credentials', 'client', 'session', 'request'],
  'sign.placed': ['credentials', 'client', 'session', 'request', 'signature'],
  'webhooks.key': ['credentials', 'client', 'webhook', 'subscription'],
  'webhooks.of': ['credentials', 'client', 'webhook', 'subscription', 'request'],
  'webhooks.placed': ['credentials', 'client', 'webhook', 'subscription', 'request', 'signature'],
  'webhooks.answer': ['client', 'webhook', 'event'],
  'webhooks.route': [],
  'webhooks.subscribe': ['credentials', 'client', 'webhook'],
  default_from: [],
}

// In places shared by several actions, `params` cannot be checked and would differ from one to the next.
const SHARED: ReadonlySet<Area> = new Set(['check', 'defaults', 'server'])

function allowedRoots(placed: PlacedText): readonly Root[] {
  const { area } = placed.owner
  const place = placed.place === 'directive' ? surroundingPlace(placed) : placed.place
  const own =
    area === 'action' || SHARED.has(area) || /^(derive|jwt|sign\..*|webhooks\..*)$/.test(place)
      ? PLACE_ROOTS[place]
      : undefined
  const roots = own ?? AREA_ROOTS[area]
  const isPaged = area === 'webhooks' && placed.at[2] === 'find'
  const usable =
    SHARED.has(area) || (area === 'webhooks' && !isPaged)
      ? roots.filter((root) => root !== 'params' && root !== 'steps')
      : roots
  return [...EVERYWHERE, ...usable]
}

/** The `$if` inside `response.set` and `sign` sees what the values next to it see. */
function surroundingPlace({ at, place, owner }: PlacedText): TextPlace {
  if (owner.area === 'auth' && at.includes('sign')) return 'sign.placed'
  if (owner.area === 'auth' && at.includes('jwt')) return 'jwt'
  const response = at.indexOf('response')
  return response >= 0 && at[response + 1] === 'set' ? 'response.set' : place
}

/** What a root holds, or why it holds nothing here. */
const HOLDS: Readonly<Record<Root, (source: ManifestSource, owner: Owner) => SchemaView | string>> =
  {
    params(source, { area, entity, action }) {
      if (area === 'webhooks') return pagedBy(source)
      return entity === null || action === null
        ? SchemaView.closed(source)
        : paramsOf(source, { entity, name: action })
    },
    config: configOf,
    maps: (source) => new SchemaView(source, constantSchema(source.maps ?? {})),
    record_fields: (source, owner) =>
      entityOf(source, owner)?.record === undefined
        ? `the entity ${owner.entity ?? ''} has no record`
        : new SchemaView(source, { type: 'array', items: { type: 'string' } }),
    steps(source, owner) {
      const steps = actionOf(source, owner)?.steps
      if (steps === undefined) return 'the action has no steps'
      const names = steps.slice(0, owner.step ?? steps.length).map((step) => step.name)
      return viewObject(source, names, { ...objectSchema(ANSWER), additionalProperties: false })
    },
    response: (source) => SchemaView.closed(source, objectSchema(ANSWER)),
    record: (source, owner) => recordOf(source, owner.entity ?? ''),
    credentials: (source, owner) =>
      owner.area === 'webhooks'
        ? ofAnyMethod(source)
        : SchemaView.closed(source, methodOf(source, owner)?.credentials, [
            'auth',
            owner.method ?? '',
            'credentials',
          ]),
    request: (source) =>
      SchemaView.closed(
        source,
        objectSchema({
          ...Object.fromEntries(REQUEST_FACTS.map((name) => [name, { type: 'string' }] as const)),
          headers: TEXTS,
        }),
      ),
    jwt: (source, owner) =>
      methodOf(source, owner)?.jwt === undefined
        ? 'the method has no jwt block'
        : new SchemaView(source, { type: 'string' }),
    signature: (source) => new SchemaView(source, { type: 'string' }),
    webhook: (source) => viewObject(source, ['secret', 'token', 'url'], { type: 'string' }),
    subscription: (source) => {
      const { create, find } = source.webhooks?.subscribe ?? {}
      if (create === undefined) return 'the manifest has no webhooks.subscribe'
      const names = [...Object.keys(create.store ?? {}), ...Object.keys(find?.store ?? {})]
      return viewObject(source, ['secret', ...names], {})
    },
    event: (source) =>
      SchemaView.closed(
        source,
        objectSchema({ method: { type: 'string' }, query: TEXTS, headers: TEXTS, body: {} }),
      ),
    client: ofAccess('client', 'oauth2 block'),
    session: ofAccess('session', 'session'),
    upload: (source, owner) =>
      actionOf(source, owner)?.upload === undefined
        ? 'the action has no upload block'
        : SchemaView.closed(source, objectSchema(UPLOAD)),
    cursor: (source, owner) =>
      entityOf(source, owner)?.sync?.cursor === undefined
        ? 'this sync has no cursor'
        : viewObject(source, ['since', 'until'], { type: 'string' }),
    parent: (source, owner) => {
      const parent = entityOf(source, owner)?.sync?.parent
      return parent === undefined ? 'this sync has no parent' : recordOf(source, parent.entity)
    },
  }

/** The one parameter that the list of `webhooks.subscribe.find` has. */
function pagedBy(source: ManifestSource): SchemaView | string {
  const param = source.webhooks?.subscribe?.find?.pagination?.param
  return param === undefined
    ? 'find has no pagination that turns pages'
    : viewObject(source, [param], {})
}

const TEXTS: SchemaSource = { type: 'object', additionalProperties: { type: 'string' } }

const UPLOAD: Readonly<Record<string, SchemaSource>> = {
  name: { type: 'string' },
  type: { type: 'string' },
  size: { type: 'integer' },
  total: { type: 'integer' },
  from: { type: 'integer' },
  to: { type: 'integer' },
}

const ANSWER: Readonly<Record<string, SchemaSource>> = {
  status: { type: 'integer' },
  headers: TEXTS,
  body: {},
}

/** What credentials of one method or another hold. */
function ofAnyMethod(source: ManifestSource): SchemaView {
  const views = Object.entries(source.auth).map(([name, { credentials }]) =>
    SchemaView.closed(source, credentials, ['auth', name, 'credentials']),
  )
  return viewObject(
    source,
    views.flatMap((view) => [...view.members().keys()]),
    {},
  )
}

/** What only methods with access of one kind have. */
function ofAccess(wanted: Root, block: string): (typeof HOLDS)[Root] {
  return (source, owner) => {
    // A webhook is checked with the client of the credentials, or with the operator's.
    if (owner.area === 'webhooks') return viewObject(source, ['id', 'secret'], { type: 'string' })
    const method = methodOf(source, owner)
    const { root = null, rootMembers = {} } =
      method === undefined ? {} : accessParts({ at: [], source: method })
    return root === wanted
      ? SchemaView.closed(source, objectSchema(rootMembers))
      : `the method has no ${block}`
  }
}

function objectSchema(properties: Readonly<Record<string, SchemaSource>>): SchemaSource {
  return { type: 'object', properties }
}

/** A closed object whose members are all alike, written nowhere. */
function viewObject(
  source: ManifestSource,
  names: readonly string[],
  member: SchemaSource,
): SchemaView {
  const members = Object.fromEntries(names.map((name) => [name, member]))
  return SchemaView.closed(source, objectSchema(members))
}

function recordOf(source: ManifestSource, entity: string): SchemaView {
  const record = source.entities[entity]?.record
  return new SchemaView(source, record ?? {}, record && ['entities', entity, 'record'])
}

/** The schema that a constant alone satisfies, member by member. */
function constantSchema(value: unknown): SchemaSource {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { type: typeOfValue(value) }
  const members = Object.entries(value).map(([name, member]) => [name, constantSchema(member)])
  return { ...objectSchema(Object.fromEntries(members)), additionalProperties: false }
}
