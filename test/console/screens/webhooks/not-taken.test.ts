// What the deliveries of an endpoint tell: whose events they are, and which of them were not taken.
import { expect, test } from 'vitest'
import {
  notTaken,
  notTakenInWords,
  notTakenYet,
  subjectOf,
} from '../../../../src/console/screens/webhooks/not-taken.ts'

const AT = '2026-11-20T22:58:00.000Z'
const delivery = (state: 'pending' | 'delivered' | 'failed' | 'canceled', attempts: number) => ({
  event_id: `${state}-${attempts}`,
  type: 'sync.failed',
  state,
  attempts,
  next_attempt_at: state === 'pending' ? AT : null,
  last_attempt_at: AT,
  last_status: 500,
  last_error: null,
  body: {},
})

test('what is delivered again together was given up or waits after an attempt', () => {
  const all = [
    delivery('pending', 0),
    delivery('pending', 2),
    delivery('failed', 8),
    delivery('delivered', 1),
    delivery('canceled', 1),
  ]
  expect(notTakenYet(all).map(({ event_id: id }) => id)).toEqual(['pending-2', 'failed-8'])
})

const untried = { ...delivery('pending', 0), last_attempt_at: null }
test.for([
  { name: 'one', given: [delivery('failed', 8)], isCut: false, want: 'event' },
  {
    name: 'those since the last that was taken',
    given: [delivery('failed', 8), delivery('pending', 1), delivery('delivered', 1)],
    isCut: true,
    want: '2 events',
  },
  {
    name: 'all of a page, whatever of it waits for its first attempt',
    given: [untried, delivery('pending', 1), delivery('failed', 8)],
    isCut: true,
    want: '3 events',
  },
  {
    name: 'those that were tried, where there are no more',
    given: [untried, delivery('pending', 1), delivery('failed', 8)],
    isCut: false,
    want: '2 events',
  },
])('not taken: $name', ({ given, isCut, want }) =>
  expect(notTakenInWords(notTaken(given, isCut))).toBe(`has not taken the latest ${want}`),
)

test.for([
  {
    name: 'of an account, which is its data',
    given: { type: 'connector.created', data: { id: 'a1', name: 'Jira', external_user_id: 'u' } },
    want: { id: 'a1', name: 'Jira', entity: null, isGone: false },
  },
  {
    name: 'of a sync, which names account and entity',
    given: {
      type: 'sync.failed',
      data: { connector_id: 'a1', external_user_id: 'u', entity: 'issues' },
    },
    want: { id: 'a1', name: 'u', entity: 'issues', isGone: false },
  },
  {
    name: 'of an account that is gone',
    given: { type: 'connector.deleted', data: { id: 'a1', external_user_id: 'u' } },
    want: { id: 'a1', name: 'u', entity: null, isGone: true },
  },
  {
    name: 'without data',
    given: { type: 'later.type', data: null },
    want: { id: null, name: '', entity: null, isGone: false },
  },
])('an event $name', ({ given: { type, data }, want }) => {
  expect(subjectOf({ type, body: { type, timestamp: AT, data } })).toEqual(want)
})
