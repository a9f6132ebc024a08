// `tenon worker` as a process of its own: takes jobs, hands them back when told to stop, is replaced when it is killed.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../faults/resources.ts'
import { createNotesVendor, type NotesVendor } from '../copy/sync/notes-vendor.ts'
import { type Fleet, folderFleet, postgresFleet, type ServeProcess } from './processes.ts'

const NOTES = 600
const PAGES = NOTES / 10
const OPTIONS = {
  env: { TENON_MANIFESTS: join(import.meta.dirname, 'notes.yaml'), TENON_CONNECTORS: 'notes' },
}

let database: Fleet | null
let vendor: NotesVendor
let serve: ServeProcess
beforeAll(async () => {
  database = await postgresFleet()
  if (database !== null) serve = await database.start({ ...OPTIONS, args: ['--no-jobs'] })
})
afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  vendor = await createNotesVendor(NOTES)
  vendor.delayMs = 20
})
afterEach(async () => {
  await vendor[Symbol.asyncDispose]()
})

async function connectNotes(): Promise<string> {
  const answer = await serve.call('POST', '/v1/integrations/connectors?check=false', {
    external_user_id: 'user-1',
    connector_type: 'notes',
    name: 'notes',
    credentials: { api_key: 'key-of-notes' },
    server_url: vendor.http.url,
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return (answer.body as { readonly id: string }).id
}

interface Status {
  readonly records: number
  readonly complete: boolean
}

/** Waits until the copy of the notes is as wanted. */
async function until(id: string, isSo: (status: Status) => boolean): Promise<Status> {
  const status = async (): Promise<Status | undefined> => {
    const { body } = await serve.call('GET', `/v1/integrations/connectors/${id}/sync`)
    return (body as { readonly data: readonly Status[] }).data[0]
  }
  let notes: Status | undefined
  await eventually(async () => {
    notes = await status()
    return notes !== undefined && isSo(notes)
  })
  if (notes === undefined) throw new TypeError('the notes have no copy')
  return notes
}

test('one that is told to stop hands its run back, and the next one goes on at once', async (context) => {
  if (database === null) return context.skip('no PostgreSQL')
  const id = await connectNotes()
  // Waits for time: nobody works yet, and that is seen when nothing happens.
  await sleep(700)
  expect(vendor.http.requests).toHaveLength(0)
  const first = await database.startWorker(OPTIONS)
  await until(id, ({ records }) => records >= 100)
  expect(await first.stop()).toEqual({ code: 0, signal: null })
  const { records } = await until(id, () => true)
  expect(records).toBeLessThan(NOTES)
  const second = await database.startWorker(OPTIONS)
  const done = await until(id, ({ complete }) => complete)
  expect(done).toMatchObject({ records: NOTES, complete: true })
  expect(vendor.listings).toBe(1)
  expect(vendor.http.requests.length).toBeLessThan(PAGES + 10)
  expect(await second.stop()).toEqual({ code: 0, signal: null })
})

test('one that is killed is replaced when its leases have run out, which they do within eight seconds, and not before', async (context) => {
  if (database?.database == null) return context.skip('no PostgreSQL')
  const { database: rows } = database
  const id = await connectNotes()
  const first = await database.startWorker(OPTIONS)
  await until(id, ({ records }) => records >= 100)
  const answers = Promise.withResolvers<void>()
  vendor.answersAfter = answers.promise
  const second = await database.startWorker(OPTIONS)
  await first.kill()
  const { records } = await until(id, () => true)
  const asked = vendor.http.requests.length
  const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
  // What holds the sync back: the job, the copy, and the share of the killed process in the buckets.
  const held = await rows.run(`select held_until - ${now} as ms from
    (select held_until from job where instance_id = '${id}' and kind = 'sync' union all
    select lease_until from replica_scope where instance_id = '${id}' union all
    select held_until from lease where instance_id = 'queue') as held`)
  expect(held.length).toBeGreaterThan(2)
  expect(Math.max(...held.map(({ ms }) => Number(ms)))).toBeLessThan(8_500)
  const jobNow = async (): Promise<Record<string, unknown> | undefined> =>
    (
      await rows.run(
        `select fence, held_until, ${now} as now from job where instance_id = '${id}' and kind = 'sync'`,
      )
    )[0]
  const atKill = await jobNow()
  let taken = atKill
  await eventually(async () => {
    taken = await jobNow()
    return taken?.['fence'] !== atKill?.['fence']
  })
  expect(Number(taken?.['now'])).toBeGreaterThanOrEqual(Number(atKill?.['held_until']))
  answers.resolve()
  const done = await until(id, ({ complete }) => complete)
  expect([done, records < NOTES]).toMatchObject([{ records: NOTES }, true])
  expect(vendor.http.requests.length).toBeGreaterThan(asked)
  expect(vendor.listings).toBe(1)
  expect(vendor.http.requests.length).toBeLessThan(PAGES + 10)
  await second.stop()
})

test('a folder belongs to one process: a worker beside a service is refused', async () => {
  await using folder = folderFleet()
  await folder.start({ ...OPTIONS, args: ['--no-jobs'] })
  const { code, err } = await folder.run(['worker'], OPTIONS.env)
  expect([code, err]).toEqual([2, expect.stringContaining('another service uses the folder')])
})
