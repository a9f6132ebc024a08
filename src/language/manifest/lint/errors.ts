// Error rules: each can be reached, says what it means for a 2xx, and fits what its action delivers.
import { gives, LISTINGS } from '../actions.ts'
import { type DocumentPath, problemAt } from '../document.ts'
import { actionsOf, type ManifestDraft, type PlacedAction } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import type { BodyTestsSource, ErrorRuleSource, MatcherSource, ScalarSource } from '../source.ts'
import { inWords } from '../suggest.ts'
import { ownRulesOf, placeRules } from './pagination.ts'

/** Findings about error rules. */
export function lintErrors(draft: ManifestDraft): readonly ManifestProblem[] {
  const actions = actionsOf(draft.source)
  const defaults = placeRules(draft.source.defaults?.errors, ['defaults', 'errors'])
  const rules = [...defaults, ...actions.flatMap(ownRulesOf)]
  return [
    ...rules.flatMap(({ at, rule }) => lintSuccess(draft, at, rule)),
    ...actions.flatMap((action) => lintEmpty(draft, action)),
    ...ruleLists(draft, actions).flatMap((list) => lintReach(draft, list)),
  ]
}

/** An answer that says 2xx has no error class of its own. */
function lintSuccess(
  draft: ManifestDraft,
  at: DocumentPath,
  rule: ErrorRuleSource,
): readonly ManifestProblem[] {
  const fails = rule.then === 'fail' || rule.then === 'retry'
  if (!fails || rule.as !== undefined || !meetsSuccess(rule)) return []
  return [
    problemAt(draft.document, {
      at: [...at, 'then'],
      rule: 'errors/success-without-as',
      message: 'the rule can meet a 2xx answer, whose status names no class of error',
      hint: 'add as: … or restrict when.status',
    }),
  ]
}

function meetsSuccess({ when }: ErrorRuleSource): boolean {
  return (
    when.status === undefined ||
    statusesOf(when.status).some((status) => status >= 200 && status < 300)
  )
}

function lintEmpty(draft: ManifestDraft, action: PlacedAction): readonly ManifestProblem[] {
  if (gives(action.name, 'list')) return []
  return ownRulesOf(action).flatMap(({ at, rule }) =>
    rule.then === 'empty'
      ? [
          problemAt(draft.document, {
            at: [...at, 'then'],
            rule: 'errors/empty-without-list',
            message: `${action.entity}.${action.name} delivers no list that could be empty`,
            hint: `empty belongs to ${inWords(LISTINGS, 'and')}; ok treats an answer as success`,
          }),
        ]
      : [],
  )
}

interface RuleList {
  readonly at: DocumentPath
  readonly rules: readonly ErrorRuleSource[]
  /** In `defaults`, rules that only fit listings are skipped by other actions. */
  readonly shared: boolean
}

function ruleLists(draft: ManifestDraft, actions: readonly PlacedAction[]): readonly RuleList[] {
  const own = actions.flatMap(({ at, source }) => [
    { at: [...at, 'errors'], rules: source.errors ?? [], shared: false },
    ...(source.steps ?? []).map((step, index) => ({
      at: [...at, 'steps', index, 'errors'],
      rules: step.errors ?? [],
      shared: false,
    })),
  ])
  const defaults = draft.source.defaults?.errors ?? []
  return [{ at: ['defaults', 'errors'], rules: defaults, shared: true }, ...own]
}

const FOR_LISTINGS: ReadonlySet<string> = new Set(['empty', 'shrink_page'])

/** The first match wins: a rule that an earlier one always forestalls is dead. */
function lintReach(
  draft: ManifestDraft,
  { at, rules, shared }: RuleList,
): readonly ManifestProblem[] {
  return rules.flatMap((rule, index) => {
    const first = rules.findIndex((earlier, place) => {
      if (place >= index || !covers(earlier, rule)) return false
      return !shared || !FOR_LISTINGS.has(earlier.then) || earlier.then === rule.then
    })
    if (first < 0) return []
    return [
      problemAt(draft.document, {
        at: [...at, index, 'when'],
        part: 'key',
        rule: 'errors/never-reached',
        message: `rule ${first + 1} of this list always matches first`,
        hint: 'move the narrower rule up, or remove it',
      }),
    ]
  })
}

/** Whether `wide` matches every answer that `narrow` matches. */
function covers(wide: ErrorRuleSource, narrow: ErrorRuleSource): boolean {
  const statuses = new Set(statusesOf(wide.when.status))
  return (
    statusesOf(narrow.when.status).every((status) => statuses.has(status)) &&
    testsCover(wide.when.body, narrow.when.body) &&
    testsCover(lowerNames(wide.when.header), lowerNames(narrow.when.header))
  )
}

function lowerNames(tests: BodyTestsSource | undefined): BodyTestsSource | undefined {
  if (tests === undefined) return undefined
  return Object.fromEntries(Object.entries(tests).map(([name, test]) => [name.toLowerCase(), test]))
}

function testsCover(
  wide: BodyTestsSource | undefined,
  narrow: BodyTestsSource | undefined,
): boolean {
  return Object.entries(wide ?? {}).every(([path, test]) => {
    const other = Object.hasOwn(narrow ?? {}, path) ? narrow?.[path] : undefined
    return other !== undefined && testCovers(membersOf(test), membersOf(other))
  })
}

interface Members {
  /** The value is one of these. */
  readonly values?: readonly ScalarSource[]
  readonly contains?: string
  readonly matches?: string
  readonly gte?: number
  readonly lte?: number
  readonly exists?: boolean
}

function membersOf(matcher: MatcherSource): Members {
  if (typeof matcher !== 'object' || matcher === null) return { values: [matcher] }
  if (isList(matcher)) return { values: matcher }
  const { equals, in: values, ...others } = matcher
  if (equals !== undefined) return { ...others, values: [equals] }
  return values === undefined ? others : { ...others, values }
}

function isList(matcher: MatcherSource): matcher is readonly ScalarSource[] {
  return Array.isArray(matcher)
}

/** Whether every value that passes `narrow` passes `wide`. */
function testCovers(wide: Members, narrow: Members): boolean {
  return (Object.keys(wide) as (keyof Members)[]).every((name) => IMPLIED[name](wide, narrow))
}

const IMPLIED: Readonly<Record<keyof Members, (wide: Members, narrow: Members) => boolean>> = {
  values: (wide, narrow) => all(narrow.values, (value) => wide.values?.includes(value) ?? false),
  contains: (wide, narrow) => {
    const text = wide.contains ?? ''
    const holds = (value: unknown): boolean => typeof value === 'string' && value.includes(text)
    return holds(narrow.contains) || all(narrow.values, holds)
  },
  matches: (wide, narrow) => wide.matches === narrow.matches,
  gte: (wide, narrow) => {
    const least = wide.gte ?? 0
    const reaches = (value: unknown): boolean => typeof value === 'number' && value >= least
    return reaches(narrow.gte) || all(narrow.values, reaches)
  },
  lte: (wide, narrow) => {
    const most = wide.lte ?? 0
    const reaches = (value: unknown): boolean => typeof value === 'number' && value <= most
    return reaches(narrow.lte) || all(narrow.values, reaches)
  },
  exists: (wide, narrow) => {
    if (wide.exists === narrow.exists) return true
    return (
      wide.exists === true && narrow.exists === undefined && !(narrow.values ?? []).includes(null)
    )
  },
}

function all(
  values: readonly ScalarSource[] | undefined,
  test: (value: ScalarSource) => boolean,
): boolean {
  return values !== undefined && values.every(test)
}

/** Every status that `when.status` names; all there are when it names none. */
function statusesOf(status: ErrorRuleSource['when']['status']): readonly number[] {
  if (status === undefined) return Array.from({ length: 500 }, (_, index) => 100 + index)
  const list = Array.isArray(status) ? status : [status]
  return list.flatMap((entry) => {
    if (typeof entry === 'number') return [entry]
    const hundred = Number(String(entry).charAt(0)) * 100
    return Array.from({ length: 100 }, (_, index) => hundred + index)
  })
}
