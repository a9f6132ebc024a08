// Whether and how often the entities of an instance are synchronized.
import { own } from '../../language/json/own.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Sync } from '../../language/manifest/manifest.ts'
import { type InstanceRow, STANDING_STILL } from '../store/instances.ts'

/** Operators, accounts and entities can set no shorter one. */
export const MIN_INTERVAL_SECONDS = 30

export interface EntitySetting {
  readonly isEnabled: boolean
  readonly intervalMs: number
  /** Who says so: a setting of the entity or of the account, the manifest, or the service. */
  readonly intervalFrom: IntervalSource
  /** What holds where no setting says otherwise. */
  readonly proposedMs: number
}

export type IntervalSource = 'entity' | 'account' | 'connector' | 'service'

/** What the runs of an entity read. */
export interface Reading {
  /** `below_changed`: what hangs on those records of its parent that have changed. */
  readonly what: 'changes' | 'everything' | 'below_parents' | 'below_changed'
  readonly parent: string | null
  /** How often a run reads everything, where the others read changes; null: no run does for the time alone. */
  readonly fullMs: number | null
  /** How often all keys are read, to find what is gone; null: they are not. */
  readonly keysMs: number | null
}

export function readingOf({ sync }: { readonly sync: Pick<Sync, ReadingPart> }): Reading {
  const { cursor, parent, fullMs, reconcile } = sync
  if (parent !== null) {
    const what = parent.changedOnly ? 'below_changed' : 'below_parents'
    return { what, parent: parent.entity, fullMs: null, keysMs: null }
  }
  if (cursor === null) return { what: 'everything', parent: null, fullMs: null, keysMs: null }
  return { what: 'changes', parent: null, fullMs, keysMs: reconcile?.everyMs ?? null }
}

type ReadingPart = 'cursor' | 'parent' | 'fullMs' | 'reconcile'

/** The entity's own interval, else that of the instance, else what the manifest proposes, else the default. */
export function settingOf(
  row: Pick<InstanceRow, 'sync'>,
  entity: string,
  sync: Pick<Sync, 'everyMs'>,
  defaultSeconds: number,
): EntitySetting {
  const entities: JsonObject | undefined = objectAt(row.sync, 'entities')
  const ofEntity = entities === undefined ? undefined : objectAt(entities, entity)
  const isEnabled = own(row.sync, 'enabled') !== false && own(ofEntity, 'enabled') !== false
  const sources: readonly (readonly [IntervalSource, number | null])[] = [
    ['entity', msOf(secondsIn(ofEntity))],
    ['account', msOf(secondsIn(row.sync))],
    ['connector', sync.everyMs],
  ]
  const proposedMs = sync.everyMs ?? defaultSeconds * 1000
  for (const [intervalFrom, intervalMs] of sources)
    if (intervalMs !== null) return { isEnabled, intervalMs, intervalFrom, proposedMs }
  return { isEnabled, intervalMs: proposedMs, intervalFrom: 'service', proposedMs }
}

function msOf(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000
}

/** Whether an instance in this state may be asked for its records. */
export function isSynchronizing(row: Pick<InstanceRow, 'enabled' | 'state'>): boolean {
  return row.enabled && !STANDING_STILL.includes(row.state)
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
