// Refused uses of applications as the audit log has them, from the request that was refused to what is told of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditOf } from '../../../src/service/audit.ts'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { refusedUses } from '../../../src/service/tokens/refused-uses.ts'
import { signedIn } from '../../fixtures/console-session.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

const DAY_MS = 86_400_000
const NONE = { last_day: 0, last_week: 0, at_least: false, reasons: [], last: null }

let world: RunningService

beforeAll(async () => {
  world = await runService({ mode: 'dev' })
})
afterAll(() => world[Symbol.asyncDispose]())

async function told(): Promise<ReadonlyMap<string, unknown>> {
  const { name, value } = await signedIn(world)
  const headers = { 'x-tenon-console': '1', cookie: `${name}=${value}` }
  const path = '/console/api/v1/settings/applications'
  const { data } = (await world.call('GET', path, undefined, { as: null, headers })).body as {
    data: readonly { readonly client_id: string; readonly refused: unknown }[]
  }
  return new Map(data.map(({ client_id: id, refused }) => [id, refused]))
}

test('refused secrets are told at their application, with why, how often and from where', async () => {
  const { service } = world
  const made = await createApplication(service, {
    name: 'a name (with an end)',
    organizationId: 'default',
    redirectUrls: [],
    secretEndsAt: Date.now() - 1,
  })
  const mint = async (secret: string, id = made.clientId): Promise<void> => {
    const body = { client_id: id, client_secret: secret }
    await world.call('POST', '/v1/account/applications/token', body, { as: null })
  }
  await mint(made.clientSecret)
  for (let n = 0; n < 3; n++) await mint('wrong')
  await mint('wrong', 'of-nobody')
  // What is counted is written when the service ends as well.
  await service.refusals.close()
  const last = { at: expect.any(String), address: '127.0.0.1' }
  const refused = await told()
  expect(refused.get('default')).toEqual(NONE)
  expect(refused.get(made.clientId)).toEqual({
    last_day: 4,
    last_week: 4,
    at_least: false,
    reasons: [
      { reason: 'wrong_secret', times: 3 },
      { reason: 'expired_secret', times: 1 },
    ],
    last: { ...last, reason: expect.stringMatching(/^(wrong|expired)_secret$/) },
  })
})

test('what is older than a day is counted by the week, tokens of end users and people are not', async () => {
  const { store, clock } = world.service
  const refuse = async (clientId: string, members: readonly string[], outcome: string) => {
    const about = { target: 'execute', outcome, members: ['first at x', ...members] }
    const actor = { organizationId: 'org-2', clientId, address: '192.0.2.7' }
    await store.audit.append(auditOf(actor, null, 'access.refuse', about))
  }
  await refuse('unknown', ['wrong secret of app (app-1)'], 'client_invalid, 2 times')
  await refuse('unknown', ['disabled application: secret of app (app-1)'], 'rate_limited, 1 time')
  await refuse('unknown', ['no role for person:ada (app-1)'], 'scope_denied, 9 times')
  await refuse('app-1', ['this needs more'], 'scope_denied, 4 times')
  await refuse('app-1', ['token for user:0123'], 'scope_denied, 9 times')
  const uses = async (ago: number) => {
    const later = { ...clock, now: () => clock.now() + ago }
    return (await refusedUses({ store, clock: later }, 'org-2'))('app-1')
  }
  const reasons = [
    { reason: 'not_permitted', times: 4 },
    { reason: 'wrong_secret', times: 2 },
    { reason: 'disabled', times: 1 },
  ]
  const last = { at: expect.any(Number), reason: 'not_permitted', address: '192.0.2.7' }
  const week = { lastWeek: 7, isAtLeast: false, reasons, last }
  expect(await uses(0)).toEqual({ ...week, lastDay: 7 })
  expect(await uses(2 * DAY_MS)).toEqual({ ...week, lastDay: 0 })
  expect(await uses(8 * DAY_MS)).toEqual({
    lastDay: 0,
    lastWeek: 0,
    isAtLeast: false,
    reasons: [],
    last: null,
  })
})
