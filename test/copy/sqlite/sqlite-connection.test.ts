// Answers that a connection remembers are those of the file as it is.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { SqliteConnection } from '../../../src/copy/sqlite/sqlite-connection.ts'
import { sql, type SqlRow, type SqlSteps } from '../../../src/copy/sql/sql.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-connection-'))
const path = join(folder, 'one.sqlite')
let writer: SqliteConnection
let reader: SqliteConnection

beforeAll(() => {
  writer = SqliteConnection.toWrite(path)
  writer.database.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (n INTEGER)')
  const opened = SqliteConnection.toRead(path)
  if (opened === null) throw new TypeError('there is a file')
  reader = opened
})

afterAll(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

async function count(above: number): Promise<readonly SqlRow[]> {
  const steps = function* (): SqlSteps<readonly SqlRow[]> {
    return yield {
      ...sql`SELECT count(*) AS count FROM things WHERE n > ${above}`,
      remembered: true,
    }
  }
  return await reader.read(steps(), 5)
}

test('what is remembered is forgotten when another connection writes', async () => {
  expect(await count(1)).toEqual([{ count: 0 }])
  writer.database.exec('INSERT INTO things VALUES (1), (2), (3)')
  const found = await count(1)
  expect(found).toEqual([{ count: 2 }])
  expect(await count(1)).toBe(found)
  expect(await count(2)).toEqual([{ count: 1 }])
  writer.database.exec('DELETE FROM things')
  expect(await count(1)).toEqual([{ count: 0 }])
})

test('a file that is not there is not made', () => {
  expect(SqliteConnection.toRead(join(folder, 'none.sqlite'))).toBeNull()
})

test('a file that comes into being while it is opened is there or not, and no fault', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
    const { writeFileSync } = require('node:fs')
    parentPort.on('message', (paths) => { for (const path of paths) writeFileSync(path, '') })`,
    { eval: true },
  )
  const coming = Array.from({ length: 3_000 }, (_, index) => join(folder, `coming-${index}.sqlite`))
  worker.postMessage(coming)
  const open = (path: string): SqliteConnection => {
    for (;;) {
      const opened = SqliteConnection.toRead(path)
      if (opened !== null) return opened
    }
  }
  for (const each of coming) expect(() => open(each).close()).not.toThrow()
  await worker.terminate()
})
