// What an instance tells of its access: the end of its token, and the scopes that it has and lacks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consentedAccount } from '../../fixtures/consented-account.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

async function accessOf(id: string): Promise<{ readonly expires_at: string | null }> {
  const answer = await world.call('GET', `/v1/integrations/connectors/${id}/access`)
  expect(answer.status).toBe(200)
  return answer.body as { readonly expires_at: string | null }
}

const WANTED = ['offline_access', 'read:jira-work', 'write:jira-work', 'read:jira-user']

test('a key has no end, and nobody grants it scopes', async () => {
  expect(await accessOf(await world.connect('gong'))).toEqual({
    auth_method: 'access_key',
    expires_at: null,
    renewal: 'credentials',
    granted_scopes: null,
    wanted_scopes: [],
    missing_scopes: [],
  })
})

test('the token of a consent ends when the vendor said, and is renewed', async () => {
  const from = Date.now()
  const access = await accessOf(await consentedAccount(world, null))
  const untilMs = Date.parse(access.expires_at ?? '') - from
  // The local vendor gives tokens for an hour.
  expect(untilMs).toBeGreaterThan(3_590_000)
  expect(untilMs).toBeLessThan(3_600_000 + (Date.now() - from) + 1)
  expect(access).toEqual({
    auth_method: 'oauth',
    expires_at: expect.any(String),
    renewal: 'automatic',
    granted_scopes: WANTED,
    wanted_scopes: WANTED,
    missing_scopes: [],
  })
})

test('what was not agreed to is named with the operations that need it', async () => {
  const id = await consentedAccount(world, ['offline_access', 'read:jira-work', 'read:jira-user'])
  const access = await accessOf(id)
  expect(access).toMatchObject({
    granted_scopes: ['offline_access', 'read:jira-work', 'read:jira-user'],
    missing_scopes: [
      {
        scope: 'write:jira-work',
        title: expect.any(String),
        operations: expect.arrayContaining(['issues.create', 'issues.update']),
      },
    ],
  })
  const text = JSON.stringify(access)
  expect(text).not.toContain('issues.list')
})

test('without a refresh token the user has to agree again', async () => {
  const id = await world.connect('facebook-marketing')
  expect(await accessOf(id)).toMatchObject({ expires_at: null, renewal: 'consent' })
})
