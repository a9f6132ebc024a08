// Cookies that an answer sets. Source: RFC 6265 sections 5.2 and 5.3.
import { expect, test } from 'vitest'
import { readCookies } from '../../../src/engine/adapters/wire-headers.ts'

const PAST = 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'
const LATER = 'Expires=Fri, 31 Dec 9999 23:59:59 GMT'

test.for<{ name: string; set: readonly string[]; want: object }>([
  { name: 'attributes are no part of a value', set: ['a=1=2; Path=/; Secure'], want: { a: '1=2' } },
  { name: 'the last of one name holds', set: ['a=1', 'a=2'], want: { a: '2' } },
  { name: 'an end in the past takes away', set: ['a=1', `a=; ${PAST}`], want: {} },
  { name: 'an age of nothing takes away', set: ['a=1', `a=; ${LATER}; Max-Age=0`], want: {} },
  { name: 'the age decides', set: [`a=1; ${PAST}; Max-Age=60`], want: { a: '1' } },
  { name: 'of several ages the last', set: ['a=1; Max-Age=0; Max-Age=60'], want: { a: '1' } },
  { name: 'an age that is no number is none', set: [`a=1; ${PAST}; Max-Age=soon`], want: {} },
  { name: 'a line without a name is none', set: ['=1', 'a', 'b=2'], want: { b: '2' } },
  // Each blank used to be the start of a search of all behind it, which took minutes.
  { name: 'X3 blanks without end', set: [`a=1; b=c${' '.repeat(400_000)}d`], want: { a: '1' } },
])('$name', ({ set, want }) => {
  expect(readCookies({ 'set-cookie': [...set] }, 1_700_000_000_000)).toEqual(want)
})
