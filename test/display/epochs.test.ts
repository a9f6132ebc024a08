// Moments that are numbers, as the schemas of records tell them.
import { expect, test } from 'vitest'
import {
  durationAt,
  durationWords,
  epochAt,
  epochFrom,
  epochMoment,
  momentAt,
} from '../../src/display/epochs.ts'

const RECORD = {
  properties: {
    created: { type: 'integer', format: 'epoch_s' },
    updated: { type: ['number', 'null'], format: 'epoch_ms' },
    size: { type: 'integer', format: 'int64' },
    spent: { type: ['integer', 'null'], format: 'duration_s' },
    edits: { type: 'array', items: { properties: { at: { type: 'integer', format: 'epoch_s' } } } },
    period: { $ref: '#/definitions/Period' },
    last: { anyOf: [{ $ref: '#/definitions/Period' }, { type: 'null' }] },
    round: { $ref: '#/definitions/Round' },
  },
  definitions: {
    Period: { properties: { end: { type: 'integer', format: 'epoch_s' } } },
    Round: { $ref: '#/definitions/Round' },
  },
}

test.for([
  { path: ['created'], want: 'epoch_s' },
  { path: ['updated'], want: 'epoch_ms' },
  { path: ['size'], want: null },
  { path: ['spent'], want: null },
  { path: ['edits', 'at'], want: 'epoch_s' },
  { path: ['period', 'end'], want: 'epoch_s' },
  { path: ['last', 'end'], want: 'epoch_s' },
  { path: ['last', 'start'], want: null },
  { path: ['round', 'at'], want: null },
  { path: ['constructor', 'name'], want: null },
])('$path is $want', ({ path, want }) => {
  expect(epochAt(RECORD, path)).toBe(want)
  expect(epochAt(null, path)).toBeNull()
})

test.for([
  { value: 1779488131, epoch: 'epoch_s', want: '2026-05-22T22:15:31.000Z' },
  { value: 1779488131n, epoch: 'epoch_s', want: '2026-05-22T22:15:31.000Z' },
  { value: 1778656568918, epoch: 'epoch_ms', want: '2026-05-13T07:16:08.918Z' },
  { value: 0, epoch: 'epoch_s', want: null },
  { value: 1e18, epoch: 'epoch_s', want: null },
  { value: '1779488131', epoch: 'epoch_s', want: null },
  { value: 1779488131, epoch: null, want: null },
] as const)('$value in $epoch is $want', ({ value, epoch, want }) => {
  expect(epochMoment(value, epoch)).toBe(want)
  if (want !== null && epoch !== null) expect(epochFrom(want, epoch)).toBe(Number(value))
})

test.for([
  { value: '1776750194.000294', path: ['ts'], want: '2026-04-21T05:43:14.000Z' },
  { value: '1776750194.999999', path: ['edited', 'ts'], want: '2026-04-21T05:43:14.999Z' },
  { value: '1776750194.000294', path: ['edited.ts'], want: '2026-04-21T05:43:14.000Z' },
  { value: '1776750194.000294', path: ['thread_ts'], want: '2026-04-21T05:43:14.000Z' },
  { value: '1776750194.000294', path: ['startTime'], want: '2026-04-21T05:43:14.000Z' },
  // No name of moments, though it ends with the letters of one.
  { value: '1776750194.000294', path: ['amounts'], want: null },
  { value: '1776750194.000294', path: ['accounts'], want: null },
  { value: '1776750194.000294', path: ['price'], want: null },
  { value: '1776750194.000294', path: ['format'], want: null },
  { value: '1776750194.000294', path: [], want: null },
  // Neither seconds with six decimals nor years of this time.
  { value: '1776750194', path: ['ts'], want: null },
  { value: '1776750194.00', path: ['ts'], want: null },
  { value: '1776750194.000294 ', path: ['ts'], want: null },
  { value: '-776750194.000294', path: ['ts'], want: null },
  { value: '1076750194.000294', path: ['ts'], want: null },
  { value: '9776750194.000294', path: ['ts'], want: null },
  { value: '2026-04-21T05:43:14Z', path: ['ts'], want: null },
  { value: 1776750194.000294, path: ['ts'], want: null },
  { value: null, path: ['ts'], want: null },
] as const)('$value below $path is $want', ({ value, path, want }) =>
  expect(momentAt(value, null, path)).toBe(want),
)

test('what the schema says of a number is said by its path as well', () =>
  expect(momentAt(1779488131, 'epoch_s', ['made'])).toBe('2026-05-22T22:15:31.000Z'))

test.for([
  { value: 4855, unit: 'duration_s', want: '1 h 20 min' },
  { value: 4855n, unit: 'duration_s', want: '1 h 20 min' },
  { value: 3600, unit: 'duration_s', want: '1 h' },
  { value: 183_600, unit: 'duration_s', want: '2 d 3 h' },
  { value: 75, unit: 'duration_s', want: '1 min 15 s' },
  { value: 45, unit: 'duration_s', want: '45 s' },
  { value: 0, unit: 'duration_s', want: '0 s' },
  { value: 12_740, unit: 'duration_ms', want: '12.7 s' },
  { value: 340, unit: 'duration_ms', want: '0.3 s' },
  { value: 4_855_000, unit: 'duration_ms', want: '1 h 20 min' },
  { value: -5, unit: 'duration_s', want: null },
  { value: '4855', unit: 'duration_s', want: null },
  { value: 4855, unit: null, want: null },
] as const)('$value of $unit is $want', ({ value, unit, want }) => {
  expect(durationWords(value, unit)).toBe(want)
})

test.for([
  { path: ['spent'], want: 'duration_s' },
  { path: ['created'], want: null },
  { path: ['size'], want: null },
])('$path takes $want', ({ path, want }) => {
  expect(durationAt(RECORD, path)).toBe(want)
})
