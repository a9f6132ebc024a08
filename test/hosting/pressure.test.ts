// A process that can hardly keep up is seen, and so is that it can again.
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchPressure } from '../../src/hosting/pressure.ts'

/** Blocks the loop for some milliseconds at a time until something is so. */
async function blockUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    const end = performance.now() + 100
    while (performance.now() < end);
    await setImmediate()
  }
}

test('a loop that comes late on average is pressure, and one on time is none', async () => {
  const pressure = watchPressure(20)
  await blockUntil(() => pressure.isHigh())
  await expect.poll(() => pressure.isHigh(), { timeout: 60_000, interval: 100 }).toBe(false)
  pressure.close()
}, 120_000)

test('with 0 the loop may come as late as it likes', async () => {
  const bounded = watchPressure(20)
  const unbounded = watchPressure(0)
  await blockUntil(() => bounded.isHigh())
  expect(unbounded.isHigh()).toBe(false)
  bounded.close()
  unbounded.close()
}, 120_000)
