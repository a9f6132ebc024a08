// What becomes of accounts when another version of their connector begins to serve.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService({ connectors: ['jira'], publishOrganization: 'default', jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

interface Copy {
  readonly entity: string
  readonly state: string
  readonly failures: number
  readonly next_run_at: string | null
  readonly last_synced_at: string | null
}

async function users(id: string): Promise<Copy | undefined> {
  const { body } = await world.call('GET', `/v1/integrations/connectors/${id}/sync`)
  return (body as { readonly data: readonly Copy[] }).data.find(({ entity }) => entity === 'users')
}

async function versionsOf(id: string): Promise<unknown> {
  const { body } = await world.call('GET', `/v1/integrations/connectors/${id}`)
  const { connector_version: made, served_version: served } = body as Record<string, unknown>
  return { made, served }
}

test('an account tells which version serves it; what fails is tried at once with another one', async () => {
  const id = await world.connect('jira')
  await eventually(async () => (await users(id))?.state === 'ready')
  expect(await versionsOf(id)).toEqual({ made: '1.0.0', served: '1.0.0' })
  const text = (await world.service.workshop?.textOf('jira')) ?? ''
  const next = text.replace('version: 1.0.0', 'version: 1.0.1')
  expect(await world.call('POST', '/v1/manifests', { text: next })).toMatchObject({ status: 201 })
  expect(await versionsOf(id)).toEqual({ made: '1.0.0', served: '1.0.1' })
  world.vendor('jira').fail('users.list', { mode: 'status', status: 404, times: 1 })
  await world.call('POST', `/v1/integrations/connectors/${id}/sync`, { entities: ['users'] })
  // The next attempt is planned once the failed one has ended.
  const isPlanned = ({ failures, next_run_at: next }: Copy): boolean =>
    failures === 1 && next !== null
  await eventually(async () => {
    const copy = await users(id)
    return copy !== undefined && isPlanned(copy)
  })
  const planned = Date.parse((await users(id))?.next_run_at ?? '')
  const back = await world.call('DELETE', '/v1/manifests/jira/versions/1.0.1')
  expect(back).toMatchObject({ status: 200 })
  expect(await versionsOf(id)).toEqual({ made: '1.0.0', served: '1.0.0' })
  await eventually(async () => (await users(id))?.failures === 0)
  expect(Date.parse((await users(id))?.last_synced_at ?? '')).toBeLessThan(planned)
})
