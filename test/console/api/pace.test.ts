// How often what is shown is asked for again, and how much of the service's time that may take.
import { expect, test } from 'vitest'
import { areDue, paceFor, paceOf, restMs, WATCHED, WRONG } from '../../../src/console/api/pace.ts'

const CALM = { isLively: false, sinceDueMs: [], wishes: [] }

// An answer that takes as long as a round is the measure of the share.
test.for([
  ['nothing special is shown', CALM, 15_000, 1 / 20],
  ['a failure is told', { ...CALM, wishes: [WRONG] }, 2_500, 1 / 10],
  ['an attempt is due now', { ...CALM, sinceDueMs: [0] }, 1_500, 1 / 10],
  ['one was due half a minute ago', { ...CALM, sinceDueMs: [30_000] }, 15_000, 1 / 20],
  ['one was due a moment before that', { ...CALM, sinceDueMs: [29_999] }, 1_500, 1 / 10],
  ['one is due in a moment', { ...CALM, sinceDueMs: [-1] }, 15_000, 1 / 20],
  ['one is due of several', { ...CALM, sinceDueMs: [-60_000, 90_000, 5] }, 1_500, 1 / 10],
  [
    'a failure is told, and its attempt is due',
    { ...CALM, sinceDueMs: [5], wishes: [WRONG] },
    1_500,
    1 / 10,
  ],
  ['somebody has changed something', { ...CALM, isLively: true }, 1_500, 1 / 3],
  ['a run goes on', { ...CALM, wishes: [paceOf(1_000)] }, 1_000, 1 / 3],
  ['a run goes on next to a failure', { ...CALM, wishes: [WRONG, paceOf(1_000)] }, 1_000, 1 / 3],
  ['a screen wants it a little oftener', { ...CALM, wishes: [paceOf(5_000)] }, 5_000, 1 / 20],
  ['a screen wants it less often', { ...CALM, wishes: [paceOf(60_000)] }, 15_000, 1 / 20],
] as const)('where %s', ([, told, everyMs, share]) => {
  expect(paceFor(told)).toEqual({ everyMs, share })
})

test.for([
  [0, 1 / 10, 0],
  [150, 1 / 10, 1_500],
  [400, 1 / 10, 4_000],
  [400, 1 / 3, 1_200],
  [400, 1 / 20, 8_000],
  [30_000, 1 / 10, 60_000],
] as const)(
  'an answer that took %i ms, at a share of %d, rests for %i ms',
  ([tookMs, share, want]) => {
    expect(Math.round(restMs(tookMs, share))).toBe(want)
  },
)

// Answers that were asked for so long ago, and took so long.
test.for([
  [
    'quick ones',
    [
      [2_000, 50],
      [2_000, 200],
    ],
    [true, true],
  ],
  [
    'quick ones, of which one costs more',
    [
      [2_000, 50],
      [2_000, 201],
    ],
    [false, false],
  ],
  [
    'one that has come meanwhile, of quick ones',
    [
      [1_999, 200],
      [90_000, 0],
    ],
    [false, false],
  ],
  [
    'a slow one among quick ones',
    [
      [2_000, 200],
      [2_000, 1_500],
    ],
    [true, false],
  ],
  [
    'a slow one that has rested',
    [
      [2_000, 201],
      [15_000, 1_500],
    ],
    [false, true],
  ],
  [
    'slow ones alone',
    [
      [6_000, 600],
      [6_000, 601],
    ],
    [true, false],
  ],
  ['nothing', [], []],
] as const)('at a tenth of the time, of %s', ([, asked, want]) => {
  const nowMs = 1_000_000
  const states = asked.map(([agoMs, tookMs]) => ({ begunMs: nowMs - agoMs, tookMs }))
  expect(areDue(states, { nowMs, share: 1 / 10 })).toEqual(want)
})

test('a first failure is heard of within five seconds, for a twentieth of the time', () => {
  expect(WATCHED.everyMs).toBeLessThan(5_000)
  // As long as it may take without being put off.
  expect(restMs(WATCHED.everyMs / 20, WATCHED.share)).toBe(WATCHED.everyMs)
})
