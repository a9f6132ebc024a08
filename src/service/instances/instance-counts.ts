// How many instances there are of each kind: counted for everyone who asks, and seldom where that takes long.
import type { Clock } from '../../engine/exchange/clock.ts'
import { type Counted, CountedSeldom } from '../counted-seldom.ts'
import { dropOldest } from '../drop-oldest.ts'
import type { LateAccounts } from '../sync/late-accounts.ts'
import type { InstanceFilter, InstanceGroup } from '../store/instances.ts'
import type { Owner } from '../store/owner.ts'
import type { Store } from '../store/store.ts'

/** Owners and filters whose counts are remembered. */
const MAX_REMEMBERED = 200
/** Counted for every answer: a list of so many and its counts tell of one moment. */
const FEW = 1_000

/** A filter with what it needs to know of late copies. */
export async function withOverdue(
  late: Pick<LateAccounts, 'overdue'>,
  filter: InstanceFilter,
): Promise<InstanceFilter> {
  return filter.sync === 'late' ? { ...filter, overdue: await late.overdue() } : filter
}

export class InstanceCounts {
  readonly #store: Pick<Store, 'instances' | 'leases'>
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #counts = new Map<string, CountedSeldom<readonly InstanceGroup[]>>()

  readonly #late: Pick<LateAccounts, 'overdue'>

  constructor(
    store: Pick<Store, 'instances' | 'leases'>,
    clock: Pick<Clock, 'monotonic'>,
    late: Pick<LateAccounts, 'overdue'>,
  ) {
    this.#store = store
    this.#clock = clock
    this.#late = late
  }

  /** Null: a first count took too long, and another one is under way. */
  read(owner: Owner, filter: InstanceFilter): Promise<Counted<readonly InstanceGroup[]> | null> {
    const key = JSON.stringify([owner, filter])
    const known = this.#counts.get(key) ?? this.#begin(key, owner, filter)
    this.#counts.delete(key)
    this.#counts.set(key, known)
    dropOldest(this.#counts, MAX_REMEMBERED)
    return known.read()
  }

  #begin(
    name: string,
    owner: Owner,
    filter: InstanceFilter,
  ): CountedSeldom<readonly InstanceGroup[]> {
    const { instances, leases } = this.#store
    return new CountedSeldom({
      name,
      count: async () =>
        (await instances.count(owner, await withOverdue(this.#late, filter))).groups,
      isFew: (groups) => groups.reduce((sum, { count }) => sum + count, 0) <= FEW,
      clock: this.#clock,
      // Of what one owner asks for every process makes counts of its own.
      store: { isShared: false, leases },
    })
  }
}
