// A process that is killed loses nothing: the next one goes on where it was, and the copy is the source.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPostgresSearchIndex } from '../../src/adapters/search/postgres-search-index.ts'
import { createTestDatabase } from '../fixtures/postgres.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  type NotesSync,
  notesManifest,
} from './notes-vendor.ts'

/** `TENON_SYNC_KILLS=200` for a long look. */
const KILLS = Number(process.env['TENON_SYNC_KILLS'] ?? 5)
const PAGE = 10
/** A page and ten parents, or more, between two kills. */
const NOTES = Math.max(300, PAGE * KILLS)
const REQUESTS = NOTES / PAGE + NOTES
const PROGRAM = join(import.meta.dirname, 'sync-process.ts')

const TITLE =
  'after every kill -9 the next process goes on, and in the end copy and source are equal'

test(`in SQLite, ${TITLE}`, { timeout: 60_000 + KILLS * 5_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-killed-'))
  try {
    await killAndCompare(folder, (url, manifest) => createNotesSync(url, manifest, { folder }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test(`in PostgreSQL, ${TITLE}`, { timeout: 60_000 + KILLS * 5_000 }, async (context) => {
  const database = await createTestDatabase()
  if (database === null) return context.skip()
  await using index = await openPostgresSearchIndex({ url: database.url, poolSize: 2 }).then(
    (opened) => ({ opened, [Symbol.asyncDispose]: () => opened.close() }),
  )
  await killAndCompare(database.url, (url, manifest) =>
    createNotesSync(url, manifest, { index: index.opened }),
  )
  await database.drop()
})

/** `store` is what the processes are told; `open` looks at it afterwards. */
async function killAndCompare(
  store: string,
  open: (url: string, manifest: Manifest) => Promise<NotesSync>,
): Promise<void> {
  await using vendor = await createNotesVendor(NOTES)
  vendor.delayMs = 4
  for (let n = 1; n <= NOTES; n += 2)
    vendor.comments.set(idOf(n), [{ id: `c${n}`, body: `comment ${n}` }])
  const start = (): ChildProcess =>
    spawn(process.execPath, [PROGRAM, vendor.http.url, store], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const until = REQUESTS / (KILLS + 1)
  for (let kill = 1; kill <= KILLS; kill++) {
    const asked = vendor.http.requests.length
    const child = start()
    while (vendor.http.requests.length < asked + until && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 1))
    // At any moment: while it asks, writes, or has just written.
    await new Promise((resolve) => setTimeout(resolve, (kill * 7) % 12))
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  const last = start()
  const [code] = (await once(last, 'exit')) as [number | null]
  expect(code).toBe(0)

  await using sync = await open(vendor.http.url, await notesManifest(CURSOR))
  expect(await sync.ids()).toEqual([...vendor.notes.keys()].sort())
  expect(await sync.ids('comments')).toEqual(
    [...vendor.comments.values()].flatMap((all) => all.map(({ id }) => id)).sort(),
  )
  // What was read ahead of the last commit is read again, and no page more than that.
  const asked = new Map<string, number>()
  for (const { url } of vendor.http.requests) asked.set(url, (asked.get(url) ?? 0) + 1)
  const pages = [...asked].filter(([url]) => !/comments|since/.test(url))
  const again = pages.reduce((sum, [, times]) => sum + times - 1, 0)
  expect(again).toBeLessThanOrEqual(KILLS * 4)
  expect(vendor.http.requests.length).toBeLessThan(REQUESTS + KILLS * 10)
}

const CURSOR = { sync: { cursor: { field: 'updated', since: 'since', lookback: 'PT1M' } } }
