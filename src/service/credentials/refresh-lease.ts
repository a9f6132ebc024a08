// The right to refresh one instance, over any number of processes.
import type { Clock } from '../../engine/exchange/clock.ts'
import { type LeaseStore, REFRESH_PURPOSE } from '../store/credentials.ts'

/** A lease that is extended until it is released, or until its holder has had time enough. */
export interface RefreshLease {
  readonly fence: number
  /** Whether it is still ours. Throws `store_unavailable`. */
  isOurs(): Promise<boolean>
  /** Gives it back. A store that is away lets it run out instead. */
  release(): Promise<void>
}

export interface LeasePorts {
  readonly leases: LeaseStore
  readonly clock: Clock
  readonly instanceId: string
  readonly ownerId: string
}

/** Longer than a process may pause between two heartbeats; how long others wait after a kill. */
const LEASE_MS = 45_000
const HEARTBEAT_MS = 5_000

/** The lease, or null while somebody else holds it. It is extended for `maxMs` at most: a holder that hangs ends. */
export async function takeLease(
  { leases, clock, instanceId, ownerId }: LeasePorts,
  maxMs: number,
): Promise<RefreshLease | null> {
  const granted = await leases.acquire(instanceId, REFRESH_PURPOSE, ownerId, LEASE_MS)
  if (granted === null) return null
  const { fence } = granted
  const held = { instanceId, purpose: REFRESH_PURPOSE, ownerId, fence }
  const end = clock.monotonic() + maxMs
  const released = new AbortController()
  const extend = (): Promise<boolean> => leases.extend(held, LEASE_MS)

  async function beat(): Promise<void> {
    while (clock.monotonic() < end) {
      await clock.sleep(HEARTBEAT_MS, released.signal)
      // A lost lease is no reason to stop: what its holder knows is committed by generation. Nor is a store that is away.
      await extend().catch(() => false)
    }
  }
  beat().catch(() => {}) // ended by the release

  return {
    fence,
    isOurs: extend,
    async release() {
      released.abort()
      await leases.release(held).catch(() => {})
    },
  }
}
