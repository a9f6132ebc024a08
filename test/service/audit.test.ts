// The audit log: every route that changes something leaves one event, names and no values.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

const COLLECTION = '/v1/integrations/connectors'

test('A1 every change is one event, with who, what and which members', async () => {
  const gong = await world.connect('gong')
  const jira = await world.connect('jira')
  const created = world.vendor('jira').example('issues.create')
  await world.call('PATCH', `${COLLECTION}/${gong}`, { name: 'secret-name' })
  await world.call('POST', `/api/v1/connectors/sources/${gong}/execute`, {
    entity: 'call_audio',
    action: 'download',
    params: world.vendor('gong').example('call_audio.download'),
  })
  await world.call('POST', `/api/v1/connectors/sources/${jira}/execute`, {
    entity: 'issues',
    action: 'create',
    params: created,
  })
  await world.call('POST', `/api/v1/connectors/sources/${jira}/execute`, {
    entity: 'issues',
    action: 'delete',
    params: { issueIdOrKey: 'OPS-999999' },
  })
  await world.call('DELETE', `${COLLECTION}/${gong}`)
  const { store } = world.service
  const owner = { organizationId: 'default' }
  const eventsOf = async (instanceId: string) =>
    (await store.audit.list(owner, { instanceId, limit: 100 }))
      .toReversed()
      .map(({ action, target, outcome, members, actor }) => [
        action,
        target,
        outcome,
        members,
        actor,
      ])
  const of = (id: string) => [
    'instance.create',
    id,
    'done',
    ['external_user_id', 'connector_type', 'name', 'credentials', 'config'],
    'default',
  ]
  expect((await eventsOf(jira)).filter(([action]) => action !== 'instance.state')).toEqual([
    of(jira),
    ['execute.create', 'issues.create', 'done', [], 'default'],
    ['execute.delete', 'issues.delete', 'upstream_not_found', [], 'default'],
  ])
  expect(await store.audit.verify()).toBe(null)
  const above = await store.audit.list(owner, { limit: 100 })
  expect(new Set(above.map(({ action }) => action))).toEqual(new Set(['token.mint']))
  expect(JSON.stringify([await eventsOf(jira), above])).not.toContain('secret-name')
})

test('A1 an event that was altered is found', async () => {
  const { store } = world.service
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(`${world.folder}/state.sqlite`)
  file.exec(`update audit_event set outcome = 'other' where seq = 1`)
  file.close()
  expect(await store.audit.verify()).toMatchObject({ seq: 1, problem: 'changed' })
})
