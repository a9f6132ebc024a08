// Error rules: each can be reached, says what it means for a 2xx, and fits what its action delivers.
import { gives, LISTINGS } from '../actions.ts'
import type { BodyTestsSource, ErrorRuleSource, MatcherSource, ScalarSource } from '../source.ts'
import { inWords } from '../suggest.ts'
import { keyAt, type Lint } from './lint.ts'
import { errorLists, type PlacedRules } from './pagination.ts'

export function lintErrors(lint: Lint): void {
  for (const list of errorLists(lint)) {
    const { at, rules, action } = list
    for (const [index, rule] of rules.entries()) {
      const place = { at: [...at, index, 'then'] }
      const fails = rule.then === 'fail' || rule.then === 'retry'
      if (fails && rule.as === undefined && meetsSuccess(rule)) {
        const message = 'the rule can meet a 2xx answer, whose status names no class of error'
        const hint = 'add as: … or restrict when.status'
        lint.error('errors/success-without-as', place, message, hint)
      } else if (rule.then === 'empty' && action !== null && !gives(action.name, 'list')) {
        const message = `${action.operation} delivers no list that could be empty`
        const hint = `empty belongs to ${inWords(LISTINGS, 'and')}; ok treats an answer as success`
        lint.error('errors/empty-without-list', place, message, hint)
      }
    }
    lintReach(lint, list)
  }
}

/** An answer that says 2xx has no error class of its own. */
function meetsSuccess({ when: { status } }: ErrorRuleSource): boolean {
  return status === undefined || statusesOf(status).some((each) => each >= 200 && each < 300)
}

const FOR_LISTINGS: ReadonlySet<string> = new Set(['empty', 'shrink_page'])

/** The first match wins: a rule that an earlier one of its list always forestalls is dead. */
function lintReach(lint: Lint, { at, rules, action }: PlacedRules): void {
  for (const [index, rule] of rules.entries()) {
    const first = rules.slice(0, index).findIndex((earlier) => {
      // In `defaults`, rules that only fit listings are skipped by other actions.
      const isSkipped = action === null && FOR_LISTINGS.has(earlier.then)
      return covers(earlier, rule) && (!isSkipped || earlier.then === rule.then)
    })
    if (first < 0) continue
    const place = keyAt(...at, index, 'when')
    const message = `rule ${first + 1} of this list always matches first`
    lint.error('errors/never-reached', place, message, 'move the narrower rule up, or remove it')
  }
}

/** Whether `wide` matches every answer that `narrow` matches. */
function covers({ when: wide }: ErrorRuleSource, { when: narrow }: ErrorRuleSource): boolean {
  const statuses = new Set(statusesOf(wide.status))
  return (
    statusesOf(narrow.status).every((status) => statuses.has(status)) &&
    testsCover(wide.body, narrow.body) &&
    testsCover(lowerNames(wide.header), lowerNames(narrow.header))
  )
}

function lowerNames(tests: BodyTestsSource = {}): BodyTestsSource {
  return Object.fromEntries(Object.entries(tests).map(([name, test]) => [name.toLowerCase(), test]))
}

function testsCover(wide: BodyTestsSource = {}, narrow: BodyTestsSource = {}): boolean {
  return Object.entries(wide).every(([path, test]) => {
    const other = Object.hasOwn(narrow, path) ? narrow[path] : undefined
    return other !== undefined && testCovers(membersOf(test), membersOf(other))
  })
}

/** A matcher as an object; `values`: the value is one of these. */
type Members = Omit<Extract<MatcherSource, { readonly contains?: string }>, 'equals' | 'in'> & {
  readonly values?: readonly ScalarSource[]
}

function membersOf(matcher: MatcherSource): Members {
  if (typeof matcher !== 'object' || matcher === null) return { values: [matcher] }
  if (Array.isArray(matcher)) return { values: matcher as readonly ScalarSource[] }
  const { equals, in: values, ...others } = matcher as Exclude<typeof matcher, readonly unknown[]>
  if (equals !== undefined) return { ...others, values: [equals] }
  return values === undefined ? others : { ...others, values }
}

/** Whether every value that passes `narrow` passes `wide`. */
function testCovers(wide: Members, narrow: Members): boolean {
  return (Object.keys(wide) as (keyof Members)[]).every((name) => IMPLIED[name](wide, narrow))
}

const IMPLIED: Readonly<Record<keyof Members, (wide: Members, narrow: Members) => boolean>> = {
  values: (wide, { values }) => isAll(values, (value) => wide.values?.includes(value) ?? false),
  contains: ({ contains: text = '' }, narrow) => {
    const holds = (value: unknown): boolean => typeof value === 'string' && value.includes(text)
    return holds(narrow.contains) || isAll(narrow.values, holds)
  },
  matches: (wide, narrow) => wide.matches === narrow.matches,
  gte: ({ gte: minimum = 0 }, narrow) => {
    const reaches = (value: unknown): boolean => typeof value === 'number' && value >= minimum
    return reaches(narrow.gte) || isAll(narrow.values, reaches)
  },
  lte: ({ lte: maximum = 0 }, narrow) => {
    const reaches = (value: unknown): boolean => typeof value === 'number' && value <= maximum
    return reaches(narrow.lte) || isAll(narrow.values, reaches)
  },
  exists: (wide, { exists, values = [] }) =>
    wide.exists === exists ||
    (wide.exists === true && exists === undefined && !values.includes(null)),
}

function isAll(
  values: readonly ScalarSource[] | undefined,
  test: (value: ScalarSource) => boolean,
): boolean {
  return values?.every(test) === true
}

/** Every status that `when.status` names; all there are when it names none. */
function statusesOf(status: ErrorRuleSource['when']['status']): readonly number[] {
  if (status === undefined) return Array.from({ length: 500 }, (_, index) => 100 + index)
  return [status].flat().flatMap((entry) => {
    if (typeof entry === 'number') return [entry]
    const hundred = Number(entry.charAt(0)) * 100
    return Array.from({ length: 100 }, (_, index) => hundred + index)
  })
}
