// A lease is given back, also by a store that was away when the work ended.
import { expect, test } from 'vitest'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { ConnectorError } from '../../../src/errors.ts'
import { takeLease } from '../../../src/copy/sync/held-lease.ts'

const COPY = { instanceId: 'one', entity: 'things', epoch: 1 }
const TIMES = { ttlMs: 4_000, beatMs: 500 }

function leasesOf(problems: readonly ConnectorError[]) {
  let asked = 0
  return {
    asked: () => asked,
    index: {
      takeLease: () => Promise.resolve(1),
      renewLease: () => Promise.resolve(true),
      releaseLease: () => {
        const problem = problems[asked++]
        return problem === undefined ? Promise.resolve() : Promise.reject(problem)
      },
    },
  }
}

const away = new ConnectorError('store_unavailable', 'away')

test.for([
  ['D2 a store that was away for a moment is told later', [away, away], 3],
  ['what a store refuses is not said again', [new ConnectorError('internal_error', 'no')], 1],
] as const)('%s', async ([, problems, times]) => {
  const { index, asked } = leasesOf(problems)
  const stop = new AbortController()
  const clock = createSystemClock()
  const wanted = { index, clock, copy: COPY, owner: 'me', stop: stop.signal }
  const lease = await takeLease(wanted, TIMES)
  await lease?.release()
  expect(asked()).toBe(times)
})

test('D2 who is told to stop leaves it to run out', async () => {
  const { index, asked } = leasesOf([away, away, away, away, away, away])
  const stop = new AbortController()
  const clock = createSystemClock()
  const wanted = { index, clock, copy: COPY, owner: 'me', stop: stop.signal }
  const lease = await takeLease(wanted, TIMES)
  const releasing = lease?.release()
  stop.abort()
  await releasing
  expect(asked()).toBe(1)
})
