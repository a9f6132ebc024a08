import { describe, expect, test } from 'vitest'
import { ConnectorError, type Outcome } from '../../../src/errors.ts'
import { Breaker, Reachability } from '../../../src/engine/exchange/breaker.ts'
import { Budget } from '../../../src/engine/exchange/budget.ts'
import { type ReliableCall, Exchange, type Judgement } from '../../../src/engine/exchange/call.ts'
import type { UpstreamHead } from '../../../src/engine/exchange/transport.ts'
import type { ErrorClass } from '../../../src/language/manifest/manifest.ts'
import { createTestClock, type TestClock } from '../../fixtures/test-clock.ts'

/** What the third party does at one attempt: a status, or a broken connection. */
type Act =
  | number
  | {
      readonly broken: 'unreachable' | 'timeout'
      readonly sent: boolean
      readonly phase?: 'connect' | 'head'
      readonly reason?: string
    }

interface Given {
  readonly acts: readonly Act[]
  readonly write?: boolean
  readonly repeatable?: boolean
  readonly attempts?: number
  /** `fails`: the store is away when credentials are renewed. `finds`: newer ones are found, and not refreshed. */
  readonly renews?: boolean | 'fails' | 'finds'
  readonly remove?: boolean
  readonly deadline?: number
  readonly signal?: AbortSignal
  readonly clock?: TestClock
  readonly breaker?: Breaker
  /** What happens before the call is repeated. */
  readonly meanwhile?: () => void
}

const CLASSES: Readonly<Record<number, ErrorClass>> = {
  401: 'credentials',
  404: 'not_found',
  429: 'rate_limited',
  503: 'unavailable',
}

function run({
  acts,
  write = false,
  repeatable = !write,
  attempts = 3,
  renews = false,
  remove = false,
  deadline = 60_000,
  signal,
  clock = createTestClock(),
  breaker = new Breaker(clock),
  meanwhile,
}: Given): {
  readonly clock: TestClock
  readonly lentTo: number[]
  /** What the observer was told, with the number of the attempt. */
  readonly told: string[]
  readonly result: Promise<{ value: string; requests: number }>
} {
  const exchange = new Exchange({
    budget: new Budget({ rates: [], concurrency: null, per: 'instance' }, clock),
    breaker,
    clock,
  })
  const script = [...acts]
  const lentTo: number[] = []
  const told: string[] = []
  const plan: ReliableCall<number, UpstreamHead, string> = {
    fresh: 1,
    renew:
      renews === false
        ? null
        : (used) =>
            renews === 'fails'
              ? Promise.reject(new ConnectorError('store_unavailable', 'the store is away'))
              : Promise.resolve(used + 1),
    // What is found next was refreshed for this call.
    mayBeStale: (fresh) => renews === 'finds' && fresh === 2,
    build: (lent) => {
      lentTo.push(lent)
      return {
        method: 'GET',
        url: 'https://api.example.com/x',
        headers: {},
        body: null,
        redirects: 0,
        timeoutMs: 30_000,
        secretHeaders: [],
        secretQuery: [],
      }
    },
    send: () => {
      const act = script.shift()
      if (act === undefined) throw new Error('more attempts than the script has')
      if (typeof act === 'number') return Promise.resolve({ status: act, headers: {}, url: '' })
      return Promise.reject(
        new ConnectorError(`upstream_${act.broken}`, 'broken', { details: { ...act } }),
      )
    },
    judge: ({ status }) => judgementOf(status, write),
    step: {
      policy: {
        attempts,
        on: [429, 502, 503, 504, 'network', 'timeout'],
        wait: [],
        maxWaitMs: null,
        idempotent: false,
        idempotencyKey: null,
      },
      waits: () => ({ ms: 1000, asked: false }),
      write,
      repeatable,
    },
    run: {
      deadline: () => deadline,
      signal,
      retries: null,
      patienceMs: null,
      observer: {
        request: (_request, attempt) => void told.push(`request ${attempt}`),
        response: (status, attempt) => void told.push(`response ${attempt}: ${status}`),
        retry: (attempt, waitMs) => {
          told.push(`retry ${attempt}: ${waitMs} ms`)
          meanwhile?.()
        },
      },
    },
    narrow: [],
    goneIsDone: remove ? () => 'gone' : null,
  }
  return { clock, lentTo, told, result: exchange.call(plan) }
}

function judgementOf(status: number, write: boolean): Judgement<string> {
  if (status < 300) return { kind: 'accepted', value: 'fine' }
  const as = CLASSES[status] ?? 'invalid'
  const uncertain: Outcome = as === 'unavailable' ? 'uncertain' : 'not_applied'
  return {
    kind: 'refused',
    answer: { status, headers: {}, body: undefined, url: '' },
    renew: status === 401,
    outcome: uncertain,
    failure: { kind: 'status', status, as, rule: null, nothingDone: as === 'rate_limited' },
    error: (retryAfterMs) =>
      new ConnectorError('upstream_failed', `status ${status}`, {
        outcome: write ? uncertain : 'not_applied',
        retryAfterMs,
      }),
  }
}

describe('U10 section 9: what is repeated', () => {
  const unsent: Act = { broken: 'unreachable', sent: false }
  const reset: Act = { broken: 'unreachable', sent: true }
  const silent: Act = { broken: 'timeout', sent: true }
  test.for<{ name: string; given: Given; want: object }>([
    { name: 'a read after 503', given: { acts: [503, 200] }, want: { value: 'fine', requests: 2 } },
    {
      name: 'a read after a reset',
      given: { acts: [reset, 200] },
      want: { value: 'fine', requests: 2 },
    },
    {
      name: 'a read after silence',
      given: { acts: [silent, 200] },
      want: { value: 'fine', requests: 2 },
    },
    {
      name: 'a write that never left',
      given: { acts: [unsent, 200], write: true },
      want: { value: 'fine', requests: 2 },
    },
    {
      name: 'a write after 429',
      given: { acts: [429, 200], write: true },
      want: { value: 'fine', requests: 2 },
    },
    {
      name: 'an idempotent write after 503',
      given: { acts: [503, 200], write: true, repeatable: true },
      want: { value: 'fine', requests: 2 },
    },
    {
      name: 'a 401 once, with fresh credentials',
      given: { acts: [401, 200], renews: true },
      want: { value: 'fine', requests: 2 },
    },
    {
      name: 'newer credentials that were found may have ended, too: they are renewed',
      given: { acts: [401, 401, 200], renews: 'finds' },
      want: { value: 'fine', requests: 3 },
    },
    {
      name: 'a delete that meets 404 when repeated after an unknown outcome has succeeded',
      given: { acts: [503, 404], write: true, repeatable: true, remove: true },
      want: { value: 'gone', requests: 2 },
    },
  ])('$name', async ({ given, want }) => expect(await run(given).result).toMatchObject(want))

  test.for<{ name: string; given: Given; want: object }>([
    {
      name: 'three attempts are all',
      given: { acts: [503, 503, 503] },
      want: { message: 'status 503', outcome: 'not_applied' },
    },
    {
      name: 'a write after 503 is uncertain',
      given: { acts: [503], write: true },
      want: { outcome: 'uncertain', retryable: false },
    },
    {
      name: 'a write after a reset is uncertain',
      given: { acts: [reset], write: true },
      want: { code: 'upstream_unreachable', outcome: 'uncertain', retryable: false },
    },
    {
      name: 'a write after silence is uncertain',
      given: { acts: [silent], write: true },
      want: { code: 'upstream_timeout', outcome: 'uncertain' },
    },
    {
      name: 'a write that never left was not applied',
      given: { acts: [unsent, unsent, unsent], write: true },
      want: { code: 'upstream_unreachable', outcome: 'not_applied', retryable: true },
    },
    {
      name: 'a second 401 is final',
      given: { acts: [401, 401], renews: true },
      want: { message: 'status 401' },
    },
    {
      name: 'credentials that were renewed for this call and are refused are not renewed again',
      given: { acts: [401, 401, 401], renews: 'finds' },
      want: { code: 'upstream_failed', message: 'status 401' },
    },
    {
      name: 'a 401 that cannot be renewed is final',
      given: { acts: [401] },
      want: { message: 'status 401' },
    },
    {
      name: 'a delete that meets 404 at first is not found',
      given: { acts: [404], write: true, repeatable: true, remove: true },
      want: { message: 'status 404' },
    },
    {
      name: 'a repeated write that is refused may have been applied by the attempt before',
      given: { acts: [503, 400], write: true, repeatable: true },
      want: { message: 'status 400', outcome: 'uncertain', retryable: false },
    },
    {
      name: 'a repeated write that never left the second time may have been applied the first time',
      given: { acts: [reset, unsent, unsent], write: true, repeatable: true },
      want: { code: 'upstream_unreachable', outcome: 'uncertain', retryable: false },
    },
    {
      name: 'a repeated write whose credentials are refused and cannot be renewed may have been applied before',
      given: { acts: [silent, 401], write: true, repeatable: true, renews: 'fails' },
      want: { code: 'store_unavailable', outcome: 'uncertain', retryable: false },
    },
    {
      name: 'a write whose credentials are refused and cannot be renewed was not applied',
      given: { acts: [401], write: true, renews: 'fails' },
      want: { code: 'store_unavailable', outcome: 'not_applied', retryable: true },
    },
    {
      name: 'a deadline that passed sends nothing',
      given: { acts: [], deadline: 0 },
      want: { code: 'deadline_exceeded', outcome: 'not_applied' },
    },
    {
      name: 'a wait that would pass the deadline is not made',
      given: { acts: [429], deadline: 900 },
      want: { retryAfterMs: 1000 },
    },
  ])('not: $name', async ({ given, want }) =>
    expect(await run(given).result.catch((error: unknown) => error)).toMatchObject(want),
  )
})

test('the observer is told one number of an attempt, also after credentials were renewed', async () => {
  const { told, result } = run({ acts: [401, 503, 200], renews: true })
  expect(await result).toMatchObject({ requests: 3 })
  expect(told).toEqual([
    'request 1',
    'response 1: 401',
    'request 2',
    'response 2: 503',
    'retry 2: 1000 ms',
    'request 3',
    'response 3: 200',
  ])
})

test('fresh credentials are used by the attempt after a 401', async () => {
  const { lentTo, result } = run({ acts: [401, 200], renews: true })
  await result
  expect(lentTo).toEqual([1, 2])
})

test('an abort during the wait ends the call with the reason as cause', async () => {
  const controller = new AbortController()
  const { result } = run({ acts: [503, 200], signal: controller.signal })
  controller.abort(new Error('no longer wanted'))
  await expect(result).rejects.toMatchObject({
    code: 'aborted',
    cause: { message: 'no longer wanted' },
  })
})

test('U2 a call that failed itself before its origin was left alone says so, and one that was not made does not', async () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  const other = new ConnectorError('upstream_failed', 'another call')
  for (let failures = 0; failures < 4; failures++)
    breaker.record('https://api.example.com', 'failure', () => other)
  await expect(run({ acts: [503], clock, breaker }).result).rejects.toMatchObject({
    code: 'upstream_suspended',
    details: { attempts: 1 },
    cause: { code: 'upstream_failed', message: expect.stringContaining('503') },
  })
  const next = await run({ acts: [], clock, breaker }).result.catch((error: unknown) => error)
  expect(next).toMatchObject({ code: 'upstream_suspended', details: {} })
})

test('U2 a call that was told to wait before others failed was not what failed', async () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  const other = new ConnectorError('upstream_failed', 'another call')
  const failing = (): void => {
    for (let failures = 0; failures < 5; failures++)
      breaker.record('https://api.example.com', 'failure', () => other)
  }
  const { result } = run({ acts: [429], clock, breaker, meanwhile: failing })
  await expect(result).rejects.toMatchObject({ code: 'upstream_suspended', cause: other })
})

test('U2 a probe that ends by a mistake of ours lets the next one try', async () => {
  const clock = createTestClock()
  const breaker = new Breaker(clock)
  for (let failures = 0; failures < 5; failures++)
    breaker.record('https://api.example.com', 'failure')
  clock.advance(30_000)
  await expect(run({ acts: [], clock, breaker }).result).rejects.toThrow('more attempts')
  await expect(run({ acts: [200], clock, breaker }).result).resolves.toMatchObject({ requests: 1 })
})

test.for<{ name: string; act: Act; wide: boolean }>([
  {
    name: 'a connection that is refused counts for all',
    act: { broken: 'unreachable', sent: false, phase: 'connect', reason: 'ECONNREFUSED' },
    wide: true,
  },
  {
    name: 'a connection that takes too long counts for all',
    act: { broken: 'unreachable', sent: false, phase: 'connect', reason: 'connect_timeout' },
    wide: true,
  },
  {
    name: 'a caller with too little time to connect counts for itself',
    act: { broken: 'unreachable', sent: false, phase: 'connect', reason: 'total_timeout' },
    wide: false,
  },
  {
    name: 'a connection that breaks under a request counts for its caller',
    act: { broken: 'unreachable', sent: true, phase: 'head', reason: 'ECONNRESET' },
    wide: false,
  },
  {
    name: 'a redirect that leads to a dead host counts for its caller',
    act: { broken: 'unreachable', sent: true, phase: 'connect', reason: 'ECONNREFUSED' },
    wide: false,
  },
  {
    name: 'no answer in time counts for its caller',
    act: { broken: 'timeout', sent: true, phase: 'head', reason: 'head_timeout' },
    wide: false,
  },
  { name: 'an answer of 5xx counts for its caller', act: 503, wide: false },
])('U2 $name', async ({ act, wide }) => {
  const clock = createTestClock()
  const reachability = new Reachability(clock)
  const [breaker, other] = [new Breaker(clock, reachability), new Breaker(clock, reachability)]
  for (let call = 0; call < 5; call++) {
    const failing = run({ acts: [act], attempts: 1, write: true, clock, breaker })
    await expect(failing.result).rejects.toMatchObject({ code: expect.stringMatching('upstream_') })
  }
  const own = run({ acts: [200], clock, breaker })
  await expect(own.result).rejects.toMatchObject({
    code: 'upstream_suspended',
    cause: { code: expect.stringMatching('upstream_(failed|timeout|unreachable)') },
  })
  const others = run({ acts: [200], clock, breaker: other }).result
  if (wide) await expect(others).rejects.toMatchObject({ code: 'upstream_suspended' })
  else await expect(others).resolves.toMatchObject({ requests: 1 })
})
