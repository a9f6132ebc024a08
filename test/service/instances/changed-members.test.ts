// What a change of an instance touched, as the audit log says it.
import { expect, test } from 'vitest'
import { changedMembers } from '../../../src/service/instances/changed-members.ts'

const BEFORE = { enabled: true, sync: { enabled: true } }

test.for([
  {
    name: 'a name and settings are their names alone',
    given: { body: { name: 'Ada', config: { api_host: 'x' } } },
    want: ['name', 'config'],
  },
  {
    name: 'switching off says from what to what',
    given: { body: { enabled: false }, patch: { enabled: false } },
    want: ['enabled from yes to no'],
  },
  {
    name: 'what stays as it was says so',
    given: { body: { enabled: true, sync: {} }, patch: { enabled: true, sync: { enabled: true } } },
    want: ['enabled unchanged', 'sync unchanged'],
  },
  {
    name: 'all copies are paused',
    given: { body: { sync: { enabled: false } }, patch: { sync: { enabled: false } } },
    want: ['sync paused'],
  },
  {
    name: 'a pause ends, and another interval is set, in one change',
    given: {
      before: { enabled: true, sync: { enabled: false, interval_seconds: 60 } },
      body: { sync: { enabled: true, interval_seconds: 900 } },
      patch: { sync: { enabled: true, interval_seconds: 900 } },
    },
    want: ['sync resumed', 'sync: interval from 60 seconds to 900 seconds'],
  },
  {
    name: 'entities are named',
    given: {
      before: {
        enabled: true,
        sync: { entities: { calls: { enabled: false }, users: { interval_seconds: 60 } } },
      },
      body: { sync: { entities: {} } },
      patch: { sync: { entities: { teams: { enabled: false } } } },
    },
    want: [
      'sync of calls resumed',
      'sync of users: interval from 60 seconds to as proposed',
      'sync of teams paused',
    ],
  },
])('$name', ({ given, want }) => {
  const {
    before = BEFORE,
    body,
    patch = {},
  } = given as {
    readonly before?: Parameters<typeof changedMembers>[1]
    readonly body: Parameters<typeof changedMembers>[0]
    readonly patch?: Parameters<typeof changedMembers>[2]
  }
  expect(changedMembers(body, before, patch)).toEqual(want)
})
