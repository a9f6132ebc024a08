// Whatever index leads: the same hits, once each, in the same order. The copy is large enough for every way to be taken.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { onePart } from '../../../src/copy/sqlite/copy-call.ts'
import { readCopies } from '../../../src/copy/sql/copy-operations.ts'
import { packRows } from '../../../src/copy/sqlite/row-columns.ts'
import { findPage } from '../../../src/copy/sql/search-pages.ts'
import { SqliteConnection } from '../../../src/copy/sqlite/sqlite-connection.ts'
import { SqliteFile } from '../../../src/copy/sqlite/sqlite-file.ts'
import { SQLITE_DIALECT } from '../../../src/copy/sqlite/sqlite-schema.ts'
import { sqlText } from '../../../src/copy/sql/sql.ts'
import { Vocabularies } from '../../../src/copy/sql/vocabulary.ts'
import type { Json } from '../../../src/language/json/json.ts'
import type { WalkPosition } from '../../../src/copy/search/cursor.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const COUNT = 12_000
const folder = mkdtempSync(join(tmpdir(), 'tenon-choice-'))
const path = join(folder, 'one.sqlite')
const layout = makeLayout({
  fields: {
    id: 'string',
    day: 'integer',
    late: 'integer',
    group: 'string',
    rare: 'string',
    gap: 'integer',
    w1: 'integer',
    w2: 'integer',
    team: 'string',
    title: 'string',
  },
  order: ['id', 'day', 'late', 'group', 'rare', 'gap', 'w1', 'w2'],
})

interface Thing {
  readonly id: string
  /** Grows with arrival. */
  readonly day: number
  /** Falls with arrival. */
  readonly late: number
  readonly group: string
  readonly rare: string
  /** Null for every third. */
  readonly gap: number | null
  readonly w1: number
  readonly w2: number
  /** Without an index. */
  readonly team: string
  readonly title: string
}

/** In the order of arrival. */
const things: readonly Thing[] = Array.from({ length: COUNT }, (_, at) => ({
  id: `t${String(at).padStart(5, '0')}`,
  day: 1_000 + Math.floor(at / 3),
  late: 9_000 - Math.floor(at / 2),
  group: ['red', 'green', 'blue'][(at * 7) % 3] ?? '',
  rare: at % 250 === 7 || at % 250 === 8 ? 'yes' : 'no',
  gap: at % 3 === 0 ? null : 100 + ((at * 31) % 50),
  w1: 1,
  w2: 2,
  team: `team-${at % 400}`,
  // The old half has a word that the new one lacks.
  title: `${at % 2 === 0 ? 'even' : 'odd'} ${at < COUNT / 2 ? 'old' : 'new'} number`,
}))

let connection: SqliteConnection
let ways: string[] = []

beforeAll(async () => {
  const file = new SqliteFile(path)
  const state = await file.prepareCopy({ instanceId: 'one', entity: 'things' }, layout, '')
  const make = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
  const head = { copy: state, fence: null, observedAtMs: 1 }
  for (let from = 0; from < COUNT; from += 1_000) {
    const rows = things.slice(from, from + 1_000).map((thing) => make({ ...thing }))
    await file.write(head, onePart(packRows(rows)))
  }
  await file.close()
  connection = SqliteConnection.toWrite(path)
})

afterAll(() => {
  connection.close()
  rmSync(folder, { recursive: true })
})

/** The ids of all pages, and notes of how records were looked for. */
function walk(query: Json, limit: number): readonly string[] {
  const [copy] = connection.run(readCopies({ instanceId: 'one' }))
  if (copy === undefined) throw new TypeError('no copy')
  ways = []
  const ids: string[] = []
  let position: WalkPosition | null = null
  do {
    const steps = findPage({
      dialect: SQLITE_DIALECT,
      scope: copy,
      vocabularies: new Vocabularies(),
      query: readSearch(layout, { query, limit }),
      position,
      elapsedMs: () => 0,
      spentMs: 0,
    })
    let step = steps.next()
    while (step.done !== true) {
      ways.push(...wayOf(sqlText(step.value, () => '?')))
      step = steps.next(connection.ask(step.value))
    }
    const { hits, next } = step.value
    ids.push(...(JSON.parse(hits) as readonly { readonly id: string }[]).map(({ id }) => id))
    position = next
  } while (position !== null)
  return ids
}

/** By which index, or by arrival, a statement finds documents. */
function wayOf(text: string): readonly string[] {
  if (!/r\.doc/.test(text)) return []
  const [, by] = /(INDEXED BY \w+|NOT INDEXED)/.exec(text) ?? []
  return [by ?? 'planned']
}

/** The ids that should come, in order: by the sort keys, those without a value last, then the newest. */
function expected(
  keep: (thing: Thing) => boolean,
  ...sort: readonly (readonly [keyof Thing, 1 | -1])[]
): readonly string[] {
  return things
    .map((thing, at) => ({ thing, at }))
    .filter(({ thing }) => keep(thing))
    .sort((a, b) => {
      for (const [name, direction] of sort) {
        const [left, right] = [a.thing[name], b.thing[name]]
        if (left === right) continue
        if (left === null || right === null) return left === null ? 1 : -1
        return (left < right ? -1 : 1) * direction
      }
      return b.at - a.at
    })
    .map(({ thing }) => thing.id)
}

interface Case {
  readonly name: string
  readonly query: Json
  readonly want: () => readonly string[]
  /** A way that the first page or a later one takes. */
  readonly takes: string
}

test.for<Case>([
  {
    name: 'a common range is walked by arrival',
    query: { filter: { gte: { gap: 110 } } },
    want: () => expected(({ gap }) => gap !== null && gap >= 110),
    takes: 'NOT INDEXED',
  },
  {
    name: 'a rare range is led by its index',
    query: { filter: { gte: { day: 4_900 } } },
    want: () => expected(({ day }) => day >= 4_900),
    takes: 'INDEXED BY replica_k2',
  },
  {
    name: 'a range of old records is not walked to',
    query: { filter: { lt: { day: 1_800 } } },
    want: () => expected(({ day }) => day < 1_800),
    takes: 'INDEXED BY replica_k2',
  },
  {
    name: 'of two values the rare one leads',
    query: { filter: { eq: { group: 'red', rare: 'yes' } } },
    want: () => expected(({ group, rare }) => group === 'red' && rare === 'yes'),
    takes: 'INDEXED BY replica_k5',
  },
  {
    name: 'of two common values one leads',
    query: { filter: { eq: { group: 'red', rare: 'no' } } },
    want: () => expected(({ group, rare }) => group === 'red' && rare === 'no'),
    takes: 'INDEXED BY replica_k4',
  },
  {
    name: 'of several values the newest of each are merged',
    query: { filter: { in: { group: ['red', 'blue', 'none', 'red'] } } },
    want: () => expected(({ group }) => group !== 'green'),
    takes: 'INDEXED BY replica_k4',
  },
  {
    name: 'of many values the common ones are walked to',
    query: { filter: { in: { day: Array.from({ length: 900 }, (_, at) => 1_000 + 4 * at) } } },
    want: () => expected(({ day }) => day % 4 === 0 && day < 4_600),
    takes: 'NOT INDEXED',
  },
  {
    name: 'several values beside another condition are walked to',
    query: { filter: { in: { group: ['red', 'blue'] }, neq: { team: 'team-7' } } },
    want: () => expected(({ group, team }) => group !== 'green' && team !== 'team-7'),
    takes: 'NOT INDEXED',
  },
  {
    name: 'a common value is walked to by the sort key',
    query: { filter: { eq: { group: 'red' } }, sort: [{ late: 'desc' }] },
    want: () => expected(({ group }) => group === 'red', ['late', -1]),
    takes: 'INDEXED BY replica_k3',
  },
  {
    name: 'a rare value is sorted',
    query: { filter: { eq: { rare: 'yes' } }, sort: [{ late: 'asc' }] },
    want: () => expected(({ rare }) => rare === 'yes', ['late', 1]),
    takes: 'INDEXED BY replica_k5',
  },
  {
    name: 'what lies at the other end of the sort key is not walked to',
    query: { filter: { lt: { day: 2_000 } }, sort: [{ late: 'asc' }] },
    want: () => expected(({ day }) => day < 2_000, ['late', 1]),
    takes: 'INDEXED BY replica_k2',
  },
  {
    name: 'ties and absent values keep their places when the way changes',
    query: { filter: { lt: { day: 3_000 } }, sort: [{ gap: 'desc' }, 'group'] },
    want: () => expected(({ day }) => day < 3_000, ['gap', -1], ['group', 1]),
    takes: 'INDEXED BY replica_k6',
  },
  {
    name: 'a common word is looked for by the sort key',
    query: { filter: { keyword: { title: 'even' } }, sort: [{ late: 'desc' }] },
    want: () => expected(({ title }) => title.startsWith('even'), ['late', -1]),
    takes: 'INDEXED BY replica_k3',
  },
  {
    name: 'a common word that the first records lack is collected',
    query: { filter: { keyword: { title: 'old' } }, sort: [{ late: 'asc' }] },
    want: () => expected(({ title }) => title.includes('old'), ['late', 1]),
    takes: 'planned',
  },
  {
    name: 'a common word with a rare value is looked for among its records',
    query: { filter: { keyword: { title: 'even' }, eq: { rare: 'yes' } } },
    want: () => expected(({ title, rare }) => title.startsWith('even') && rare === 'yes'),
    takes: 'INDEXED BY replica_k5',
  },
  {
    name: 'a value without an index is found by its words',
    query: { filter: { eq: { team: 'team-7' } } },
    want: () => expected(({ team }) => team === 'team-7'),
    takes: 'planned',
  },
  {
    name: 'its complement is not',
    query: { filter: { neq: { team: 'team-7' }, eq: { rare: 'yes' } } },
    want: () => expected(({ team, rare }) => team !== 'team-7' && rare === 'yes'),
    takes: 'INDEXED BY replica_k5',
  },
  {
    name: 'a value without an index is sorted',
    query: { filter: { in: { team: ['team-7', 'team-8'] } }, sort: [{ gap: 'asc' }] },
    want: () => expected(({ team }) => team === 'team-7' || team === 'team-8', ['gap', 1]),
    takes: 'planned',
  },
])('$name', ({ query, want, takes }) => {
  const ids = want()
  expect(ids.length).toBeGreaterThan(10)
  // Pages small enough for many of them, and large ones.
  for (const limit of [Math.max(3, Math.ceil(ids.length / 40)), 5_000]) {
    expect(walk(query, limit)).toEqual(ids)
    if (limit < 5_000) expect(ways).toContain(takes)
  }
})
