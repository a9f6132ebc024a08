// Whose search is next, simulated: time passes while searches sleep.
import { expect, test } from 'vitest'
import { ConnectorError } from '../../../src/errors.ts'
import { SearchGate } from '../../../src/service/sync/search-gate.ts'
import { createTestClock, type TestClock } from '../../fixtures/test-clock.ts'

const NEVER = new AbortController().signal

interface Ended {
  readonly organization: string
  /** `answered`, or the code of an error. */
  readonly how: string
  readonly atMs: number
  readonly retryAfterMs: number | null
}

function world(atOnce: number) {
  const clock = createTestClock()
  const gate = new SearchGate(clock, atOnce)
  const began: string[] = []
  const ended: Ended[] = []
  let running = 0
  let most = 0

  async function search(organization: string, ms: number): Promise<void> {
    try {
      await gate.run(organization, NEVER, async () => {
        began.push(organization)
        most = Math.max(most, ++running)
        await clock.sleep(ms)
        running--
      })
      note('answered', null)
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error
      note(error.code, error.retryAfterMs)
    }

    function note(how: string, retryAfterMs: number | null): void {
      ended.push({ organization, how, atMs: clock.monotonic(), retryAfterMs })
    }
  }

  const searches = (organization: string, ms: number, count: number): Promise<void>[] =>
    Array.from({ length: count }, () => search(organization, ms))
  return { clock, gate, began, ended, searches, most: () => most }
}

function countsOf(ended: readonly Ended[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { organization, how, atMs } of ended) {
    const key = `${organization} ${how} at ${atMs}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

test('T9 of twenty heavy searches of one organisation those that fit run, the others are told, and a light search of another one waits for none', async () => {
  const { ended, searches, most } = world(4)
  await Promise.all([...searches('loud', 900, 20), ...searches('quiet', 120, 1)])
  expect(countsOf(ended)).toEqual({
    'quiet answered at 120': 1,
    'loud answered at 900': 3,
    // As soon as it is known how long such searches take.
    'loud rate_limited at 900': 14,
    'loud answered at 1800': 3,
  })
  expect(most()).toBe(4)
})

test('T9 whoever is known to ask for more than fits is told at once, and when to come again', async () => {
  const { ended, searches } = world(4)
  await Promise.all(searches('loud', 900, 3))
  const burst = searches('loud', 900, 20)
  await Promise.all(burst)
  expect(countsOf(ended)).toEqual({
    'loud answered at 900': 3,
    // Three run, and three more end within two seconds.
    'loud rate_limited at 900': 14,
    'loud answered at 1800': 3,
    'loud answered at 2700': 3,
  })
  for (const { how, retryAfterMs } of ended)
    expect(retryAfterMs).toBe(how === 'answered' ? null : 1800)
})

test('T9 light searches wait for each other however many there are', async () => {
  const { ended, searches } = world(4)
  await Promise.all(searches('one', 5, 100))
  expect(new Set(ended.map(({ how }) => how))).toEqual(new Set(['answered']))
})

test('T9 organisations that wait take turns', async () => {
  const { began, searches } = world(2)
  await Promise.all([
    ...searches('loud', 100, 6),
    ...searches('louder', 100, 6),
    ...searches('quiet', 100, 1),
  ])
  // One place each at first, and nobody has three turns before the third one has its first.
  expect(began.slice(0, 5)).toEqual(['loud', 'louder', 'loud', 'louder', 'quiet'])
  expect(began).toHaveLength(13)
})

test('the wait is a part of the time that is promised', async () => {
  const { clock, gate, ended, searches } = world(1)
  const first = searches('a', 1500, 1)
  const spent: number[] = []
  const second = gate.run('b', NEVER, async (spentMs) => {
    spent.push(spentMs)
    await clock.sleep(1000)
  })
  const third = searches('c', 1, 1)
  await clock.sleep(100)
  const fourth = searches('d', 1, 1)
  await Promise.all([...first, second, ...third, ...fourth])
  expect(spent).toEqual([1500])
  expect(countsOf(ended)).toEqual({
    'a answered at 1500': 1,
    'c search_timeout at 2000': 1,
    'd search_timeout at 2100': 1,
  })
})

test('a caller that leaves the queue leaves no place taken', async () => {
  const { gate, searches, ended } = world(1)
  const first = searches('a', 100, 1)
  const gone = new AbortController()
  const waiting = gate.run('b', gone.signal, () => Promise.resolve())
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await Promise.all([...first, ...searches('b', 1, 1)])
  expect(ended.map(({ how }) => how)).toEqual(['answered', 'answered'])
})

test('a search that fails gives its place back and its error on', async () => {
  const gate: SearchGate = new SearchGate(createTestClock() satisfies TestClock, 1)
  const failing = gate.run('a', NEVER, () => Promise.reject(new Error('failed')))
  await expect(failing).rejects.toThrow('failed')
  expect(await gate.run('a', NEVER, () => Promise.resolve('next'))).toBe('next')
})
