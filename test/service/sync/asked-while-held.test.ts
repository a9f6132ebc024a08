// What somebody asks for while a third party is left alone is done once that is over, and makes nothing worse until then.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StartedSync, SyncStatus } from '../../../src/client/service-bodies.ts'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { connectRead, copiesOf, syncPath } from './copies-of.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService({ jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

async function ask(id: string, body: object = {}, headers = {}): Promise<readonly StartedSync[]> {
  const answer = await world.call('POST', syncPath(id), body, { headers })
  return (answer.body as { readonly data: readonly StartedSync[] }).data
}

test('the copies that are well stay ready, and all that was asked for is read when nobody holds it back', async () => {
  const id = await connectRead(world, 'gong')
  // So many in a row, and it is left alone.
  world.vendor('gong').fail('users.list', { mode: 'status', status: 500, times: 5 })
  const suspendedUntil = async (): Promise<string | null> => {
    const copies = await copiesOf(world, id)
    return copies.find(({ entity }) => entity === 'users')?.last_error?.suspended_until ?? null
  }
  while ((await suspendedUntil()) === null) {
    const ended = await ask(id, { entities: ['users'] }, { prefer: 'wait=60' })
    expect(ended).toMatchObject([{ entity: 'users', state: 'failed' }])
  }
  const until = Date.parse((await suspendedUntil()) ?? '')
  const before = await copiesOf(world, id)
  const asked = ask(id, {}, { prefer: 'wait=60' })
  // Each of them had its turn, for which nothing was sent, and waits for the end of that.
  const attemptOf = (copies: readonly SyncStatus[]): number =>
    copies.find(({ entity }) => entity === 'users')?.run?.attempt ?? 0
  await eventually(async () => {
    const copies = await copiesOf(world, id)
    const isPut = ({ next_run_at: next }: SyncStatus): boolean =>
      next !== null && Date.parse(next) > Date.now() && Date.parse(next) < until + 5_000
    return attemptOf(copies) > attemptOf(before) && copies.every(isPut)
  })
  const facts = (copies: readonly SyncStatus[]): readonly object[] =>
    copies.map(({ entity, state, failures }) => ({ entity, state, failures }))
  expect(facts(await copiesOf(world, id))).toEqual(facts(before))
  // Who waits for the runs is told of a failure where there was one before.
  const want = (entity: string): string => (entity === 'users' ? 'failed' : 'done')
  expect((await asked).map(({ entity, state }) => [entity, state])).toEqual(
    before.map(({ entity }) => [entity, want(entity)]),
  )
  expect((await copiesOf(world, id)).map(({ state }) => state)).toEqual(before.map(() => 'ready'))
}, 120_000)
