// How many instances there are of each kind: counted for everyone who asks, and seldom where that takes long.
import type { Clock } from '../../engine/exchange/clock.ts'
import { type Counted, CountedSeldom } from '../counted-seldom.ts'
import { dropOldest } from '../drop-oldest.ts'
import type { InstanceFilter, InstanceGroup } from '../store/instances.ts'
import type { Owner } from '../store/owner.ts'
import type { Store } from '../store/store.ts'

/** Owners and filters whose counts are remembered. */
const MAX_REMEMBERED = 200
/** Counted for every answer: a list of so many and its counts tell of one moment. */
const FEW = 1_000

export class InstanceCounts {
  readonly #store: Pick<Store, 'instances' | 'leases'>
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #counts = new Map<string, CountedSeldom<readonly InstanceGroup[]>>()

  constructor(store: Pick<Store, 'instances' | 'leases'>, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store
    this.#clock = clock
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
      count: async () => (await instances.count(owner, filter)).groups,
      isFew: (groups) => groups.reduce((sum, { count }) => sum + count, 0) <= FEW,
      clock: this.#clock,
      // Of what one owner asks for every process makes counts of its own.
      store: { isShared: false, leases },
    })
  }
}
