import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteSearchIndex } from '../../src/copy/sqlite/sqlite-search-index.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'
import type { Run } from './run-tenon.ts'

let running: RunningService
let gong: string

beforeAll(async () => {
  running = await runService({ jobs: true })
  gong = await running.connect('gong')
})
afterAll(() => running[Symbol.asyncDispose]())

async function sync(...args: readonly string[]): Promise<Run> {
  return await tenonHere(['sync', ...args], {
    env: { TENON_URL: running.url, TENON_TOKEN: running.token, TENON_DATA: running.folder },
  })
}

interface Shown {
  readonly entity: string
  readonly state: string
  readonly records: number
}

test('copies are watched until they are filled', async () => {
  const { code, out } = await sync('status', gong, '--watch', '--json')
  const lines = out.trim().split('\n')
  const last = JSON.parse(lines.at(-1) ?? '') as readonly Shown[]
  expect([code, last.map(({ state }) => state)]).toEqual([0, last.map(() => 'ready')])
  expect(last.find(({ entity }) => entity === 'users')?.records).toBe(
    running.vendor('gong').records('users').length,
  )
  expect((await sync('status', gong)).out).toMatch(/^users +ready +\d+/m)
})

test('a run on demand says that it is on its way', async () => {
  const { code, out } = await sync('run', gong, 'users', '--full', '--json')
  expect([code, JSON.parse(out)]).toMatchObject([0, [{ entity: 'users' }]])
  const unknown = await sync('run', gong, 'nothing')
  expect(unknown.code).not.toBe(0)
})

test('a run can be waited for, and its end is told', async () => {
  const { code, out } = await sync('run', gong, 'users', '--full', '--wait', '--json')
  const users = running.vendor('gong').records('users').length
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    [{ entity: 'users', state: 'ready', records: users, run: 'full', read: users, removed: 0 }],
  ])
  expect((await sync('run', gong, 'users', '--wait')).out).toMatch(/^users +ready +\d+ +full/m)
})

test('what a run removed comes back', async () => {
  const { service } = running
  const before = (await service.store.jobs.list(gong)).length
  expect(before).toBeGreaterThan(0)
  const none = await sync('undo-deletes', gong, 'no-such-run')
  expect([none.code, none.out]).toEqual([1, '0 records are back\n'])
  const calm = await sync('confirm', gong, 'users')
  expect([calm.code, calm.out]).toEqual([
    1,
    'users is not suspicious: there is nothing to confirm\n',
  ])
  const stranger = await sync('undo-deletes', '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10', 'x')
  expect(stranger.code).toBe(2)
})

/** As if a run of users had ended so, once no other one is under way or due, which would end otherwise. */
async function suspect(suspicious: object | null, more: object = {}): Promise<void> {
  const { jobs } = running.service.store
  await expect
    .poll(async () =>
      (await jobs.list(gong)).filter(({ isHeld, dueAt }) => isHeld || dueAt <= Date.now()),
    )
    .toEqual([])
  const index = openSqliteSearchIndex({
    folder: join(running.folder, 'copies'),
    isGuest: true,
  })
  const copy = (await index.copies({ instanceId: gong, entity: 'users' })).at(-1)
  if (copy === undefined) throw new TypeError('users are copied')
  const facts = JSON.stringify({ ...(JSON.parse(copy.facts) as object), suspicious, ...more })
  await index.write({ copy, fence: null, observedAtMs: Date.now(), facts })
  await index.close()
}

test('a run that met a bound is told, with the setting that raises it, and nothing is confirmed', async () => {
  const bound = { name: 'pages_without_new', limit: 1500, kind: 'full' }
  await suspect({ runId: 'run-1', missing: 0, atMs: Date.now(), reason: 'bound_met', bound })
  const { code, out, err } = await sync('status', gong)
  expect(code).toBe(0)
  expect(out).toMatch(/^users +suspicious +/m)
  expect(err).toBe(
    'users: a run read 1,500 pages in a row without a new record, which is as much as it may, before its listing ended. What it read is kept, and nothing was removed. If the third party has so much, raise sync.bounds of the manifest or TENON_SYNC_MAX_PAGES_WITHOUT_NEW; otherwise it does not end its listing\n',
  )
  expect((await sync('confirm', gong, 'users')).code).toBe(2)
})

test('a listing that lacks too much is told, with what to do about it', async () => {
  await suspect({ runId: 'run-1', missing: 1234, atMs: Date.now() })
  const { code, out, err } = await sync('status', gong)
  expect(code).toBe(0)
  expect(out).toMatch(/^entity +state +records +missing +/m)
  expect(out).toMatch(/^users +suspicious +\d+ +1234 /m)
  expect(err).toBe(
    `users: the last listing lacks 1,234 records, too many to be removed at once; they are kept. If they are gone on purpose: tenon sync confirm ${gong} users\n`,
  )
  expect((await sync('confirm', gong, 'users')).out).toBe(
    '1234 records go when the next complete listing lacks them as well\n',
  )
})

test('records that were left out are told by number, reason and place', async () => {
  const examples = [
    { page: 2, index: 4, path: 'id', reason: 'null' },
    { page: null, index: 0, path: 'id', reason: 'missing' },
  ]
  const leftOut = { records: 1200, reasons: { null: 1199, missing: 1 }, examples }
  await suspect(null, { leftOut, gaps: ['count_unmet', 'left_out'] })
  const { code, out, err } = await sync('status', gong)
  expect(code).toBe(0)
  expect(out).toMatch(/^users +ready +\d+ +1200 /m)
  expect(err).toBe(
    `users: 1,200 records have no usable key (1199 null, 1 missing) and are left out, so that the copy is not whole. What a listing lacks is removed only where its own get does not find it. The first of them:
  page 2, record 5: id null
  asked for alone: id missing
users: the copy may lack records: the third party counts more than it listed
`,
  )
  const shown = JSON.parse((await sync('status', gong, '--json')).out) as readonly {
    readonly entity: string
  }[]
  expect(shown.find(({ entity }) => entity === 'users')).toMatchObject({
    complete: false,
    gaps: ['count_unmet', 'left_out'],
    left_out: leftOut,
  })
  await suspect(null, { leftOut: undefined, gaps: undefined })
})
