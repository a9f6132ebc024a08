// When the copies of an account that was just connected are read for the first time.
import { expect, test } from 'vitest'
import { loadPackaged } from '../../../src/client/packaged.ts'
import { type EntityStatus, statusOf } from '../../../src/copy/sync/status.ts'
import { turnOf, withFirstTurns } from '../../../src/service/sync/first-turn.ts'
import { entitiesOf } from '../../../src/service/sync/sync-parts.ts'
import type { JobRow } from '../../../src/service/store/jobs.ts'
import { runService } from '../../fixtures/running-service.ts'

const NOW = Date.UTC(2026, 0, 1)
const LATER = NOW + 900_000
const github = entitiesOf(await loadPackaged('github'))

function statusAs(name: string, given: Partial<EntityStatus>): EntityStatus {
  const entity = github.get(name)
  if (entity === undefined) throw new TypeError(`github has no ${name}`)
  const known = { entity, copies: [], run: null, waiting: null, job: null, nowMs: NOW }
  return { ...statusOf({ ...known, isPaused: false }), nextRunAtMs: LATER, ...given }
}

const READ = { state: 'ready', syncedAtMs: NOW } as const

test.for([
  ['that is due', { nextRunAtMs: NOW }, {}, NOW],
  ['that is being read', { nextRunAtMs: null }, {}, null],
  [
    'that was read a moment ago, whose turn has not ended',
    { ...READ, nextRunAtMs: null },
    {},
    null,
  ],
  ['that was read', { ...READ, nextRunAtMs: NOW + 1 }, {}, LATER],
  ['that is being read, and is read itself', { nextRunAtMs: null }, { nextRunAtMs: null }, null],
  ['that is read again, as it was itself', { ...READ, nextRunAtMs: null }, READ, LATER],
  ['that fails', { state: 'error', failures: 1, nextRunAtMs: NOW + 5 }, {}, LATER],
  ['that is paused', { state: 'paused', nextRunAtMs: null }, {}, LATER],
] as const)('what was never read, below an entity %s', ([, above, below, want]) => {
  const statuses = [statusAs('issues', below), statusAs('repositories', above)]
  const [issues, repositories] = withFirstTurns(statuses, github)
  expect(issues?.nextRunAtMs).toBe(want)
  expect(repositories).toEqual(statuses[1])
})

const ROW = { instanceId: 'i', attempts: 0, againAt: null, isHeld: false }
const PLAN: JobRow = { ...ROW, kind: 'plan', key: '', dueAt: NOW - 5 }
const SYNC: JobRow = { ...ROW, kind: 'sync', key: 'issues', dueAt: LATER }

test.for([
  ['that waits', [PLAN, SYNC], { isRunning: false, dueAt: LATER }],
  ['that is planned first', [PLAN], { isRunning: false, dueAt: NOW - 5 }],
  ['that is being planned', [{ ...PLAN, isHeld: true }], { isRunning: false, dueAt: NOW }],
  ['of which nothing is known', [], null],
] as const)('the turn of an entity %s', ([, jobs, want]) => {
  expect(turnOf(jobs, 'issues', NOW)).toEqual(want)
})

test('every copy of a new account is due now, from the first answer on', async () => {
  // Nothing is done, so that the first answer stays.
  await using world = await runService()
  const id = await world.connect('github')
  const { body } = await world.call('GET', `/v1/integrations/connectors/${id}/sync`)
  const { data } = body as { readonly data: readonly { readonly next_run_at: string | null }[] }
  const ahead = data.map(({ next_run_at: at }) => at !== null && Date.parse(at) <= Date.now())
  expect(ahead).toEqual(Array.from(ahead, () => true))
  expect(ahead.length).toBeGreaterThan(3)
})
