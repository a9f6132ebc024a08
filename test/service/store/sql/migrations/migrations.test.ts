import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { MIGRATIONS } from '../../../../../src/service/store/sql/migrations/all-migrations.ts'
import {
  type StoreSubject,
  postgresSubject,
  sqliteSubject,
} from '../../../../contracts/store/subject.ts'

const PROGRAM = fileURLToPath(new URL('./migrating-process.ts', import.meta.url))
const NAMES = MIGRATIONS.map(({ name }) => name)

interface Ended {
  readonly signal: string | null
  readonly output: string
}

async function migrate({ location }: StoreSubject, ...more: readonly string[]): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  execFile(
    process.execPath,
    [PROGRAM, JSON.stringify(location), ...more],
    (error, stdout, stderr) => resolve({ signal: error?.signal ?? null, output: stdout + stderr }),
  )
  return await promise
}

describe.for([
  { name: 'SQLite', make: sqliteSubject },
  { name: 'PostgreSQL', make: postgresSubject },
])('a schema on $name', async ({ make }) => {
  const subject = await make()
  if (subject === null) {
    test.skip('there is none')
    return
  }
  afterAll(() => subject.close())

  test('D4 a process that is killed in the middle of a migration leaves nothing of it', async () => {
    expect(await migrate(subject, 'die')).toEqual({ signal: 'SIGKILL', output: '' })
    const store = await subject.open({ migrate: false })
    expect(await store.migrations.pending()).toBe(NAMES.length)
  })

  test('D4 of three processes that start at once, one migrates and all work', async () => {
    const ended = await Promise.all([migrate(subject), migrate(subject), migrate(subject)])
    const outputs = ended.map(({ output }) => output).sort()
    expect(outputs).toEqual([JSON.stringify(NAMES), '[]', '[]'].sort())
    const store = await subject.open({ migrate: false })
    expect(await store.migrations.pending()).toBe(0)
    expect(await store.applications.count()).toBe(0)
  })
})
