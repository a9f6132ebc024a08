// What people ask of the logs, with a million entries of one organization in each store.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openStore } from '../src/service/store/open/open-store.ts'
import {
  firstLogId,
  headOfLogId,
  LOG_BUCKET_MS,
  type LogFilter,
  logIdAt,
  type LogPlace,
  type LogRow,
} from '../src/service/store/logs.ts'
import type { Store } from '../src/service/store/store.ts'
import { createTestDatabase } from '../test/fixtures/postgres.ts'
import { startPostgres } from './copy/stores.ts'
import type { Line, Row, Scale } from './row.ts'
import { type Spread, spreadOf } from './statistics.ts'

/** Entries of the store that has rows of several. */
const ALIKE = 50
const DAY_MS = 86_400_000
const DAYS = 7
const START = Date.UTC(2026, 0, 1)
const END = START + DAYS * DAY_MS
const TOGETHER = 20_000
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
    const sqlite = async (name: string, alike: number): Promise<Measured> => {
      const store = await openStore({ folder: join(folder.path, name), isOwner: true })
      return await measure(store, { records, alike })
    }
    const [mixed, alike] = [await sqlite('mixed', 1), await sqlite('alike', ALIKE)]
    const sides = [
      ['SQLite', mixed.waited],
      // Its thread is one of this process.
      ['SQLite, processor time', mixed.used],
      [`SQLite, ${ALIKE} alike`, alike.waited],
      [`SQLite, ${ALIKE} alike, processor time`, alike.used],
    ] as const
    using _server = startPostgres()
    const database = await createTestDatabase()
    if (database === null) return linesOf(sides)
    const postgres = await measure(await openStore({ url: database.url }), { records, alike: 1 })
    await database.drop()
    return linesOf([...sides, ['PostgreSQL', postgres.waited]])
  },
}

type Figures = ReadonlyMap<string, Spread>

/** In milliseconds: how long it took, and the time of processors that this process used. */
interface Measured {
  readonly waited: Map<string, Spread>
  readonly used: Map<string, Spread>
}

/** So many entries follow each other that are alike. */
interface Amount {
  readonly records: number
  readonly alike: number
}

async function measure(store: Store, amount: Amount): Promise<Measured> {
  const { records } = amount
  const figures: Measured = { waited: new Map(), used: new Map() }
  const parts = Math.ceil(records / TOGETHER)
  await timed(
    figures,
    'a thousand entries written',
    { calls: 1, per: records / 1000 },
    async () => {
      for (let part = 0; part < parts; part++)
        await store.logs.append(owner.organizationId, entries(part * TOGETHER, amount))
    },
  )
  const middle = entry(Math.floor(records / 2), amount)
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
  const often = { calls: CALLS, per: 1 }
  for (const [name, filter] of Object.entries(pages))
    await timed(figures, name, often, () => page(store, filter))
  const day = { fromMs: END - DAY_MS, toMs: END, bucketMs: LOG_BUCKET_MS * 2 }
  const week = { fromMs: START, toMs: END, bucketMs: LOG_BUCKET_MS * 11 }
  const { organizationId } = owner
  await timed(figures, 'figures of a day', often, () => store.logs.summary(organizationId, day))
  await timed(figures, 'figures of a week', often, () => store.logs.summary(organizationId, week))
  await timed(figures, 'figures of an account', often, () =>
    store.logs.count(owner, { instanceId: 'instance-7' }, { ...day, scan: SCAN }),
  )
  const old = { calls: 1, per: records / DAYS / 1000 }
  await timed(figures, 'a thousand entries removed by age', old, () =>
    store.logs.purge(START + DAY_MS, records),
  )
  await store.close()
  return figures
}

/** `per`: how many things of which the figure tells one call does. */
async function timed(
  { waited, used }: Measured,
  name: string,
  { calls, per }: { readonly calls: number; readonly per: number },
  call: () => Promise<unknown>,
): Promise<void> {
  const [times, cpus]: [number[], number[]] = [[], []]
  for (let n = 0; n < calls; n++) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()]
    await call()
    const { user, system } = process.cpuUsage(before)
    times.push((performance.now() - startedAt) / per)
    cpus.push((user + system) / 1000 / per)
  }
  waited.set(name, spreadOf(times))
  used.set(name, spreadOf(cpus))
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

function entries(from: number, amount: Amount): readonly LogRow[] {
  const length = Math.min(TOGETHER, amount.records - from)
  return Array.from({ length }, (_row, n) => entry(from + n, amount))
}

/** The entries of a week, as they were written: a thousand accounts, forty operations, one in fifty fails. */
function entry(n: number, { records, alike }: Amount): LogRow {
  const group = Math.floor(n / alike)
  const at = START + Math.floor((n * DAYS * DAY_MS) / records)
  const instance = (group * 7919) % INSTANCES
  const code = group % 50 === 0 ? 'upstream_failed' : null
  const tail = n.toString(16).padStart(12, '0')
  // In the order of the groups, each written when its last one has ended.
  const writtenAt = START + Math.floor(((group + 1) * alike * DAYS * DAY_MS) / records)
  return {
    ...owner,
    logId: logIdAt(headOfLogId(firstLogId(writtenAt)), n % alike),
    kind: 'operation',
    at,
    instanceId: `instance-${instance}`,
    externalUserId: `user-${instance}`,
    connectorType: `connector-${instance % 5}`,
    clientId: null,
    entity: `entity-${group % 10}`,
    action: ['list', 'get', 'create', 'update'][group % 4] ?? '',
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
