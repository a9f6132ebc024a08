// Generated records and queries: the store's walk to the end gives the oracle's hits, in its order, with its scores.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Json } from '../../../src/language/json/json.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import type { WalkPosition } from '../../../src/copy/search/cursor.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import type { CopyState, SearchIndex } from '../../../src/copy/search/search-index.ts'
import {
  type GeneratedQuery,
  jsonText,
  queriesOf,
  type Value,
  world,
} from '../../copy/search/generated.ts'
import { bodyPath, makeLayout } from '../../copy/search/make-layout.ts'
import { oracle } from '../../copy/search/oracle.ts'
import { sized } from '../../fixtures/sizes.ts'

/** Queries in all. */
const QUERIES = sized(800, 20_000)
const QUERIES_PER_WORLD = 40
const SEED = process.env['TENON_SEARCH_SEED']

/** `share`: of the queries, where a store is asked in several ways. */
export function oracleSuite(store: string, open: () => SearchIndex, share: number = 1): void {
  const queries = QUERIES * share
  let instances = 0

  describe(`${store} and the oracle`, () => {
    test(
      `P7 ${queries} generated queries give the same hits, order and scores`,
      async () => {
        const index = open()
        const cases = world.chain((one) =>
          fc.tuple(
            fc.constant(one),
            fc.array(queriesOf(one), {
              minLength: QUERIES_PER_WORLD,
              maxLength: QUERIES_PER_WORLD,
            }),
          ),
        )
        await fc.assert(
          fc.asyncProperty(
            cases,
            async ([{ fields, order, substring, noWords, records }, asked]) => {
              const instanceId = `oracle-${++instances}`
              const layout = makeLayout({ fields, order, substring, noWords })
              const make = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
              const copy = await index.prepare({ instanceId, entity: 'things' }, layout)
              const rows = records.map((record) => make(parseJson(jsonText(record))))
              await index.write({ copy, fence: null, observedAtMs: 1, rows })
              const judged = {
                fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
                noWords,
                records,
              }
              try {
                for (const query of asked) {
                  const want = oracle(judged, query).map(
                    ({ record, score }) => `${jsonText(record['id'] ?? null)} ${score}`,
                  )
                  expect({
                    query: jsonText({ ...query }),
                    hits: await walk(index, copy, query),
                  }).toEqual({ query: jsonText({ ...query }), hits: want })
                }
              } finally {
                await index.purge(instanceId)
              }
            },
          ),
          {
            numRuns: Math.ceil(queries / QUERIES_PER_WORLD),
            // Shrinking ends here too; what has failed by then is reported.
            interruptAfterTimeLimit: 240_000 + queries * 100,
            markInterruptAsFailure: true,
            ...(SEED === undefined ? {} : { seed: Number(SEED) }),
          },
        )
      },
      360_000 + queries * 200,
    )
  })
}

/** Every hit of a query, page by page, as `"id" score`. */
export async function walk(
  index: SearchIndex,
  copy: CopyState,
  query: GeneratedQuery,
): Promise<readonly string[]> {
  const { filter, sort, limit } = query
  const params = parseJson(jsonText({ query: { filter, sort: sort as readonly Value[] }, limit }))
  const checked = readSearch(copy.layout, params)
  const found: string[] = []
  let position: WalkPosition | null = null
  do {
    const reply = await index.search({
      ...copy,
      layoutHash: copy.layout.hash,
      query: checked,
      position,
    })
    if (reply.kind !== 'page') throw new Error('the copy has moved')
    const hits = parseJson(reply.hits) as readonly { readonly id: Json; readonly score: Json }[]
    expect(hits.length).toBe(reply.count)
    expect(hits.length).toBeLessThanOrEqual(limit)
    found.push(...hits.map(({ id, score }) => `${JSON.stringify(id)} ${JSON.stringify(score)}`))
    position = reply.next
  } while (position !== null)
  return found
}
