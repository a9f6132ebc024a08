// What starts the copies of an account starts each of them once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService({ jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

type Change = (id: string) => Promise<void>

const set =
  (body: object): Change =>
  async (id) => {
    const { status, text } = await world.call('PATCH', `/v1/integrations/connectors/${id}`, body)
    if (status !== 200) throw new Error(text)
  }

const disable = set({ enabled: false })
const enable = set({ enabled: true })
const pause = set({ sync: { enabled: false } })
const resume = set({ sync: { enabled: true } })

async function refuse(id: string): Promise<void> {
  const { store } = world.service
  const reason = { code: 'revoked_upstream', detail: 'gone', since: 0, upstreamStatus: 401 }
  await store.instances.setState(id, { from: ['active'], to: 'auth_error', reason })
}

async function check(id: string): Promise<void> {
  const path = `/v1/integrations/connectors/${id}/check`
  const { body, text } = await world.call('POST', path, {})
  if ((body as { readonly result: string }).result !== 'ok') throw new Error(text)
}

async function reconnect(id: string): Promise<void> {
  const { connectorType } = (await world.service.store.instances.find(id)) ?? {}
  const { credentials } = world.vendor(connectorType ?? '').options()
  await set({ credentials })(id)
}

async function outage(): Promise<void> {
  world.vendor('gong').fail('*', { mode: 'status', status: 500, times: 100_000 })
  await Promise.resolve()
}

/** Every copy was read, and none is due within moments. */
async function untilAtRest(id: string): Promise<void> {
  await eventually(async () => {
    const jobs = (await world.service.store.jobs.list(id)).filter(
      ({ kind }) => kind !== 'subscribe',
    )
    const soon = Date.now() + 10_000
    return (
      jobs.some(({ kind }) => kind === 'sync') &&
      jobs.every(({ isHeld, dueAt, againAt }) => !isHeld && againAt === null && dueAt > soon)
    )
  })
}

/** How many turns of each entity the logs have. */
async function turns(id: string): Promise<Readonly<Record<string, number>>> {
  await world.service.logs.flush()
  const path = `/v1/logs?connector_id=${id}&kind=sync&limit=100`
  const { body } = await world.call('GET', path)
  const counts: Record<string, number> = {}
  for (const { entity } of (body as { readonly data: readonly { readonly entity: string }[] }).data)
    counts[entity] = (counts[entity] ?? 0) + 1
  return counts
}

const ENTITIES = {
  gong: ['calls', 'calls_extensive', 'settings_scorecards', 'stats_activity_scorecards', 'users'],
  github: ['issue_comments', 'issues', 'milestones', 'pull_requests', 'releases', 'repositories'],
}

// The outage is last: its third party is left alone behind it.
test.for<{
  readonly name: string
  readonly type: keyof typeof ENTITIES
  readonly before: readonly Change[]
  readonly change: Change | null
}>([
  { name: 'gong is connected', type: 'gong', before: [], change: null },
  { name: 'gong is enabled', type: 'gong', before: [disable], change: enable },
  { name: 'gong is healed by a check', type: 'gong', before: [refuse], change: check },
  { name: 'gong gets new credentials', type: 'gong', before: [refuse], change: reconnect },
  { name: 'gong gets others while it works', type: 'gong', before: [], change: reconnect },
  { name: 'gong is resumed', type: 'gong', before: [pause], change: resume },
  { name: 'github is connected', type: 'github', before: [], change: null },
  { name: 'github is enabled', type: 'github', before: [disable], change: enable },
  { name: 'github is healed by a check', type: 'github', before: [refuse], change: check },
  { name: 'github gets new credentials', type: 'github', before: [refuse], change: reconnect },
  { name: 'github is resumed', type: 'github', before: [pause], change: resume },
  { name: 'gong is enabled in an outage', type: 'gong', before: [disable, outage], change: enable },
])('$name: each copy is read once', { timeout: 120_000 }, async ({ type, before, change }) => {
  const id = await world.connect(type)
  await untilAtRest(id)
  let known: Readonly<Record<string, number>> = {}
  for (const step of before) {
    await step(id)
    await untilAtRest(id)
  }
  if (change !== null) {
    known = await turns(id)
    await change(id)
  }
  const since = async (): Promise<Readonly<Record<string, number>>> => {
    const now = Object.entries(await turns(id))
    return Object.fromEntries(now.map(([entity, count]) => [entity, count - (known[entity] ?? 0)]))
  }
  // What follows from a change is done behind its answer.
  await eventually(async () => {
    const counts = await since()
    return ENTITIES[type].every((entity) => (counts[entity] ?? 0) > 0)
  })
  await untilAtRest(id)
  expect(await since()).toEqual(Object.fromEntries(ENTITIES[type].map((entity) => [entity, 1])))
})

test('an account whose check could not be made is read all the same, and at once', async () => {
  await outage()
  const id = await world.connect('gong')
  expect((await world.service.store.instances.find(id))?.state).toBe('pending')
  await eventually(async () => {
    const jobs = await world.service.store.jobs.list(id)
    return ENTITIES.gong.every((entity) =>
      jobs.some(({ kind, key }) => kind === 'sync' && key === entity),
    )
    // Else its plan would begin a minute after it was made.
  }, 30_000)
})
