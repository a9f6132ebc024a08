// What happens to files of copies and to their threads: the others go on, and so do these once the cause is gone.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'

import {
  type CopiesTrouble,
  openSqliteSearchIndex,
} from '../../../src/copy/sqlite/sqlite-search-index.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import type { CopyState, SearchIndex, SearchReply } from '../../../src/copy/search/search-index.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'
import { turnsOfTheLoop } from '../../faults/resources.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-sqlite-damage-'))
const layout = makeLayout({ fields: { id: 'string', title: 'string' } })
const toRow = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
let troubles: CopiesTrouble[]
let index: SearchIndex

beforeEach(() => {
  troubles = []
  index = open()
})

afterEach(async () => await index.close())
afterAll(() => rmSync(folder, { recursive: true }))

function open(): SearchIndex {
  return openSqliteSearchIndex({ folder, onTrouble: (trouble) => troubles.push(trouble) })
}

function fileOf(instanceId: string): string {
  return join(folder, `${instanceId}.sqlite`)
}

/** A copy with so many records. */
async function filled(instanceId: string, records: number): Promise<CopyState> {
  const copy = await index.prepare({ instanceId, entity: 'things' }, layout)
  const rows = Array.from({ length: records }, (_, at) =>
    toRow({ id: `t${at}`, title: `brass hinge number ${at}` }),
  )
  await index.write({ copy, fence: null, observedAtMs: 1, rows })
  return copy
}

async function search(copy: CopyState): Promise<SearchReply> {
  const query = readSearch(layout, { query: { filter: { keyword: { title: 'brass' } } } })
  return await index.search({ ...copy, layoutHash: layout.hash, query, position: null })
}

test.for([
  { name: 'with its log', endings: ['', '-wal', '-shm'] },
  { name: 'without its log', endings: [''] },
])(
  'D6 a file that is taken away while it is open, $name, is made anew, and nothing is written to the old one',
  async ({ endings }) => {
    const id = `away${endings.length}`
    const copy = await filled(id, 300)
    expect(await search(copy)).toMatchObject({ kind: 'page', count: 300 })
    for (const ending of endings) rmSync(fileOf(id) + ending)
    expect(await search(copy)).toEqual({ kind: 'moved' })
    expect(await index.copies({ instanceId: id })).toEqual([])
    const again = await filled(id, 40)
    expect(again).toMatchObject({ nextSeq: 1, live: 0 })
    expect(await search(again)).toMatchObject({ kind: 'page', count: 40 })
    expect(existsSync(fileOf(id))).toBe(true)
    await index.close()
    index = open()
    expect(await search(again)).toMatchObject({ kind: 'page', count: 40 })
    expect(troubles).toEqual([])
  },
)

test.for([
  {
    name: 'text',
    damage: (path: string) => writeFileSync(path, 'not a database, '.repeat(1_000)),
  },
  {
    name: 'half of what it was',
    damage: (path: string) => truncateSync(path, Math.floor(statSync(path).size / 16_384) * 8_192),
  },
])(
  'D6 a damaged file ($name) is put aside once, its copies begin anew, and others are not touched',
  async ({ name, damage }) => {
    const id = name.slice(0, 4)
    const other = await filled(`other-${id}`, 20)
    await filled(id, 2_000)
    await index.close()
    damage(fileOf(id))
    const size = statSync(fileOf(id)).size
    index = open()
    const failures = await Promise.allSettled([
      index.prepare({ instanceId: id, entity: 'things' }, layout),
      index.copies({ instanceId: id }),
      index.entries({ instanceId: id, entity: 'things' }, 'run'),
    ])
    for (const failure of failures)
      expect(failure).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_unavailable', retryable: true, details: { reason: 'damaged' } },
      })
    const keptAs = `${fileOf(id)}.damaged`
    expect(troubles).toMatchObject([{ kind: 'file_damaged', instanceId: id, keptAs }])
    expect(statSync(keptAs).size).toBe(size)
    expect(await search(await filled(id, 30))).toMatchObject({ kind: 'page', count: 30 })
    expect(await search(other)).toMatchObject({ kind: 'page', count: 20 })
    await index.purge(id)
    expect(readdirSync(folder).filter((file) => file.startsWith(id))).toEqual([])
  },
)

test('D6 a folder in place of a file fails by itself, and its purge takes it away', async () => {
  mkdirSync(join(fileOf('folder'), 'below'), { recursive: true })
  await expect(filled('folder', 1)).rejects.toMatchObject({
    code: 'store_unavailable',
    details: { reason: 'away' },
  })
  expect(await search(await filled('beside', 10))).toMatchObject({ count: 10 })
  await index.purge('folder')
  expect(existsSync(fileOf('folder'))).toBe(false)
  expect(await search(await filled('folder', 10))).toMatchObject({ count: 10 })
})

test('D6 another file in place of an open one is the one that is read', async () => {
  const copy = await filled('one', 50)
  await index.close()
  copyFileSync(fileOf('one'), join(folder, 'kept'))
  index = open()
  await filled('one', 80)
  expect(await search(copy)).toMatchObject({ count: 80 })
  rmSync(fileOf('one'))
  copyFileSync(join(folder, 'kept'), fileOf('one'))
  await index.prepare({ instanceId: 'one', entity: 'things' }, layout)
  expect(await search(copy)).toMatchObject({ kind: 'page', count: 50 })
})

test.for([
  { name: 'by the file of another copy', from: 'other' },
  { name: 'by an earlier state of itself', from: 'earlier' },
  { name: 'by nothing', from: 'nothing' },
])(
  'D6 a file that is written over while it is open ($name) gives no rows: it is put aside, and its copies begin again',
  async ({ from }) => {
    const id = `over-${from}`
    await filled(`${id}-source`, 30)
    let copy = await filled(id, 500)
    // Closed, their logs are in the files.
    await index.close()
    copyFileSync(fileOf(id), join(folder, 'earlier'))
    copyFileSync(fileOf(`${id}-source`), join(folder, 'other'))
    writeFileSync(join(folder, 'nothing'), '')
    index = open()
    copy = await filled(id, 900)
    expect(await search(copy)).toMatchObject({ count: 900 })
    // The same file, with another content.
    writeFileSync(fileOf(id), readFileSync(join(folder, from)))
    const damaged = { code: 'store_unavailable', details: { reason: 'damaged' } }
    await expect(search(copy)).rejects.toMatchObject(damaged)
    expect(troubles).toMatchObject([
      {
        kind: 'file_damaged',
        instanceId: id,
        keptAs: `${fileOf(id)}.damaged`,
        cause: { cause: { message: expect.stringContaining('written over') } },
      },
    ])
    expect(await search(copy)).toEqual({ kind: 'moved' })
    expect(await search(await filled(id, 40))).toMatchObject({ count: 40 })
    // What nobody noticed before the end is put aside then.
    writeFileSync(fileOf(id), readFileSync(join(folder, from)))
    await index.close()
    index = open()
    expect(await search(await filled(id, 50))).toMatchObject({ count: 50 })
  },
)

test('D6 writing and checkpointing is not taken for that, whoever opens the file first', async () => {
  const copy = await filled('busy', 10)
  await index.close()
  index = open()
  expect(await search(copy)).toMatchObject({ count: 10 })
  for (let n = 1; n <= 4; n++) {
    await filled('busy', 200 * n)
    const others = new DatabaseSync(fileOf('busy'))
    others.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    others.close()
    expect(await search(copy)).toMatchObject({ count: 200 * n })
  }
  expect(troubles).toEqual([])
})

test('D6 when a thread has ended all calls fail at once, others are started, and copies are as they were', async () => {
  const place = join(folder, 'place')
  writeFileSync(place, 'a file, where the thread wants to make a folder')
  const ended: CopiesTrouble[] = []
  const copies = openSqliteSearchIndex({
    folder: place,
    onTrouble: (trouble) => ended.push(trouble),
  })
  const unavailable = { code: 'store_unavailable', retryable: true, details: { reason: 'away' } }
  const name = { instanceId: 'one', entity: 'things' }
  await expect(copies.prepare(name, layout)).rejects.toMatchObject(unavailable)
  await expect(copies.prepare(name, layout)).rejects.toMatchObject(unavailable)
  await expect.poll(() => ended).toMatchObject([{ kind: 'threads_ended', pauseMs: 1_000 }])
  rmSync(place)
  // Until the pause is over nothing is begun.
  await expect(copies.prepare(name, layout)).rejects.toMatchObject(unavailable)
  // Waits for time: the pause is a second.
  await sleep(1_050)
  expect(await copies.prepare(name, layout)).toMatchObject({ epoch: 1, serving: true })
  expect(ended).toHaveLength(1)
  await copies.close()
  await expect(copies.prepare(name, layout)).rejects.toMatchObject(unavailable)
})

test.for([
  { thread: 'writes', at: 0 },
  { thread: 'searches', at: 1 },
  { thread: 'reads rows', at: 2 },
])(
  'D6 what was committed is there when the thread that $thread has ended in a batch',
  async ({ at }) => {
    // Those of the other copies have been told.
    await turnsOfTheLoop()
    const threads: Worker[] = []
    const note = (worker: Worker): void => void threads.push(worker)
    process.on('worker', note)
    const place = join(folder, `threads${at}`)
    const ended: CopiesTrouble[] = []
    const copies = openSqliteSearchIndex({
      folder: place,
      onTrouble: (trouble) => ended.push(trouble),
    })
    const copy = await copies.prepare({ instanceId: 'one', entity: 'things' }, layout)
    const rowsFrom = (from: number): ReturnType<typeof toRow>[] =>
      Array.from({ length: 2_000 }, (_, no) =>
        toRow({ id: `t${from + no}`, title: `brass hinge number ${from + no}` }),
      )
    const write = async (from: number): Promise<unknown> =>
      await copies.write({ copy, fence: null, observedAtMs: 1, rows: rowsFrom(from) })
    await write(0)
    const under = Promise.allSettled([2_000, 4_000, 6_000, 8_000].map(write))
    // Waits for time: the thread ends somewhere within the batches.
    await sleep(50)
    void threads[at]?.terminate()
    const results = await under
    expect(results.filter(({ status }) => status === 'rejected')).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'store_unavailable', details: { reason: 'away' } }),
    })
    await expect.poll(() => ended).toMatchObject([{ kind: 'threads_ended' }])
    // Waits for time: the pause is a second.
    await sleep(1_050)
    const [kept] = await copies.copies({ instanceId: 'one' })
    // Whole batches, at least those that were acknowledged.
    const acknowledged = results.filter(({ status }) => status === 'fulfilled').length
    expect(kept?.live).toBeGreaterThanOrEqual(2_000 * (acknowledged + 1))
    expect((kept?.live ?? 1) % 2_000).toBe(0)
    for (const from of [2_000, 4_000, 6_000, 8_000]) await write(from)
    expect(await copies.copies({ instanceId: 'one' })).toMatchObject([{ live: 10_000 }])
    process.off('worker', note)
    await copies.close()
    expect(ended).toHaveLength(1)
  },
)
