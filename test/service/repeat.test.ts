// Work that is done again and again: until it is closed, and also where a step fails.
import { expect, test } from 'vitest'
import { createSystemClock } from '../../src/engine/adapters/system-clock.ts'
import { repeat } from '../../src/service/repeat.ts'

const real = createSystemClock()

test('a step that fails is told and done again; a step says when the next one is due', async () => {
  const waits: number[] = []
  const told: unknown[] = []
  let steps = 0
  const jobs = repeat(
    {
      clock: {
        ...real,
        random: () => 0.5,
        sleep: (ms, signal) => {
          waits.push(ms)
          return real.sleep(0, signal)
        },
      },
      log: { warn: (_facts, message) => void told.push(message) },
    },
    {
      everyMs: 1000,
      step: async () => {
        steps++
        if (steps === 1) throw new TypeError('the first one')
        return await Promise.resolve(steps === 2 ? 50 : undefined)
      },
      failure: 'it failed',
    },
  )
  await expect.poll(() => steps).toBeGreaterThan(3)
  expect(jobs.running).toBe(true)
  await jobs.close()
  expect(jobs.running).toBe(false)
  expect([told, waits.slice(0, 3)]).toEqual([['it failed'], [1000, 50, 1000]])
})

test('closing waits for the step under way, which hears of it', async () => {
  const steps: string[] = []
  const jobs = repeat(
    { clock: real, log: { warn: () => {} } },
    {
      everyMs: 1000,
      step: async (stopped) => {
        steps.push('begun')
        await new Promise((resolve) => stopped.addEventListener('abort', resolve))
        steps.push('ended')
      },
      failure: '',
    },
  )
  await jobs.close()
  expect(steps).toEqual(['begun', 'ended'])
})
