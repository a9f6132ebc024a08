// How fast copies are filled and looked through, beside the least that each store can do with the same records.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Json } from '../../src/json/json.ts'
import { readSearch } from '../../src/search/read-query.ts'
import type { Line, Row } from '../row.ts'
import { ratioOf, spreadOf } from '../statistics.ts'
import { ISSUES, wordOf } from './issues.ts'
import {
  openPostgres,
  openSqlite,
  type OpenStore,
  pagesOf,
  type PostgresStore,
  startPostgres,
  writePages,
} from './stores.ts'

const ROUNDS = 3
/** Records of the rounds that measure a resync and stalls. */
const MOST_RESYNCED = 20_000
const MOST_CHANGED = 3_000

type Pages = readonly (readonly Json[])[]

export const syncRow: Row = {
  name: 'sync',
  about: 'filling a copy and reading everything again',
  async run({ records }) {
    using _server = startPostgres()
    const pages = pagesOf(0, records)
    return [
      await loadSqlite(pages),
      ...(await loadPostgres(pages)),
      await resync(pages),
      await stalls(pages),
    ]
  },
}

/** Rows per second of work that takes milliseconds. */
async function rate(count: number, work: () => Promise<unknown> | void): Promise<number> {
  const started = performance.now()
  await work()
  return (count * 1_000) / (performance.now() - started)
}

async function load(store: OpenStore, pages: Pages): Promise<number> {
  const count = pages.flat().length
  return await rate(count, async () => {
    const inserted = await writePages(store, pages, 'inserted')
    if (inserted !== count) throw new Error(`${inserted} of ${count} records were inserted`)
  })
}

// --- first sync

async function loadSqlite(pages: Pages): Promise<Line> {
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await insertPlainly(pages))
    await using store = await openSqlite()
    ours.push(await load(store, pages))
  }
  return {
    title: `first sync, SQLite, ${pages.flat().length} records`,
    unit: 'rows/s',
    sides: [
      { name: 'prepared insert, one keyed table', ...spreadOf(plain) },
      { name: 'tenon', ...spreadOf(ours) },
    ],
    figures: [
      {
        name: 'tenon / prepared insert',
        unit: '×',
        ...ratioOf(ours, plain),
        must: { atLeast: 0.1 },
        goal: { atLeast: 0.2 },
      },
    ],
  }
}

/** The same records into a table with a key and nothing else, a transaction per page. */
async function insertPlainly(pages: Pages): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'))
  const database = new DatabaseSync(join(folder, 'plain.sqlite'))
  try {
    database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    database.exec('CREATE TABLE plain (id TEXT PRIMARY KEY, doc TEXT NOT NULL)')
    const insert = database.prepare('INSERT INTO plain (id, doc) VALUES (?, ?)')
    return await rate(pages.flat().length, () => {
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
    ours.push(await load(store, pages))
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
          goal: { atLeast: 0.4 },
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

async function resync(pages: Pages): Promise<Line> {
  const some = pages.slice(0, Math.ceil(MOST_RESYNCED / (pages[0]?.length ?? 1)))
  const count = some.flat().length
  await using store = await openSqlite()
  await load(store, some)
  const ours: number[] = []
  const loop: number[] = []
  for (let round = 0; round < 2 * ROUNDS + 1; round++) {
    loop.push(await compareByHand(store.path, some))
    ours.push(
      await rate(count, async () => {
        const unchanged = await writePages(store, some, 'unchanged')
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
    'SELECT doc = ? AS same FROM replica_record WHERE scope_no = 1 AND record_id = ?',
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

/** The longest that the thread stood still while a copy is written and searched, and how long searches took. */
async function stalls(pages: Pages): Promise<Line> {
  const some = pages.slice(0, Math.ceil(MOST_RESYNCED / (pages[0]?.length ?? 1)))
  await using store = await openSqlite()
  await load(store, some)
  const changes = Math.min(MOST_CHANGED, some.flat().length)
  const spelling: number[] = []
  const busy: number[] = []
  const slowest: number[] = []
  for (let round = 0; round < 2 * ROUNDS + 1; round++) {
    const edited = pagesOf(0, changes, round + 1)
    const stop = new AbortController()
    const searching = searchUntil(stop.signal, store)
    busy.push(await longestStall(async () => await writePages(store, edited, 'changed')))
    stop.abort()
    slowest.push(quantile(await searching, 0.99))
    spelling.push(await longestStall(async () => await spellPages(edited)))
  }
  return {
    title: 'searching while syncing, SQLite',
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
async function spellPages(pages: Pages): Promise<void> {
  for (const records of pages) {
    JSON.parse(JSON.stringify(records))
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
  { index, copy }: OpenStore,
): Promise<readonly number[]> {
  const filters: readonly Json[] = [
    { eq: { status: 'Done' } },
    { keyword: { content: wordOf(3) } },
    { in: { priority: ['High', 'Highest'] } },
  ]
  const times: number[] = []
  for (let turn = 0; !signal.aborted; turn++) {
    const query = readSearch(ISSUES, {
      query: { filter: filters[turn % filters.length] ?? {} },
      limit: 50,
    })
    const started = performance.now()
    await index.search({ ...copy, layoutHash: ISSUES.hash, query, position: null })
    times.push(performance.now() - started)
    await sleep(5)
  }
  return times
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
