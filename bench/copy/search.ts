// How long a search takes, beside the SQL that somebody would write by hand for the same question.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

import type { Figure, Line, Row } from '../row.ts'
import { ratioOf, type Spread, spreadOf } from '../statistics.ts'
import { LIMIT, type Question, QUESTIONS } from './questions.ts'
import { fill, medianOf, searcherOf } from './searching.ts'
import { openPostgres, openSqlite, type OpenStore, startPostgres } from './stores.ts'

const ROUNDS = 15

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
  const compared = QUESTIONS.map((question): Compared => {
    const statements = statementsOf(question)
    return {
      title: `${name}, ${records} records: ${question.name}`,
      ours: async () => await search(question.query),
      byHand: statements === null ? null : async () => await byHand(ask, statements),
      mine: [],
      hand: [],
    }
  })
  // What is compiled and kept by the first calls is there for all that follow.
  for (const [at, { ours, byHand }] of compared.entries()) {
    const question = QUESTIONS[at]
    if (question !== undefined && byHand !== null)
      requireSame(question, await ours(), await byHand())
    await medianOf(ours)
    if (byHand !== null) await medianOf(byHand)
  }
  // Every question in every round: a machine that is slow for some seconds is so for all of them.
  for (let round = 0; round < ROUNDS; round++)
    for (const { ours, byHand, mine, hand } of compared) {
      mine.push(await medianOf(ours))
      if (byHand !== null) hand.push(await medianOf(byHand))
    }
  return compared.map(lineOf)
}

/** A question with what it took, by rounds. */
interface Compared {
  readonly title: string
  readonly ours: () => Promise<string>
  /** Null where nobody would write SQL for it. */
  readonly byHand: (() => Promise<readonly Hit[]>) | null
  readonly mine: number[]
  readonly hand: number[]
}

async function byHand(ask: Ask, statements: readonly string[]): Promise<readonly Hit[]> {
  const hits: Hit[] = []
  for (const text of statements) {
    hits.push(...(await ask(text)))
    if (hits.length > LIMIT) break
  }
  return hits.slice(0, LIMIT)
}

function lineOf({ title, mine, hand }: Compared): Line {
  const side = { name: 'tenon', ...spreadOf(mine) }
  if (hand.length === 0) return { title, unit: 'ms', sides: [side], figures: [] }
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
