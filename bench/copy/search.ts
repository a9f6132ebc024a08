// How long a search takes, beside the SQL that somebody would write by hand for the same question.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

import type { Figure, Line, Row } from '../row.ts'
import { ratioOf, type Spread, spreadOf } from '../statistics.ts'
import { LIMIT, type Question, QUESTIONS } from './questions.ts'
import { fill, medianOf, searcherOf } from './searching.ts'
import { openPostgres, openSqlite, type OpenStore, startPostgres } from './stores.ts'

const ROUNDS = 7

interface Hit {
  readonly id: string
  readonly doc: string
}

/** Runs one statement by hand. */
type Ask = (text: string) => readonly Hit[] | Promise<readonly Hit[]>

export const searchRow: Row = {
  name: 'search',
  about: `p50 of a search, ${LIMIT} hits, beside SQL written by hand for the same tables`,
  records: 200_000,
  async run({ records }) {
    using _server = startPostgres()
    return [...(await onSqlite(records)), ...(await onPostgres(records))]
  },
}

async function onSqlite(records: number): Promise<readonly Line[]> {
  await using store = await openSqlite()
  await fill(store, 0, records)
  const database = new DatabaseSync(store.path, { readOnly: true })
  try {
    const ask: Ask = (text) => prepared(text).all() as unknown as readonly Hit[]
    const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
    const prepared = (text: string): ReturnType<DatabaseSync['prepare']> => {
      const statement = statements.get(text) ?? database.prepare(text)
      statements.set(text, statement)
      return statement
    }
    return await compareAll('SQLite', store, ask, ({ sqlite }) => sqlite, records)
  } finally {
    database.close()
  }
}

async function onPostgres(records: number): Promise<readonly Line[]> {
  await using store = await openPostgres()
  if (store === null) return []
  await fill(store, 0, records)
  await store.database.run('VACUUM ANALYZE replica_record')
  const client = new pg.Client({ connectionString: store.database.url })
  await client.connect()
  try {
    const ask: Ask = async (text) => (await client.query<Hit>(text)).rows
    return await compareAll('PostgreSQL', store, ask, ({ postgres }) => postgres, records)
  } finally {
    await client.end()
  }
}

async function compareAll(
  name: string,
  store: OpenStore,
  ask: Ask,
  statementsOf: (question: Question) => readonly string[] | null,
  records: number,
): Promise<readonly Line[]> {
  const search = searcherOf(store)
  const lines: Line[] = []
  for (const question of QUESTIONS) {
    const ours = async (): Promise<string> => await search(question.query)
    const statements = statementsOf(question)
    const byHand = async (): Promise<readonly Hit[]> => {
      const hits: Hit[] = []
      for (const text of statements ?? []) {
        hits.push(...(await ask(text)))
        if (hits.length > LIMIT) break
      }
      return hits.slice(0, LIMIT)
    }
    if (statements !== null) requireSame(question, await ours(), await byHand())
    const title = `${name}, ${records} records: ${question.name}`
    lines.push(await compare(title, ours, statements === null ? null : byHand))
  }
  return lines
}

async function compare(
  title: string,
  ours: () => Promise<unknown>,
  byHand: (() => Promise<unknown>) | null,
): Promise<Line> {
  const mine: number[] = []
  const hand: number[] = []
  // What is compiled and kept by the first calls is there for all that follow.
  await medianOf(ours)
  if (byHand !== null) await medianOf(byHand)
  for (let round = 0; round < ROUNDS; round++) {
    mine.push(await medianOf(ours))
    if (byHand !== null) hand.push(await medianOf(byHand))
  }
  const side = { name: 'tenon', ...spreadOf(mine) }
  if (byHand === null) return { title, unit: 'ms', sides: [side], figures: [] }
  const figure = (factor: number, ms: number): Pick<Figure, 'name' | 'unit' | keyof Spread> => ({
    name: `tenon / (${factor} × by hand + ${ms} ms)`,
    unit: '×',
    ...ratioOf(
      mine,
      hand.map((value) => factor * value + ms),
    ),
  })
  return {
    title,
    unit: 'ms',
    sides: [side, { name: 'by hand', ...spreadOf(hand) }],
    figures: [
      { ...figure(1.3, 0.5), must: { atMost: 1 }, goal: null },
      { ...figure(1.1, 0.2), must: null, goal: { atMost: 1 } },
    ],
  }
}

function requireSame(question: Question, hits: string, byHand: readonly Hit[]): void {
  const ours = (JSON.parse(hits) as readonly { readonly id: string }[]).map(({ id }) => id)
  const theirs = byHand.map(({ id }) => id)
  if (ours.length === 0 || JSON.stringify(ours) !== JSON.stringify(theirs))
    throw new Error(`${question.name}: ${ours.length} hits, by hand ${theirs.length} others`)
}
