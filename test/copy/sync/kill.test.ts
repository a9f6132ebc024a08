// A process that is killed loses nothing: the next one goes on where it was, and the copy is the source.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import { createTestDatabase } from '../../fixtures/postgres.ts'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  type NotesSync,
  notesManifest,
} from './notes-vendor.ts'
import { eventually } from '../../faults/resources.ts'
import { sized } from '../../fixtures/sizes.ts'

const KILLS = sized(2, 20)
const PAGE = 10
/** A page and ten parents, or more, between two kills. */
const NOTES = Math.max(150, PAGE * KILLS)
const REQUESTS = NOTES / PAGE + NOTES
const PROGRAM = join(import.meta.dirname, 'sync-process.ts')

/** A store that outlives its processes: how they are told, and how it is looked at afterwards. */
interface LastingStore extends AsyncDisposable {
  readonly place: string
  open(url: string): Promise<NotesSync>
}

const CURSOR = { sync: { cursor: { field: 'updated', since: 'since', lookback: 'PT1M' } } }

async function newFolder(): Promise<LastingStore> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-killed-'))
  return {
    place: folder,
    open: async (url) => await createNotesSync(url, await notesManifest(CURSOR), { folder }),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function newDatabase(): Promise<LastingStore | null> {
  const database = await createTestDatabase()
  if (database === null) return null
  const index = await openPostgresSearchIndex({ url: database.url, poolSize: 2 })
  return {
    place: database.url,
    open: async (url) => await createNotesSync(url, await notesManifest(CURSOR), { index }),
    async [Symbol.asyncDispose]() {
      await index.close()
      await database.drop()
    },
  }
}

test.for([
  ['SQLite', newFolder],
  ['PostgreSQL', newDatabase],
] as const)(
  'in %s after every kill -9 the next process goes on, and in the end copy and source are equal',
  async ([, newStore], context) => {
    await using store = await newStore()
    if (store === null) return context.skip()
    await using vendor = await createNotesVendor(NOTES)
    vendor.delayMs = 4
    for (let n = 1; n <= NOTES; n += 2)
      vendor.comments.set(idOf(n), [{ id: `c${n}`, body: `comment ${n}` }])
    const start = (): ChildProcess =>
      spawn(process.execPath, [PROGRAM, vendor.http.url, store.place], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const until = REQUESTS / (KILLS + 1)
    for (let kill = 1; kill <= KILLS; kill++) {
      const asked = vendor.http.requests.length
      const child = start()
      await eventually(
        () => vendor.http.requests.length >= asked + until || child.exitCode !== null,
        300_000,
      )
      // Waits for time: it is killed at any moment: while it asks, writes, or has just written.
      await new Promise((resolve) => setTimeout(resolve, (kill * 7) % 12))
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    const last = start()
    const [code] = (await once(last, 'exit')) as [number | null]
    expect(code).toBe(0)

    await using sync = await store.open(vendor.http.url)
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
  },
)
