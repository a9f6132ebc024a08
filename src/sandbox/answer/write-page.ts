// What a manifest will look for on a page, written there: next, last, more, totals, and the members of meta.
import type { Path } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import type {
  Action,
  BodyTests,
  Flag,
  MetaPick,
  Pagination,
  Test,
} from '../../language/manifest/manifest.ts'
import { isCounting, pagingOf, STYLES } from '../../language/manifest/pagination-styles.ts'
import { factNamed, PAGE_FACTS } from '../data/page-facts.ts'
import { passing } from '../wire/refusal.ts'
import { type Draft, writePath } from '../wire/write-path.ts'
import type { Page } from './page.ts'

/** Writes everything that the pagination block reads from an answer, but for the facts in `unsaid`. */
export function writePage(
  draft: Draft,
  pagination: Pagination,
  page: Page<unknown>,
  unsaid: readonly string[] = [],
): void {
  const said = sayer(pagination, page, unsaid)
  for (const pick of pagination.meta) writePick(draft, pick, said)
  for (const pick of pagination.emptyMeta) writeBelow(draft, pagination.meta, pick, said)
  const paging = pagingOf(pagination)
  if (paging === null) return
  if (!isCounting(paging)) {
    // Where a flag tells that there is more, vendors leave a cursor on the last page as well.
    const token = page.next ?? (paging.more === null ? null : page.end)
    const next = paging.by === 'address' ? page.nextUrl : token
    if (next !== null) writePath(draft, paging.next, next)
  } else if (paging.count !== null) {
    const pages = Math.max(1, Math.ceil(page.total / page.size))
    writePath(draft, paging.count, paging.by === 'pages' ? pages : page.total)
  }
  if (paging.last !== null) writeFlag(draft, paging.last, page.isLast, page)
  if (paging.more !== null) writeFlag(draft, paging.more, !page.isLast, page)
}

/** What a page object says of its page, where an action answers with it: the members of `names` that are such facts. */
export function writePageObject(
  draft: Draft,
  { pagination, response }: Pick<Action, 'pagination' | 'response'>,
  names: readonly string[],
  { page, unsaid }: { readonly page: Page<unknown>; readonly unsaid: readonly string[] },
): void {
  if (response.page === null) return
  writeMembers(draft, response.page, names, sayer(pagination, page, unsaid))
}

function writeMembers(draft: Draft, at: Path, names: readonly string[], said: Said): void {
  for (const name of names) {
    const written = said(name)
    const steps = [...at.steps, { kind: 'member', name } as const]
    if (written !== undefined) writePath(draft, { ...at, steps }, written)
  }
}

function sayer(pagination: Pagination, page: Page<unknown>, unsaid: readonly string[]): Said {
  return (name) => {
    const fact = factNamed(name)
    if (fact === undefined || unsaid.includes(fact)) return undefined
    // Vendors that page by number count from where their first page stands; the others from 0.
    const counted = fact === 'number' && STYLES[pagination.type].by !== 'pages' ? 'index' : fact
    return PAGE_FACTS[counted]?.(page)
  }
}

function writeFlag(draft: Draft, flag: Flag, value: boolean, page: Page<unknown>): void {
  if (flag.kind === 'tests') return writeTests(draft, flag.tests, value)
  const name = lastName(flag.at)
  // Some vendors say "more" by an address or a cursor that is there or not.
  if (/next|url|cursor|after/i.test(name) && !/^(has|is)/i.test(name)) {
    if (value) writePath(draft, flag.at, page.nextUrl ?? page.next ?? true)
    return
  }
  writePath(draft, flag.at, value)
}

/** Values that pass the tests, or do not. */
export function writeTests(draft: Draft, tests: BodyTests, value: boolean): void {
  for (const { at, test } of tests) {
    const written = value ? passing(test) : failing(test)
    if (written !== undefined) writePath(draft, at, written)
  }
}

/** A value that does not pass a test; undefined when leaving it out is the way. */
function failing(test: Test): Json | undefined {
  const wanted = test.equals ?? test.in?.[0]
  if (wanted === 'true' || wanted === 'false') return String(wanted !== 'true')
  if (typeof wanted === 'boolean') return !wanted
  if (typeof wanted === 'string') return wanted === 'pending' ? 'running' : 'pending'
  if (test.gte !== undefined) return test.gte - 1
  return test.lte === undefined ? undefined : test.lte + 1
}

/** What a vendor would write under a name, if anything. */
type Said = (name: string) => Json | undefined

function writePick(draft: Draft, pick: MetaPick, said: Said): void {
  const { value } = pick
  if (value.kind === 'constant') return
  if (value.kind === 'object') {
    for (const member of value.members) writePick(draft, member, said)
    return
  }
  const written = said(lastName(value.at)) ?? said(pick.name)
  if (written !== undefined) writePath(draft, value.at, written)
}

/** `empty_meta` names the members of an object that `meta` picks as a whole: `$.records` with totalRecords and so on. */
function writeBelow(draft: Draft, meta: readonly MetaPick[], empty: MetaPick, said: Said): void {
  const whole = meta.find(({ name }) => name === empty.name)
  if (whole?.value.kind !== 'path' || empty.value.kind !== 'object') return
  const names = empty.value.members.map(({ name }) => name)
  writeMembers(draft, whole.value.at, names, said)
}

function lastName(path: Path): string {
  const step = path.steps.at(-1)
  return step?.kind === 'member' ? step.name : ''
}
