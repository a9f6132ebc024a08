// How far the copies of accounts are, a line for each: those that are late first, then the oldest.
import type { All, Instance, InstancePage, LastSync } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { firstNamed } from '../../parts/named-accounts.ts'

export interface AccountSync {
  readonly instance: Instance
  readonly sync: LastSync
}

/** Accounts that are looked at: a page of all; where there are more, also one of those with a copy that is late. */
export const LOOKED_AT = 200

export interface Behind {
  readonly meta: InstancePage['meta']
  readonly rows: readonly AccountSync[]
  /** Whether every account was looked at. */
  readonly isAll: boolean
  readonly lookedAt: number
  /** How many of all have a copy that is late; null: nobody has counted them yet. */
  readonly late: number | null
  /** Whether each of these was looked at. */
  readonly isAllLate: boolean
}

/** `narrowed`: to the accounts that have these words and are of this kind, as the API has it; nothing: of all. */
export async function furthestBehind(
  signal: AbortSignal,
  narrowed: Readonly<Record<string, string>> = {},
): Promise<Behind> {
  const { starts_with: words = '', ...kind } = narrowed
  const query = { ...kind, sort: '-updated_at', limit: String(LOOKED_AT) }
  const page = (more: Readonly<Record<string, string>>): Promise<InstancePage> =>
    firstNamed(words, { ...query, ...more }, signal)
  const all = await page({ counts: 'true' })
  const isAll = !all.meta.has_more
  // Where a kind of syncs is asked for, there are no others.
  const isOfKind = (kind['sync'] ?? '') !== ''
  const late = isAll || isOfKind ? null : await page({ sync: 'late' })
  const accounts = new Map([...(late?.data ?? []), ...all.data].map((each) => [each.id, each]))
  const syncs = await accountSyncs([...accounts.values()], signal)
  // What keeps no copy is not behind.
  const rows = syncs.filter(({ sync }) => sync.state !== null)
  const sorted = rows.toSorted(
    (a, b) => Number(isLate(b)) - Number(isLate(a)) || behindSince(a) - behindSince(b),
  )
  return {
    meta: all.meta,
    rows: sorted,
    isAll,
    lookedAt: accounts.size,
    late:
      all.meta.facets === undefined
        ? null
        : (all.meta.facets.sync.find(({ value }) => value === 'late')?.count ?? 0),
    isAllLate: isAll || late?.meta.has_more === false,
  }
}

/** Milliseconds since 1970; what was never read is behind since it was connected, and what somebody paused is not. */
function behindSince({ instance, sync }: AccountSync): number {
  const { furthest_behind: furthest, last_synced_at: last } = sync
  if (furthest !== null) return Date.parse(furthest.synced_at ?? instance.created_at)
  return needsUser(instance) ? Date.parse(last ?? instance.created_at) : Number.POSITIVE_INFINITY
}

/** What was to be up to date and is not; what is as old as its interval lets it be was planned so. */
function isLate({ instance, sync: { furthest_behind: furthest } }: AccountSync): boolean {
  return furthest === null ? needsUser(instance) : furthest.late
}

/** Nobody has paused it: it stands still until its user connects again. */
export function needsUser({ state }: AccountSync['instance']): boolean {
  return state === 'auth_error'
}

/** As many ids as an address has room for, before any proxy. */
const AT_ONCE = 50

/** Each of them costs the service a look-up. An account that is gone meanwhile has no line. */
async function accountSyncs(
  accounts: readonly Instance[],
  signal: AbortSignal,
): Promise<readonly AccountSync[]> {
  const byId = new Map<string, LastSync>()
  for (let from = 0; from < accounts.length; from += AT_ONCE) {
    const some = accounts.slice(from, from + AT_ONCE)
    const query = { connector_ids: some.map(({ id }) => id).join(',') }
    const { data } = await call<All<LastSync>>('GET', '/last-syncs', { query, signal })
    for (const sync of data) byId.set(sync.connector_id, sync)
  }
  return accounts.flatMap((instance) => {
    const sync = byId.get(instance.id)
    return sync === undefined ? [] : [{ instance, sync }]
  })
}
