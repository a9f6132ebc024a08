import { describe, expect, test } from 'vitest'
import {
  createPageCall,
  type FetchedPage,
  type Listing,
  type PageCall,
} from '../../src/client/page-call.ts'
import type { JsonObject } from '../../src/language/json/json.ts'

/** A listing of the given pages; the params of the next page are `{ page: n }`. */
function listing(
  pages: readonly (readonly number[])[],
  marks: readonly (string | null)[] = [],
): { call: PageCall; asked: JsonObject[] } {
  const asked: JsonObject[] = []
  const fetch: Listing['fetch'] = (params) => {
    asked.push(params)
    const at = Number(params['page'] ?? 0)
    const records = pages[at]
    if (records === undefined) return Promise.reject(new Error(`page ${at} failed`))
    const last = at === pages.length - 1
    const fetched: FetchedPage = {
      data: records,
      meta: { has_more: !last, next: last ? null : { page: at + 1 } },
      records,
      nextParams: last ? null : { page: at + 1 },
      mark: () => marks[at] ?? null,
    }
    return Promise.resolve(fetched)
  }
  return { call: createPageCall({ fetch, params: () => ({}) }), asked }
}

describe('a page call', () => {
  test('sends nothing before somebody wants something', () => {
    const { asked } = listing([[1]])
    expect(asked).toEqual([])
  })

  test('awaited is the first page, which prints as the envelope', async () => {
    const { call } = listing([[1, 2], [3]])
    const page = await call
    expect(JSON.parse(JSON.stringify(page))).toEqual({
      data: [1, 2],
      meta: { has_more: true, next: { page: 1 } },
    })
    expect(page.records).toEqual([1, 2])
  })

  test('awaited twice asks once', async () => {
    const { call, asked } = listing([[1]])
    await call
    await call
    expect(asked).toEqual([{}])
  })

  test('iterated is every record of every page, also of empty ones in between', async () => {
    const { call } = listing([[1, 2], [], [3]])
    const records: unknown[] = []
    for await (const record of call) records.push(record)
    expect(records).toEqual([1, 2, 3])
  })

  test('asks for a page only when its records are wanted', async () => {
    const { call, asked } = listing([
      [1, 2],
      [3, 4],
    ])
    for await (const record of call) if (record === 2) break
    expect(asked).toEqual([{}])
  })

  test('iterates pages', async () => {
    const { call } = listing([[1], [2], [3]])
    const lengths: number[] = []
    for await (const page of call.pages()) lengths.push(page.records.length)
    expect(lengths).toEqual([1, 1, 1])
  })

  test('a page goes on from where it stands', async () => {
    const { call } = listing([[1], [2], [3]])
    const second = await (await call).next()
    const rest: unknown[] = []
    if (second !== null) for await (const record of second) rest.push(record)
    expect(rest).toEqual([2, 3])
  })

  test('after the last page there is none', async () => {
    const { call } = listing([[1]])
    expect(await (await call).next()).toBeNull()
  })

  test('toArray stops at its limit and asks for no page too many', async () => {
    const { call, asked } = listing([[1, 2], [3, 4], [5]])
    expect(await call.toArray({ limit: 3 })).toEqual([1, 2, 3])
    expect(asked).toEqual([{}, { page: 1 }])
  })

  test('toArray without a limit is a mistake of the program', async () => {
    const { call } = listing([[1]])
    await expect(call.toArray({} as { limit: number })).rejects.toThrow(TypeError)
  })

  test('a failure on a later page reaches the reader after the records before it', async () => {
    const fetch: Listing['fetch'] = (params) =>
      params['page'] === undefined
        ? Promise.resolve({
            data: [1],
            meta: {},
            records: [1],
            nextParams: { page: 1 },
            mark: () => null,
          })
        : Promise.reject(new Error('page 1 failed'))
    const records: unknown[] = []
    const reading = (async () => {
      for await (const record of createPageCall({ fetch, params: () => ({}) })) records.push(record)
    })()
    await expect(reading).rejects.toThrow('page 1 failed')
    expect(records).toEqual([1])
  })
})

test.for([
  { name: 'of length 1', marks: ['a', 'a'] },
  { name: 'of length 2', marks: ['a', 'b', 'a'] },
  { name: 'of length 50', marks: [...Array.from({ length: 50 }, (_, index) => `m${index}`), 'm0'] },
])(
  'U9 a loop of cursors $name ends the iteration before its page is delivered',
  async ({ marks }) => {
    const { call } = listing([...marks.map((_, index) => [index]), [-1]], marks)
    const records: unknown[] = []
    const reading = (async () => {
      for await (const record of call) records.push(record)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'upstream_malformed' })
    expect(records).toEqual(Array.from({ length: marks.length - 1 }, (_, index) => index))
  },
)

test('U9 a listing without marks ends after 100,000 pages', async () => {
  const fetch: Listing['fetch'] = () =>
    Promise.resolve({ data: [], meta: {}, records: [], nextParams: {}, mark: () => null })
  const reading = (async () => {
    for await (const record of createPageCall({ fetch, params: () => ({}) }))
      expect(record).toBeUndefined()
  })()
  await expect(reading).rejects.toMatchObject({ code: 'upstream_malformed' })
})
