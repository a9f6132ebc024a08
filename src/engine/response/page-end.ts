// When a listing ends, and whether the answer said so.
import { compilePath, type Answer } from '../../language/expression/pick.ts'
import { ownAt } from '../../language/json/members.ts'
import type { Path, Scope } from '../../language/expression/syntax.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json } from '../../language/json/json.ts'
import type { Flag, Paging } from '../../language/manifest/manifest.ts'
import { isCounting } from '../../language/manifest/pagination-styles.ts'
import { compileTests } from './answer-tests.ts'

/** How far a listing has come with the page at hand, in records or pages. */
export interface Progress {
  /** Records of this page. */
  readonly received: number
  /** Pages or records (whatever the listing counts) up to the end of this page; null for cursors and links. */
  readonly reached: number | null
}

/**
 * What an answer says about its page. `last`: there is no further page. `more`: there is one. `silent`: nothing that
 * `more` names is in the answer, which ends the listing, and nothing else in the answer confirms that end.
 */
export type EndVerdict = 'last' | 'more' | 'silent'

/** Null: this rule cannot say. */
type EndRule = (answer: Answer, scope: Scope, progress: Progress) => EndVerdict | null

/**
 * Compiles the rules that end a listing; the first one the answer can decide by decides alone: `more`, `last`,
 * `total` or `pages`, a short page. Null means that none decides, and the listing goes on if it can. An absent `more`
 * ends the listing, and is `silent` only where none of the other rules says that the page is the last.
 * Source: docs/manifest-language.md, "Pagination".
 */
export function compileEnd(paging: Paging): EndRule {
  const rules: EndRule[] = []
  if (paging.more !== null) rules.push(compileMore(paging.more))
  if (paging.last !== null) rules.push(compileLast(paging.last))
  const { count, shortPage } = isCounting(paging) ? paging : NO_COUNT
  if (count !== null) rules.push(compileCount(count))
  if (shortPage) rules.push(compileShortPage(paging.size))
  return (answer, scope, progress) => {
    let isSilent = false
    for (const rule of rules) {
      const verdict = rule(answer, scope, progress)
      if (verdict === 'silent') isSilent = true
      else if (verdict === 'last' || (verdict === 'more' && !isSilent)) return verdict
    }
    return isSilent ? 'silent' : null
  }
}

/**
 * Compiles the test whether an answer insists on a further page: `more` is there and true, or `last` is a path and
 * false, and `more` does not say otherwise.
 */
export function compileInsists({ more, last }: Paging): (answer: Answer, scope: Scope) => boolean {
  const readMore = more === null ? null : compileMore(more)
  const pickLast = last?.kind === 'path' ? compilePath(last.at) : null
  return (answer, scope) => {
    const said = readMore?.(answer, scope, NO_PROGRESS) ?? 'silent'
    if (said !== 'silent') return said === 'more'
    return pickLast !== null && pickLast(answer, scope) === false
  }
}

const NO_COUNT = { count: null, shortPage: false }
const NO_PROGRESS: Progress = { received: 0, reached: null }

/** The end of a listing of one page about which the answer said nothing. */
export interface UnsaidEnd {
  /** The paths that found nothing, as they are written. */
  readonly pointers: readonly string[]
  /** Records of the page, before any was taken away. */
  readonly received: number
  /** The page size that was asked for, in records; null when none was. */
  readonly size: number | null
  /** How many records there are by `total` or `pages`; null when the answer does not say. */
  readonly total: number | null
}

/**
 * Compiles the description of an unsaid end; null where the manifest states that the vendor ends so (`silent_end`).
 * Only a first page is to be described: on the pages after it the pointers have been found.
 */
export function compileUnsaid(
  paging: Paging,
): ((answer: Answer, scope: Scope, received: number) => UnsaidEnd) | null {
  if (paging.silentEnd === true) return null
  const { more, last, size } = paging
  const next = isCounting(paging) ? [] : [paging.next]
  const pointers = [...next, ...pathsOfFlag(more), ...pathsOfFlag(last)].map((path) => ({
    source: path.source,
    pick: compilePath(path),
  }))
  const count = isCounting(paging) ? paging.count : null
  const pickCount = count === null ? null : compilePath(count)
  return (answer, scope, received) => {
    const counted = wholeNumber(pickCount?.(answer, scope))
    return {
      pointers: pointers
        .filter(({ pick }) => isNothing(pick(answer, scope)))
        .map(({ source }) => source),
      received,
      size: (size === null ? undefined : wholeNumber(ownAt(scope.params, size))) ?? null,
      total: counted === undefined ? null : paging.by === 'pages' ? counted * received : counted,
    }
  }
}

/**
 * What is to be thought of an unsaid end. `truncated`: there is more by the vendor's own count, or the page was as full
 * as it could be. `unknown`: nothing tells how full a page can be. Null: the page was not full, so it can be the last.
 */
export type EndDoubt = 'truncated' | 'unknown'

/** What else is known about a listing. */
export interface ListingFacts {
  /** The vendor's own count of records; null when it gives none. */
  readonly total: number | null
  /** Records of the largest other page that was seen of this listing; null when there was none. */
  readonly largestPage: number | null
  /** Records of the largest page that another one followed: what the vendor gives at most; null when there was none. */
  readonly fullPage?: number | null
}

/**
 * Judges an unsaid end by the count, else by the size that was asked for, which a vendor may lower without a word, else
 * by the other pages.
 */
export function doubtOf(
  { received, size, total }: UnsaidEnd,
  facts: ListingFacts = { total: null, largestPage: null },
): EndDoubt | null {
  if (received === 0) return null
  const counted = total ?? facts.total
  if (counted !== null) return received < counted ? 'truncated' : null
  if (size !== null) return received < size && received !== facts.fullPage ? null : 'truncated'
  return facts.largestPage !== null && received < facts.largestPage ? null : 'unknown'
}

/** The whole number a value stands for, as number or as text; undefined for everything else. */
export function wholeNumber(value: Json | undefined): number | undefined {
  const text = isExactNumber(value) ? value.rawJSON : value
  const isText = typeof text === 'string' && text.trim() !== ''
  const number = isText ? Number(text) : text
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

/** The paths that a flag reads. */
export function pathsOfFlag(flag: Flag | null): readonly Path[] {
  if (flag === null) return []
  return flag.kind === 'path' ? [flag.at] : flag.tests.map(({ at }) => at)
}

/** `more` always decides: what is absent means no. */
function compileMore(flag: Flag): EndRule {
  const picks = pathsOfFlag(flag).map((path) => compilePath(path))
  const [pick] = picks
  const tests = flag.kind === 'tests' ? compileTests(flag.tests) : null
  return (answer, scope) => {
    const isMore = tests === null ? Boolean(pick?.(answer, scope)) : tests(answer, scope)
    if (isMore) return 'more'
    return picks.every((each) => isNothing(each(answer, scope))) ? 'silent' : 'last'
  }
}

/** Whether a path found no value; with `[*]` it finds a list. */
export function isNothing(value: Json | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

function compileLast(flag: Flag): EndRule {
  if (flag.kind === 'tests') {
    const tests = compileTests(flag.tests)
    return (answer, scope) => (tests(answer, scope) ? 'last' : 'more')
  }
  const pick = compilePath(flag.at)
  return (answer, scope) => {
    const value = pick(answer, scope) ?? null
    return value === null ? null : value === true ? 'last' : 'more'
  }
}

function compileCount(at: Path): EndRule {
  const pick = compilePath(at)
  return (answer, scope, { reached }) => {
    const count = wholeNumber(pick(answer, scope))
    if (count === undefined || reached === null) return null
    return reached >= count ? 'last' : 'more'
  }
}

function compileShortPage(size: readonly string[] | null): EndRule {
  if (size === null) return () => null
  return (_answer, scope, { received }) => {
    const wanted = wholeNumber(ownAt(scope.params, size))
    if (wanted === undefined) return null
    return received < wanted ? 'last' : 'more'
  }
}
