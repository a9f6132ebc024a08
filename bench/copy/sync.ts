// How fast copies are filled, beside the least that each store can do with the same records.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import type { Figure, Line, Row } from '../row.ts'
import { ratioOf, spreadOf } from '../statistics.ts'
import { createIssueSync } from './synced.ts'
import { type Pace, pace, rate } from './pace.ts'
import { listed, type Pages, pagesOf } from './pages.ts'
import { again } from './resync.ts'
import {
  INSTANCE,
  openPostgres,
  openSqlite,
  type OpenStore,
  type PostgresStore,
  startPostgres,
} from './stores.ts'

const ROUNDS = 3

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

/** The first sync of the pages. */
async function load({ index }: OpenStore, pages: Pages): Promise<Pace> {
  const sync = await createIssueSync(index)
  const count = pages.flat().length
  return await pace(count, async () => {
    const { changed } = await sync.run(INSTANCE, listed(pages))
    if (changed !== count) throw new Error(`${changed} of ${count} records were inserted`)
  })
}

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
