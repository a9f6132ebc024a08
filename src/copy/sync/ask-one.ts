// One record by its own `get`: to apply a write, or to make sure that it is gone.
import { isConnectorError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { Action } from '../../language/manifest/manifest.ts'
import type { SyncedEntity } from './synced-entity.ts'
import type { Upstream } from './sync-run.ts'

export interface AskedRecord {
  /** Values of parameters that are known by name; default none. */
  readonly known?: JsonObject
  /** Fills the one parameter that is left; null: none may be. */
  readonly id: string | null
}

/** The record; null: there is none. Undefined where it cannot be asked for. Throws every other failure. */
export async function askOne(
  upstream: Upstream,
  entity: SyncedEntity,
  { known = {}, id }: AskedRecord,
  signal: AbortSignal,
): Promise<Json | null | undefined> {
  const { name, get } = entity
  const bare = get === null ? null : getParams(get, known, id)
  if (get === null || bare === null) return undefined
  // The same options as the listing's, so that the record looks as it does there.
  const options = entity.constantParams(upstream.config())
  const full = getParams(get, known, id, options) ?? bare
  const ask = (params: JsonObject): Promise<Json> =>
    upstream.get({ entity: name, action: get.name, params, signal })
  try {
    return await ask(full).catch((error: unknown) => {
      // Of the same name, but of another form.
      if (isConnectorError(error, 'params_invalid')) return ask(bare)
      throw error
    })
  } catch (error) {
    if (isConnectorError(error, 'upstream_not_found')) return null
    throw error
  }
}

/** Whether a call with these parameters has asked for all that the listing asks for, as far as one record can have it. */
export function hasOptions(
  { get, constantParams }: SyncedEntity,
  config: JsonObject,
  { known = {}, id }: AskedRecord,
): boolean {
  if (get === null) return true
  const full = getParams(get, known, id, constantParams(config)) ?? {}
  return Object.entries(full).every(
    ([name, option]) =>
      requiredOf(get).includes(name) || jsonEqual(own(known, name) ?? null, option),
  )
}

/**
 * Parameters of `get`: the required ones that are known by name; exactly one that is missing is the id. Of `options` come
 * those that `get` has but does not need. Null when that does not make a call: another parameter is missing, or the id is
 * and there is none.
 */
export function getParams(
  get: Action,
  known: JsonObject,
  id: string | null,
  options: JsonObject = {},
): JsonObject | null {
  const properties = own(get.params.schema, 'properties')
  const names = isJsonObject(properties) ? properties : {}
  const required = requiredOf(get)
  const params: Record<string, Json> = {}
  for (const [name, value] of Object.entries(options))
    if (Object.hasOwn(names, name) && !required.includes(name)) params[name] = value
  const missing: string[] = []
  for (const name of required) {
    const value = own(known, name)
    if (value === undefined) missing.push(name)
    else params[name] = value
  }
  const [only] = missing
  if (only === undefined) return params
  if (missing.length > 1 || id === null) return null
  return { ...params, [only]: typed(names[only], id) }
}

/** Names of parameters without which `get` is no call. */
export function requiredOf({ params }: Action): readonly string[] {
  const required = own(params.schema, 'required')
  const filled = new Set(params.defaults.flatMap(({ at }) => (at.length === 1 ? [at[0]] : [])))
  return Array.isArray(required)
    ? required.filter((name): name is string => typeof name === 'string' && !filled.has(name))
    : []
}

function typed(schema: Json | undefined, id: string): Json {
  const type = own(schema, 'type')
  const number = Number(id)
  return (type === 'integer' || type === 'number') && Number.isSafeInteger(number) ? number : id
}
