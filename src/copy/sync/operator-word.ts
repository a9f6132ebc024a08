// What an operator says about removals: that those of a run were wrong, or that a listing that lacks too much is right.
import type { CopyName, SearchIndex } from '../search/search-index.ts'
import { readFacts } from './run-record.ts'

/** Brings back what a run removed, as long as it is kept; gives the number of records. */
export async function undoRemovals(
  index: Pick<SearchIndex, 'copies' | 'restore'>,
  instanceId: string,
  runId: string,
): Promise<number> {
  let restored = 0
  // A record and what hung on it were removed under one run.
  for (const copy of await index.copies({ instanceId }))
    restored += await index.restore(copy, runId)
  return restored
}

/** `nothing`: the entity is not suspicious. `unread`: its listing was not read to its end, so it is unknown what it lacks. */
export type Confirmation =
  | { readonly kind: 'confirmed'; readonly missing: number }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unread' }

/** Lets what a suspicious listing lacks go with the next complete one that lacks it as well, which the caller makes due. */
export async function confirmListing(
  index: Pick<SearchIndex, 'copies' | 'write'>,
  name: CopyName,
  nowMs: number,
): Promise<Confirmation> {
  const copy = (await index.copies(name)).at(-1)
  const facts = readFacts(copy?.facts ?? '')
  if (copy === undefined || facts.suspicious === null) return { kind: 'nothing' }
  const { bound, missing, runId } = facts.suspicious
  if (bound !== undefined) return { kind: 'unread' }
  const confirmed = JSON.stringify({ ...facts, confirmed: runId })
  await index.write({ copy, fence: null, observedAtMs: nowMs, facts: confirmed })
  return { kind: 'confirmed', missing }
}
