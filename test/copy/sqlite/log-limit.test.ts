import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { afterAll, expect, test } from 'vitest'

import { onePart } from '../../../src/copy/sqlite/copy-call.ts'
import { packRows } from '../../../src/copy/sqlite/row-columns.ts'
import { SqliteFile } from '../../../src/copy/sqlite/sqlite-file.ts'
import { createRowMaker } from '../../../src/copy/search/row.ts'
import { bodyPath, makeLayout } from '../search/make-layout.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-log-'))
const path = join(folder, 'one.sqlite')
const MIB = 1024 * 1024

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Reads of 20 ms in a thread of their own: the next one begins before the last one ends, so that there is always one. */
const READERS = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  let [last, next] = [0, 1].map(() => new DatabaseSync(workerData, { readOnly: true }))
  const begin = (database) => {
    database.exec('BEGIN')
    database.prepare('SELECT count(*) FROM replica_scope').get()
  }
  begin(last)
  parentPort.postMessage('reading')
  const readOn = () => {
    begin(next)
    last.exec('COMMIT')
    ;[last, next] = [next, last]
    // Waits for time: searches overlap without a gap.
    setTimeout(readOn, 20)
  }
  readOn()
`

test('the log of a file stays short although searches follow each other without a gap', async () => {
  const layout = makeLayout({ fields: { id: 'string', content: 'object' } })
  const make = createRowMaker({ layout, primaryKey: [bodyPath('id')] })
  const file = new SqliteFile(path)
  const state = await file.prepareCopy({ instanceId: 'one', entity: 'things' }, layout, '')
  const readers = new Worker(READERS, { eval: true, workerData: path })
  await once(readers, 'message')
  const lengths: number[] = []
  for (let batch = 0; batch < 20; batch++) {
    // Addresses have no words, so that nothing but the length of the documents counts.
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((at) =>
      make({ id: `${batch}-${at}`, content: { url: `https://acme.example/${'a'.repeat(MIB)}` } }),
    )
    await file.write({ copy: state, fence: null, observedAtMs: 1 }, onePart(packRows(rows)))
    lengths.push(statSync(`${path}-wal`).size / MIB)
  }
  await readers.terminate()
  await file.close()
  // 160 MiB were written; 96 MiB and one batch are allowed, and 64 are kept when the log begins anew.
  expect(Math.max(...lengths)).toBeLessThan(110)
})
