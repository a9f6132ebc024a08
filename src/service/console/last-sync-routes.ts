// /last-syncs: how far the copies of many instances are, a line for each, as the list of instances shows it.
import type { EntityStatus, SyncState } from '../../copy/sync/status.ts'
import { isConnectorError, isNodeAway } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { timeText } from '../store/instance-view.ts'
import type { Rows } from '../instances/rows.ts'
import { type Handler, json, type Route, routes } from '../route.ts'
import * as s from '../routes/schemas.ts'
import type { Syncs } from '../sync/syncs.ts'

export interface LastSyncPorts {
  readonly rows: Rows
  readonly syncs: Pick<Syncs, 'status'>
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

function summary(id: string, entities: readonly EntityStatus[]): JsonObject {
  const times = entities.flatMap(({ syncedAtMs }) => (syncedAtMs === null ? [] : [syncedAtMs]))
  return {
    connector_id: id,
    state: WORST_FIRST.find((state) => entities.some((each) => each.state === state)) ?? null,
    running: entities.some(({ run }) => run !== null),
    last_synced_at: times.length === 0 ? null : timeText(Math.max(...times)),
  }
}
