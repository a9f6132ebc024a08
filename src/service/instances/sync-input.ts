// What a body says about how often the entities of an instance are synchronized.
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject, mergeObjects } from '../../language/json/members.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { didYouMean } from '../../language/manifest/suggest.ts'

/**
 * The settings after what the body's `sync` changes of them; null takes an interval, or all settings of an
 * entity, away. Throws
 * `request_malformed` for entities that are not synchronized: what is set for them would mean nothing.
 */
export function readSyncInput(
  body: JsonObject,
  manifest: Manifest,
  before: JsonObject,
): JsonObject {
  const given = body['sync']
  if (!isJsonObject(given)) return before
  const { entities } = given
  const allowed = manifest.entities.filter(({ sync }) => sync !== null).map(({ name }) => name)
  const errors = Object.keys(isJsonObject(entities) ? entities : {})
    .filter((name) => !allowed.includes(name))
    .map((name) => {
      return {
        pointer: pointerTo('/sync/entities', [name]),
        code: 'unknown',
        detail: `${manifest.type} synchronizes no such entity${didYouMean(name, allowed, '?')}`,
        allowed,
      }
    })
  const [first] = errors
  if (first !== undefined)
    throw new ConnectorError('request_malformed', `${first.pointer} ${first.detail}`, { errors })
  const { entities: patched, ...others } = mergeObjects(before, given)
  const settings = withoutNulls(others)
  const left = Object.entries(isJsonObject(patched) ? patched : {}).flatMap(([name, setting]) =>
    isJsonObject(setting) ? [[name, withoutNulls(setting)] as const] : [],
  )
  return left.length === 0 ? settings : { ...settings, entities: Object.fromEntries(left) }
}

function withoutNulls(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([, setting]) => setting !== null))
}
