// A turn that only waits for its third party keeps no turn of another account from its place.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService({ jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

/** Copies of an account that are being read, and those that were. */
async function copiesOf(id: string): Promise<readonly [running: number, read: number]> {
  const jobs = await world.service.store.jobs.list(id)
  const { body } = await world.call('GET', `/v1/integrations/connectors/${id}/sync`)
  const { data } = body as { readonly data: readonly { readonly last_synced_at: string | null }[] }
  return [
    jobs.filter(({ kind, isHeld }) => kind === 'sync' && isHeld).length,
    data.filter(({ last_synced_at: at }) => at !== null).length,
  ]
}

test('while all copies of one account wait as its third party asks, those of another one are read', async () => {
  world.vendor('gong').fail('*', { mode: 'rate-limited', retryAfter: 9, times: 100_000 })
  const limited = await world.connect('gong')
  // As many as a process reads at once, and more.
  await eventually(async () => (await copiesOf(limited))[0] >= 4)
  const well = await world.connect('github')
  await eventually(async () => (await copiesOf(well))[1] > 0, 30_000)
  // The others wait still, each in its turn.
  const [running, read] = await copiesOf(limited)
  expect([running >= 4, read]).toEqual([true, 0])
}, 60_000)
