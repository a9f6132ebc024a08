// The parameters with which one record is asked for. Pure.
import { own } from '../../language/json/own.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Action } from '../../language/manifest/manifest.ts'

/**
 * Parameters of `get`: the required ones that are known by name; exactly one that is missing is the id. Of `wishes` come
 * those that `get` has but does not need. Null when that does not make a call: another parameter is missing, or the id is
 * and there is none.
 */
export function getParams(
  get: Action,
  known: JsonObject,
  id: string | null,
  wishes: JsonObject = {},
): JsonObject | null {
  const properties = own(get.params.schema, 'properties')
  const names = isJsonObject(properties) ? properties : {}
  const required = requiredOf(get)
  const params: Record<string, Json> = {}
  for (const [name, value] of Object.entries(wishes))
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
