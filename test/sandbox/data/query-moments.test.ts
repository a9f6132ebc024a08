import { expect, test } from 'vitest'
import { queryMoment } from '../../../src/sandbox/data/query-moments.ts'

// A Wednesday.
const NOW = Date.parse('2026-06-17T10:20:30Z')

test.for([
  { value: '2026-05-20', want: '2026-05-20T00:00:00.000Z' },
  { value: '2026/05/20 12:30', want: '2026-05-20T12:30:00.000Z' },
  { value: '-7d', want: '2026-06-10T10:20:30.000Z' },
  { value: '1w 2d', want: '2026-06-26T10:20:30.000Z' },
  { value: '-1h30m', want: '2026-06-17T08:50:30.000Z' },
  { value: '-1000000m', want: '2024-07-22T23:40:30.000Z' },
  { value: '-00000000007d', want: '2026-06-10T10:20:30.000Z' },
  { value: '0d', want: '2026-06-17T10:20:30.000Z' },
  { value: { call: 'now', args: [] }, want: '2026-06-17T10:20:30.000Z' },
  { value: { call: 'startOfDay', args: [] }, want: '2026-06-17T00:00:00.000Z' },
  { value: { call: 'startOfDay', args: ['-10000'] }, want: '1999-01-30T00:00:00.000Z' },
  { value: { call: 'startOfDay', args: ['-1'] }, want: '2026-06-16T00:00:00.000Z' },
  { value: { call: 'STARTOFDAY', args: ['+2h'] }, want: '2026-06-17T02:00:00.000Z' },
  { value: { call: 'endOfDay', args: [] }, want: '2026-06-17T23:59:59.999Z' },
  { value: { call: 'startOfWeek', args: [] }, want: '2026-06-15T00:00:00.000Z' },
  { value: { call: 'endOfWeek', args: ['-1w'] }, want: '2026-06-14T23:59:59.999Z' },
  { value: { call: 'startOfMonth', args: ['-1'] }, want: '2026-05-01T00:00:00.000Z' },
  { value: { call: 'endOfMonth', args: ['-4M'] }, want: '2026-02-28T23:59:59.999Z' },
  { value: { call: 'startOfYear', args: [] }, want: '2026-01-01T00:00:00.000Z' },
  { value: { call: 'endOfYear', args: ['-1y'] }, want: '2025-12-31T23:59:59.999Z' },
])('$value', ({ value, want }) => {
  const ms = queryMoment(value, NOW)
  expect(ms === null ? null : new Date(ms).toISOString()).toBe(want)
})

test.for([
  'soon',
  '',
  '-53s',
  '2026-02-29',
  '2026-13-01',
  '2026-05/20',
  '2026-05-20T12:00',
  '2026-05-20 24:00',
  '-9999999d',
  '-99999999999999d',
  '-999999w',
  { call: 'payday', args: [] },
  { call: 'startOfYear', args: ['+9999y'] },
  { call: 'startOfDay', args: ['x'] },
  { call: 'startOfDay', args: ['1', '2'] },
])('%j is no moment', (value) => expect(queryMoment(value, NOW)).toBe(null))
