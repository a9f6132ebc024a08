// When a listing ends although there is something to go on with.
import { compilePath, type Answer } from '../expression/pick.ts'
import type { Path, Scope } from '../expression/syntax.ts'
import { isExactNumber } from '../json/exact-number.ts'
import type { Json } from '../json/json.ts'
import type { Flag, Pagination } from '../manifest/manifest.ts'
import { compileTests } from './answer-tests.ts'
import { readParam } from './param-path.ts'

/** How far a listing has come with the page at hand, in records or pages. */
export interface Progress {
  /** Records of this page. */
  readonly received: number
  /** Pages or records (whatever the listing counts) up to the end of this page; null for cursors and links. */
  readonly reached: number | null
}

/** True: this was the last page. False: it was not. Undefined: this rule cannot say. */
type EndRule = (answer: Answer, scope: Scope, progress: Progress) => boolean | undefined

/**
 * Compiles the rules that end a listing; the first one the answer can decide by decides alone: `more`, `last`,
 * `total` or `pages`, a short page. Undecided means that the listing goes on.
 * Source: docs/manifest-language.md, "Pagination".
 */
export function compileEnd(
  pagination: Exclude<Pagination, { readonly type: 'none' }>,
): (answer: Answer, scope: Scope, progress: Progress) => boolean {
  const rules: EndRule[] = []
  if (pagination.more !== null) rules.push(compileMore(pagination.more))
  if (pagination.last !== null) rules.push(compileLast(pagination.last))
  if (pagination.type === 'offset' && pagination.total !== null) {
    rules.push(compileCount(pagination.total))
  }
  if (pagination.type === 'page' && pagination.pages !== null) {
    rules.push(compileCount(pagination.pages))
  }
  if ((pagination.type === 'offset' || pagination.type === 'page') && pagination.shortPage) {
    rules.push(compileShortPage(pagination.size))
  }
  return (answer, scope, progress) => {
    for (const rule of rules) {
      const ended = rule(answer, scope, progress)
      if (ended !== undefined) return ended
    }
    return false
  }
}

/** The whole number a value stands for, as number or as text; undefined for everything else. */
export function wholeNumber(value: Json | undefined): number | undefined {
  const text = isExactNumber(value) ? value.rawJSON : value
  const isText = typeof text === 'string' && text.trim() !== ''
  const number = isText ? Number(text) : text
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

/** `more` always decides: what is absent means no. */
function compileMore(flag: Flag): EndRule {
  if (flag.kind === 'tests') {
    const more = compileTests(flag.tests)
    return (answer, scope) => !more(answer, scope)
  }
  const pick = compilePath(flag.at)
  return (answer, scope) => {
    const value = pick(answer, scope)
    return !value
  }
}

function compileLast(flag: Flag): EndRule {
  if (flag.kind === 'tests') return compileTests(flag.tests)
  const pick = compilePath(flag.at)
  return (answer, scope) => {
    const value = pick(answer, scope) ?? undefined
    return value === undefined ? undefined : value === true
  }
}

function compileCount(at: Path): EndRule {
  const pick = compilePath(at)
  return (answer, scope, { reached }) => {
    const count = wholeNumber(pick(answer, scope))
    return count === undefined || reached === null ? undefined : reached >= count
  }
}

function compileShortPage(size: readonly string[] | null): EndRule {
  if (size === null) return () => undefined
  return (_answer, scope, { received }) => {
    const wanted = wholeNumber(readParam(scope.params, size))
    return wanted === undefined ? undefined : received < wanted
  }
}
