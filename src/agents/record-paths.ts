// Which paths records have, as far as their schema tells.
import type { EntityDescription } from '../client/client.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { gives, kindOf } from '../language/manifest/actions.ts'
import { nearest } from '../language/manifest/suggest.ts'
import { plainSchema } from './plain-schema.ts'

/** Names of one path, and paths below the top that are told. */
const MAX_DEPTH = 3
const MAX_BELOW = 60

/**
 * Types by path: the fields of a record, then what lies below its objects and lists (`fields.status.name`), the
 * shallow before the deep, at most 60 below the top.
 *
 * Told are the schema of records, what is searched by, and of objects and lists that `create` and `update` take the
 * members, since records have them under the same names.
 */
export function recordPaths(entity: EntityDescription): Readonly<Record<string, string>> {
  const own = schemaPaths(entity.record)
  const isOpen = (path: string): boolean =>
    /^(object|array|any)$/.test(own[path.split('.')[0] ?? ''] ?? '')
  const written = entity.actions
    .filter(({ action }) => gives(action, 'record') && kindOf(action)?.effect !== null)
    .flatMap(({ params }) => Object.entries(schemaPaths(params)))
    .filter(([path]) => path.includes('.') && isOpen(path))
  const searched = entity.searchPaths.map((path): [string, string] => [path, 'any'])
  return bounded([...searched, ...written, ...Object.entries(own)])
}

/** Types by path of one schema. Null next to another type is not told. */
export function schemaPaths(schema: JsonObject | null): Readonly<Record<string, string>> {
  const found: Member[] = []
  let level = schema === null ? [] : membersOf(plainSchema(schema), '')
  for (let depth = 1; depth <= MAX_DEPTH; depth++) {
    found.push(...level)
    level = level.flatMap(({ path, schema }) => membersOf(schema, `${path}.`))
  }
  return bounded(found.map(({ path, schema }) => [path, typeOf(schema)]))
}

/** Of several types of one path the last holds. */
function bounded(paths: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const depthOf = ([path]: readonly [string, string]): number => path.split('.').length
  const all = Object.entries(Object.fromEntries(paths)).toSorted(
    (one, other) => depthOf(one) - depthOf(other),
  )
  const top = all.filter(([path]) => !path.includes('.')).length
  return Object.fromEntries(all.slice(0, top + MAX_BELOW))
}

/** The path that was meant by a name: one whose last name it is (`summary`: `fields.summary`), or nearly; else null. */
export function pathMeant(name: string, entity: EntityDescription): string | null {
  const paths = Object.keys(recordPaths(entity))
  return paths.find((path) => path.endsWith(`.${name}`)) ?? nearest(name, paths)
}

interface Member {
  readonly path: string
  readonly schema: JsonObject
}

function membersOf(schema: JsonObject, above: string): readonly Member[] {
  const { items, properties } = schema
  const own = isJsonObject(properties) ? properties : isJsonObject(items) ? items['properties'] : {}
  if (!isJsonObject(own)) return []
  return Object.entries(own).map(([name, member]) => ({
    path: above + name,
    schema: isJsonObject(member) ? member : {},
  }))
}

function typeOf({ type }: JsonObject): string {
  const types = (Array.isArray(type) ? (type as readonly Json[]) : [type]).filter(
    (each): each is string => typeof each === 'string' && each !== 'null',
  )
  return types.length === 0 ? 'any' : types.join(' or ')
}
