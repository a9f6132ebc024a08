// What it takes to synchronize one instance: its entities, the third party at the pace of a sync, the copies.
import { Places } from '../../engine/exchange/places.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { createSealer } from '../../engine/run/seal.ts'
import type { SearchIndex } from '../../copy/search/search-index.ts'
import type { InstanceRow } from '../store/instances.ts'
import { uuidv7 } from '../store/uuid.ts'
import type { JobQueue } from '../jobs/store-queue.ts'
import { type SyncedEntity, syncedEntities } from '../../copy/sync/synced-entity.ts'
import type { SyncPorts } from '../../copy/sync/sync-run.ts'
import type { ServiceBase } from '../base.ts'
import type { Connection, Connections } from '../instances/connections.ts'
import { createEngineUpstream } from './engine-upstream.ts'
import type { TurnPlace } from './turn-place.ts'
import { TurnSteps } from './turn-steps.ts'

export interface SyncPartsPorts extends Pick<ServiceBase, 'vault' | 'clock' | 'log'> {
  readonly index: SearchIndex
  readonly queue: JobQueue
  readonly connections: Connections
}

export interface SyncParts {
  readonly connection: Connection
  readonly entities: ReadonlyMap<string, SyncedEntity>
  readonly ports: SyncPorts
  /** What is sent with these ports. */
  readonly steps: TurnSteps
}

/** Calls that syncs of an instance may make at once where the manifest sets no limit. */
const MAX_CALLS = 8
/** Parents that change one after the other have their children read together. */
const CHILDREN_AFTER_MS = 2_000

/** `place`: of the turn that they are for; left out: they are for none. */
export type SyncPartsOf = (row: InstanceRow, place?: TurnPlace) => Promise<SyncParts>

/** The parts of instances, made for each turn; what is compiled is kept. */
export function createSyncParts(given: SyncPartsPorts): SyncPartsOf {
  const { index, queue, connections, vault, clock, log } = given
  const places = new WeakMap<Connection, Places>()

  function childrenDue(instanceId: string, entity: string): void {
    // In the moment the pages that called are on disk as well.
    const job = { kind: 'sync', instanceId, key: entity, delayMs: CHILDREN_AFTER_MS } as const
    queue.enqueue(job).catch(() => {
      log.warn({ connector_id: instanceId, entity }, 'children wait for their next run')
    })
  }

  return async (row, place) => {
    const connection = await connections.of(row)
    const { concurrency } = connection.manifest.limits
    const max = concurrency === null ? MAX_CALLS : Math.max(1, Math.floor(concurrency / 2))
    const own = places.get(connection) ?? new Places(max, clock)
    places.set(connection, own)
    const steps = new TurnSteps(clock)
    return {
      steps,
      connection,
      entities: entitiesOf(connection.manifest),
      ports: {
        index,
        clock,
        sealer: createSealer(...(await vault.deriveKeys(row.id, 'sync-positions'))),
        newId: () => uuidv7(clock.now()),
        childrenDue: (entity) => childrenDue(row.id, entity),
        upstream: createEngineUpstream({
          engine: connection.engine,
          config: () => connection.keeper.config(),
          budget: connection.budget,
          clock,
          enter: (signal) => enter(own, signal),
          watch: (call) => steps.watch(call),
          ...(place !== undefined && { place }),
        }),
      },
    }
  }
}

/** Waits for a place; the function releases it. Throws the signal's reason when aborted while waiting. */
async function enter(places: Places, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted()
  if (!places.takeNow()) await places.wait(Number.POSITIVE_INFINITY, signal)
  return () => places.leave()
}

const compiled = new WeakMap<Manifest, ReadonlyMap<string, SyncedEntity>>()

/** The synchronized entities of a manifest, compiled once. */
export function entitiesOf(manifest: Manifest): ReadonlyMap<string, SyncedEntity> {
  let entities = compiled.get(manifest)
  if (entities === undefined) compiled.set(manifest, (entities = syncedEntities(manifest)))
  return entities
}
