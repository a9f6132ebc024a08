import { expect, test } from 'vitest'

import { ThreadLosses } from '../../src/database/thread.ts'

test('D6 the pause grows with every loss, up to a minute, and begins anew after ten calm minutes', () => {
  const losses = new ThreadLosses()
  const times = [0, 2_000, 5_000, 10_000, 20_000, 40_000, 75_000, 140_000, 740_001]
  expect(times.map((atMs) => losses.note(atMs))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 1_000,
  ])
})

test('D6 within the pause no other thread is started', () => {
  const losses = new ThreadLosses()
  losses.note(500)
  losses.note(2_000)
  expect([2_000, 3_999, 4_000, 9_000].map((nowMs) => losses.isOver(nowMs))).toEqual([
    false,
    false,
    true,
    true,
  ])
})
