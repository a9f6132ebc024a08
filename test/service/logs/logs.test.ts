// The writer of the logs: what waits, what is written together, and what becomes of entries that the store does not take.
import { expect, test } from 'vitest'
import { ConnectorError } from '../../../src/errors.ts'
import { Logs, type LogsPorts, type NotedEntry } from '../../../src/service/logs/logs.ts'
import { StepRecorder } from '../../../src/service/logs/step-recorder.ts'
import { headOfLogId, type LogRow } from '../../../src/service/store/logs.ts'
import type { Vault } from '../../../src/service/vault/vault.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

interface Setup {
  readonly logs: Logs
  /** What the store has taken, a list per call. */
  readonly written: (readonly LogRow[])[]
  readonly told: unknown[]
  readonly counts: Record<string, number>
  readonly clock: ReturnType<typeof createTestClock>
}

/** `append` stands in the place of the store; what it throws is what the store says. */
function setUp(append: () => void = () => {}, days = 7): Setup {
  const clock = createTestClock()
  const written: (readonly LogRow[])[] = []
  const told: unknown[] = []
  const counts: Record<string, number> = {}
  const tell = (facts: object, message: string): void => void told.push({ ...facts, message })
  const store = {
    logs: {
      append: async (_organizationId: string, rows: readonly LogRow[]) => {
        append()
        written.push(rows)
      },
    },
  } as unknown as LogsPorts['store']
  const ports: LogsPorts = {
    store,
    vault: {} as unknown as Vault,
    clock,
    log: { warn: tell, error: tell },
    observe: (outcome, count) => (counts[outcome] = (counts[outcome] ?? 0) + count),
  }
  const logs = new Logs(ports, { days, maxEntries: 1000, keepsContent: false })
  return { logs, written, told, counts, clock }
}

function noted(changes: Partial<NotedEntry> = {}): NotedEntry {
  const instance = {
    organizationId: 'acme',
    externalUserId: 'user-42',
    connectorType: 'gong',
    id: 'i',
  }
  return { kind: 'operation', instance, entity: 'calls', action: 'list', tookMs: 1.5, ...changes }
}

const AWAY = new ConnectorError('store_unavailable', 'the store is away')

test('entries of each organisation are written together, in their order, with ids that grow', async () => {
  const { logs, written, counts, clock } = setUp()
  const other = { ...noted().instance, organizationId: 'other' }
  for (let at = 0; at < 5000; at++) logs.note(noted({ requestId: `r${at}` }))
  logs.note(noted({ instance: other }))
  await logs.close()
  const rows = written.flat()
  const ids = rows.filter((row) => row.organizationId === 'acme').map(({ logId }) => logId)
  expect([rows.length, new Set(ids).size, counts]).toEqual([5001, 5000, { written: 5001 }])
  expect(ids).toEqual(ids.toSorted())
  expect(written.every((batch) => new Set(batch.map((row) => row.organizationId)).size === 1)).toBe(
    true,
  )
  expect(rows[7]).toEqual({
    organizationId: 'acme',
    logId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7000-[0-9a-f]{4}-[0-9a-f]{10}07$/),
    kind: 'operation',
    at: clock.now(),
    instanceId: 'i',
    externalUserId: 'user-42',
    connectorType: 'gong',
    clientId: null,
    entity: 'calls',
    action: 'list',
    code: null,
    status: null,
    upstreamStatus: null,
    tookUs: 1500,
    requestId: 'r7',
    data: {},
  })
})

test('of many, those that are alike lie together; a few keep their order', async () => {
  const { logs, written } = setUp()
  const note = (count: number): void => {
    for (let at = 0; at < count; at++)
      logs.note(noted({ requestId: `r${at}`, action: at % 2 === 0 ? 'list' : 'get' }))
  }
  note(6)
  await logs.flush()
  note(200)
  await logs.close()
  const [few = [], many = []] = written
  expect(few.map(({ requestId }) => requestId)).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5'])
  expect(new Set(few.map(({ logId }) => headOfLogId(logId))).size).toBe(6)
  const together = Map.groupBy(many, ({ logId }) => headOfLogId(logId))
  expect([...together.values()].map((rows) => rows.length)).toEqual([64, 36, 64, 36])
  expect(
    [...together.values()].every((rows) => new Set(rows.map((row) => row.action)).size === 1),
  ).toBe(true)
  expect(many.map(({ logId }) => logId)).toEqual(many.map(({ logId }) => logId).toSorted())
})

test('what the store does not take waits, is bounded, and what is lost is counted and told', async () => {
  let isAway = true
  const { logs, written, told, counts } = setUp(() => {
    if (isAway) throw AWAY
  })
  for (let at = 0; at < 10_500; at++) logs.note(noted({ requestId: `r${at}` }))
  await logs.flush()
  expect([written.length, counts]).toEqual([0, { dropped: 500 }])
  expect(told).toEqual([
    { entries: 500, message: 'log entries are lost: the store did not take them in time' },
  ])
  isAway = false
  await logs.flush()
  expect(written.flat().map(({ requestId }) => requestId)).toEqual(
    Array.from({ length: 10_000 }, (_entry, at) => `r${at}`),
  )
})

test('what is too old to be found is not written any more', async () => {
  const { logs, written, counts, clock } = setUp()
  logs.note(noted())
  clock.advance(6 * 60_000)
  logs.note(noted({ requestId: 'new' }))
  await logs.close()
  expect(written.flat().map(({ requestId }) => requestId)).toEqual(['new'])
  expect(counts).toEqual({ dropped: 1, written: 1 })
})

test('a batch that the store refuses is lost and told, and the next one is written', async () => {
  let isRefused = true
  const { logs, written, told, counts } = setUp(() => {
    if (isRefused) throw new ConnectorError('internal_error', 'a mistake')
  })
  logs.note(noted())
  await logs.flush()
  isRefused = false
  logs.note(noted())
  await logs.close()
  expect([written.flat().length, counts]).toEqual([1, { dropped: 1, written: 1 }])
  expect(told[0]).toMatchObject({ code: 'internal_error', entries: 1 })
})

test('at the end what still cannot be written is told', async () => {
  const { logs, told, counts } = setUp(() => {
    throw AWAY
  })
  logs.note(noted())
  await logs.close()
  expect(counts).toEqual({ dropped: 1 })
  expect(told).toHaveLength(1)
})

test('with no days nothing is kept', async () => {
  const { logs, written, counts } = setUp(() => {}, 0)
  logs.note(noted())
  await logs.close()
  expect([written, counts]).toEqual([[], {}])
})

test('names that a caller makes up are cut, and hold nothing that a database refuses', async () => {
  const { logs, written } = setUp()
  logs.note(noted({ entity: `a\u0000b${'x'.repeat(500)}`, action: '\ud800' }))
  await logs.close()
  expect(written.flat()[0]).toMatchObject({ entity: `a?b${'x'.repeat(97)}`, action: '\ufffd' })
})

test('steps say host and path of the manifest, when they began, and what came of each', () => {
  const clock = createTestClock()
  const steps = new StepRecorder(clock, clock.monotonic())
  const request = (url: string) => ({
    method: 'GET' as const,
    url,
    headers: { authorization: 'Bearer secret' },
    body: null,
    timeoutMs: 1,
    redirects: 0,
    secretHeaders: [],
    secretQuery: [],
  })
  const first = request('https://ada:secret@api.example.com/users/ada?token=secret')
  const second = request('https://api.example.com?token=secret')
  steps.request(first, 1, '/users/{}')
  clock.advance(20)
  steps.response(503, 1, 20, first)
  steps.retry(1, 100, new ConnectorError('upstream_failed', 'x'), first)
  clock.advance(100)
  steps.request(second, 2, null)
  clock.advance(5)
  steps.end('upstream_timeout')
  const step = { method: 'GET', host: 'api.example.com' }
  expect(steps.shown).toEqual({
    steps: [
      {
        ...step,
        path: '/users/{}',
        attempt: 1,
        began_ms: 0,
        took_ms: 20,
        status: 503,
        code: 'upstream_failed',
        wait_ms: 100,
      },
      {
        ...step,
        path: null,
        attempt: 2,
        began_ms: 120,
        took_ms: 5,
        status: null,
        code: 'upstream_timeout',
      },
    ],
  })
  for (let at = 0; at < 60; at++) steps.request(request('https://x.example/'), 1, null)
  expect([steps.count, steps.shown['steps_left_out']]).toEqual([62, 12])
})
