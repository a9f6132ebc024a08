// One record by its own `get`: to apply a write, or to make sure that it is gone.
import { isConnectorError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import { own } from '../../language/json/own.ts'
import { getParams, requiredOf } from './get-params.ts'
import type { SyncedEntity } from './synced-entity.ts'
import type { Upstream } from './upstream.ts'

export interface AskedRecord {
  /** Values of parameters that are known by name. */
  readonly known: JsonObject
  /** Fills the one parameter that is left; null: none may be. */
  readonly id: string | null
}

/**
 * The record; null: the third party has none. Undefined where it cannot be asked: there is no `get`, or parameters are
 * missing. Throws every other failure.
 */
export async function askOne(
  upstream: Upstream,
  entity: SyncedEntity,
  { known, id }: AskedRecord,
  signal: AbortSignal,
): Promise<Json | null | undefined> {
  if (entity.get === null) return undefined
  const { name } = entity
  const action = entity.get.name
  const bare = getParams(entity.get, known, id)
  if (bare === null) return undefined
  // The same wishes as the listing's, so that the record looks as it does there.
  const wishes = entity.constantParams(upstream.config())
  const full = getParams(entity.get, known, id, wishes) ?? bare
  try {
    try {
      return await upstream.get({ entity: name, action, params: full, signal })
    } catch (error) {
      if (!isConnectorError(error, 'params_invalid')) throw error
      // Of the same name, but of another form.
      return await upstream.get({ entity: name, action, params: bare, signal })
    }
  } catch (error) {
    if (isConnectorError(error, 'upstream_not_found')) return null
    throw error
  }
}

/** Whether a call with these parameters has asked for all that the listing asks for, as far as one record can have it. */
export function hasWishes(
  { get, constantParams }: SyncedEntity,
  config: JsonObject,
  { known, id }: AskedRecord,
): boolean {
  if (get === null) return true
  const full = getParams(get, known, id, constantParams(config)) ?? {}
  return Object.entries(full).every(
    ([name, wish]) => requiredOf(get).includes(name) || jsonEqual(own(known, name) ?? null, wish),
  )
}
