import { expect, test } from 'vitest'
import { readingOf, settingOf } from '../../../src/service/sync/sync-settings.ts'

test.for([
  ['the service where nobody says', {}, null, 900, 'service'],
  ['the manifest', {}, 3_600_000, 3_600, 'connector'],
  [
    'the instance, also where it says what the service would',
    { interval_seconds: 900 },
    3_600_000,
    900,
    'account',
  ],
  ['the instance', { interval_seconds: 60 }, 3_600_000, 60, 'account'],
  [
    'the entity',
    { interval_seconds: 60, entities: { users: { interval_seconds: 30 } } },
    3_600_000,
    30,
    'entity',
  ],
] as const)('the interval is that of %s', ([, sync, everyMs, seconds, intervalFrom]) => {
  expect(settingOf({ sync }, 'users', { everyMs }, 900)).toEqual({
    isEnabled: true,
    intervalMs: seconds * 1000,
    intervalFrom,
    proposedMs: everyMs ?? 900_000,
  })
})

const HOUR = 3_600_000
const ALONE = { cursor: null, parent: null, fullMs: null, reconcile: null }
// Only what is looked at.
const CURSOR = {
  ...ALONE,
  cursor: {} as NonNullable<Parameters<typeof readingOf>[0]['sync']['cursor']>,
}

test.for([
  ['everything', { ...ALONE, fullMs: HOUR }, ['everything', null, null, null]],
  ['changes', { ...CURSOR, fullMs: HOUR }, ['changes', null, HOUR, null]],
  [
    'changes and keys',
    { ...CURSOR, reconcile: { everyMs: 2 * HOUR, params: null } },
    ['changes', null, null, 2 * HOUR],
  ],
  [
    'what is below changed parents',
    { ...ALONE, parent: { entity: 'users', bind: [], changedOnly: true } },
    ['below_changed', 'users', null, null],
  ],
  [
    'what is below all parents',
    { ...ALONE, parent: { entity: 'users', bind: [], changedOnly: false } },
    ['below_parents', 'users', null, null],
  ],
] as const)('a run reads %s', ([, sync, want]) => {
  const { what, parent, fullMs, keysMs } = readingOf({ sync })
  expect([what, parent, fullMs, keysMs]).toEqual(want)
})
