// What has changed in the synchronized copy of an entity, for host apps that keep a copy of their own.
import { SEARCH } from '../../language/manifest/actions.ts'
import { SEARCH_LIMITS } from '../../copy/search/filter.ts'
import { isSearch } from '../execute.ts'
import type { Connections } from '../instances/connections.ts'
import type { Rows } from '../instances/rows.ts'
import { requireEnabled } from '../instances/states.ts'
import { type Handler, instanceIdIn, type Route, routes } from '../route.ts'
import { type CopyChangesPorts, readCopyChanges } from '../sync/copy-changes.ts'
import type { Syncs } from '../sync/syncs.ts'
import { requireAction } from '../tokens/principal.ts'
import { ONE } from './instance-routes.ts'
import { limitIn } from './pages.ts'
import * as s from './schemas.ts'
import { REPLICA } from './search-schemas.ts'

export interface ChangesRoutePorts extends CopyChangesPorts {
  readonly rows: Rows
  readonly connections: Connections
  readonly syncs: Pick<Syncs, 'placeOfRun'>
}

const CHANGE = s.open({
  change: { enum: ['added', 'updated', 'removed'] },
  id: { type: 'string' },
  data: {
    ...s.FREE_OR_NULL,
    description: 'The searchable fields as they are now; null where it was removed.',
  },
})

const LIMITS = { usual: SEARCH_LIMITS.defaultPage, max: SEARCH_LIMITS.page }

export function changesRoutes(ports: ChangesRoutePorts): readonly Route[] {
  return routes('any', [
    {
      name: 'listChanges',
      at: `GET ${ONE}/changes`,
      aliases: ['/connectors/sources/{connector_id}/changes', '/connectors/{connector_id}/changes'],
      queryExample: { entity: 'users', limit: '100' },
      summary: 'List the changes of the synchronized copy of an entity',
      query: s.closed(
        {
          entity: s.TEXT,
          since: {
            type: 'string',
            maxLength: 1024,
            description: 'next_cursor of an earlier response; default: from the beginning.',
          },
          run_id: {
            ...s.TEXT,
            description:
              'One of the last runs of the entity: only what was written to the copy while it went on, and has not changed again. With `since`, by which its further pages are asked for, it has no effect.',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: LIMITS.max,
            default: LIMITS.usual,
          },
        },
        ['entity'],
      ),
      success: s.answersWith(200, 'Changes, in order. next_cursor is always present.', {
        data: s.listOf(CHANGE),
        meta: s.open({
          has_more: { type: 'boolean' },
          next_cursor: { type: 'string' },
          reset: {
            type: 'boolean',
            description:
              'True: from here on, all records are listed again. Those not listed by the end are gone.',
          },
        }),
        replica: REPLICA,
      }),
      errors: [
        'instance_unknown',
        'operation_unknown',
        'scope_denied',
        'cursor_invalid',
        'instance_disabled',
        'search_not_ready',
        'search_timeout',
        'connector_version_unavailable',
      ],
      handle: (request) => list(ports, request),
    },
  ])
}

const list: Handler<ChangesRoutePorts> = async (ports, request) => {
  const { principal, query, signal } = request
  const row = await ports.rows.get(principal, instanceIdIn(request))
  // Required by the route's schema.
  const { entity = '', since, run_id: runId } = query
  const limit = limitIn(query['limit'], LIMITS.usual)
  request.note({
    connector_id: row.id,
    connector_type: row.connectorType,
    entity,
    action: 'changes',
  })
  requireAction(principal, entity, SEARCH)
  isSearch(await ports.connections.of(row), entity, SEARCH)
  requireEnabled(row)
  const ofRun =
    runId === undefined || since !== undefined
      ? null
      : await ports.syncs.placeOfRun(row, entity, runId)
  const page = await readCopyChanges(ports, row, entity, { since: since ?? ofRun, limit, signal })
  const { hasMore, nextCursor, reset, replica } = page
  const rest = JSON.stringify({
    meta: { has_more: hasMore, next_cursor: nextCursor, reset },
    replica,
  })
  // The changes are text already, with all the digits that the third party sent.
  return { status: 200, content: `{"data":${page.changes},${rest.slice(1)}` }
}
