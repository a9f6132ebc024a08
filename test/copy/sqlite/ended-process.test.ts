// What a process that has ended held in the files of copies.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteSearchIndex } from '../../../src/copy/sqlite/sqlite-search-index.ts'
import type { SearchIndex } from '../../../src/copy/search/search-index.ts'
import { fileShare } from '../../../src/database/descriptors.ts'
import { makeLayout } from '../search/make-layout.ts'

const HELD_MS = 3_600_000
const COPY = { instanceId: 'one', entity: 'things' }
const layout = makeLayout({ fields: { id: 'string' } })

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-ended-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function openIn(folder: string, endsLeases: boolean): SearchIndex {
  const index = openSqliteSearchIndex({ folder, endsLeases })
  onTestFinished(() => index.close())
  return index
}

test.for([
  { name: 'who has the folder for itself ends the lease that it finds', endsLeases: true, want: 2 },
  { name: 'who opens the folder beside a service ends nothing', endsLeases: false, want: null },
])('$name', async ({ endsLeases, want }) => {
  const folder = newFolder()
  const ended = openIn(folder, false)
  const copy = await ended.prepare(COPY, layout)
  expect(await ended.takeLease(copy, 'ended', HELD_MS)).toBe(1)
  await ended.close()

  const index = openIn(folder, endsLeases)
  expect(await index.takeLease(copy, 'next', HELD_MS)).toBe(want)
})

test('a lease of this process stays when its file was closed for others and is opened again', async () => {
  const index = openIn(newFolder(), true)
  const copy = await index.prepare(COPY, layout)
  expect(await index.takeLease(copy, 'this', HELD_MS)).toBe(1)
  for (let at = 0; at <= fileShare().files; at++)
    await index.prepare({ ...COPY, instanceId: `other-${at}` }, layout)
  expect(await index.takeLease(copy, 'other', HELD_MS)).toBe(null)
  expect(await index.renewLease(copy, 1, HELD_MS)).toBe(true)
})
