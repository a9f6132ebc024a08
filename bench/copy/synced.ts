// Syncs of issues into a store, by the engine of the service, from a third party that answers at once.
import { setImmediate } from 'node:timers/promises'

import { createSystemClock } from '../../src/engine/adapters/system-clock.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { manifestOf } from '../../src/client/packaged.ts'
import type { Json } from '../../src/language/json/json.ts'
import { createSealer } from '../../src/engine/run/seal.ts'
import type { SearchIndex } from '../../src/copy/search/search-index.ts'
import { DEFAULT_BOUNDS } from '../../src/copy/sync/bounds.ts'
import type { SyncMode } from '../../src/copy/sync/run-kind.ts'
import type { RunRecord } from '../../src/copy/sync/run-record.ts'
import { HISTORY_PREFIX, readRun } from '../../src/copy/sync/run-record.ts'
import { syncEntity } from '../../src/copy/sync/run-sync.ts'
import { syncedEntities } from '../../src/copy/sync/synced-entity.ts'

/** A listing, by pages numbered from 0. */
export interface PageSource {
  readonly count: number
  read(page: number): readonly Json[]
}

/** The connector, as a manifest says it. */
export const MANIFEST = {
  manifest: 1,
  connector: { type: 'bench', title: 'Bench', version: '1.0.0' },
  server: { url: 'https://api.bench.example' },
  auth: {
    key: {
      credentials: { required: ['key'], properties: { key: { type: 'string', writeOnly: true } } },
      apply: { headers: { 'X-Key': '{{ credentials.key }}' } },
    },
  },
  entities: {
    issues: {
      record: {
        properties: {
          id: { type: 'string' },
          key: { type: 'string' },
          summary: { type: 'string' },
          status: { type: 'string' },
          priority: { type: 'string' },
          assignee: { type: ['string', 'null'] },
          points: { type: 'integer' },
          votes: { type: 'integer' },
          created: { type: 'string' },
          updated: { type: 'string' },
          archived: { type: 'boolean' },
          team: { type: 'string' },
          content: { type: 'object' },
          labels: { type: 'array', items: { type: 'string' } },
        },
      },
      actions: {
        list: {
          params: { properties: { since: { type: 'string' }, page: { type: 'integer' } } },
          request: { http: 'GET /issues', query: ['since', 'page'] },
          response: { records: '$.items' },
          pagination: { type: 'cursor', param: 'page', next: '$.next' },
        },
      },
      search: {
        fields: 'all',
        index: {
          order: ['updated', 'created', 'status', 'priority', 'assignee'],
          substring: ['summary'],
        },
      },
      sync: { primary_key: 'id', action: 'list', cursor: { field: 'updated', since: 'since' } },
    },
  },
}

export const ENTITY = 'issues'

/** What fills a copy of issues. */
export interface IssueSync {
  /** Runs to the end: the first time all is new, with `full` everything is read again. Gives what the run counted. */
  run(instanceId: string, pages: PageSource, mode?: SyncMode): Promise<RunRecord>
}

export async function createIssueSync(index: SearchIndex): Promise<IssueSync> {
  const entities = syncedEntities(manifestOf(await loadManifest(MANIFEST)))
  const entity = entities.get(ENTITY)
  if (entity === undefined) throw new TypeError('the manifest has no issues')
  let ids = 0
  return {
    async run(instanceId, pages, mode) {
      const outcome = await syncEntity(
        {
          index,
          clock: createSystemClock(),
          sealer: createSealer(Buffer.alloc(32, 1)),
          newId: () => `run-${++ids}`,
          childrenDue: () => {},
          upstream: {
            config: () => ({}),
            get: () => Promise.reject(new TypeError('nothing is asked for one by one')),
            async list({ params }) {
              const page = Number(params['page'] ?? 0)
              // An answer never comes within the turn in which it was asked for.
              await setImmediate()
              return {
                records: pages.read(page),
                next: page + 1 < pages.count ? { page: page + 1 } : null,
                mark: String(page),
                total: null,
                unsaidEnd: null,
                waitedMs: 0,
              }
            },
          },
        },
        {
          instanceId,
          entity,
          entities,
          intervalMs: 60_000,
          scopes: '',
          settings: '',
          bounds: DEFAULT_BOUNDS,
        },
        { mode: mode ?? null, signal: new AbortController().signal },
      )
      if (outcome.kind !== 'done')
        throw new Error(`the sync has not come to its end: ${outcome.kind}`)
      const history = await index.entries({ instanceId, entity: ENTITY }, HISTORY_PREFIX)
      const last = history.at(-1)
      if (last === undefined) throw new TypeError('a run without history')
      return readRun(last)
    },
  }
}
