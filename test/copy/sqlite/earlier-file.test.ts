// A file of copies that an earlier version wrote.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteSearchIndex } from '../../../src/copy/sqlite/sqlite-search-index.ts'
import { SQLITE_SCHEMA } from '../../../src/copy/sqlite/sqlite-schema.ts'
import type { SearchLayout } from '../../../src/copy/search/layout.ts'

const layout: SearchLayout = {
  entity: 'things',
  hash: 'h',
  fields: [],
  lifts: [],
  advances: null,
  noWords: [],
}

test('copies from before settings were told apart serve until the one of the present settings is whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-earlier-'))
  const database = new DatabaseSync(join(folder, 'one.sqlite'))
  database.exec(SQLITE_SCHEMA.replace("settings TEXT NOT NULL DEFAULT '',", ''))
  database.exec(
    `INSERT INTO replica_scope (instance_id, entity, epoch, scope_no, serving, layout_hash, layout, live, complete)
     VALUES ('one', 'things', 1, 1, 1, 'h', '${JSON.stringify(layout)}', 3, 1)`,
  )
  database.close()
  const index = openSqliteSearchIndex({ folder })
  const name = { instanceId: 'one', entity: 'things' }
  expect(await index.copies(name)).toMatchObject([{ epoch: 1, settings: '', serving: true }])
  await index.prepare(name, layout, 'present')
  expect(await index.copies(name)).toMatchObject([
    { epoch: 1, settings: '', serving: true, live: 3 },
    { epoch: 2, settings: 'present', serving: false, live: 0 },
  ])
  await index.close()
  rmSync(folder, { recursive: true })
})
