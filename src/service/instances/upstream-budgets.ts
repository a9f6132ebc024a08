// The budgets of third parties in one process, and what they share with other processes.
import { Budget } from '../../engine/exchange/budget.ts'
import type { Limits, Manifest } from '../../language/manifest/manifest.ts'
import type { Store } from '../store/store.ts'
import type { ServiceBase } from '../base.ts'
import { codeOf } from '../log.ts'
import { createSharedLedger } from './shared-ledger.ts'

export interface UpstreamBudgets {
  /** The budget of an instance; the same one while anybody holds it. */
  of(manifest: Manifest, instanceId: string): Budget
  close(): Promise<void>
}

export interface UpstreamBudgetPorts extends Pick<ServiceBase, 'clock' | 'log' | 'upstreamRates'> {
  readonly store: Pick<Store, 'rates' | 'isShared'>
}

/** What is used of a rate with such a period outlives the process, also where there is no other one. */
const LASTING_MS = 3_600_000
/** How often a process looks for silences that others were asked for. */
const LOOK_EVERY_MS = 1_000

interface Known {
  readonly limits: Limits
  readonly budget: WeakRef<Budget>
}

export function createUpstreamBudgets(ports: UpstreamBudgetPorts): UpstreamBudgets {
  const { store, clock, log, upstreamRates } = ports
  const { rates, isShared } = store
  const known = new Map<string, Known>()
  const closing = new AbortController()
  const asides = new Set<Promise<void>>()
  let watching: Promise<void> | null = null
  let isLooking = false

  function open(ownerId: string, limits: Limits): Budget {
    const ledgerPorts = { rates, clock, aside }
    return new Budget(limits, clock, {
      ledgerOf: (rate) =>
        isShared || rate.periodMs >= LASTING_MS
          ? createSharedLedger(ledgerPorts, ownerId, rate)
          : null,
      blocked: (ms) => aside(() => rates.block(ownerId, ms)),
    })
  }

  function aside(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => {
        log.warn({ code: codeOf(error) }, 'the use of a rate could not be shared')
      })
      .finally(() => asides.delete(done))
    asides.add(done)
  }

  /** A silence reaches every process within about a second, and its look-up is on the way of no call. */
  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, closing.signal).catch(() => {})
      // A store that is away is no news here.
      await look().catch(() => {})
    }
  }

  async function look(): Promise<void> {
    if (known.size === 0) return
    for (const { ownerId, ms } of await rates.blocked())
      known.get(ownerId)?.budget.deref()?.blockedElsewhere(ms)
    for (const [ownerId, { budget }] of known)
      if (budget.deref() === undefined) known.delete(ownerId)
  }

  /** Silences from before this process, or this budget, began. */
  function lookSoon(): void {
    if (isLooking) return
    isLooking = true
    aside(async () => {
      await clock.sleep(0)
      isLooking = false
      await look()
    })
  }

  return {
    of(manifest, instanceId) {
      const limits = upstreamRates ? manifest.limits : withoutRates(manifest)
      const ownerId = limits.per === 'instance' ? instanceId : `connector:${manifest.type}`
      const before = known.get(ownerId)
      const opened = before?.budget.deref()
      if (before?.limits === limits && opened !== undefined) return opened
      const budget = open(ownerId, limits)
      known.set(ownerId, { limits, budget: new WeakRef(budget) })
      lookSoon()
      if (isShared) watching ??= watch()
      return budget
    },
    async close() {
      closing.abort()
      await watching
      await Promise.all(asides)
    },
  }
}

const bare = new WeakMap<Manifest, Limits>()

function withoutRates(manifest: Manifest): Limits {
  let limits = bare.get(manifest)
  if (limits === undefined)
    bare.set(manifest, (limits = { ...manifest.limits, rates: [], per: 'instance' }))
  return limits
}
