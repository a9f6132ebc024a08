import { expect, test } from 'vitest'
import { createWriteProbe } from '../../src/hosting/write-probe.ts'
import { createTestClock } from '../fixtures/test-clock.ts'

/** A probe over a store that is told what to answer, and how often it was asked. */
function probed() {
  const clock = createTestClock()
  const looks: PromiseWithResolvers<unknown>[] = []
  const probe = createWriteProbe(clock, () => {
    const look = Promise.withResolvers<unknown>()
    looks.push(look)
    return look.promise
  })
  return { clock, looks, probe }
}

test('what the store said is known for two seconds', async () => {
  const { clock, looks, probe } = probed()
  const first = [probe(), probe()]
  looks[0]?.resolve('ok')
  expect(await Promise.all(first)).toEqual([true, true])
  expect(await probe()).toBe(true)
  expect(looks).toHaveLength(1)
  clock.advance(2_000)
  const next = probe()
  looks[1]?.reject(new Error('full'))
  expect([await next, looks.length]).toEqual([false, 2])
})

test('a store that hangs takes no changes, and is asked once until it answers', async () => {
  const { clock, looks, probe } = probed()
  for (let asked = 0; asked < 5; asked++) {
    const answer = probe()
    clock.advance(5_000)
    expect(await answer).toBe(false)
  }
  expect(looks).toHaveLength(1)
  const last = probe()
  looks[0]?.resolve('ok')
  expect(await last).toBe(true)
})
