// Which parameters name a record of an entity, as far as the manifest says so: who fills them in can be shown those.
import { memberNames } from '../expression/member-names.ts'
import { isJsonObject } from '../json/members.ts'
import { own } from '../json/own.ts'
import { ACTIONS } from './actions.ts'
import type { Action, Entity, Manifest } from './manifest.ts'

/** A field of the records of an entity: what stands there is what the parameter takes. */
export interface NamedRecord {
  readonly entity: string
  /** A dotted path. */
  readonly field: string
}

export type NamedRecords = Readonly<Record<string, NamedRecord>>

/**
 * The parameters of an action that name a record, each with the entity. What says so: `sync.parent.bind` of the entity;
 * of an action on one record, its only other required parameter, which takes the `sync.primary_key`; and a parameter of
 * the same name elsewhere, where all of that name lead to one entity.
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
  const parent = entity.sync?.parent ?? null
  const bound = (parent?.bind ?? []).flatMap(({ param: [name = '', ...below], from }) => {
    const field = memberNames(from)
    if (parent === null || field === null || below.length > 0 || !params.has(name)) return []
    return [[name, { entity: parent.entity, field: field.join('.') }] as const]
  })
  const others = requiredOf(action).filter((name) => !bound.some(([each]) => each === name))
  const [only, ...more] = others
  const key = keyOf(manifest, action.touches ?? entity.name)
  const isNamed = ACTIONS[action.name].namesRecord && only !== undefined && more.length === 0
  return Object.fromEntries(isNamed && key !== null ? [...bound, [only, key]] : bound)
}

function keyOf({ entities }: Manifest, name: string): NamedRecord | null {
  const [key, ...more] = entities.find((each) => each.name === name)?.sync?.primaryKey ?? []
  const field = key === undefined || more.length > 0 ? null : memberNames(key)
  return field === null ? null : { entity: name, field: field.join('.') }
}

function paramsOf({ params }: Action): readonly string[] {
  const properties = own(params.schema, 'properties')
  return isJsonObject(properties) ? Object.keys(properties) : []
}

function requiredOf({ params }: Action): readonly string[] {
  const required = own(params.schema, 'required')
  return Array.isArray(required) ? required.map(String) : []
}
