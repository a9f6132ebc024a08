// What came of a call says who said it.
import { expect, test } from 'vitest'
import { afterWords, failureInWords } from '../../src/display/answered.ts'

const nothing = { kind: 'operation', code: null, status: null, upstream_status: null }

test.for([
  {
    given: { status: 502, upstream_status: 500, code: 'upstream_failed' },
    want: 'third party 500',
  },
  { given: { status: 503, code: 'upstream_suspended' }, want: 'nothing sent' },
  // Some of its requests were sent.
  {
    given: { status: 503, upstream_status: 500, code: 'upstream_suspended' },
    want: 'third party 500',
  },
  {
    given: { kind: 'check', code: 'upstream_rate_limited', upstream_requests: 0 },
    want: 'nothing sent',
  },
  { given: { kind: 'check', code: 'internal_error', upstream_requests: 2 }, want: 'failed' },
  { given: { status: 504, code: 'upstream_timeout' }, want: 'no answer' },
  { given: { status: 400, code: 'params_invalid' }, want: '400 from Tenon' },
  { given: { kind: 'sync', code: 'internal_error' }, want: 'failed' },
  {
    given: { kind: 'delivery', upstream_status: 410, code: 'delivery_refused' },
    want: 'your app 410',
  },
  { given: { kind: 'delivery', code: 'delivery_failed' }, want: 'no answer' },
])('$given is $want', ({ given, want }) =>
  expect(failureInWords({ ...nothing, ...given })).toBe(want),
)

test('a third party that is left alone is so after the first failure', () =>
  expect([afterWords('upstream_suspended'), afterWords('upstream_failed')]).toEqual([
    'left alone after',
    'first',
  ]))
