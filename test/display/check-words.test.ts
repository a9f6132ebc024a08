import { expect, test } from 'vitest'
import { type CheckTold, checkInWords, metInWords } from '../../src/display/check-words.ts'

const at = '2026-05-03T10:00:00.000Z'
const shown = { nowMs: Date.parse(at), moment: (text: string) => text.slice(11, 19) }
const LIMIT = { detail: 'its rate limit is used up', retry_after_ms: 166_360 }

test.for<readonly [told: Omit<CheckTold, 'took_ms'>, words: string]>([
  [
    { result: 'ok', upstream_requests: 1, error: null },
    'The third party accepted the credentials in 12 ms.',
  ],
  [
    { result: 'refused', upstream_requests: 1, error: { detail: 'no', retry_after_ms: null } },
    'The third party refused the credentials: no.',
  ],
  [{ result: 'inconclusive', error: null }, 'The third party gave no clear answer.'],
  [
    { result: 'inconclusive', upstream_requests: 3, error: LIMIT },
    'The third party gave no clear answer: its rate limit is used up. It can be asked again from 10:02:46.',
  ],
  [
    { result: 'inconclusive', upstream_requests: 0, error: LIMIT },
    'The third party was not asked: its rate limit is used up. It can be asked again from 10:02:46.',
  ],
  // It is over by the time that it is read.
  [
    { result: 'inconclusive', upstream_requests: 0, error: { ...LIMIT, retry_after_ms: 1000 } },
    'The third party was not asked: its rate limit is used up.',
  ],
])('a check is told by what was sent and answered: %o', ([told, words]) => {
  expect(checkInWords({ ...told, took_ms: 12 }, shown)).toBe(words)
})

test('the last one is said to have sent nothing only where that is known', () => {
  expect([0, 1].map((upstream_requests) => metInWords({ upstream_requests }))).toEqual([
    'sent nothing',
    'met no clear answer',
  ])
  expect(metInWords({})).toBe('met no clear answer')
})
