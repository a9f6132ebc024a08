// What people ask of the logs, with a million entries of one organization in each store.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openStore } from '../src/service/store/open/open-store.ts'
import {
  firstLogId,
  LOG_BUCKET_MS,
  type LogFilter,
  type LogPlace,
  type LogRow,
} from '../src/service/store/logs.ts'
import type { Store } from '../src/service/store/store.ts'
import { createTestDatabase } from '../test/fixtures/postgres.ts'
import { startPostgres } from './copy/stores.ts'
import type { Line, Row, Scale } from './row.ts'
import { type Spread, spreadOf } from './statistics.ts'

const DAY_MS = 86_400_000
const DAYS = 7
const START = Date.UTC(2026, 0, 1)
const END = START + DAYS * DAY_MS
const TOGETHER = 1000
const CALLS = 5
const INSTANCES = 997
/** As routes ask. */
const PAGE = 51
const SCAN = 20_000
const owner = { organizationId: 'bench' }

export const logsRow: Row = {
  name: 'logs',
  about: 'pages and figures of the logs with --records entries (1,000,000 without)',
  records: 1_000_000,
  async run({ records }: Scale) {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'tenon-bench-'))
    const sqlite = await measure(await openStore({ folder: folder.path, isOwner: true }), records)
    using _server = startPostgres()
    const database = await createTestDatabase()
    if (database === null) return linesOf([['SQLite', sqlite]])
    const postgres = await measure(await openStore({ url: database.url }), records)
    await database.drop()
    return linesOf([
      ['SQLite', sqlite],
      ['PostgreSQL', postgres],
    ])
  },
}

type Figures = ReadonlyMap<string, Spread>

async function measure(store: Store, records: number): Promise<Figures> {
  const figures = new Map<string, Spread>()
  const startedAt = performance.now()
  for (let at = 0; at < records; at += TOGETHER)
    await store.logs.append(
      owner.organizationId,
      Array.from({ length: Math.min(TOGETHER, records - at) }, (_row, n) => entry(at + n, records)),
    )
  const ms = performance.now() - startedAt
  figures.set('a thousand entries written', spreadOf([(ms * TOGETHER) / records]))
  const middle = entry(Math.floor(records / 2), records)
  const pages: Readonly<Record<string, LogFilter>> = {
    'the newest page': {},
    'a page of an account': { instanceId: 'instance-7' },
    'a page of a user': { externalUserId: 'user-7' },
    'a page of what failed': { failed: true },
    'a page of one operation': { entity: 'entity-3', action: 'get' },
    'a page of what took long': { minUs: 990_000 },
    'a page of an hour, five days ago': {
      fromMs: END - 5 * DAY_MS,
      toMs: END - 5 * DAY_MS + DAY_MS / 24,
    },
    'what failed of an account': { instanceId: 'instance-7', failed: true },
    'a request by its id, in the middle of all': { requestId: middle.requestId ?? '' },
    'an id that is not there, all looked at': { requestId: 'none' },
  }
  for (const [name, filter] of Object.entries(pages))
    figures.set(name, await timed(() => page(store, filter)))
  const summary = (days: number) => () =>
    store.logs.summary(owner.organizationId, {
      fromMs: END - days * DAY_MS,
      toMs: END,
      bucketMs: LOG_BUCKET_MS * Math.ceil((days * 288) / 200),
    })
  figures.set('figures of a day', await timed(summary(1)))
  figures.set('figures of a week', await timed(summary(DAYS)))
  const span = { fromMs: END - DAY_MS, toMs: END, bucketMs: LOG_BUCKET_MS * 2, scan: SCAN }
  const count = (): Promise<unknown> => store.logs.count(owner, { instanceId: 'instance-7' }, span)
  figures.set('figures of an account', await timed(count))
  const purgedAt = performance.now()
  const removed = await store.logs.purge(START + DAY_MS, records)
  const purgeMs = performance.now() - purgedAt
  figures.set('a thousand entries removed by age', spreadOf([(purgeMs * 1000) / removed]))
  await store.close()
  return figures
}

async function timed(call: () => Promise<unknown>): Promise<Spread> {
  const times: number[] = []
  for (let n = 0; n < CALLS; n++) {
    const startedAt = performance.now()
    await call()
    times.push(performance.now() - startedAt)
  }
  return spreadOf(times)
}

/** The first page of a filter, looked for a little at a time as the route does. */
async function page(store: Store, filter: LogFilter): Promise<number> {
  let found = 0
  for (let place: LogPlace = { limit: PAGE, scan: SCAN }; ;) {
    const { rows, scannedTo } = await store.logs.list(owner, filter, {
      ...place,
      limit: PAGE - found,
    })
    found += rows.length
    if (found >= PAGE || scannedTo === null) return found
    place = { ...place, beforeId: scannedTo }
  }
}

/** The entries of a week, as they were written: a thousand accounts, forty operations, one in fifty fails. */
function entry(n: number, records: number): LogRow {
  const at = START + Math.floor((n * DAYS * DAY_MS) / records)
  const instance = (n * 7919) % INSTANCES
  const code = n % 50 === 0 ? 'upstream_failed' : null
  const tail = n.toString(16).padStart(12, '0')
  return {
    ...owner,
    logId: firstLogId(at).slice(0, -tail.length) + tail,
    kind: 'operation',
    at,
    instanceId: `instance-${instance}`,
    externalUserId: `user-${instance}`,
    connectorType: `connector-${instance % 5}`,
    clientId: null,
    entity: `entity-${n % 10}`,
    action: ['list', 'get', 'create', 'update'][n % 4] ?? '',
    code,
    status: code === null ? 200 : 502,
    upstreamStatus: code === null ? 200 : 500,
    tookUs: (n * 104_729) % 1_000_000,
    requestId: `request-${tail}-${tail}`,
    data: {
      steps: [
        {
          method: 'GET',
          host: 'api.example.com',
          path: '/rest/api/3/issue/{issueIdOrKey}',
          attempt: 1,
          began_ms: 0.4,
          took_ms: 31.5,
          status: code === null ? 200 : 500,
          code,
        },
      ],
    },
  }
}

function linesOf(stores: readonly (readonly [string, Figures])[]): readonly Line[] {
  const names = [...(stores[0]?.[1].keys() ?? [])]
  return names.map((title) => ({
    title,
    unit: 'ms',
    sides: stores.flatMap(([name, figures]) => {
      const spread = figures.get(title)
      return spread === undefined ? [] : [{ name, ...spread }]
    }),
    figures: [],
  }))
}
