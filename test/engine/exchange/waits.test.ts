import { expect, test } from 'vitest'
import { compileWaits, type WaitInput } from '../../../src/engine/exchange/waits.ts'
import { compileAnswerTests } from '../../../src/engine/response/error-rules.ts'
import { parsePath } from '../../../src/language/expression/parse-path.ts'
import type { AnswerTests, WaitRule } from '../../../src/language/manifest/manifest.ts'

const now = Date.UTC(2026, 0, 31, 12, 0, 0)
const retryAfter: WaitRule = { kind: 'header', name: 'retry-after', path: null, format: 'seconds' }
const exponential: WaitRule = { kind: 'exponential', baseMs: 500, maxMs: 8000 }
const usage: WaitRule = {
  kind: 'header',
  name: 'x-usage',
  path: parsePath('$[*][0].regain'),
  format: 'minutes',
}

const hourly: WaitRule = { ...retryAfter, name: 'x-reset', format: 'epoch_s' }
const spent: AnswerTests = {
  status: [],
  body: [],
  headers: [{ name: 'x-left', test: { equals: '0' } }],
}

function input(headers: Record<string, string>, changes: Partial<WaitInput> = {}): WaitInput {
  return {
    answer: { status: 429, headers, body: { wait: { ms: 1500 } }, url: 'https://api.example.com/' },
    attempt: 1,
    now,
    random: 0.5,
    ...changes,
  }
}

test.for<{ name: string; rules: readonly WaitRule[]; given: WaitInput; want: object }>([
  {
    name: 'seconds',
    rules: [retryAfter],
    given: input({ 'retry-after': '7' }),
    want: { ms: 7000, asked: true },
  },
  {
    name: 'U1 a date is the time until then',
    rules: [retryAfter],
    given: input({ 'retry-after': 'Sat, 31 Jan 2026 12:00:30 GMT' }),
    want: { ms: 30_000, asked: true },
  },
  {
    name: 'U1 a date in the past is no wait, the next rule decides',
    rules: [retryAfter, exponential],
    given: input({ 'retry-after': 'Sat, 31 Jan 2026 11:00:00 GMT' }),
    want: { ms: 250, asked: false },
  },
  {
    name: 'U1 garbage is no wait',
    rules: [retryAfter, exponential],
    given: input({ 'retry-after': 'soon' }),
    want: { ms: 250, asked: false },
  },
  {
    name: 'U1 a negative number is no wait',
    rules: [retryAfter, exponential],
    given: input({ 'retry-after': '-5' }),
    want: { ms: 250, asked: false },
  },
  ...['99999999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'].map((text) => ({
    name: `U1 ${text.slice(0, 20)} is a day`,
    rules: [retryAfter],
    given: input({ 'retry-after': text }),
    want: { ms: 86_400_000, asked: true },
  })),
  {
    name: 'U1 zero never means a hot loop',
    rules: [retryAfter],
    given: input({ 'retry-after': '0' }),
    want: { ms: 100, asked: false },
  },
  {
    name: 'back-off doubles with the attempt and is capped',
    rules: [exponential],
    given: input({}, { attempt: 10 }),
    want: { ms: 4000, asked: false },
  },
  {
    name: 'of several values in a header with JSON the largest holds',
    rules: [usage, exponential],
    given: input({ 'x-usage': '{"1":[{"regain":0}],"2":[{"regain":3}]}' }),
    want: { ms: 180_000, asked: true },
  },
  {
    name: 'a header that is not the JSON it should be says nothing',
    rules: [usage, exponential],
    given: input({ 'x-usage': '{{' }),
    want: { ms: 250, asked: false },
  },
  {
    name: 'a value of the body',
    rules: [{ kind: 'body', at: parsePath('$.wait.ms'), format: 'ms' }],
    given: input({}),
    want: { ms: 1500, asked: true },
  },
  {
    name: 'a moment in seconds since 1970',
    rules: [{ ...retryAfter, name: 'x-reset', format: 'epoch_s' }],
    given: input({ 'x-reset': String(now / 1000 + 12) }),
    want: { ms: 12_000, asked: true },
  },
  {
    name: 'a constant',
    rules: [{ kind: 'constant', ms: 700 }],
    given: input({}),
    want: { ms: 700, asked: false },
  },
  {
    name: 'a rule of which not all holds is passed over',
    rules: [{ ...hourly, when: { ...spent, status: [[429, 429]] } }, exponential],
    given: input({ 'x-reset': String(now / 1000 + 12), 'x-left': '7' }),
    want: { ms: 250, asked: false },
  },
  {
    name: 'a rule of which all holds',
    rules: [{ ...hourly, when: { ...spent, status: [[429, 429]] } }, exponential],
    given: input({ 'x-reset': String(now / 1000 + 12), 'x-left': '0' }),
    want: { ms: 12_000, asked: true },
  },
  {
    name: 'a rule for another status',
    rules: [{ ...hourly, when: { ...spent, status: [[403, 403]] } }, exponential],
    given: input({ 'x-reset': String(now / 1000 + 12), 'x-left': '0' }),
    want: { ms: 250, asked: false },
  },
  {
    name: 'a rule for some answers, and there is none',
    rules: [{ kind: 'constant', ms: 700, when: spent }, exponential],
    given: { ...input({}), answer: null },
    want: { ms: 250, asked: false },
  },
  {
    name: 'no answer leaves the rules that need none',
    rules: [retryAfter, exponential],
    given: { ...input({}), answer: null },
    want: { ms: 250, asked: false },
  },
])('$name', ({ rules, given, want }) =>
  expect(compileWaits(rules, compileAnswerTests)(given)).toEqual(want),
)
