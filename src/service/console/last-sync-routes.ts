// /last-syncs: how far the copies of many instances are, a line for each, as the list of instances shows it; and
// /failing-syncs: those that fail, by instance.
import type { EntityStatus, SyncState } from '../../copy/sync/status.ts'
import { isConnectorError, isNodeAway } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { timeText } from '../store/instance-view.ts'
import type { Rows } from '../instances/rows.ts'
import { type Handler, json, type Route, routes } from '../route.ts'
import * as s from '../routes/schemas.ts'
import type { Store } from '../store/store.ts'
import type { Syncs } from '../sync/syncs.ts'
import { ownerOf } from '../tokens/principal.ts'

export interface LastSyncPorts {
  readonly rows: Rows
  readonly syncs: Pick<Syncs, 'status'>
  readonly store: Pick<Store, 'instances' | 'syncFailures'>
}

/** As many as one page of the list has at most. */
const MAX_IDS = 200
const UUID_LENGTH = 36

/** Why there is no line for one instance, while there is one for each of the others. */
const UNTOLD = ['instance_unknown', 'connector_version_unavailable', 'connector_unknown'] as const

/** What somebody who looks at a list has to know first. */
const WORST_FIRST: readonly SyncState[] = ['suspicious', 'error', 'initial', 'ready', 'paused']

const LAST_SYNC = s.open({
  connector_id: { type: 'string' },
  state: {
    enum: [...WORST_FIRST, null],
    description: 'The worst of its entities; null: it has none.',
  },
  running: { type: 'boolean' },
  last_synced_at: { type: ['string', 'null'] },
})

const FAILING = s.open({
  ...s.each(['connector_id', 'connector_type', 'name', 'external_user_id'], { type: 'string' }),
  state: s.STATE,
  copies: {
    type: 'array',
    description: 'The oldest failure first.',
    items: s.open({
      ...s.each(['entity', 'code', 'detail'], { type: 'string' }),
      since: s.TIME,
      failures: { type: 'integer' },
      failed_at: s.TIME,
    }),
  },
})

export function lastSyncRoutes(ports: LastSyncPorts): readonly Route[] {
  return routes('application', [
    {
      name: 'consoleLastSyncs',
      at: 'GET /last-syncs',
      summary: 'When instances were synchronized last, and the worst state of their copies',
      query: s.closed(
        {
          connector_ids: {
            type: 'string',
            maxLength: MAX_IDS * (UUID_LENGTH + 1),
            description: 'Ids with commas between.',
          },
        },
        ['connector_ids'],
      ),
      success: s.answersWith(200, 'One per instance that is there.', { data: s.listOf(LAST_SYNC) }),
      handle: (request) => lastSyncs(ports, request),
    },
    {
      name: 'consoleFailingSyncs',
      at: 'GET /failing-syncs',
      summary: 'Which copies fail, by instance',
      success: s.answersWith(200, 'The instances whose copies began to fail last, at most 20.', {
        data: s.listOf(FAILING),
      }),
      handle: (request) => failingSyncs(ports, request),
    },
  ])
}

const lastSyncs: Handler<LastSyncPorts> = async ({ rows, syncs }, { principal, query }) => {
  const ids = (query['connector_ids'] ?? '').split(',').filter((id) => id !== '')
  const found = await Promise.all(
    ids.map(async (id) => {
      try {
        return summary(id, await syncs.status(await rows.get(principal, id)))
      } catch (error) {
        // Deleted since the list was made, of a connector that is not loaded here, or on a node of the database that is away.
        if (UNTOLD.some((code) => isConnectorError(error, code)) || isNodeAway(error)) return null
        throw error
      }
    }),
  )
  return json(200, { data: found.filter((each) => each !== null) })
}

/** Instances that are looked at for the ones that began to fail last, and how many are told. */
const LOOKED_AT = 200
const TOLD = 20

const failingSyncs: Handler<LastSyncPorts> = async ({ store }, { principal }) => {
  const { rows } = await store.instances.list(ownerOf(principal), {
    isFailing: true,
    order: { by: 'updatedAt', isDescending: true },
    limit: LOOKED_AT,
  })
  const failures = await store.syncFailures.of(rows.map(({ id }) => id))
  const byInstance = Map.groupBy(failures, ({ instanceId }) => instanceId)
  const sinceOf = (id: string): number => byInstance.get(id)?.[0]?.since ?? 0
  const data = rows
    .filter(({ id }) => byInstance.has(id))
    .toSorted((a, b) => sinceOf(b.id) - sinceOf(a.id))
    .slice(0, TOLD)
    .map(({ id, connectorType, name, externalUserId, state }) => ({
      connector_id: id,
      connector_type: connectorType,
      name,
      external_user_id: externalUserId,
      state,
      copies: (byInstance.get(id) ?? []).map(
        ({ entity, code, detail, since, failures: count, failedAt }) => ({
          entity,
          code,
          detail,
          since: timeText(since),
          failures: count,
          failed_at: timeText(failedAt),
        }),
      ),
    }))
  return json(200, { data })
}

function summary(id: string, entities: readonly EntityStatus[]): JsonObject {
  const times = entities.flatMap(({ syncedAtMs }) => (syncedAtMs === null ? [] : [syncedAtMs]))
  return {
    connector_id: id,
    state: WORST_FIRST.find((state) => entities.some((each) => each.state === state)) ?? null,
    // A run that waits to be tried again, or for somebody, is not under way.
    running: entities.some(
      ({ run, nextRunAtMs, state }) => run !== null && nextRunAtMs === null && state !== 'paused',
    ),
    last_synced_at: times.length === 0 ? null : timeText(Math.max(...times)),
  }
}
