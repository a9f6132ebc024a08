import { expect, test } from 'vitest'

import { CsvError, parseCsv } from '../../../src/engine/response/csv.ts'

test.for([
  { name: 'nothing is no table', text: '', want: [] },
  { name: 'a header alone is an empty table', text: 'a,b\r\n', want: [] },
  {
    name: 'rows become objects of texts',
    text: 'a,b\r\n1,x y\r\n2,\r\n',
    want: [
      { a: '1', b: 'x y' },
      { a: '2', b: '' },
    ],
  },
  { name: 'the last line needs no end', text: 'a,b\n1,2', want: [{ a: '1', b: '2' }] },
  { name: 'an empty last field counts', text: 'a,b\n1,', want: [{ a: '1', b: '' }] },
  {
    name: 'quoted fields hold commas, line ends and quotation marks',
    text: 'a,b\r\n"1,2","x\r\ny ""z"""\r\n',
    want: [{ a: '1,2', b: 'x\r\ny "z"' }],
  },
  {
    name: 'a quotation mark inside a plain field is kept',
    text: 'a\n5" disk\n',
    want: [{ a: '5" disk' }],
  },
  { name: 'empty lines are skipped', text: 'a,b\n\n1,2\n\n', want: [{ a: '1', b: '2' }] },
  { name: 'an empty quoted field is a row', text: 'a\n""\nx', want: [{ a: '' }, { a: 'x' }] },
  { name: 'a lone carriage return is data', text: 'a\nx\ry\n', want: [{ a: 'x\ry' }] },
])('$name', ({ text, want }) => {
  expect(parseCsv(text)).toEqual(want)
})

test('a column called __proto__ is data', () => {
  const [row] = parseCsv('__proto__\nx\n')
  expect(Object.entries(row ?? {})).toEqual([['__proto__', 'x']])
})

test.for([
  { name: 'a row with too many fields', text: 'a,b\n1,2\n1,2,3\n', line: 3 },
  { name: 'a row with too few fields', text: 'a,b\n"x\ny",2\n1\n', line: 4 },
  { name: 'two columns of one name', text: 'a,a\n1,2\n', line: 1 },
  { name: 'an unclosed quotation mark', text: 'a\n"x\n', line: 2 },
  { name: 'text behind a closed quotation mark', text: 'a\n"x"y\n', line: 2 },
])('$name is refused with its line', ({ text, line }) => {
  expect(() => parseCsv(text)).toThrow(expect.objectContaining({ name: 'CsvError', line }))
  expect(() => parseCsv(text)).toThrow(CsvError)
})
