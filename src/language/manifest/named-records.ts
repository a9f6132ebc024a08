// Which parameters name a record of an entity, as far as the manifest says so: who fills them in can be shown those. And
// what names a record.
import { memberNames } from '../expression/member-names.ts'
import { isJsonObject } from '../json/members.ts'
import { own } from '../json/own.ts'
import { ACTIONS } from './actions.ts'
import { dereference, REFERS_TO } from './json-schema.ts'
import type { Action, Entity, Manifest, Sync } from './manifest.ts'

/** A field of the records of an entity: what stands there is what the parameter takes. */
export interface NamedRecord {
  readonly entity: string
  /** A dotted path. */
  readonly field: string
}

export type NamedRecords = Readonly<Record<string, NamedRecord>>

/**
 * The parameters of an action that name a record, each with the entity. What says so: `refers_to` of the parameter;
 * `sync.parent.bind` of the entity; of an action on one record, its only other required parameter, which takes the
 * `sync.primary_key`; and a parameter of the same name elsewhere, where all of that name lead to one entity.
 */
export function namedRecords(manifest: Manifest): (action: Action) => NamedRecords {
  const direct = new Map<Action, NamedRecords>()
  const byName = new Map<string, NamedRecord | null>()
  for (const entity of manifest.entities) {
    for (const action of entity.actions) {
      const found = inAction(manifest, entity, action)
      direct.set(action, found)
      for (const [param, named] of Object.entries(found)) {
        const known = byName.get(param)
        const isOther = known !== undefined && known?.entity !== named.entity
        byName.set(param, isOther ? null : named)
      }
    }
  }
  return (action) => {
    const alike = paramsOf(action).flatMap((param) => {
      const named = byName.get(param)
      return named == null ? [] : [[param, named] as const]
    })
    return { ...Object.fromEntries(alike), ...direct.get(action) }
  }
}

function inAction(manifest: Manifest, entity: Entity, action: Action): NamedRecords {
  const params = new Set(paramsOf(action))
  const said = referring(manifest, action)
  const parent = entity.sync?.parent ?? null
  const bound = (parent?.bind ?? []).flatMap(({ param: [name = '', ...below], from }) => {
    const field = memberNames(from)
    if (parent === null || field === null || below.length > 0 || !params.has(name)) return []
    return [[name, { entity: parent.entity, field: field.join('.') }] as const]
  })
  const known = [...bound, ...said]
  const others = requiredOf(action).filter((name) => !known.some(([each]) => each === name))
  const [only, ...more] = others
  const key = namedBy(manifest, action.touches ?? entity.name)
  const isNamed = ACTIONS[action.name].namesRecord && only !== undefined && more.length === 0
  return Object.fromEntries(isNamed && key !== null ? [...known, [only, key]] : known)
}

function referring(
  manifest: Manifest,
  { params }: Action,
): readonly (readonly [param: string, NamedRecord])[] {
  const properties = own(params.schema, 'properties')
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isJsonObject(property)) return []
    const entity = dereference(property, manifest.definitions)[REFERS_TO]
    const named = typeof entity === 'string' ? namedBy(manifest, entity) : null
    return named === null ? [] : [[name, named] as const]
  })
}

function namedBy({ entities }: Manifest, name: string): NamedRecord | null {
  const key = keyPath(entities.find((each) => each.name === name)?.sync ?? null)
  return key === null ? null : { entity: name, field: key.join('.') }
}

/** What names a record alone; null: nothing does, or several do together. */
export function onlyKey(sync: Sync | null): Sync['primaryKey'][number] | null {
  const [key, ...more] = sync?.primaryKey ?? []
  return key === undefined || more.length > 0 ? null : key
}

/** The names that lead to it; null: they alone do not. */
export function keyPath(sync: Sync | null): readonly string[] | null {
  const key = onlyKey(sync)
  return key === null ? null : memberNames(key)
}

function paramsOf({ params }: Action): readonly string[] {
  const properties = own(params.schema, 'properties')
  return isJsonObject(properties) ? Object.keys(properties) : []
}

function requiredOf({ params }: Action): readonly string[] {
  const required = own(params.schema, 'required')
  return Array.isArray(required) ? required.map(String) : []
}
