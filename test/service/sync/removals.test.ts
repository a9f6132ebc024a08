// What an operator says about removals, over HTTP: a suspicious listing is confirmed, what a run removed comes back.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchIndex } from '../../../src/copy/search/search-index.ts'
import { serviceClient } from '../../../src/client/service-client.ts'
import { openSqliteSearchIndex } from '../../../src/copy/sqlite/sqlite-search-index.ts'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
let gong: string
beforeAll(async () => {
  world = await runService({ jobs: true })
  gong = await world.connect('gong')
  await eventually(async () => (await users()).state === 'ready')
})
afterAll(() => world[Symbol.asyncDispose]())

const at = (): string => `/v1/integrations/connectors/${gong}/sync`

async function users(): Promise<Record<string, unknown>> {
  const { body } = await world.call('GET', `${at()}?entity=users`)
  return (body as { readonly data: Record<string, unknown>[] }).data[0] ?? {}
}

/** The copies, as the command line opens them next to a service. */
async function onCopies<T>(work: (index: SearchIndex) => Promise<T>): Promise<T> {
  const index = openSqliteSearchIndex({ folder: join(world.folder, 'copies'), isGuest: true })
  try {
    return await work(index)
  } finally {
    await index.close()
  }
}

async function write(
  facts: (before: object) => object,
  more: Partial<Parameters<SearchIndex['write']>[0]> = {},
): Promise<void> {
  await onCopies(async (index) => {
    const copy = (await index.copies({ instanceId: gong, entity: 'users' })).at(-1)
    if (copy === undefined) throw new TypeError('users are copied')
    const text = JSON.stringify(facts(JSON.parse(copy.facts) as object))
    await index.write({ copy, fence: null, observedAtMs: Date.now(), facts: text, ...more })
  })
}

async function audited(action: string): Promise<readonly string[]> {
  const owner = { organizationId: 'default' }
  const entries = await world.service.store.audit.list(owner, { instanceId: gong, limit: 100 })
  return entries.filter((entry) => entry.action === action).map(({ target }) => target)
}

test('a calm entity has nothing to confirm, and an unknown one is refused', async () => {
  const calm = await world.call('POST', `${at()}/confirm`, { entity: 'users' })
  expect([calm.status, calm.body]).toEqual([
    200,
    { entity: 'users', confirmed: false, missing: null },
  ])
  const unknown = await world.call('POST', `${at()}/confirm`, { entity: 'nothing' })
  expect([unknown.status, unknown.body]).toMatchObject([
    400,
    { errors: [{ pointer: '/entity', code: 'unknown' }] },
  ])
})

test('a listing that lacks too much is confirmed, and read again at once', async () => {
  await write((facts) => ({
    ...facts,
    suspicious: { runId: 'run-1', missing: 1234, atMs: Date.now() },
  }))
  const answer = await world.call('POST', `${at()}/confirm`, { entity: 'users' })
  expect([answer.status, answer.body]).toEqual([
    200,
    { entity: 'users', confirmed: true, missing: 1234 },
  ])
  expect(await audited('sync.confirm')).toEqual(['users'])
  // The reading finds everything, so that nothing is suspicious any more.
  await eventually(async () => (await users()).state === 'ready')
})

test('a listing that was not read to its end is not confirmed', async () => {
  const bound = { name: 'pages', limit: 10, kind: 'full' }
  const suspicious = { runId: 'run-1', missing: 0, atMs: Date.now(), reason: 'bound_met', bound }
  await write((facts) => ({ ...facts, suspicious }))
  const answer = await world.call('POST', `${at()}/confirm`, { entity: 'users' })
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { errors: [{ pointer: '/entity', code: 'unread' }] },
  ])
  await write((facts) => ({ ...facts, suspicious: null }))
})

test('what a run has changed is told, until it changes again', async () => {
  const { data } = (await world.call('GET', `${at()}?entity=users&history=true`)).body as {
    readonly data: readonly { readonly runs: readonly { run_id: string; changed: number }[] }[]
  }
  const runs = data[0]?.runs ?? []
  const [first, last] = [runs.at(-1), runs[0]]
  const client = serviceClient({ baseUrl: world.url, token: world.token })
  const changesOf = async (run_id = '') =>
    await client.changes.list(gong, 'users', { run_id, limit: 3 }).toArray({ limit: 1_000 })
  const told = await changesOf(first?.run_id)
  expect(told.length).toBe(first?.changed)
  expect(new Set(told.map(({ change }) => change))).toEqual(new Set(['added']))
  if (last?.run_id !== first?.run_id && last?.changed === 0)
    expect(await changesOf(last.run_id)).toEqual([])
  const unknown = await world.call(
    'GET',
    `/v1/integrations/connectors/${gong}/changes?entity=users&run_id=none`,
  )
  expect([unknown.status, unknown.body]).toMatchObject([
    400,
    { errors: [{ pointer: '/run_id', code: 'unknown' }] },
  ])
  await client.close()
})

test('what a run removed is back, once', async () => {
  const before = await users()
  const ids = await onCopies(async (index) => {
    const copy = (await index.copies({ instanceId: gong, entity: 'users' })).at(-1)
    if (copy === undefined) throw new TypeError('users are copied')
    return (await index.documents(copy, -1, 3)).map(({ recordId }) => recordId)
  })
  const remove = { ids, runId: 'run-of-removals', atMs: Date.now() }
  await write((facts) => facts, { remove })
  await eventually(async () => (await users()).records === Number(before.records) - 3)
  const body = { run_id: 'run-of-removals' }
  const undone = await world.call('POST', `${at()}/undo`, body)
  expect([undone.status, undone.body]).toEqual([200, { ...body, restored: 3 }])
  expect((await users()).records).toBe(before.records)
  expect((await world.call('POST', `${at()}/undo`, body)).body).toEqual({ ...body, restored: 0 })
  expect(await audited('sync.undo_deletes')).toEqual(['run-of-removals'])
})

test('the first cause of failures is kept, whatever follows from it', async () => {
  const cause = { code: 'upstream_forbidden', message: 'no scope', atMs: Date.now() - 60_000 }
  const latest = {
    code: 'upstream_suspended',
    message: 'left alone',
    atMs: Date.now(),
    suspendedUntilMs: Date.UTC(2026, 10, 1),
    cause: { code: 'upstream_timeout', message: 'silence' },
  }
  await write((facts) => ({ ...facts, firstError: cause, lastError: latest, failures: 3 }))
  expect(await users()).toMatchObject({
    state: 'error',
    failures: 3,
    first_error: {
      code: 'upstream_forbidden',
      detail: 'no scope',
      suspended_until: null,
      cause: null,
    },
    last_error: {
      code: 'upstream_suspended',
      suspended_until: '2026-11-01T00:00:00.000Z',
      cause: { code: 'upstream_timeout', detail: 'silence' },
    },
  })
  await world.call('POST', at(), { entities: ['users'] })
  await eventually(async () => (await users()).state === 'ready')
  expect(await users()).toMatchObject({ failures: 0, first_error: null, last_error: null })
})

test('an end user’s token undoes nothing', async () => {
  const token = await world.scoped({ external_user_id: 'user-1' })
  const answer = await world.call('POST', `${at()}/undo`, { run_id: 'x' }, { as: token })
  expect(answer.status).toBe(403)
})
