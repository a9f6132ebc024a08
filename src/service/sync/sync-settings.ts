// Whether and how often the entities of an instance are synchronized.
import { own } from '../../language/json/own.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Sync } from '../../language/manifest/manifest.ts'
import type { InstanceRow } from '../store/instances.ts'

export interface EntitySetting {
  readonly isEnabled: boolean
  readonly intervalMs: number
}

/** The entity's own interval, else that of the instance, else what the manifest proposes, else the default. */
export function settingOf(
  row: Pick<InstanceRow, 'sync'>,
  entity: string,
  sync: Pick<Sync, 'everyMs'>,
  defaultSeconds: number,
): EntitySetting {
  const entities: JsonObject | undefined = objectAt(row.sync, 'entities')
  const ofEntity = entities === undefined ? undefined : objectAt(entities, entity)
  const seconds = secondsIn(ofEntity) ?? secondsIn(row.sync)
  return {
    isEnabled: own(row.sync, 'enabled') !== false && own(ofEntity, 'enabled') !== false,
    intervalMs: seconds === null ? (sync.everyMs ?? defaultSeconds * 1000) : seconds * 1000,
  }
}

/** Whether an instance in this state may be asked for its records. */
export function isSynchronizing(row: Pick<InstanceRow, 'enabled' | 'state'>): boolean {
  return row.enabled && row.state !== 'auth_error' && row.state !== 'disabled'
}

function secondsIn(setting: JsonObject | undefined): number | null {
  const seconds = own(setting, 'interval_seconds')
  return typeof seconds === 'number' ? seconds : null
}

function objectAt(value: JsonObject, name: string): JsonObject | undefined {
  const member = own(value, name)
  // The settings were checked by their schema.
  return typeof member === 'object' && member !== null ? (member as JsonObject) : undefined
}
