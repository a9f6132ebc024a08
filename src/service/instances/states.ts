// What an instance's state says, kept true: only proofs change it, never a vendor's bad day.
import { type ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { InstanceRow, StateReason } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import type { CheckResult } from '../../engine/run/check.ts'
import type { Connection } from './connections.ts'

/** A check that follows a 401 runs at most this often per instance. */
const DOUBT_EVERY_MS = 60_000
const DOUBT_TIMEOUT_MS = 10_000

/**
 * None of them throws `store_unavailable`: what is known of an operation is worth more than what its instance's state
 * says, which the next operation sets right.
 */
export interface States {
  /** Whether a success proves anything new about an instance. */
  isDoubted(row: InstanceRow): boolean
  /** The third party took the credentials: `pending` and `auth_error` end. */
  proved(row: InstanceRow): Promise<void>
  /** What a failed operation says about the instance. One 401 is only a doubt: the check decides. */
  failed(row: InstanceRow, connection: Connection, error: ConnectorError): Promise<void>
  /** What a check says. */
  checked(row: InstanceRow, result: CheckResult): Promise<void>
}

/** Keeps the states of instances. `changed` is called after each change, so that caches forget the row. */
export function createStates(
  store: Store,
  clock: Clock,
  changed: (instanceId: string) => void,
): States {
  async function kept(change: Promise<unknown>): Promise<void> {
    try {
      await change
    } catch (error) {
      if (!isConnectorError(error, 'store_unavailable')) throw error
    }
  }

  async function refuse(row: InstanceRow, reason: StateReason): Promise<boolean> {
    const isNews = await store.instances.setState(row.id, {
      from: ['pending', 'active', 'refresh_unknown'],
      to: 'auth_error',
      reason,
      lastCheckedAt: clock.now(),
    })
    changed(row.id)
    return isNews
  }

  async function prove(row: InstanceRow): Promise<boolean> {
    const isNews = await store.instances.setState(row.id, {
      from: ['pending', 'auth_error'],
      to: 'active',
      reason: null,
      lastCheckedAt: clock.now(),
    })
    changed(row.id)
    return isNews
  }

  /** The check said nothing new, but it was made. What it refreshed may have changed the state since. */
  async function note({ id }: InstanceRow): Promise<void> {
    const now = await store.instances.find(id)
    if (now === null) return
    await store.instances.setState(id, {
      from: [now.state],
      to: now.state,
      reason: now.stateReason,
      lastCheckedAt: clock.now(),
    })
  }

  async function checked(row: InstanceRow, result: CheckResult): Promise<void> {
    let isNews = false
    if (result.result === 'ok') isNews = await prove(row)
    else if (result.result === 'refused' && result.error !== null)
      isNews = await refuse(row, reasonOf(result.error, clock.now()))
    if (!isNews) await note(row)
  }

  return {
    isDoubted,
    async proved(row) {
      if (isDoubted(row)) await kept(prove(row))
    },
    checked: (row, result) => kept(checked(row, result)),
    async failed(row, connection, error) {
      if (error.code === 'reauthorization_required') {
        await kept(refuse(row, reasonOf(error, clock.now())))
        return
      }
      if (error.code !== 'credentials_refused') return
      // Some vendors answer 401 for a missing scope.
      if (clock.monotonic() - connection.lastDoubtAt < DOUBT_EVERY_MS) return
      connection.lastDoubtAt = clock.monotonic()
      try {
        await checked(row, await connection.engine.check({ timeoutMs: DOUBT_TIMEOUT_MS }))
      } catch (failure) {
        // What could not be asked says nothing.
        if (!isConnectorError(failure)) throw failure
      }
    },
  }
}

/** Names of the state machine for what the keeper found out. */
const REASONS: ReadonlySet<string> = new Set(['grant_refused', 'refresh_lost', 'revoked_upstream'])

function reasonOf(error: ConnectorError, now: number): StateReason {
  const reason = error.details['reason']
  return {
    code: typeof reason === 'string' && REASONS.has(reason) ? reason : error.code,
    detail: error.message,
    since: now,
    upstreamStatus: error.upstream?.status ?? null,
  }
}

function isDoubted({ state }: InstanceRow): boolean {
  return state === 'pending' || state === 'auth_error'
}
