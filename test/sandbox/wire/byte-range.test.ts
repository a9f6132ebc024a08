import { expect, test } from 'vitest'
import { readByteRange } from '../../../src/sandbox/wire/byte-range.ts'

test.for([
  { name: 'no header asks for the whole file', header: undefined, want: { kind: 'whole' } },
  { name: 'the first bytes', header: 'bytes=0-9', want: { kind: 'part', start: 0, end: 9 } },
  { name: 'an open end', header: 'bytes=90-', want: { kind: 'part', start: 90, end: 99 } },
  { name: 'the last bytes', header: 'bytes=-5', want: { kind: 'part', start: 95, end: 99 } },
  {
    name: 'an end beyond the file',
    header: 'bytes=95-500',
    want: { kind: 'part', start: 95, end: 99 },
  },
  {
    name: 'more last bytes than there are',
    header: 'bytes=-500',
    want: { kind: 'part', start: 0, end: 99 },
  },
  { name: 'a start at the size', header: 'bytes=100-', want: { kind: 'unsatisfiable' } },
  { name: 'no last bytes', header: 'bytes=-0', want: { kind: 'unsatisfiable' } },
  { name: 'an end before the start is no range', header: 'bytes=9-3', want: { kind: 'whole' } },
  { name: 'another unit is no range', header: 'lines=0-3', want: { kind: 'whole' } },
  { name: 'several ranges are answered whole', header: 'bytes=0-1,5-6', want: { kind: 'whole' } },
  { name: 'no number at all is no range', header: 'bytes=-', want: { kind: 'whole' } },
])('$name', ({ header, want }) => expect(readByteRange(header, 100)).toEqual(want))
