// How fast copies are filled and looked through, beside the least that each store can do with the same records.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Json, JsonObject } from '../../src/language/json/json.ts'
import { readSearch } from '../../src/copy/search/read-query.ts'
import type { Figure, Line, Row } from '../row.ts'
import { ratioOf, spreadOf } from '../statistics.ts'
import { wordOf } from './issues.ts'
import { createIssueSync, ENTITY, type IssueSync, type PageSource } from './synced.ts'
import { pagesOf } from './pages.ts'
import {
  INSTANCE,
  openPostgres,
  openSqlite,
  type OpenStore,
  type PostgresStore,
  type SqliteStore,
  startPostgres,
} from './stores.ts'

const ROUNDS = 3
/** Times that something short is measured. */
const MORE_ROUNDS = 7
/** Records that have changed when stalls are measured. */
const MOST_CHANGED = 3_000

type Pages = readonly (readonly Json[])[]

export const syncRow: Row = {
  name: 'sync',
  about: 'filling a copy in SQLite by the engine of syncs, from a third party that answers at once',
  records: 200_000,
  async run({ records }) {
    return [...(await loadSqlite(pagesOf(0, records))), ...(await again(records))]
  },
}

export const syncPostgresRow: Row = {
  name: 'sync-postgres',
  about: 'the same in PostgreSQL',
  records: 50_000,
  async run({ records }) {
    using _server = startPostgres()
    return [...(await loadPostgres(pagesOf(0, records)))]
  },
}

/** What work on many rows came to. */
interface Pace {
  /** Rows per second. */
  readonly rate: number
  /** Processor time of this process per row, threads included, in microseconds. */
  readonly cpuUs: number
}

async function pace(count: number, work: () => Promise<unknown> | void): Promise<Pace> {
  const started = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return {
    rate: (count * 1_000) / (performance.now() - started),
    cpuUs: (user + system) / count,
  }
}

/** Rows per second of work that takes milliseconds. */
async function rate(count: number, work: () => Promise<unknown> | void): Promise<number> {
  return (await pace(count, work)).rate
}

function listed(pages: Pages): PageSource {
  return { count: pages.length, read: (page) => pages[page] ?? [] }
}

/** The same pages as text, read when they are asked for: outside of the heap, as answers are. */
function spelled(pages: Pages): PageSource {
  const texts = pages.map((records) => Buffer.from(JSON.stringify(records)))
  return {
    count: texts.length,
    read: (page) => JSON.parse(texts[page]?.toString() ?? '[]') as readonly Json[],
  }
}

/** The first sync of the pages. */
async function load({ index }: OpenStore, pages: Pages): Promise<Pace> {
  const sync = await createIssueSync(index)
  const count = pages.flat().length
  return await pace(count, async () => {
    const { changed } = await sync.run(INSTANCE, listed(pages))
    if (changed !== count) throw new Error(`${changed} of ${count} records were inserted`)
  })
}

// --- first sync

async function loadSqlite(pages: Pages): Promise<readonly Line[]> {
  const ours: Pace[] = []
  const plain: Pace[] = []
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await insertPlainly(pages))
    await using store = await openSqlite()
    ours.push(await load(store, pages))
  }
  const line = (
    unit: string,
    of: (pace: Pace) => number,
    targets: Pick<Figure, 'must' | 'goal'>,
  ): Line => ({
    title: `first sync, SQLite, ${pages.flat().length} records`,
    unit,
    sides: [
      { name: 'prepared insert, one keyed table', ...spreadOf(plain.map(of)) },
      { name: 'tenon', ...spreadOf(ours.map(of)) },
    ],
    figures: [
      {
        name: 'tenon / prepared insert',
        unit: '×',
        ...ratioOf(ours.map(of), plain.map(of)),
        ...targets,
      },
    ],
  })
  return [
    line('rows/s', ({ rate }) => rate, { must: { atLeast: 0.1 }, goal: { atLeast: 0.2 } }),
    line('µs CPU per row', ({ cpuUs }) => cpuUs, { must: null, goal: { atMost: 8 } }),
  ]
}

/** The same records into a table with a key and nothing else, a transaction per page. */
async function insertPlainly(pages: Pages): Promise<Pace> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'))
  const database = new DatabaseSync(join(folder, 'plain.sqlite'))
  try {
    database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    database.exec('CREATE TABLE plain (id TEXT PRIMARY KEY, doc TEXT NOT NULL)')
    const insert = database.prepare('INSERT INTO plain (id, doc) VALUES (?, ?)')
    return await pace(pages.flat().length, () => {
      for (const records of pages) {
        database.exec('BEGIN')
        for (const record of records)
          insert.run((record as { readonly id: string }).id, JSON.stringify(record))
        database.exec('COMMIT')
      }
    })
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}

async function loadPostgres(pages: Pages): Promise<readonly Line[]> {
  const ours: number[] = []
  const copied: number[] = []
  const keyed: number[] = []
  const count = pages.flat().length
  for (let round = 0; round < ROUNDS; round++) {
    await using store = await openPostgres()
    if (store === null) return []
    ours.push((await load(store, pages)).rate)
    const file = await dumpRows(store)
    const { database } = store
    await database.run('CREATE TABLE copied (LIKE replica_record INCLUDING ALL)')
    copied.push(await rate(count, async () => await database.run(`COPY copied FROM '${file}'`)))
    await database.run(
      `CREATE TABLE keyed (record_id text COLLATE "C" PRIMARY KEY, doc text); COPY (SELECT record_id, doc FROM replica_record ORDER BY seq) TO '${file}'`,
    )
    keyed.push(await rate(count, async () => await database.run(`COPY keyed FROM '${file}'`)))
  }
  return [
    {
      title: `first sync, PostgreSQL, ${count} records`,
      unit: 'rows/s',
      sides: [
        { name: 'COPY of the same rows, all their indexes', ...spreadOf(copied) },
        { name: 'COPY of key and document, key only', ...spreadOf(keyed) },
        { name: 'tenon', ...spreadOf(ours) },
      ],
      figures: [
        {
          name: 'tenon / COPY of the same rows',
          unit: '×',
          ...ratioOf(ours, copied),
          must: { atLeast: 0.25 },
          goal: { atLeast: 0.6 },
        },
      ],
    },
  ]
}

/** Writes the rows into a file of the server's, and gives its name. */
async function dumpRows({ database }: PostgresStore): Promise<string> {
  const [row] = await database.run('SHOW data_directory')
  const file = `${String(row?.['data_directory'])}/rows.copy`
  await database.run(`COPY (SELECT * FROM replica_record ORDER BY seq) TO '${file}'`)
  return file
}

// --- resync

/** What is measured on a copy that is there: unchanged records once more, and searches meanwhile. */
async function again(records: number): Promise<readonly Line[]> {
  await using store = await openSqlite()
  const sync = await createIssueSync(store.index)
  await sync.run(INSTANCE, spelled(pagesOf(0, records)))
  const [copy] = await store.index.copies({ instanceId: INSTANCE, entity: ENTITY })
  const names = copy?.layout.fields.map(({ name }) => name) ?? []
  return [
    await resync(sync, store, inOrder(pagesOf(0, records), names)),
    await stalls(sync, store, records),
  ]
}

/** The records with their members in the order of the copy's documents, so that texts can be compared by hand. */
function inOrder(pages: Pages, names: readonly string[]): Pages {
  return pages.map((records) =>
    records.map((record) => {
      // Made by `issueOf` as objects.
      const members = record as JsonObject
      return Object.fromEntries(names.map((name) => [name, members[name] ?? null]))
    }),
  )
}

async function resync(sync: IssueSync, store: SqliteStore, pages: Pages): Promise<Line> {
  const count = pages.flat().length
  const ours: number[] = []
  const loop: number[] = []
  for (let round = 0; round < MORE_ROUNDS; round++) {
    loop.push(await compareByHand(store.path, pages))
    ours.push(
      await rate(count, async () => {
        const { unchanged } = await sync.run(INSTANCE, listed(pages), 'full')
        if (unchanged !== count) throw new Error(`${unchanged} of ${count} records were unchanged`)
      }),
    )
  }
  return {
    title: `resync of unchanged rows, SQLite, ${count} records`,
    unit: 'rows/s',
    sides: [
      { name: 'hand-written loop: read and compare', ...spreadOf(loop) },
      { name: 'tenon', ...spreadOf(ours) },
    ],
    figures: [
      { name: 'tenon', unit: 'rows/s', ...spreadOf(ours), must: { atLeast: 100_000 }, goal: null },
      {
        name: 'tenon / hand-written loop',
        unit: '×',
        ...ratioOf(ours, loop),
        must: null,
        goal: { atLeast: 0.8 },
      },
    ],
  }
}

/** What is stored beside what came: text by text, in the thread that asks. */
async function compareByHand(path: string, pages: Pages): Promise<number> {
  const database = new DatabaseSync(path, { readOnly: true })
  const find = database.prepare(
    `SELECT doc = ? AS same FROM replica_record WHERE scope_no = (SELECT scope_no FROM replica_scope WHERE entity = '${ENTITY}') AND record_id = ?`,
  )
  try {
    return await rate(pages.flat().length, () => {
      for (const records of pages)
        for (const record of records) {
          const row = find.get(JSON.stringify(record), (record as { readonly id: string }).id)
          if (row?.['same'] !== 1) throw new Error('a record was stored otherwise')
        }
    })
  } finally {
    database.close()
  }
}

// --- stalls

/** The longest that the thread stood still while changes are written and searched, and how long searches took. */
async function stalls(sync: IssueSync, store: SqliteStore, records: number): Promise<Line> {
  const changes = Math.min(MOST_CHANGED, records)
  const spelling: number[] = []
  const busy: number[] = []
  const slowest: number[] = []
  for (let round = 0; round < MORE_ROUNDS; round++) {
    const edited = spelled(pagesOf(0, changes, round + 1))
    const stop = new AbortController()
    const searching = searchUntil(stop.signal, store)
    // Listed by an incremental run, which says nothing about the others.
    busy.push(await longestStall(async () => await sync.run(INSTANCE, edited)))
    stop.abort()
    slowest.push(quantile(await searching, 0.99))
    spelling.push(await longestStall(async () => await spellPages(edited)))
  }
  return {
    title: `searching while ${changes} changes are synced, SQLite, ${records} records`,
    unit: 'ms',
    sides: [
      {
        name: 'longest stall of the thread, records read and written as text',
        ...spreadOf(spelling),
      },
      { name: 'longest stall of the thread, syncing', ...spreadOf(busy) },
      { name: 'search, 99 of 100', ...spreadOf(slowest) },
    ],
    figures: [
      {
        name: 'longest stall',
        unit: 'ms',
        ...spreadOf(busy),
        must: { atMost: 50 },
        goal: { atMost: 15 },
      },
      {
        name: 'search, 99 of 100',
        unit: 'ms',
        ...spreadOf(slowest),
        must: { atMost: 50 },
        goal: { atMost: 15 },
      },
    ],
  }
}

/** Work that gives way after each page: what the machine and the collector make of it is nobody's fault. */
async function spellPages(pages: PageSource): Promise<void> {
  for (let page = 0; page < pages.count; page++) {
    JSON.stringify(pages.read(page))
    await sleep(1)
  }
}

async function longestStall(work: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 1 })
  monitor.enable()
  await work()
  monitor.disable()
  return monitor.max / 1e6
}

async function searchUntil(
  signal: AbortSignal,
  { index }: SqliteStore,
): Promise<readonly number[]> {
  const filters: readonly Json[] = [
    { eq: { status: 'Done' } },
    { keyword: { content: wordOf(3) } },
    { in: { priority: ['High', 'Highest'] } },
  ]
  const [copy] = await index.copies({ instanceId: INSTANCE, entity: ENTITY })
  if (copy === undefined) throw new TypeError('there is no copy')
  const times: number[] = []
  for (let turn = 0; !signal.aborted; turn++) {
    const query = readSearch(copy.layout, {
      query: { filter: filters[turn % filters.length] ?? {} },
      limit: 50,
    })
    const started = performance.now()
    await index.search({ ...copy, layoutHash: copy.layout.hash, query, position: null })
    times.push(performance.now() - started)
    await sleep(5)
  }
  return times
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
