// Secrets of applications: with an end, next to an earlier one for a while, with their last use.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashSecret, randomText } from '../../../src/service/tokens/token-text.ts'
import { organizationEntry, PERSON } from '../../contracts/store/rows.ts'
import { tamper } from '../../contracts/store/subject.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

const DAY_MS = 86_400_000

let world: RunningService
let cookie: string
let offsetMs = 0
let monotonicMs = 0

beforeAll(async () => {
  world = await runService({ mode: 'dev' })
  const text = randomText()
  const person = { ...PERSON, organizationId: 'default', subject: 'ada' }
  const session = { sessionHash: hashSecret(text), lifeMs: 12 * 3_600_000 }
  const entry = organizationEntry('default', 'console.sign_in')
  await world.service.store.people.signIn({ ...person, role: 'administrator' }, session, entry)
  cookie = `tenon-console-${new URL(world.url).port}=${text}`
  const { clock } = world.service
  const now = clock.now.bind(clock)
  const monotonic = clock.monotonic.bind(clock)
  Object.assign(clock, {
    now: () => now() + offsetMs,
    monotonic: () => monotonic() + monotonicMs,
  })
})
afterAll(() => world[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: unknown): Promise<CallAnswer> {
  const headers = { 'x-tenon-console': '1', cookie }
  const at = `/console/api/v1/settings/applications${path}`
  return await world.call(method, at, body, { as: null, headers })
}

interface Made {
  readonly client_id: string
  readonly client_secret: string
}

interface Shown {
  readonly client_id: string
  readonly secret: { readonly used_at: string | null }
  readonly earlier_secrets: readonly object[]
}

async function make(body: object = {}): Promise<Made> {
  return (await ask('POST', '', { name: 'app', ...body })).body as Made
}

async function rotate({ client_id: id }: Made, body?: object): Promise<Made> {
  return (await ask('POST', `/${id}/rotate-secret`, body)).body as Made
}

async function shown({ client_id: id }: Made): Promise<Shown | undefined> {
  const { data } = (await ask('GET', '')).body as { data: readonly Shown[] }
  return data.find((each) => each.client_id === id)
}

async function mint(made: Made): Promise<readonly unknown[]> {
  const answer = await world.call('POST', '/v1/account/applications/token', made, { as: null })
  return [answer.status, (answer.body as { detail?: string }).detail]
}

const GOOD = [200, undefined]
const WRONG = [401, 'client_id or client_secret is wrong']

async function lastEvents(count: number): Promise<readonly object[]> {
  return await world.service.store.audit.list({ organizationId: 'default' }, { limit: count })
}

test('both secrets are good until the chosen time, then the new one alone', async () => {
  const first = await make()
  const second = await rotate(first, { keep_seconds: 3600 })
  expect([await mint(first), await mint(second)]).toEqual([GOOD, GOOD])
  const until = expect.stringMatching(/^earlier until \d{4}-/)
  const [event] = (await lastEvents(3)).filter((each) => JSON.stringify(each).includes('rotate'))
  expect(event).toMatchObject({
    action: 'application.rotate_secret',
    actor: 'person:ada@example.com',
    members: ['client_secret', until],
  })
  expect(await shown(first)).toMatchObject({
    secret: { made_by: 'person:ada@example.com', ends_at: null },
    earlier_secrets: [{ ends_at: expect.any(String) }],
  })
  offsetMs += 3_601_000
  expect([await mint(first), await mint(second)]).toEqual([WRONG, GOOD])
  expect(await shown(first)).toMatchObject({ earlier_secrets: [] })
})

test('without a time the old secret ends at once, and with it all that were kept', async () => {
  const first = await make()
  const second = await rotate(first, { keep_seconds: 3600 })
  const third = await rotate(first)
  expect([await mint(first), await mint(second), await mint(third)]).toEqual([WRONG, WRONG, GOOD])
})

test('earlier secrets are ended before their time, and the log says so', async () => {
  const first = await make()
  const second = await rotate(first, { keep_seconds: 2_592_000 })
  const ended = await ask('POST', `/${first.client_id}/end-secrets`)
  expect(ended.body).toEqual({ ended: 1 })
  expect(await lastEvents(1)).toMatchObject([{ action: 'application.end_secrets' }])
  expect([await mint(first), await mint(second)]).toEqual([WRONG, GOOD])
})

test('a secret with an end is refused after it, and only who has it is told why', async () => {
  const at = new Date(Date.now() + offsetMs + 10 * DAY_MS).toISOString()
  const made = await make({ secret_expires_at: at })
  expect(await shown(made)).toMatchObject({ secret: { ends_at: at } })
  expect(await mint(made)).toEqual(GOOD)
  offsetMs += 10 * DAY_MS
  expect(await mint(made)).toEqual([
    401,
    'this client_secret has expired; have an administrator make another one',
  ])
  expect(await mint({ ...made, client_secret: 'other' })).toEqual(WRONG)
})

test('what is no time to come, and too long a time, is refused', async () => {
  const made = await make()
  const path = `/${made.client_id}/rotate-secret`
  for (const [body, pointer] of [
    [{ expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ keep_seconds: 2_592_001 }, '/keep_seconds'],
  ] as const)
    expect((await ask('POST', path, body)).body).toMatchObject({
      code: 'request_malformed',
      errors: [{ pointer }],
    })
  expect(await mint(made)).toEqual(GOOD)
})

test('the last use of a secret is written behind the answer', async () => {
  const made = await make()
  expect(await shown(made)).toMatchObject({ secret: { used_at: null } })
  await mint(made)
  await expect
    .poll(() => shown(made))
    .toMatchObject({ secret: { used_at: expect.stringMatching(/^\d{4}-/) } })
  // It is known to a minute: after one it is written again.
  const usedAt = async (): Promise<number> =>
    Date.parse((await shown(made))?.secret.used_at ?? '1970-01-01')
  const first = await usedAt()
  const { store } = world.service
  const where = `where client_id = '${made.client_id}'`
  await tamper(store, `update application_secret set used_at = used_at - 61000 ${where}`)
  monotonicMs += 61_000
  await mint(made)
  await expect.poll(usedAt).toBeGreaterThanOrEqual(first)
})

test('a process of an earlier version that rotates leaves no secret good but its own', async () => {
  const made = await make()
  const { store } = world.service
  // As it was written before secrets had rows of their own.
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(`${world.folder}/state.sqlite`, { timeout: 60_000 })
  file
    .prepare('update application set secret_hash = ? where client_id = ?')
    .run(hashSecret('tenon_cs_other'), made.client_id)
  file.close()
  expect(await mint(made)).toEqual(WRONG)
  expect(await mint({ ...made, client_secret: 'tenon_cs_other' })).toEqual(GOOD)
  expect((await store.applications.byClientId(made.client_id))?.disabledAt).toBe(null)
})
