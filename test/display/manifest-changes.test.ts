import { expect, test } from 'vitest'
import { changeInWords, changesOf, type Failure } from '../../src/display/manifest-changes.ts'

const event = (at: string, action: string, target: string, outcome = 'done') => ({
  at: `2026-11-30T${at}:00Z`,
  action: `manifest.${action}`,
  target,
  outcome,
})

const FAILURE: Failure = {
  connectorType: 'jira',
  version: '1.0.0',
  code: 'upstream_not_found',
  since: '2026-11-30T12:00:00Z',
  wellAt: '2026-11-30T11:00:00Z',
  madeAt: '2026-11-01T00:00:00Z',
}

const published = event('11:58', 'publish', 'jira 1.0.1')
const back = event('12:05', 'unpublish', 'jira 1.0.1')

test.for([
  { name: 'published after it was well', events: [published], before: published },
  { name: 'and taken back since', events: [back, published], before: published, since: back },
  { name: 'published before it was well', events: [event('10:00', 'publish', 'jira 1.0.1')] },
  { name: 'published after it began', events: [event('12:01', 'publish', 'jira 1.0.1')] },
  { name: 'another connector', events: [event('11:58', 'publish', 'jira-server 1.0.1')] },
  { name: 'another major', events: [event('11:58', 'publish', 'jira 2.0.0')] },
  { name: 'refused', events: [event('11:58', 'publish', 'jira 1.0.1', 'manifest_refused')] },
  { name: 'what the service lacks', events: [published], failure: { code: 'store_unavailable' } },
  { name: 'an unknown code', events: [published], failure: { code: 'no_such_code' } },
  {
    name: 'nothing known of before',
    events: [published],
    failure: { wellAt: null },
    before: published,
  },
  {
    name: 'nothing known of before, and longer ago than a day',
    events: [{ ...published, at: '2026-11-29T11:00:00Z' }],
    failure: { wellAt: null },
  },
  {
    name: 'read well since, before it began',
    events: [published],
    failure: { wellAt: '2026-11-30T11:59:00Z' },
  },
  {
    name: 'read well a moment after it, with the version before',
    events: [published],
    failure: { wellAt: '2026-11-30T11:58:05Z' },
    before: published,
  },
  {
    name: 'read well since it began',
    events: [published],
    failure: { wellAt: '2026-11-30T12:10:00Z' },
  },
  {
    name: 'an account that was connected later',
    events: [published],
    failure: { wellAt: null, madeAt: '2026-11-30T11:59:00Z' },
  },
  ...[
    'upstream_timeout',
    'upstream_unreachable',
    'upstream_failed',
    'upstream_rate_limited',
    'upstream_suspended',
  ].map((code) => ({ name: `${code} is of no manifest`, events: [published], failure: { code } })),
])('$name', ({ events, failure = {}, before, since = null }) => {
  const want = before === undefined ? null : { before, since }
  expect(changesOf(events, { ...FAILURE, ...failure })).toEqual(want)
})

test.for([
  ['publish', 'jira 1.0.1 was published'],
  ['rollback', 'jira 1.0.1 was brought back'],
  ['unpublish', 'jira 1.0.1 was taken back'],
] as const)('%s in words', ([action, want]) =>
  expect(changeInWords(event('12:00', action, 'jira 1.0.1'))).toBe(want),
)
