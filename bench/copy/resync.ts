// A copy that is there, read once more: how fast unchanged records are looked through, and what searches wait meanwhile.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Json, JsonObject } from '../../src/language/json/json.ts'
import { readSearch } from '../../src/copy/search/read-query.ts'
import type { Line } from '../row.ts'
import { ratioOf, spreadOf } from '../statistics.ts'
import { wordOf } from './issues.ts'
import { createIssueSync, ENTITY, type IssueSync, type PageSource } from './synced.ts'
import { rate } from './pace.ts'
import { listed, type Pages, pagesOf, spelled } from './pages.ts'
import { INSTANCE, openSqlite, type SqliteStore } from './stores.ts'

const ROUNDS = 7
/** Records that have changed when stalls are measured. */
const MAX_CHANGED = 3_000

/** What is measured on a copy that is there: unchanged records once more, and searches meanwhile. */
export async function again(records: number): Promise<readonly Line[]> {
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
  for (let round = 0; round < ROUNDS; round++) {
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

/** The longest that the thread stood still while changes are written and searched, and how long searches took. */
async function stalls(sync: IssueSync, store: SqliteStore, records: number): Promise<Line> {
  const changes = Math.min(MAX_CHANGED, records)
  const spelling: number[] = []
  const busy: number[] = []
  const slowest: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
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
