// What a change of an instance touched, for the audit log: names, and of what is no secret and nobody's data from what to what.
import { own } from '../../language/json/own.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { InstancePatch, InstanceRow } from '../store/instances.ts'

/**
 * The members of a body, in its order. Of `enabled` and `sync` they say what they were and are. The name of an account may
 * be that of a person, and its settings may be secret: of them and of all else there is the name of the member alone.
 */
export function changedMembers(
  body: JsonObject,
  before: Pick<InstanceRow, 'enabled' | 'sync'>,
  patch: Pick<InstancePatch, 'enabled' | 'sync'>,
): readonly string[] {
  return Object.keys(body).flatMap((name) => {
    if (name === 'enabled' && patch.enabled !== undefined)
      return [changeOf('enabled', before.enabled, patch.enabled) ?? 'enabled unchanged']
    if (name !== 'sync' || patch.sync === undefined) return [name]
    const changes = changesOfSync(before.sync, patch.sync)
    return changes.length === 0 ? ['sync unchanged'] : changes
  })
}

function changesOfSync(before: JsonObject, after: JsonObject): readonly string[] {
  const entitiesBefore = objectAt(before, 'entities')
  const entities = objectAt(after, 'entities')
  const names = new Set([...Object.keys(entitiesBefore), ...Object.keys(entities)])
  return [
    ...changesOfSetting('sync', before, after),
    ...[...names].flatMap((entity) =>
      changesOfSetting(
        `sync of ${entity}`,
        objectAt(entitiesBefore, entity),
        objectAt(entities, entity),
      ),
    ),
  ]
}

/** `of`: the account, or one of its entities. */
function changesOfSetting(of: string, before: JsonObject, after: JsonObject): readonly string[] {
  const wasOn = own(before, 'enabled') !== false
  const isOn = own(after, 'enabled') !== false
  const turned = wasOn === isOn ? [] : [`${of} ${isOn ? 'resumed' : 'paused'}`]
  const interval = changeOf(`${of}: interval`, secondsOf(before), secondsOf(after))
  return interval === null ? turned : [...turned, interval]
}

/** null: it is what it was. */
function changeOf(name: string, before: boolean | string, after: boolean | string): string | null {
  return before === after ? null : `${name} from ${words(before)} to ${words(after)}`
}

function words(value: boolean | string): string {
  return typeof value === 'string' ? value : value ? 'yes' : 'no'
}

/** Without one of its own there is that of the account, the connector or the service. */
function secondsOf(setting: JsonObject): string {
  const seconds = own(setting, 'interval_seconds')
  return typeof seconds === 'number' ? `${seconds} seconds` : 'as proposed'
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const member = own(value, name)
  return isJsonObject(member) ? member : {}
}
