import { expect, test } from 'vitest'
import { settingOf } from '../../../src/service/sync/sync-settings.ts'

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
  })
})
