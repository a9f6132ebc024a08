// The pagination styles: the one place that knows what `pagination.type` means. Everything else reads this table.
import type { Path, PathStep } from '../expression/syntax.ts'

/** What a style has for itself in a pagination. */
interface Own {
  readonly cursor: Members<
    { next: Path; first?: string | number },
    { next: Path; first: string | number | null }
  >
  readonly page: Members<
    { first?: number; omitFirst?: true; pages?: Path; stop?: Stop },
    { first: number; omitFirst: boolean; pages: Path | null; shortPage: boolean }
  >
  readonly offset: Members<
    { total?: Path; stop?: Stop },
    { total: Path | null; shortPage: boolean }
  >
  readonly link: Members<{ next: Path }, { next: Path }>
  readonly none: Members<{ reason: string }, { reason: string }>
}
/** As an author writes them, with their paths parsed, and as they are compiled. */
interface Members<Given, Compiled> {
  readonly given: Readonly<Given>
  readonly compiled: Readonly<Compiled>
}
type Stop = 'empty_page' | 'short_page'
/** The same with paths as texts, and keys as they are written. */
type Written<Given> = {
  readonly [M in keyof Given as M extends 'omitFirst' ? 'omit_first' : M]: Path extends Given[M]
    ? Exclude<Given[M], Path> | string
    : Given[M]
}

export type PaginationStyle = keyof Own
/** A pagination of any style as an author writes it, without what all of them may have. */
export type WrittenStyle = {
  [S in PaginationStyle]: { readonly type: S } & Written<Own[S]['given']>
}[PaginationStyle]
/** The same after loading. */
export type CompiledStyle = {
  [S in PaginationStyle]: { readonly type: S } & Own[S]['compiled']
}[PaginationStyle]
/** Those that turn pages, of a union of paginations. */
export type Turned<P extends { readonly type: PaginationStyle }> = Exclude<
  P,
  { readonly type: 'none' }
>

/** How a listing goes on: a style is one of these two ways, with where its parts lie. */
export type Turning = Following | Counting
interface Following {
  /** The answer holds what the moving parameter must be, or the address that the next request goes to. */
  readonly by: 'token' | 'address'
  readonly next: Path
  /** What the moving parameter gets on the first page where the caller gives nothing; null: nothing. */
  readonly start: string | number | null
}
interface Counting {
  /** The moving parameter counts pages, or the records received. */
  readonly by: 'pages' | 'records'
  /** Its value on the first page. */
  readonly from: number
  readonly start: number | null
  /** A value of the moving parameter that never leaves; null: there is none. */
  readonly omitted: number | null
  /** Where the vendor says how many there are in all. */
  readonly count: Path | null
  /** A page shorter than the size that was asked for is the last. */
  readonly shortPage: boolean
}

/** What is known of a style. */
type Entry<S extends PaginationStyle> = Way<Own[S]['compiled']> & {
  /** What the moving parameter must be able to hold: one of these. */
  readonly holds: readonly ('string' | 'integer' | 'number' | 'object')[]
  /** Its compiled members. Answers are read by the paths among them: records that they lead to are not relayed unread. */
  readonly members: { readonly [M in keyof Own[S]['compiled']]: Role<Own[S]['compiled'][M]> }
  compile(given: Own[S]['given']): Own[S]['compiled']
}
type Way<Compiled> =
  | { /** Everything comes at once. */ readonly by: null }
  | { readonly by: Following['by']; turn(compiled: Compiled): Omit<Following, 'by'> }
  | { readonly by: Counting['by']; turn(compiled: Compiled): Omit<Counting, 'by'> }
type Role<Member> = Member extends string | number | boolean | null ? 'value' : PathRole<Member>
/** No member is anything else: the relay has to know every path that is read. */
type PathRole<Member> = Member extends Path | null ? 'path' : never

export const STYLES: { readonly [S in PaginationStyle]: Entry<S> } = {
  cursor: {
    by: 'token',
    holds: ['string', 'integer', 'number', 'object'],
    members: { next: 'path', first: 'value' },
    compile: ({ next, first = null }) => ({ next, first }),
    turn: ({ next, first }) => ({ next, start: first }),
  },
  page: {
    by: 'pages',
    holds: ['integer', 'number'],
    members: { first: 'value', omitFirst: 'value', pages: 'path', shortPage: 'value' },
    compile: ({ first = 1, omitFirst = false, pages = null, stop }) => ({
      first,
      omitFirst,
      pages,
      shortPage: stop === 'short_page',
    }),
    turn: ({ first, omitFirst, pages, shortPage }) => ({
      from: first,
      start: omitFirst ? null : first,
      omitted: omitFirst ? first : null,
      count: pages,
      shortPage,
    }),
  },
  offset: {
    by: 'records',
    holds: ['integer', 'number'],
    members: { total: 'path', shortPage: 'value' },
    compile: ({ total = null, stop }) => ({ total, shortPage: stop === 'short_page' }),
    turn: ({ total, shortPage }) => ({
      from: 0,
      start: null,
      omitted: null,
      count: total,
      shortPage,
    }),
  },
  link: {
    by: 'address',
    holds: ['string'],
    members: { next: 'path' },
    compile: ({ next }) => ({ next }),
    turn: ({ next }) => ({ next, start: null }),
  },
  none: {
    by: null,
    holds: [],
    members: { reason: 'value' },
    compile: ({ reason }) => ({ reason }),
  },
}

/** The entry of a style. */
export function styleOf(type: PaginationStyle): Entry<PaginationStyle> {
  return STYLES[type]
}

/** The paths that a style of its own reads answers by; of a member that was left out none. */
export function pathsOfStyle(pagination: CompiledStyle): readonly Path[] {
  const members: Readonly<Record<string, string>> = STYLES[pagination.type].members
  return Object.entries(pagination).flatMap(([name, value]) =>
    members[name] === 'path' && value !== null ? [value as unknown as Path] : [],
  )
}

/** Whether there are further pages to turn to. */
export function turnsPages<P extends { readonly type: PaginationStyle }>(
  pagination: P,
): pagination is Turned<P> {
  return STYLES[pagination.type].by !== null
}

/** A pagination with how it goes on; null where everything comes at once. */
export function pagingOf<P extends CompiledStyle>(pagination: P): (Turned<P> & Turning) | null {
  const style = styleOf(pagination.type)
  if (style.by === null) return null
  return { ...pagination, by: style.by, ...style.turn(pagination) } as Turned<P> & Turning
}

/** Whether pages are found by counting, so that only their records tell them apart. */
export function isCounting<T extends { readonly by: Turning['by'] | null }>(
  turning: T,
): turning is Extract<T, Counting> {
  return turning.by === 'pages' || turning.by === 'records'
}

/**
 * The member of the last record that is the next cursor (`$.data[-1].id` with records at `$.data`: ['id']); null where
 * the cursor lies elsewhere.
 */
export function memberOfLast(next: Path, records: Path): readonly string[] | null {
  const [last, ...below] = next.steps.slice(records.steps.length)
  const isBelow =
    next.root === records.root && records.steps.every((step, at) => isSame(step, next.steps[at]))
  if (!isBelow || last?.kind !== 'index' || last.index !== -1 || below.length === 0) return null
  const names = below.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  return names.length === below.length ? names : null
}

function isSame(a: PathStep, b: PathStep | undefined): boolean {
  return a.kind === 'member' && b?.kind === 'member' && a.name === b.name
}
