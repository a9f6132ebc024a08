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

interface Failure<C> {
  readonly status: C
  /** With which it began. */
  readonly error: SyncError
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
}

/** Those that fail with the same words stand together, whatever was called; the oldest failure first. */
export function sharedFailures<C extends Copy>(copies: readonly C[]): readonly SharedFailure<C>[] {
  const failures = copies.flatMap((status): readonly Failure<C>[] => {
    const error = status.first_error ?? status.last_error
    return status.failures === 0 || error === null ? [] : [{ status, error }]
  })
  const ordered = failures.toSorted((a, b) => Date.parse(a.error.at) - Date.parse(b.error.at))
  const groups = Map.groupBy(ordered, ({ error }) => {
    const { code, detail } = error.cause ?? error
    return `${code} ${sameWords(detail)}`
  })
  return [...groups.values()].flatMap((those) => {
    const own = those.filter(({ error }) => error.cause === null)
    const held = own.length === 0 ? [] : those.filter(({ error }) => error.cause !== null)
    const [oldest] = those
    const told = own[0] ?? oldest
    if (oldest === undefined || told === undefined) return []
    const until = those.flatMap(({ status }) => status.last_error?.suspended_until ?? [])
    return [
      {
        cause: told.error.cause ?? told.error,
        since: oldest.error.at,
        suspendedUntil: until.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null,
        all: those.map(({ status }) => status),
        failing: (own.length === 0 ? those : own).map(({ status }) => status),
        held: held.map(({ status }) => status),
      },
    ]
  })
}

/** `: users.list ` of `Gong: users.list failed (status 500)`. */
const OPERATION = /: [\w-]+\.[\w-]+ /

/** The words of a failure without what was called: alike for all that fail for one reason. */
export function sameWords(detail: string): string {
  return detail.replace(OPERATION, ': ')
}
