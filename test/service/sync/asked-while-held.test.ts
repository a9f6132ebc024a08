// What somebody asks for while a third party is left alone is done once that is over, and makes nothing worse until then.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StartedSync, SyncStatus } from '../../../src/client/service-bodies.ts'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService({ jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const at = (id: string): string => `/v1/integrations/connectors/${id}/sync`

async function copiesOf(id: string): Promise<readonly SyncStatus[]> {
  const { body } = await world.call('GET', at(id))
  return (body as { readonly data: readonly SyncStatus[] }).data
}

async function ask(id: string, body: object = {}, headers = {}): Promise<readonly StartedSync[]> {
  const answer = await world.call('POST', at(id), body, { headers })
  return (answer.body as { readonly data: readonly StartedSync[] }).data
}

test('the copies that are well stay ready, and all that was asked for is read when nobody holds it back', async () => {
  const id = await world.connect('gong')
  await eventually(async () => {
    const copies = await copiesOf(id)
    return copies.length > 0 && copies.every(({ state }) => state === 'ready')
  })
  // So many in a row, and it is left alone.
  world.vendor('gong').fail('users.list', { mode: 'status', status: 500, times: 5 })
  const suspendedUntil = async (): Promise<string | null> => {
    const copies = await copiesOf(id)
    return copies.find(({ entity }) => entity === 'users')?.last_error?.suspended_until ?? null
  }
  while ((await suspendedUntil()) === null) {
    const ended = await ask(id, { entities: ['users'] }, { prefer: 'wait=60' })
    expect(ended).toMatchObject([{ entity: 'users', state: 'failed' }])
  }
  const until = Date.parse((await suspendedUntil()) ?? '')
  const before = await copiesOf(id)
  const asked = ask(id, {}, { prefer: 'wait=60' })
  // Nothing was sent, and each of them waits for the end of that.
  const isPlanned = ({ next_run_at: next }: SyncStatus): boolean => {
    const dueMs = Date.parse(next ?? '')
    return dueMs > Date.now() && dueMs < until + 5_000
  }
  await eventually(async () => (await copiesOf(id)).every(isPlanned))
  const facts = (copies: readonly SyncStatus[]): readonly object[] =>
    copies.map(({ entity, state, failures, run }) => [entity, state, failures, run !== null])
  expect(facts(await copiesOf(id))).toEqual(facts(before))
  // Who waits for the runs is told of a failure where there was one before.
  const want = (entity: string): string => (entity === 'users' ? 'failed' : 'done')
  expect((await asked).map(({ entity, state }) => [entity, state])).toEqual(
    before.map(({ entity }) => [entity, want(entity)]),
  )
  expect((await copiesOf(id)).map(({ state }) => state)).toEqual(before.map(() => 'ready'))
}, 120_000)
