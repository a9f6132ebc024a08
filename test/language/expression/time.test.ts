import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  compileDuration,
  compileRoundUp,
  compileTimeFormat,
} from '../../../src/language/expression/time.ts'
import { ValueError } from '../../../src/language/expression/value-error.ts'

test.for<[time: string | number, format: string, want: string | number]>([
  ['2024-02-29T23:30:15.250+02:00', 'yyyy-MM-dd', '2024-02-29'],
  ['2024-02-29T23:30:15.250+02:00', 'yyyy-MM-dd HH:mm', '2024-02-29 23:30'],
  ['2024-02-29T23:30:15.250+02:00', 'yyyyMMddHHmmssSSS', '20240229233015250'],
  ['2024-02-29T23:30:15.250+02:00', 'yyyy-MM-ddTHH:mm:ss.SSSXXX', '2024-02-29T23:30:15.250+02:00'],
  ['2024-02-29T23:30:15.250+0200', 'HH:mm:ssXX', '23:30:15+0200'],
  ['2024-02-29T23:30:15-07:00', "dd.MM.yyyy 'at' HH 'o''clock'", "29.02.2024 at 23 o'clock"],
  ['2024-02-29T23:30:15.250+02:00', 'iso', '2024-02-29T23:30:15.250+02:00'],
  ['2024-02-29T23:30:15.123456789Z', 'iso', '2024-02-29T23:30:15.123456789Z'],
  ['2024-02-29T23:30:15.000Z', 'iso', '2024-02-29T23:30:15Z'],
  ['2024-02-29T23:30:15+0000', 'iso', '2024-02-29T23:30:15Z'],
  ['2024-02-29T23:30:15-00:00', 'iso', '2024-02-29T23:30:15Z'],
  ['2024-02-29T23:30:15+05', 'iso', '2024-02-29T23:30:15+05:00'],
  ['2024-02-29T23:30:15-0730', 'iso', '2024-02-29T23:30:15-07:30'],
  ['2024-02-29t23:30:15z', 'iso', '2024-02-29T23:30:15Z'],
  ['2024-02-29 23:30:15Z', 'iso', '2024-02-29T23:30:15Z'],
  ['2024-02-29T23:30', 'iso', '2024-02-29T23:30:00Z'],
  ['2024-02-29T23:30+02:00', 'iso', '2024-02-29T23:30:00+02:00'],
  ['2024-02-29', 'iso', '2024-02-29T00:00:00Z'],
  ['2024-02-29', 'yyyy-MM-dd', '2024-02-29'],
  ['2016-12-31T23:59:60Z', 'iso', '2017-01-01T00:00:00Z'],
  ['2024-02-29T23:30:15.250+02:00', 'epoch_s', 1709242215],
  ['2024-02-29T23:30:15.250+02:00', 'epoch_ms', 1709242215250],
  ['2024-02-29', 'epoch_s', 1709164800],
  ['1969-12-31T23:59:59.500Z', 'epoch_s', -1],
  [1709242215, 'iso', '2024-02-29T21:30:15Z'],
  [1709242215.25, 'yyyy-MM-dd HH:mm:ss.SSS', '2024-02-29 21:30:15.250'],
  ['1709242215', 'iso', '2024-02-29T21:30:15Z'],
  [-1, 'iso', '1969-12-31T23:59:59Z'],
  [0, 'XXX', 'Z'],
  ['0000-01-01', 'yyyy', '0000'],
  ['0099-03-01', 'yyyy-MM-dd', '0099-03-01'],
])('%s as %s', ([time, format, want]) => {
  expect(compileTimeFormat(format)(time)).toBe(want)
})

test.for<[time: string | number, duration: string, want: string | number]>([
  ['2024-05-01T10:00:00+02:00', 'P1D', '2024-05-02T10:00:00+02:00'],
  ['2024-05-01T10:00:00+02:00', '-P1D', '2024-04-30T10:00:00+02:00'],
  ['2024-05-01T10:00:00', 'PT30M', '2024-05-01T10:30:00'],
  ['2024-05-01', 'P1D', '2024-05-02'],
  ['2024-05-01', 'PT1H', '2024-05-01T01:00:00'],
  ['2024-01-31', 'P1M', '2024-02-29'],
  ['2023-01-31', 'P1M', '2023-02-28'],
  ['2024-02-29', 'P1Y', '2025-02-28'],
  ['2024-03-31', '-P1M', '2024-02-29'],
  ['2024-01-15', '-P36M', '2021-01-15'],
  ['2024-01-15', 'P2W', '2024-01-29'],
  ['2024-05-01T00:00:00Z', 'PT23H59M59.999S', '2024-05-01T23:59:59.999Z'],
  ['2024-05-01T00:00:01Z', 'PT23H59M59.999S', '2024-05-02T00:00:00.999Z'],
  ['2024-05-01T10:00:00.123456Z', 'PT1S', '2024-05-01T10:00:01.123456Z'],
  ['2024-05-01T10:00:00Z', 'P1Y2M3DT4H5M6S', '2025-07-04T14:05:06Z'],
  [1709242215, 'P1D', 1709328615],
  ['1709242215', 'P1D', 1709328615],
])('%s plus %s', ([time, duration, want]) => {
  expect(compileDuration(duration)(time)).toBe(want)
})

test.for<[time: string | number, unit: string, want: string | number]>([
  ['2024-05-01T00:00:00Z', 'P1D', '2024-05-01T00:00:00Z'],
  ['2024-05-01T00:00:00.000000Z', 'P1D', '2024-05-01T00:00:00Z'],
  ['2024-05-01T00:00:00.0005Z', 'P1D', '2024-05-02T00:00:00Z'],
  ['2024-05-01T00:00:00.001Z', 'P1D', '2024-05-02T00:00:00Z'],
  ['2024-12-31T23:59:59.999999+02:00', 'P1D', '2025-01-01T00:00:00+02:00'],
  ['2024-05-01T00:00:00-07:00', 'P1D', '2024-05-01T00:00:00-07:00'],
  ['1969-12-30T12:00:00Z', 'P1D', '1969-12-31T00:00:00Z'],
  ['2024-05-01', 'P1D', '2024-05-01'],
  ['2024-05-01T10:00:01Z', 'PT1H', '2024-05-01T11:00:00Z'],
  ['2024-05-01T10:00:01Z', 'PT1M', '2024-05-01T10:01:00Z'],
  ['2024-05-01T10:00:01.2Z', 'PT1S', '2024-05-01T10:00:02Z'],
  [1709242215.5, 'PT1S', 1709242216],
])('%s rounded up to %s', ([time, unit, want]) => {
  expect(compileRoundUp(unit)(time)).toBe(want)
})

test.for([
  '',
  'yesterday',
  '2024',
  '2024-05',
  '20240501',
  '2024-13-01',
  '2024-00-01',
  '2024-02-30',
  '2023-02-29',
  '2024-05-00',
  '2024-05-01T24:00:00Z',
  '2024-05-01T10:60:00Z',
  '2024-05-01T10:00:61Z',
  '2024-05-01T10:00:00+24:00',
  '2024-05-01T10:00:00+02:60',
  '2024-05-01Z',
  '2024-05-01T10Z',
  ' 2024-05-01',
  '2024-05-01T10:00:00Z\n',
  '1700000000000',
  '12345678',
  '+002024-05-01',
  '٢٠٢٤-05-01',
  `2024-05-01T10:00:00.${'0'.repeat(100)}Z`,
])('"%s" is no time', (text) => {
  expect(() => compileTimeFormat('iso')(text)).toThrow(ValueError)
})

test.for([[1e12], [-1e12], [NaN], [Infinity], [true], [null], [['2024-05-01']], [{}]])(
  '%j is no time',
  ([value]) => {
    expect(() => compileTimeFormat('iso')(value as never)).toThrow(ValueError)
  },
)

test.for([
  '',
  'YYYY',
  'yy',
  'M',
  'DD',
  'hh',
  'SS',
  'X',
  'Z',
  'yyyy-MM-ddTHH:mm:ssZ',
  "yyyy 'open",
  'iso8601',
  'EEE',
])('"%s" is no time format', (format) => {
  expect(() => compileTimeFormat(format)).toThrow(ValueError)
})

test.for([
  '',
  'P',
  'PT',
  'P1',
  '1D',
  'P1DT',
  'P1H',
  'PT1D',
  'P1.5D',
  'PT1.2345S',
  'P-1D',
  'P1D ',
  'P1S',
  '+P1D',
  'P99999999D',
])('"%s" is no duration', (duration) => {
  expect(() => compileDuration(duration)).toThrow(ValueError)
})

test('a sum beyond the year 9999 is refused', () => {
  expect(() => compileDuration('P1D')('9999-12-31')).toThrow(ValueError)
  expect(() => compileDuration('-P1D')('0000-01-01')).toThrow(ValueError)
})

test('every moment of the years 0 to 9999 is read and written as Date has it', () => {
  const iso = compileTimeFormat('iso')
  const ms = compileTimeFormat('epoch_ms')
  const letters = compileTimeFormat("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
  fc.assert(
    fc.property(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (moment) => {
      const text = new Date(moment).toISOString()
      expect(ms(text)).toBe(moment)
      expect(letters(text)).toBe(text)
      expect(iso(text)).toBe(text.replace('.000Z', 'Z'))
    }),
    { numRuns: 1000 },
  )
})

test.for(['2024-00-01', '2024-13-01', '2024-01-00', '2024-04-31', '2023-02-29', '1900-02-29'])(
  'there is no day %s',
  (day) => {
    expect(() => compileTimeFormat('iso')(day)).toThrow(ValueError)
  },
)
