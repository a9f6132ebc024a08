// A process that is killed loses nothing: the next one goes on where it was, and the copy is the source.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createNotesSync, createNotesVendor, idOf, notesManifest } from './notes-vendor.ts'

/** `TENON_SYNC_KILLS=200` for a long look. */
const KILLS = Number(process.env['TENON_SYNC_KILLS'] ?? 5)
const NOTES = 300

test('after every kill -9 the next process goes on, and in the end copy and source are equal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-killed-'))
  await using vendor = await createNotesVendor(NOTES)
  vendor.delayMs = 4
  for (let n = 1; n <= NOTES; n += 2)
    vendor.comments.set(idOf(n), [{ id: `c${n}`, body: `comment ${n}` }])
  const program = join(import.meta.dirname, 'sync-process.ts')
  const start = (): ChildProcess =>
    spawn(process.execPath, [program, vendor.http.url, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const until = (NOTES / 10 + NOTES) / (KILLS + 1)
  for (let kill = 1; kill <= KILLS; kill++) {
    const asked = vendor.http.requests.length
    const child = start()
    while (vendor.http.requests.length < asked + until && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const last = start()
  const [code] = (await once(last, 'exit')) as [number | null]
  expect(code).toBe(0)

  const cursor = { field: 'updated', since: 'since', lookback: 'PT1M' }
  const manifest = await notesManifest({ sync: { cursor } })
  await using sync = await createNotesSync(vendor.http.url, manifest, { folder })
  expect(await sync.ids()).toEqual([...vendor.notes.keys()].sort())
  expect(await sync.ids('comments')).toEqual(
    [...vendor.comments.values()].flatMap((all) => all.map(({ id }) => id)).sort(),
  )
  // One page on its way and the one being written are read again; so are the parents that were being read.
  const asked = new Map<string, number>()
  for (const { url } of vendor.http.requests) asked.set(url, (asked.get(url) ?? 0) + 1)
  const pages = [...asked].filter(([url]) => !/comments|since/.test(url))
  expect(pages.filter(([, times]) => times > 2)).toEqual([])
  expect(vendor.http.requests.length).toBeLessThan(NOTES / 10 + NOTES + KILLS * 10)
  rmSync(folder, { recursive: true, force: true })
}, 60_000)
