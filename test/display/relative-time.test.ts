import { expect, test } from 'vitest'
import { asOf, lastingWords, relativeTime, relativeTo } from '../../src/display/relative-time.ts'

const MINUTE = 60_000
const DAY = 86_400_000

test.for([
  { ms: -1000, long: 'just now', short: 'now' },
  { ms: -40_000, long: 'just now', short: '40s ago' },
  { ms: 4000, long: 'now', short: 'now' },
  { ms: 40_000, long: 'in 40 seconds', short: 'in 40s' },
  { ms: -3 * MINUTE, long: '3 minutes ago', short: '3min ago' },
  { ms: -119 * MINUTE, long: '1 hour ago', short: '1h ago' },
  { ms: -DAY, long: '1 day ago', short: '1d ago' },
  { ms: 1.6 * DAY, long: 'in 1 day', short: 'in 1d' },
  { ms: 29 * DAY, long: 'in 29 days', short: 'in 29d' },
  { ms: -70 * DAY, long: '2 months ago', short: '2mo ago' },
  { ms: -800 * DAY, long: '2 years ago', short: '2y ago' },
])('$ms ms are $long', ({ ms, long, short }) => {
  const now = Date.parse('2026-05-03T10:00:00Z')
  expect([relativeTime(ms), relativeTo(now, new Date(now + ms).toISOString())]).toEqual([
    long,
    short,
  ])
})

test.for([
  { ms: 0, want: 'for less than a minute' },
  { ms: 59_999, want: 'for less than a minute' },
  { ms: MINUTE, want: 'for 1 minute' },
  { ms: 119 * MINUTE, want: 'for 1 hour' },
  { ms: 3 * DAY, want: 'for 3 days' },
  { ms: 70 * DAY, want: 'for 2 months' },
])('what has lasted $ms ms has lasted $want', ({ ms, want }) => expect(lastingWords(ms)).toBe(want))

test.for([
  { text: '2026-05-01T10:00:00Z', want: '2d ago' },
  { text: '2026-05-01T12:00:00.000+0200', want: '2d ago' },
  { text: '2026-05-01', want: null },
  { text: '2026-05-01T10:00:00', want: null },
  { text: '2026-99-01T10:00:00Z', want: null },
  { text: 'on 2026-05-01T10:00:00Z', want: null },
])('$text: $want', ({ text, want }) =>
  expect(relativeTo(Date.parse('2026-05-03T10:00:00Z'), text)).toBe(want),
)

test.for([
  { seconds: null, want: null },
  { seconds: 5, want: '5s ago' },
  { seconds: 430, want: '7min ago' },
])('a copy that lags by $seconds s is as of $want', ({ seconds, want }) => {
  expect(asOf(seconds)).toBe(want)
})
