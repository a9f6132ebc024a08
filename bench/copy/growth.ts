// How searches slow down while a copy grows: a hundred times the records are not to take a hundred times as long.
import type { Line, Row } from '../row.ts'
import { ratioOf, spreadOf } from '../statistics.ts'
import { QUESTIONS } from './questions.ts'
import { fill, medianOf, searcherOf } from './searching.ts'
import { openPostgres, openSqlite, type OpenStore, startPostgres } from './stores.ts'

const ROUNDS = 5
/** Each copy has so many times the records of the one before. */
const STEP = 10
const STEPS = 3

export const growthRow: Row = {
  name: 'growth',
  about: `p50 of a search in copies of ${STEP} times the records; linear growth is ${STEP} ×`,
  records: 1_000_000,
  async run({ records }) {
    const lines: Line[] = []
    {
      await using store = await openSqlite()
      lines.push(...(await grow('SQLite', store, records, async () => {})))
    }
    using _server = startPostgres()
    await using store = await openPostgres()
    if (store === null) return lines
    const settle = async (): Promise<void> => {
      await store.database.run('VACUUM ANALYZE replica_record')
    }
    return [...lines, ...(await grow('PostgreSQL', store, records, settle))]
  },
}

async function grow(
  name: string,
  store: OpenStore,
  records: number,
  settle: () => Promise<void>,
): Promise<readonly Line[]> {
  const search = searcherOf(store)
  const sizes = Array.from({ length: STEPS }, (_, at) =>
    Math.ceil(records / STEP ** (STEPS - 1 - at)),
  )
  const times = new Map<string, (readonly number[])[]>()
  let filled = 0
  for (const size of sizes) {
    await fill(store, filled, size)
    filled = size
    await settle()
    for (const question of QUESTIONS) {
      const ask = async (): Promise<string> => await search(question.query)
      await medianOf(ask)
      const rounds: number[] = []
      for (let round = 0; round < ROUNDS; round++) rounds.push(await medianOf(ask))
      times.set(question.name, [...(times.get(question.name) ?? []), rounds])
    }
  }
  return QUESTIONS.map((question): Line => {
    const measured = times.get(question.name) ?? []
    const last = measured.at(-1) ?? []
    return {
      title: `${name}: ${question.name}`,
      unit: 'ms',
      sides: sizes.map((size, at) => ({
        name: `${size} records`,
        ...spreadOf(measured[at] ?? []),
      })),
      figures: [
        {
          name: `the last ${STEP} times as many`,
          unit: '×',
          ...ratioOf(last, measured.at(-2) ?? []),
          must: { atMost: STEP / 2 },
          goal: null,
        },
        { name: 'at last', unit: 'ms', ...spreadOf(last), must: null, goal: { atMost: 50 } },
      ],
    }
  })
}
