import { expect, test } from 'vitest'

import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'

const clock = createSystemClock()

test('sleep waits at least about as long as it is told', async () => {
  const start = clock.monotonic()
  // Waits for time: sleeping is what is tested.
  await clock.sleep(20)
  expect(clock.monotonic() - start).toBeGreaterThanOrEqual(19)
})

test('an aborted sleep rejects with the reason and leaves no timer behind', async () => {
  const controller = new AbortController()
  const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  // Waits for time: it is aborted before.
  const sleeping = clock.sleep(60_000, controller.signal)
  controller.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  // Waits for time: it is aborted before.
  await expect(clock.sleep(60_000, controller.signal)).rejects.toThrow('enough')
  const timersAfter = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  expect(timersAfter).toBe(timersBefore)
})

test('a wait longer than a timer can hold does not end at once', async () => {
  const controller = new AbortController()
  // Waits for time: it is aborted before.
  const sleeping = clock.sleep(2 ** 40, controller.signal)
  const first = await Promise.race([
    sleeping.then(() => 'slept'),
    // Waits for time: sleeping is what is tested.
    clock.sleep(20).then(() => 'still asleep'),
  ])
  expect(first).toBe('still asleep')
  controller.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
})

test('random lies between 0 and 1, now is the time of day', () => {
  expect(clock.random()).toBeGreaterThanOrEqual(0)
  expect(clock.random()).toBeLessThan(1)
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000)
})
