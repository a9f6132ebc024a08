// Whether records that a listing lacks may be removed. Pure: what was seen comes in, what may go comes out.

/** What a run knows about what it did not see. */
export interface MissingRecords {
  /** Live records that this listing lacks, although they were there before it began; at most one more than the guard. */
  readonly missing: readonly string[]
  /** Those that the complete listing before lacked as well: an interval earlier, or at any time when it is confirmed. */
  readonly missingTwice: readonly string[]
  readonly live: number
  /** The third party answers everything at once: the listing cannot have shifted under us. */
  readonly isOneCall: boolean
  readonly received: number
  readonly canGet: boolean
  /** An earlier listing would have removed too much as well. */
  readonly wasSuspicious: boolean
  readonly isConfirmed: boolean
}

/**
 * `ask`: remove those that their own `get` no longer finds, and the `sure` ones, which are too many to be asked for.
 * `sample`: remove all, if none of a sample is found.
 */
export type RemovalDecision =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'remove'; readonly ids: readonly string[] }
  | { readonly kind: 'ask'; readonly ids: readonly string[]; readonly sure: readonly string[] }
  | { readonly kind: 'sample'; readonly ids: readonly string[]; readonly missing: number }
  | { readonly kind: 'suspicious'; readonly missing: number }

/** Single records that are asked for, to confirm that they are gone. */
const MAX_ASKED = 100

/** How many records may go at once. */
export function guardOf(live: number): number {
  return Math.max(20, Math.floor(live / 10))
}

/** Whether the listing can be what it claims: the third party's own count is met. */
export function isCountMet(seen: number, total: number | null): boolean {
  return total === null || seen >= 0.98 * total
}

export function decideRemoval(found: MissingRecords): RemovalDecision {
  const { missing, missingTwice, live, isOneCall, received, canGet } = found
  if (missing.length === 0) return { kind: 'nothing' }
  if (missing.length > guardOf(live)) return decideMany(found)
  // An empty answer is what a broken vendor gives first: it confirms nothing.
  if (isOneCall && received > 0) return { kind: 'remove', ids: missing }
  if (canGet) {
    const ids = missing.slice(0, MAX_ASKED)
    return { kind: 'ask', ids, sure: missingTwice.filter((id) => !ids.includes(id)) }
  }
  return missingTwice.length === 0 ? { kind: 'nothing' } : { kind: 'remove', ids: missingTwice }
}

function decideMany({
  missing,
  missingTwice,
  canGet,
  wasSuspicious,
  isConfirmed,
}: MissingRecords): RemovalDecision {
  const suspicious: RemovalDecision = { kind: 'suspicious', missing: missing.length }
  if (!wasSuspicious || missingTwice.length === 0) return suspicious
  if (isConfirmed) return { kind: 'remove', ids: missingTwice }
  return canGet ? { kind: 'sample', ids: missingTwice, missing: missing.length } : suspicious
}
