// What copies fail with: each cause once, with all that fail for it.

interface Told {
  readonly code: string
  readonly detail: string
}

interface SyncError extends Told {
  readonly at: string
  readonly suspended_until: string | null
  readonly cause: Told | null
}

/** A copy, as `GET …/sync` shows it. */
interface Copy {
  readonly entity: string
  readonly failures: number
  readonly last_error: SyncError | null
  readonly first_error: SyncError | null
}

/** What a copy fails with at present. */
export interface PresentFailure extends Told {
  /** Since when it fails with that; what it failed with before may have been something else. */
  readonly since: string
  readonly suspendedUntil: string | null
  /** Nothing was ever sent for it: another call has failed with that. */
  readonly isHeld: boolean
}

/** Copies that fail for one reason. */
export interface SharedFailure<C> {
  readonly cause: Told
  /** Since when the first of them fails. */
  readonly since: string
  /** The longest time for which nothing is sent; null: none. */
  readonly suspendedUntil: string | null
  /** All, the oldest failure first. */
  readonly all: readonly C[]
  /** Those that failed in a call of their own; where none is known to, all. */
  readonly failing: readonly C[]
  /** Those that only wait for what fails. */
  readonly held: readonly C[]
  /** None of them has failed in a call of its own. */
  readonly isHeld: boolean
}

/** Null: it does not fail. */
export function presentFailure(copy: Copy): PresentFailure | null {
  const { failures, first_error: first, last_error: last } = copy
  const error = last ?? first
  if (failures === 0 || error === null) return null
  const { code, detail } = error.cause ?? error
  const isSame = (first?.cause ?? first)?.code === code
  return {
    code,
    detail,
    since: isSame && first !== null ? first.at : error.at,
    suspendedUntil: error.suspended_until,
    isHeld: isHeldBack(copy),
  }
}

/**
 * Those that fail with the same words at present stand together, whatever was called; the oldest failure first. Every
 * place that tells of several copies takes its causes from here.
 */
export function sharedFailures<C extends Copy>(copies: readonly C[]): readonly SharedFailure<C>[] {
  return groupedFailures(copies, presentFailure)
}

/** The same of what knows its copies in another form. */
export function groupedFailures<C>(
  copies: readonly C[],
  failureOf: (copy: C) => PresentFailure | null,
): readonly SharedFailure<C>[] {
  const failures = copies.flatMap((copy) => {
    const error = failureOf(copy)
    return error === null ? [] : [{ copy, error }]
  })
  const ordered = failures.toSorted((a, b) => Date.parse(a.error.since) - Date.parse(b.error.since))
  const groups = Map.groupBy(
    ordered,
    ({ error: { code, detail } }) => `${code} ${sameWords(detail)}`,
  )
  return [...groups.values()].flatMap((those) => {
    const own = those.filter(({ error }) => !error.isHeld)
    const [oldest] = those
    const told = own[0] ?? oldest
    if (oldest === undefined || told === undefined) return []
    const { code } = told.error
    const detail = wordsOfAll((own.length === 0 ? those : own).map(({ error }) => error.detail))
    const isHeld = own.length === 0
    const held = isHeld ? [] : those.filter(({ error }) => error.isHeld)
    const until = those.flatMap(({ error }) => error.suspendedUntil ?? [])
    const copiesOf = (some: typeof those): readonly C[] => some.map(({ copy }) => copy)
    return [
      {
        cause: { code, detail },
        since: oldest.error.since,
        suspendedUntil: until.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null,
        all: copiesOf(those),
        failing: copiesOf(isHeld ? those : own),
        held: copiesOf(held),
        isHeld,
      },
    ]
  })
}

/** What an account is told by: what a call of its own met, longest ago; what it is held back for only where nothing was sent. */
export function firstCause<C>(causes: readonly SharedFailure<C>[]): SharedFailure<C> | undefined {
  return causes.find(({ isHeld }) => !isHeld) ?? causes[0]
}

/** Until when nothing is sent, because of what one of these copies has met; null: something is. */
export function leftAloneUntil(copies: readonly Copy[], nowMs: number): string | null {
  const times = copies.flatMap(({ failures, last_error: error }) =>
    failures > 0 ? (error?.suspended_until ?? []) : [],
  )
  const last = times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null
  return last !== null && Date.parse(last) > nowMs ? last : null
}

/** It fails, and nothing was ever sent for it: its third party is left alone after what another one met. */
export function isHeldBack({ failures, first_error: first, last_error: last }: Copy): boolean {
  const errors = [first, last].filter((error) => error !== null)
  return failures > 0 && errors.length > 0 && errors.every(({ cause }) => cause !== null)
}

/** Failures that began within this belong together. */
const TOGETHER_MS = 60_000

/** Those that began to fail together, each group by when its first one did; `sinceOf`: when one of them began. */
export function byBeginning<C>(
  copies: readonly C[],
  sinceOf: (copy: C) => string,
): readonly { readonly since: string; readonly those: readonly C[] }[] {
  const groups: { since: string; those: C[] }[] = []
  const began = (copy: C): number => Date.parse(sinceOf(copy))
  for (const copy of copies.toSorted((a, b) => began(a) - began(b))) {
    const group = groups.at(-1)
    if (group !== undefined && began(copy) - Date.parse(group.since) < TOGETHER_MS)
      group.those.push(copy)
    else groups.push({ since: sinceOf(copy), those: [copy] })
  }
  return groups
}

/** Attempts that are planned within this are made together: those of one round are apart by the time that each took. */
const AT_ONCE_MS = 5000

/** Moments of a copy that fails. */
export interface Attempts {
  readonly since: string
  /** When it is tried next; null: it is being tried; undefined: that is not known. */
  readonly next: string | null | undefined
}

/** Those that began to fail together and are tried next together, with the first moment of either. */
export function byAttempts<C>(
  copies: readonly C[],
  attemptsOf: (copy: C) => Attempts,
): readonly (Attempts & { readonly those: readonly C[] })[] {
  return byBeginning(copies, (copy) => attemptsOf(copy).since).flatMap(({ those }) => {
    const groups: { next: Attempts['next']; those: C[] }[] = []
    const ordered = those
      .map((copy) => ({ copy, next: attemptsOf(copy).next }))
      .toSorted((a, b) => atMs(a.next) - atMs(b.next))
    for (const { copy, next } of ordered) {
      const group = groups.find((each) => areAtOnce(each.next, next))
      if (group === undefined) groups.push({ next, those: [copy] })
      else group.those.push(copy)
    }
    return groups.map((group) => {
      const began = group.those.map((copy) => attemptsOf(copy).since)
      const [since = ''] = began.toSorted((a, b) => Date.parse(a) - Date.parse(b))
      return { ...group, since }
    })
  })
}

/** What has no moment ahead comes first. */
function atMs(next: Attempts['next']): number {
  return next == null ? 0 : Date.parse(next)
}

function areAtOnce(a: Attempts['next'], b: Attempts['next']): boolean {
  if (a == null || b == null) return a === b
  return Math.abs(Date.parse(b) - Date.parse(a)) < AT_ONCE_MS
}

/** When a copy began to fail with what it fails with. Those that do not fail have no such moment: ''. */
export function failsSince(copy: Copy): string {
  return presentFailure(copy)?.since ?? ''
}

/** `3 times`, `up to 3 times` where some of them failed less often, `once`. */
export function timesInWords(copies: readonly { readonly failures: number }[]): string {
  const counts = copies.map(({ failures }) => failures)
  const most = Math.max(...counts)
  if (most === 1) return 'once'
  const words = `${most.toLocaleString('en')} times`
  return Math.min(...counts) === most ? words : `up to ${words}`
}

/** What a copy waits for, as `GET …/sync` shows it. */
interface WaitsFor {
  readonly entity: string
  readonly state: 'error' | 'paused'
  readonly since: string | null
}

/** `repositories, which has been failing`; for how long, or since when, follows. */
export function waitedFor({ entity, state, since }: WaitsFor): string {
  if (state === 'paused') return `${entity}, which stands still`
  return `${entity}, which ${since === null ? 'fails' : 'has been failing'}`
}

/** `: users.list ` of `Gong: users.list failed (status 500)`. */
const OPERATION = /: [\w-]+\.[\w-]+ /

/** The words of a failure without what was called: alike for all that fail for one reason. */
export function sameWords(detail: string): string {
  return detail.replace(OPERATION, ': ')
}

/** What was called, by the words of a failure; null: they do not say it. */
export function calledIn(detail: string): string | null {
  return OPERATION.exec(detail)?.[0].slice(2, -1) ?? null
}

/** Failures in the words of the first: where what was called is all that tells others from it, it is told of none. */
export function wordsOfAll(details: readonly string[]): string {
  const [first = ''] = details
  const others = details.filter((detail) => detail !== first)
  const isAlike = others.some((detail) => sameWords(detail) === sameWords(first))
  return isAlike ? first.replace(OPERATION, ': more than one operation ') : first
}
