// A file of copies that an earlier version wrote.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteSearchIndex } from '../../../src/copy/sqlite/sqlite-search-index.ts'
import { SQLITE_ADDED_COLUMNS, SQLITE_TABLES } from '../../../src/copy/sqlite/sqlite-schema.ts'
import { readChanges } from '../../../src/copy/search/changes.ts'
import type { SearchLayout } from '../../../src/copy/search/layout.ts'

const layout: SearchLayout = {
  entity: 'things',
  hash: 'h',
  fields: [],
  lifts: [],
  advances: null,
  noWords: [],
}

const name = { instanceId: 'one', entity: 'things' }

/** A folder with a file of one whole copy, and what else is written to it, without the columns of later versions. */
function earlierFolder(more: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-earlier-'))
  const database = new DatabaseSync(join(folder, 'one.sqlite'))
  database.exec(SQLITE_TABLES)
  for (const [table, column] of SQLITE_ADDED_COLUMNS)
    database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`)
  database.exec(
    `INSERT INTO replica_scope (instance_id, entity, epoch, scope_no, serving, layout_hash, layout, version, live, complete)
     VALUES ('one', 'things', 1, 1, 1, 'h', '${JSON.stringify(layout)}', 7, 3, 1)`,
  )
  database.exec(more)
  database.close()
  return folder
}

test('copies from before settings were told apart serve until the one of the present settings is whole', async () => {
  const folder = earlierFolder('')
  const index = openSqliteSearchIndex({ folder })
  expect(await index.copies(name)).toMatchObject([{ epoch: 1, settings: '', serving: true }])
  await index.prepare(name, layout, 'present')
  expect(await index.copies(name)).toMatchObject([
    { epoch: 1, settings: '', serving: true, live: 3 },
    { epoch: 2, settings: 'present', serving: false, live: 0 },
  ])
  await index.close()
  rmSync(folder, { recursive: true })
})

test('the changes of a copy from before they were told begin with all of its records', async () => {
  const folder = earlierFolder(
    `INSERT INTO replica_record (row, scope_no, record_id, doc_hash, observed_at, held_until, doc)
     VALUES ${['a', 'b'].map((id, at) => `(${2 ** 40 + at + 1}, 1, '${id}', x'', 1, 0, '{"id":"${id}"}')`).join(', ')}`,
  )
  const index = openSqliteSearchIndex({ folder })
  const first = await readChanges(index, name, null, 1)
  expect(first).toMatchObject({ hasMore: true, reset: true })
  const second = await readChanges(index, name, first.next, 1)
  expect(JSON.parse(first.changes).concat(JSON.parse(second.changes))).toEqual([
    { change: 'added', id: 'a', data: { id: 'a' } },
    { change: 'added', id: 'b', data: { id: 'b' } },
  ])
  const [copy] = await index.copies(name)
  if (copy === undefined) throw new TypeError('there is no copy')
  const remove = { ids: ['a'], runId: 'r', atMs: 1 }
  await index.write({ copy, fence: null, observedAtMs: 2, remove })
  // Until then nobody noted which records are written: another process of that version may have gone on.
  const third = await readChanges(index, name, second.next, 5)
  expect([JSON.parse(third.changes), third.reset]).toEqual([
    [{ change: 'added', id: 'b', data: { id: 'b' } }],
    true,
  ])
  await index.write({ copy, fence: null, observedAtMs: 2, remove: { ...remove, ids: ['b'] } })
  const { changes, reset } = await readChanges(index, name, third.next, 5)
  expect([JSON.parse(changes), reset]).toEqual([
    [{ change: 'removed', id: 'b', data: null }],
    false,
  ])
  await index.close()
  rmSync(folder, { recursive: true })
})
