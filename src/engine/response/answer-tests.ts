// Tests on an answer: of error rules, of `more` and `last`, of `poll`.
import { compilePattern, type Pattern } from '../../language/expression/pattern.ts'
import { compilePath, type Answer } from '../../language/expression/pick.ts'
import type { Path, Scope } from '../../language/expression/syntax.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type { Json } from '../../language/json/json.ts'
import type { BodyTests, Test } from '../../language/manifest/manifest.ts'

export type AnswerCheck = (answer: Answer, scope?: Scope) => boolean
export type ValueCheck = (value: Json | undefined) => boolean

/**
 * Compiles tests of which all must hold. A path with `[*]` passes when any of its values does; without values it
 * passes `exists: false` only.
 */
export function compileTests(tests: BodyTests): AnswerCheck {
  const checks = tests.map(({ at, test }) => compileOne(at, compileTest(test)))
  return (answer, scope) => checks.every((check) => check(answer, scope))
}

/**
 * Compiles one test of a value; every member of it must hold. Absent passes `exists: false` only, null exists.
 * `contains` wants a text, `matches` a text or a number (the first 4,096 characters of it count), `gte` and `lte` a
 * number or the text of one.
 */
export function compileTest(test: Test): ValueCheck {
  const { equals, in: list, contains, matches, gte, lte, exists } = test
  const checks: ValueCheck[] = []
  if (exists !== undefined) checks.push((value) => (value !== undefined) === exists)
  if (equals !== undefined) checks.push(whenThere((value) => jsonEqual(value, equals)))
  if (list !== undefined) {
    checks.push(whenThere((value) => list.some((entry) => jsonEqual(value, entry))))
  }
  if (contains !== undefined) {
    checks.push((value) => typeof value === 'string' && value.includes(contains))
  }
  if (matches !== undefined) checks.push(compileMatch(matches))
  if (gte !== undefined) checks.push((value) => numberOf(value) >= gte)
  if (lte !== undefined) checks.push((value) => numberOf(value) <= lte)
  const [only, ...more] = checks
  return only !== undefined && more.length === 0
    ? only
    : (value) => checks.every((check) => check(value))
}

/** Compiles a test of a header: as of a value, but scalars are compared as text, for a header is nothing else. */
export function compileHeaderTest(test: Test): ValueCheck {
  return compileTest({
    ...test,
    ...(test.equals !== undefined && { equals: asText(test.equals) }),
    ...(test.in !== undefined && { in: test.in.map(asText) }),
  })
}

function compileOne(at: Path, check: ValueCheck): AnswerCheck {
  const pick = compilePath(at)
  if (!at.steps.some(({ kind }) => kind === 'all')) {
    return (answer, scope) => check(pick(answer, scope))
  }
  return (answer, scope) => {
    const values = pick(answer, scope)
    return Array.isArray(values) && values.length > 0 ? values.some(check) : check(undefined)
  }
}

function whenThere(check: (value: Json) => boolean): ValueCheck {
  return (value) => value !== undefined && check(value)
}

/** Patterns give up on longer texts; the words that tell one failure from another stand at the front. */
const LOOKED_AT = 4096

function compileMatch(source: string): ValueCheck {
  // Compiled when an answer has a text there: most rules tell failures apart, and most calls have none.
  let pattern: Pattern | undefined
  return (value) => {
    const text = scalarText(value)
    return text !== undefined && (pattern ??= compilePattern(source)).test(text.slice(0, LOOKED_AT))
  }
}

export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : undefined
}

/** NaN, of which every comparison is false, for what is no number. */
function numberOf(value: Json | undefined): number {
  const text = scalarText(value)
  return text === undefined || text.trim() === '' ? Number.NaN : Number(text)
}

function asText(value: Json): Json {
  return typeof value === 'boolean' ? String(value) : (scalarText(value) ?? value)
}
