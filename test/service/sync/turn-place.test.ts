// When the place of a turn is given to another one: while all calls that the turn makes wait for longer than a moment.
import { expect, test } from 'vitest'
import { ConnectorError } from '../../../src/errors.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { TurnPlace } from '../../../src/service/sync/turn-place.ts'

// What is used of them.
const request = {} as UpstreamRequest
const error = new ConnectorError('upstream_rate_limited', 'wait')

/** What happens to the calls of a turn: one begins, waits, waits no more, or ends. */
type Step = 'begin' | 'wait' | 'go on' | 'end'

test.for<readonly [string, readonly Step[], readonly boolean[]]>([
  ['a call that waits for nothing', ['begin', 'end'], [false, false]],
  ['the only call waits', ['begin', 'wait', 'go on', 'end'], [false, true, false, false]],
  [
    'one of two calls waits',
    ['begin', 'begin', 'wait', 'go on', 'end', 'end'],
    [false, false, false, false, false, false],
  ],
  [
    'both wait',
    ['begin', 'begin', 'wait', 'wait', 'go on', 'go on'],
    [false, false, false, true, false, false],
  ],
  [
    'one waits and the other one ends',
    ['begin', 'begin', 'wait', 'end', 'go on', 'end'],
    [false, false, false, true, false, false],
  ],
  [
    'another one begins while it waits',
    ['begin', 'wait', 'begin', 'end', 'go on'],
    [false, true, false, true, false],
  ],
])('%s', async ([, steps, want]) => {
  let isFree = false
  const place = new TurnPlace(() => {
    isFree = true
    return () => void (isFree = false)
  })
  const ends: (() => void)[] = []
  const waits: (() => void)[] = []
  const act: Readonly<Record<Step, () => unknown>> = {
    begin: () => ends.push(place.begin()),
    end: () => ends.pop()?.(),
    wait: () => void place.during(new Promise<void>((resolve) => waits.push(resolve))),
    'go on': () => waits.shift()?.(),
  }
  const seen: boolean[] = []
  for (const step of steps) {
    act[step]()
    // Behind what follows from it.
    await new Promise(setImmediate)
    seen.push(isFree)
  }
  expect(seen).toEqual(want)
})

test.for([
  ['a second', 1_000, false],
  ['45 seconds', 45_000, true],
] as const)('a call that is repeated after %s', async ([, waitMs, want]) => {
  const told: string[] = []
  let isFree = false
  const place = new TurnPlace(() => {
    isFree = true
    return () => void (isFree = false)
  })
  const seen: (readonly [string, boolean])[] = []
  const end = place.begin()
  await place.watch(
    {
      request: () => told.push('request'),
      response: () => told.push('response'),
      retry: () => told.push('retry'),
    },
    (observer) => {
      observer.request?.(request, 1, null)
      observer.response?.(429, 1, 5, request)
      observer.retry?.(1, waitMs, error, request)
      seen.push(['waits', isFree])
      observer.request?.(request, 2, null)
      seen.push(['is sent', isFree])
      observer.retry?.(2, waitMs, error, request)
      return Promise.resolve()
    },
  )
  seen.push(['is given up', isFree])
  end()
  expect(seen).toEqual([
    ['waits', want],
    ['is sent', false],
    ['is given up', false],
  ])
  expect(told).toEqual(['request', 'response', 'retry', 'request', 'retry'])
})
