// What becomes of a turn when its instance or its copy is not what it was.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChangesPlace, readChanges } from '../../../src/copy/search/changes.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import type { Connection } from '../../../src/service/instances/connections.ts'
import { createEmit } from '../../../src/service/events/emit.ts'
import { createTellChanged } from '../../../src/service/sync/tell-changed.ts'
import { startSyncJobs } from '../../../src/service/sync/sync-jobs.ts'
import { TurnSteps } from '../../../src/service/sync/turn-steps.ts'
import type { JobPriority } from '../../../src/service/store/jobs.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import type { Store } from '../../../src/service/store/store.ts'
import type { DoJob, Job, JobQueue } from '../../../src/service/jobs/store-queue.ts'
import { readFacts } from '../../../src/copy/sync/run-record.ts'
import { syncedEntities } from '../../../src/copy/sync/synced-entity.ts'
import {
  createNotesSync,
  noteOf,
  createNotesVendor,
  notesManifest,
  type NotesSync,
  type NotesVendor,
} from '../../copy/sync/notes-vendor.ts'

let vendor: NotesVendor
let sync: NotesSync
beforeEach(async () => {
  vendor = await createNotesVendor(95)
  sync = await createNotesSync(vendor.http.url, await notesManifest())
})
afterEach(async () => {
  await sync[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

const ROW = {
  id: 'notes-1',
  connectorType: 'notes',
  connectorVersion: '1.0.0',
  enabled: true,
  state: 'active',
  config: {},
  sync: {},
  serverUrl: null,
  grantedScopes: null,
  credentialEpoch: 1,
  // What is used of a row.
} as unknown as InstanceRow

/**
 * Does one turn of an entity; `rows` are what the store says of the instance, one after the other; `told` gets the
 * events, `lines` what is logged.
 */
async function turn(
  detail: string,
  rows: readonly (InstanceRow | null)[],
  {
    told = [],
    lines = [],
    entity = 'notes',
    priority = 0,
    noted = [],
    failing = [],
  }: {
    told?: unknown[]
    lines?: unknown[]
    entity?: string
    priority?: JobPriority
    noted?: unknown[]
    /** Entities whose copies fail, and are planned for the next hour; where there are any, the turn sends something. */
    failing?: readonly string[]
  } = {},
): Promise<{ readonly again: number | null; readonly asked: readonly Job[] }> {
  const asked: Job[] = []
  const say =
    (level: string) =>
    (facts: object, message: string): void => {
      const { changed, removed, missing } = facts as Readonly<Record<string, unknown>>
      lines.push({ level, message, changed, removed, missing })
    }
  const left = [...rows]
  let perform: DoJob = () => Promise.resolve(null)
  const real = createSystemClock()
  const queue: Pick<JobQueue, 'work' | 'enqueue' | 'jobsOf'> = {
    work: (_kinds, _concurrency, run) => {
      perform = run
    },
    enqueue: (job) => {
      asked.push(job)
      return Promise.resolve('joined')
    },
    jobsOf: (instanceId) => {
      const job = { instanceId, kind: 'sync', attempts: 0, againAt: null, isHeld: false }
      return Promise.resolve(failing.map((key) => ({ ...job, key, dueAt: real.now() + 3_600_000 })))
    },
  }
  const steps = new TurnSteps(real)
  const request = {
    method: 'GET',
    url: vendor.http.url,
    headers: {},
    body: null,
    redirects: 0,
    timeoutMs: 1_000,
    secretHeaders: [],
    secretQuery: [],
  }
  for (const _ of failing)
    await steps.watch((seen) => Promise.resolve(seen.request?.(request, 1, null)))
  const entities = syncedEntities(await notesManifest())
  // What is used of it.
  const store = {
    instances: {
      find: () => Promise.resolve(left.length > 1 ? left.shift() : left[0]),
    },
    syncFailures: {
      remove: () => Promise.resolve(),
      put: () => Promise.resolve(),
      of: () => Promise.resolve(failing.map((each) => ({ entity: each }))),
    },
    events: {
      append: ({ type, data }: { type: string; data: Record<string, unknown> }) => {
        const { entity, changed, since } = data
        told.push({ type, entity, changed, ...(since === undefined ? {} : { since }) })
        return Promise.resolve()
      },
    },
  } as unknown as Store
  startSyncJobs(
    {
      store,
      queue: queue as unknown as JobQueue,
      tellChanged: createTellChanged({
        index: sync.index,
        emit: createEmit(store),
        cursors: { seal: (_owner, position) => Promise.resolve(position) },
      }),
      index: sync.index,
      logs: { note: ({ entity: about, code = null }) => noted.push([about, code]) },
      // Looks that happen every 5 seconds happen at once.
      clock: { ...real, sleep: (ms, signal) => real.sleep(ms === 5_000 ? 20 : ms, signal) },
      states: {
        proved: () => Promise.resolve(),
        failed: () => Promise.resolve(),
      },
      partsOf: () =>
        Promise.resolve({
          connection: {} as unknown as Connection,
          entities,
          ports: sync.ports,
          steps,
        }),
      subscriptions: { isMeantFor: () => false, run: () => Promise.resolve(null) },
      log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
      syncIntervalSeconds: 900,
      syncBounds: {},
      observe: () => {},
    },
    1,
  )
  const again = await perform(
    { kind: 'sync', instanceId: ROW.id, key: entity, detail },
    { signal: new AbortController().signal, attempts: 1, priority, rest: () => () => {} },
  )
  return { again, asked }
}

test.for([
  ['is switched off', { ...ROW, enabled: false }],
  ['has credentials that are refused', { ...ROW, state: 'auth_error' }],
  ['has other credentials', { ...ROW, credentialEpoch: 2 }],
  ['has other settings', { ...ROW, config: { account: 'other' } }],
  ['has the entity switched off', { ...ROW, sync: { entities: { notes: { enabled: false } } } }],
] as const)('a turn ends when its instance %s meanwhile', async ([, now]) => {
  vendor.delayMs = 40
  expect(await turn('', [ROW, now as InstanceRow])).toEqual({ again: 10_000, asked: [] })
  expect(vendor.http.requests.length).toBeLessThan(10)
})

test('a turn of an instance that was deleted meanwhile leaves nothing behind', async () => {
  vendor.delayMs = 40
  expect(await turn('', [ROW, null])).toEqual({
    again: null,
    asked: [{ kind: 'purge', instanceId: 'notes-1', key: 'notes-1' }],
  })
})

test('a turn of an instance that is gone takes away what was written behind the purge', async () => {
  expect(await turn('', [null])).toEqual({
    again: null,
    asked: [{ kind: 'purge', instanceId: 'notes-1', key: 'notes-1' }],
  })
})

test('what a sync removed is told as what it changed, also of other entities', async () => {
  vendor.comments.set('n000004', [{ id: 'c1', body: 'one' }])
  await turn('', [ROW])
  await turn('', [ROW], { entity: 'comments' })
  vendor.notes.delete('n000004')
  const told: unknown[] = []
  await turn('full', [ROW], { told })
  expect(told).toEqual([
    { type: 'sync.completed', entity: 'notes', changed: 1 },
    { type: 'records.changed', entity: 'notes', changed: 1, since: expect.any(String) },
    { type: 'records.changed', entity: 'comments', changed: 1, since: expect.any(String) },
  ])
})

test('the changes are to be read from where the event before told them, also where one was lost', async () => {
  const first: unknown[] = []
  await turn('', [ROW], { told: first })
  expect(first).toMatchObject([{ type: 'sync.completed' }, { changed: 95, since: null }])
  vendor.notes.delete('n000004')
  // A run whose process ends before its event is stored.
  const [copy] = await sync.index.copies({ instanceId: ROW.id, entity: 'notes' })
  await sync.run('notes', { mode: 'full', settings: copy?.settings ?? '' })
  vendor.notes.set('n000005', noteOf(5, 'changed'))
  const told: { readonly changed?: number; readonly since?: string }[] = []
  await turn('full', [ROW], { told })
  expect(told).toMatchObject([{ changed: 1 }, { changed: 1 }])
  const [version, seq, base, isFirst, epoch, generation] = JSON.parse(told[1]?.since ?? '')
  const place: ChangesPlace = { version, seq, base, isFirst, epoch, generation }
  const name = { instanceId: sync.instanceId, entity: 'notes' }
  const { changes, reset } = await readChanges(sync.index, name, place, 10)
  expect([JSON.parse(changes), reset]).toMatchObject([
    [
      { change: 'removed', id: 'n000004' },
      { change: 'updated', id: 'n000005' },
    ],
    false,
  ])
})

test('first readings, removals and listings that lack too much are lines of the log', async () => {
  const lines: unknown[] = []
  await turn('', [ROW], { lines })
  await turn('', [ROW], { lines })
  vendor.notes.delete('n000004')
  await turn('full', [ROW], { lines })
  const all = vendor.notes.size
  for (const id of [...vendor.notes.keys()].slice(0, 60)) vendor.notes.delete(id)
  await turn('full', [ROW], { lines })
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'synchronized as a whole for the first time',
      changed: all + 1,
      removed: 0,
    },
    { level: 'debug', message: 'synchronized', changed: 0, removed: 0 },
    { level: 'info', message: 'records that are gone were removed', changed: 0, removed: 1 },
    {
      level: 'warn',
      message: 'a listing lacks so many records that none were removed',
      changed: 0,
      removed: 0,
      missing: 60,
    },
  ])
})

test('what was asked for is asked for again while somebody else has the copy', async () => {
  const notes = syncedEntities(await notesManifest()).get('notes')
  if (notes === undefined) throw new TypeError('there are notes')
  await turn('', [ROW])
  const [copy] = await sync.index.copies({ instanceId: ROW.id, entity: 'notes' })
  if (copy === undefined) throw new TypeError('there is a copy')
  await sync.index.takeLease(copy, 'somebody else', 30_000)
  expect(await turn('full', [ROW])).toEqual({
    again: 1_000,
    asked: [{ kind: 'sync', instanceId: 'notes-1', key: 'notes', detail: 'full', delayMs: 1_000 }],
  })
  expect(await turn('', [ROW])).toEqual({ again: 1_000, asked: [] })
})

const PAUSED = { entities: { notes: { enabled: false } } }

test.for([
  ['is up to date', null, {}, [['comments', null]]],
  ['fails', 'status', {}, []],
  ['is paused', null, PAUSED, []],
] as const)(
  'a turn that finds nothing to read below an entity that %s is in the logs: %j',
  async ([, kind, settings, want]) => {
    await turn('', [ROW])
    await turn('', [ROW], { entity: 'comments' })
    vendor.fault = kind === null ? null : { page: 1, kind, once: false }
    if (kind !== null) await turn('', [ROW])
    const noted: unknown[] = []
    const row = { ...ROW, sync: settings } as InstanceRow
    await turn('', [row], { entity: 'comments', noted })
    expect(noted).toEqual(want)
  },
)

test('a turn that somebody asked for and that fails puts off no attempt, unless the one before it was asked for as well', async () => {
  vendor.fault = { page: 1, kind: 'too many requests', once: false }
  const waits: number[] = []
  for (const priority of [10, 0, 0, 11, 11, 0] as const) {
    const { again } = await turn('', [ROW], { priority })
    waits.push(Math.ceil((again ?? 0) / 60_000))
  }
  expect(waits).toEqual([1, 2, 4, 4, 8, 16])
  const [copy] = await sync.index.copies({ instanceId: ROW.id, entity: 'notes' })
  expect(readFacts(copy?.facts ?? '').failures).toBe(6)
})

test('what a third party failed with as a whole is tried once ahead of its plan when another copy was read well', async () => {
  await turn('', [ROW])
  vendor.fault = { page: 1, kind: 'status', once: false }
  await turn('', [ROW])
  const well = (): ReturnType<typeof turn> =>
    turn('', [ROW], { entity: 'comments', failing: ['notes'] })
  const [early] = (await well()).asked
  expect(early).toEqual({
    kind: 'sync',
    instanceId: 'notes-1',
    key: 'notes',
    delayMs: expect.any(Number),
    priority: 11,
  })
  // No sooner than any third party is asked.
  expect(early?.delayMs).toBeGreaterThan(25_000)
  expect(early?.delayMs).toBeLessThanOrEqual(30_000)
  await turn('', [ROW], { priority: 11 })
  expect((await well()).asked).toEqual([])
  // After the next one of the plan once more.
  await turn('', [ROW])
  expect((await well()).asked).toHaveLength(1)
})
