// Sets for entities that the demo data says nothing about, made from the manifest alone.
import { namesIn } from '../../language/expression/paths-in.ts'
import type { Path } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, ownAt, withMember } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { REFERS_TO, requiredIn, typeNamesOf } from '../../language/manifest/json-schema.ts'
import { gives, readsOneRecord } from '../../language/manifest/actions.ts'
import type { Action, Entity, JsonSchema, Manifest } from '../../language/manifest/manifest.ts'
import { propertiesOf } from '../wire/schema-places.ts'
import { wholeBetween } from './chance.ts'
import { makeUp, type Spot } from './made-up.ts'
import type { Demo } from './demo-types.ts'
import type { SetRules } from './read-demo.ts'
import { type Context, defined, type MakeValue, type Members } from './world.ts'

/** How many records a listing has: enough for three pages. */
const ROWS = 57
/** The same below each row of a parent. */
const ROWS_BELOW: readonly [number, number] = [0, 7]

/** One set per entity that has records; entities named in `known` are left out. */
export function defaultSets(manifest: Manifest, known: Demo['sets']): readonly SetRules[] {
  return manifest.entities.flatMap((entity) => {
    const schema = recordSchema(entity)
    return known.has(entity.name) || schema === null ? [] : [defaultSet(entity, schema, manifest)]
  })
}

const CHANGED = /^(updated|modified|changed|last_?(updated|modified|changed))/i
const CREATED = /^(created|inserted|added)/i

function defaultSet(entity: Entity, schema: JsonSchema, manifest: Manifest): SetRules {
  const properties = propertiesOf(schema)
  const names = properties.map(([name]) => name)
  const keys = keysOf(entity, names)
  const per = parentOf(entity, manifest)
  const primary = keys[0]?.[0]
  const lifted = liftedMembers(entity, keys)
  const pathNames = pathParams(entity).filter((name) => !isKeyPath([name], keys))
  const record: Members = properties.map(([name, property]) => [
    name,
    parentKey(name, per, pathNames) ??
      withLifted(
        name,
        madeUp(name, name === primary ? keySchema(entity, name, property) : property, {
          entity,
          manifest,
          isKey: name === primary,
        }),
        lifted.filter(({ path }) => path[0] === name),
        manifest,
      ),
  ])
  return {
    name: entity.name,
    ...(per === null ? {} : { per }),
    count: per === null ? [ROWS, ROWS] : ROWS_BELOW,
    keys,
    rows: entity.examples.map((example) =>
      Object.entries(example).map(([name, value]) => [name, () => value] as const),
    ),
    let: [],
    record,
    blank: record.map(([name, make]) => [name, blank(name, make, schema, name === primary)]),
    ...(per === null ? echoOf(pathNames.filter((name) => names.includes(name))) : {}),
    forms: new Map(),
    show: [],
    select: [],
    touch: names
      .filter((name) => CHANGED.test(name))
      .map((name) => ({ path: [name], value: nowText })),
  }
}

function recordSchema(entity: Entity): JsonSchema | null {
  return entity.record ?? entity.actions.find(({ result }) => result !== null)?.result ?? null
}

/** The primary key of the copy, `id`, `key`, the entity's own id, what its path names, or the first member. */
function keysOf(entity: Entity, names: readonly string[]): readonly (readonly string[])[] {
  const primary = (entity.sync?.primaryKey ?? []).map(({ steps }) => memberNames(steps))
  // Of several members the last that the path does not name tells records of one listing apart.
  const inPath = pathParams(entity)
  const single = primary
    .filter((path) => primary.length === 1 || !inPath.includes(path[0] ?? ''))
    .slice(-1)
  const ownId = new RegExp(`^${singular(flat(entity.name))}_?id$`, 'i')
  const named = names.filter((name) => name === 'id' || name === 'key' || ownId.test(flat(name)))
  const all = [...single, ...[...named, ...ownKeys(entity, names)].map((name) => [name])]
  const distinct = [...new Map(all.map((path) => [path.join('.'), path])).values()]
  return distinct.length > 0 ? distinct : names.slice(0, 1).map((name) => [name])
}

/** A key without a format of its own has the one of the parameter that it is read by. */
function keySchema(entity: Entity, name: string, schema: JsonSchema): JsonSchema {
  if (schema['format'] !== undefined) return schema
  const formats = entity.actions.flatMap(({ name: action, params, steps }) =>
    readsOneRecord(action)
      ? namesIn(steps.at(-1)?.request.path, 'params')
          .slice(-1)
          .flatMap((param) => {
            const given = propertiesOf(params.schema).find(([each]) => each === param)?.[1]
            const isOwn = ownKeys(entity, [name]).length > 0
            return isOwn && typeof given?.['format'] === 'string' ? [given['format']] : []
          })
      : [],
  )
  const [format] = formats
  return format === undefined ? schema : { ...schema, format }
}

/** Members that the path of a single record names: `gid` of `/tasks/{task_gid}`, `slug` of `/apps/{slug}`. */
function ownKeys({ actions }: Entity, names: readonly string[]): readonly string[] {
  const params = actions
    .filter(({ name }) => readsOneRecord(name))
    .flatMap(({ steps }) => namesIn(steps.at(-1)?.request.path, 'params').slice(-1))
  const words = (name: string): string =>
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase()
  return names.filter((name) =>
    params.some((param) => `_${words(param)}`.endsWith(`_${words(name)}`)),
  )
}

/** An English name of several things as the name of one: `stories`, `story`. */
export function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '')
}

function memberNames(steps: Path['steps']): readonly string[] {
  return steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
}

function flat(name: string): string {
  return name.replaceAll('_', '')
}

/**
 * The entity that a listing hangs under: the one its sync names, else the one whose single-record path begins the
 * listing's path (`/lists/{id}` and `/lists/{id}/tasks`).
 */
function parentOf(entity: Entity, manifest: Manifest): string | null {
  if (entity.sync?.parent != null) return entity.sync.parent.entity
  const path = listPath(entity.actions)
  if (path === undefined) return null
  const parent = manifest.entities.find(
    (other) =>
      other !== entity &&
      other.actions.some(
        (action) =>
          readsOneRecord(action.name) && beginsWith(path, action.steps.at(-1)?.request.path),
      ),
  )
  return parent?.name ?? null
}

type PathTemplate = Action['steps'][number]['request']['path']

function listPath(actions: readonly Action[]): PathTemplate | undefined {
  return actions.find(({ name }) => gives(name, 'list'))?.steps.at(-1)?.request.path
}

function beginsWith(path: PathTemplate, start: PathTemplate | undefined): boolean {
  if (start === undefined || start.length >= path.length) return false
  // Without any fixed text (`/{id}`), or with nothing else, the beginning says nothing.
  const kinds = new Set(start.flat().map((part) => typeof part === 'string'))
  if (kinds.size < 2) return false
  return start.every((segment, index) => shapeOf(segment) === shapeOf(path[index] ?? []))
}

function shapeOf(segment: PathTemplate[number]): string {
  return segment.map((part) => (typeof part === 'string' ? part : '{}')).join('')
}

/** `issueId` below `issues` is the key of the issue, and so is what the path calls it. */
function parentKey(
  name: string,
  per: string | null,
  pathNames: readonly string[],
): MakeValue | undefined {
  if (per === null) return undefined
  const isOwnName = new RegExp(`^${singular(flat(per))}id$`, 'i').test(flat(name))
  if (!isOwnName && !pathNames.includes(name)) return undefined
  return ({ row, world }) => world.keyOf(row?.parent)
}

/** A member inside an open object that something else of the manifest speaks of. */
interface Lifted {
  readonly path: readonly string[]
  readonly type: string
  readonly isKey: boolean
}

/** What search, sync and keys pick out of objects whose schema says nothing: it must be there. */
function liftedMembers(entity: Entity, keys: SetRules['keys']): readonly Lifted[] {
  const cursor = entity.sync?.cursor?.field
  const named = [
    ...(entity.search?.fields ?? []).map(({ from, type }) => ({ from, type })),
    ...(cursor === undefined ? [] : [{ from: cursor, type: 'string' }]),
  ]
  const found = named.flatMap(({ from, type }) => {
    const path = memberNames(from.steps)
    const isPlain = from.root === 'body' && path.length === from.steps.length && path.length > 1
    return isPlain ? [{ path, type, isKey: isKeyPath(path, keys) }] : []
  })
  const inKeys = keys.filter((path) => path.length > 1)
  return [...inKeys.map((path) => ({ path, type: 'string', isKey: true })), ...found]
}

function isKeyPath(path: readonly string[], keys: SetRules['keys']): boolean {
  return keys.some((key) => key.join('.') === path.join('.'))
}

function withLifted(
  name: string,
  make: MakeValue,
  lifted: readonly Lifted[],
  manifest: Manifest,
): MakeValue {
  if (lifted.length === 0) return make
  return (context) => {
    const made = make(context)
    let object: JsonObject = isJsonObject(made) ? made : {}
    for (const { path, type, isKey } of lifted) {
      const rest = path.slice(1)
      if (ownAt(object, rest) !== undefined) continue
      object = withMember(object, rest, makeUp({ type }, spotAt(path, context, manifest, isKey)))
    }
    return object
  }
}

/**
 * Parameters of a listing's path that are members of its records, where no other entity stands for them
 * (`/act_{account}/campaigns`): the records belong to whichever value is asked for.
 */
function echoOf(names: readonly string[]): Pick<SetRules, 'view'> {
  if (names.length === 0) return {}
  return { view: ({ scope }) => defined(names.map((name) => [name, own(scope.params, name)])) }
}

function pathParams(entity: Entity): readonly string[] {
  return namesIn(listPath(entity.actions), 'params')
}

function madeUp(
  name: string,
  schema: JsonSchema,
  { entity, manifest, isKey }: Readonly<{ entity: Entity; manifest: Manifest; isKey: boolean }>,
): MakeValue {
  const isLink = !isKey && linksTo(name, schema, { entity, manifest })
  return (context) => {
    const spot = spotAt([name], context, manifest, isKey)
    const example = entity.examples[spot.position % Math.max(1, entity.examples.length)]
    const linked: Spot['linked'] = (inside, place) =>
      (isLink && inside === schema) ||
      (!isKey && own(inside, REFERS_TO) !== undefined && linksTo('', inside, { entity, manifest }))
        ? wholeBetween(spot.world.chance, `${place}#link`, 0, ROWS - 1)
        : null
    return makeUp(schema, { ...spot, example: own(example, name), linked })
  }
}

/**
 * Whether a member names a record of another entity, whose made-up key has the same form: of that which it `refers_to`,
 * else of one that is called so (`user_id` and `users`). Below a parent the number of records differs, so their keys are
 * not known here.
 */
function linksTo(
  name: string,
  schema: JsonSchema,
  { entity, manifest }: Readonly<{ entity: Entity; manifest: Manifest }>,
): boolean {
  const said = own(schema, REFERS_TO)
  const stem = /^(.+?)_?id$/i.exec(name)?.[1]
  if (said === undefined && stem === undefined) return false
  return manifest.entities.some((other) => {
    const record = recordSchema(other)
    if (record === null || other.examples.length > 0) return false
    const isNamed =
      said === undefined
        ? other !== entity && singular(flat(other.name)) === flat(stem ?? '').toLowerCase()
        : other.name === said
    if (!isNamed) return false
    const properties = propertiesOf(record)
    const [key] = keysOf(
      other,
      properties.map(([each]) => each),
    )
    const [, target] = properties.find(([each]) => each === key?.[0]) ?? []
    const isPlain = target !== undefined && isNumbered(schema) && isNumbered(target)
    return isPlain && parentOf(other, manifest) === null
  })
}

/** Keys that are counted up: an integer, or a text without a form of its own. */
function isNumbered(schema: JsonSchema): boolean {
  const types = typeNamesOf(schema).filter((type) => type !== 'null')
  if (types.length !== 1 || schema['enum'] !== undefined) return false
  return types[0] === 'integer' || (types[0] === 'string' && schema['format'] === undefined)
}

function spotAt(
  path: readonly string[],
  { world, place, row }: Context,
  { definitions }: Manifest,
  isKey: boolean,
): Spot {
  return {
    world,
    place: `${place}.${path.join('.')}`,
    name: path.at(-1) ?? '',
    position: row?.position ?? 0,
    isKey,
    definitions,
  }
}

/** Of a record that a caller makes only the key, the times and what is required exist before the caller's values. */
function blank(name: string, make: MakeValue, schema: JsonSchema, isKey: boolean): MakeValue {
  if (CREATED.test(name) || CHANGED.test(name)) return nowText
  if (isKey || requiredIn(schema).includes(name)) return make
  const property = own(own(schema, 'properties'), name)
  const isNullable = isJsonObject(property) && typeNamesOf(property).includes('null')
  return () => (isNullable ? null : undefined)
}

function nowText(context: Context): Json {
  return new Date(context.world.now()).toISOString()
}
