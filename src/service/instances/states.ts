// What an instance's state says, kept true: only proofs change it, never a vendor's bad day.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import { type Actor, auditOf, causeOf, SERVICE } from '../audit.ts'
import { type InstanceRow, STANDING_STILL, type StateReason } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import type { CheckResult } from '../../engine/run/check.ts'
import type { Connection } from './connections.ts'
import { type CheckPorts, loggedCheck } from './logged-check.ts'

/** A check that follows a 401 runs at most this often per instance. */
const DOUBT_EVERY_MS = 60_000
const DOUBT_TIMEOUT_MS = 10_000

/**
 * `isNews`: the state is another one. `isBack`: the instance stood still before. One that is not proved yet does not, so
 * that nothing is to be started where it is proved.
 */
export interface ChangedState {
  readonly isNews: boolean
  readonly isBack: boolean
}

/**
 * Keeps the states of instances. No method throws `store_unavailable`: what is known of an operation is worth more than
 * what its instance's state says, which the next operation sets right.
 */
export class States {
  readonly #store: Store
  readonly #clock: Clock
  readonly #logs: CheckPorts['logs']
  readonly #changed: (instanceId: string, what: ChangedState) => void

  /** `changed` is called after each attempt to change one, so that caches forget the row. */
  constructor(
    { store, clock, logs }: CheckPorts & { readonly store: Store },
    changed: (instanceId: string, what: ChangedState) => void,
  ) {
    this.#store = store
    this.#clock = clock
    this.#logs = logs
    this.#changed = changed
  }

  /** Whether a success proves anything new about an instance. */
  isDoubted({ state }: InstanceRow): boolean {
    return state === 'pending' || state === 'auth_error'
  }

  /** The third party took the credentials: `pending` and `auth_error` end. */
  async proved(row: InstanceRow, requestId: string | null = null): Promise<void> {
    if (this.isDoubted(row)) await ignoreAway(this.#prove(row, byService(row, requestId)))
  }

  /** After a check that somebody has asked for: what it finds out is theirs in the audit log. */
  async checked(
    row: InstanceRow,
    result: CheckResult,
    by: { readonly principal: Actor; readonly requestId: string },
  ): Promise<void> {
    await ignoreAway(this.#settle(row, result, { actor: by.principal, requestId: by.requestId }))
  }

  /** What a failed operation says about the instance. One 401 is only a doubt: the check decides. */
  async failed(
    row: InstanceRow,
    connection: Connection,
    error: ConnectorError,
    requestId: string | null = null,
  ): Promise<void> {
    if (error.code === 'reauthorization_required') {
      await ignoreAway(this.#refuse(row, error, byService(row, requestId)))
      return
    }
    if (error.code !== 'credentials_refused') return
    // Some vendors answer 401 for a missing scope.
    const now = this.#clock.monotonic()
    if (now - connection.lastDoubtAt < DOUBT_EVERY_MS) return
    connection.lastDoubtAt = now
    try {
      const ports = { logs: this.#logs, clock: this.#clock }
      const result = await loggedCheck(ports, connection, {
        instance: row,
        reason: 'after_refusal',
        clientId: null,
        requestId,
        timeoutMs: DOUBT_TIMEOUT_MS,
      })
      await this.#settle(row, result, byService(row, requestId))
    } catch (failure) {
      // What could not be asked says nothing.
      if (!isConnectorError(failure)) throw failure
    }
  }

  async #settle(row: InstanceRow, { result, error }: CheckResult, by: By): Promise<void> {
    let isNews = false
    if (result === 'ok') isNews = await this.#prove(row, by)
    else if (result === 'refused' && error !== null) isNews = await this.#refuse(row, error, by)
    // One that met no answer says nothing of the credentials, and stands in the logs and in the audit log.
    if (!isNews && result !== 'inconclusive') await this.#noteCheck(row)
  }

  #prove(row: InstanceRow, by: By): Promise<boolean> {
    return this.#change(row, by, {
      from: ['pending', 'auth_error'],
      to: 'active',
      reason: null,
    })
  }

  #refuse(row: InstanceRow, error: ConnectorError, by: By): Promise<boolean> {
    const reason = reasonOf(error, this.#clock.now())
    return this.#change(row, by, {
      from: ['pending', 'active', 'refresh_unknown'],
      to: 'auth_error',
      reason,
    })
  }

  /** False: the instance is in that state already. */
  async #change(
    { id }: InstanceRow,
    { actor, requestId }: By,
    change: StateChange,
  ): Promise<boolean> {
    const lastCheckedAt = this.#clock.now()
    const about = {
      instanceId: id,
      target: id,
      outcome: change.to,
      members: causeOf(change.reason),
    }
    const audit = auditOf(actor, requestId, 'instance.state', about)
    const before = await this.#store.instances.setState(id, { ...change, lastCheckedAt }, audit)
    const isNews = before !== null
    const isBack = isNews && STANDING_STILL.includes(before) && !STANDING_STILL.includes(change.to)
    this.#changed(id, { isNews, isBack })
    return isNews
  }

  /** The check said nothing new, but it was answered. What it refreshed may have changed the state since. */
  async #noteCheck({ id }: InstanceRow): Promise<void> {
    const { instances } = this.#store
    const now = await instances.find(id)
    if (now === null) return
    const { state, stateReason: reason } = now
    const lastCheckedAt = this.#clock.now()
    await instances.setState(id, { from: [state], to: state, reason, lastCheckedAt })
  }
}

/** Whose act a change of the state is, and in which request. */
interface By {
  readonly actor: Actor
  readonly requestId: string | null
}

/** What an operation found out, and a check that nobody asked for. */
function byService({ organizationId }: InstanceRow, requestId: string | null): By {
  return { actor: { organizationId, clientId: SERVICE }, requestId }
}

type StateChange = Omit<Parameters<Store['instances']['setState']>[1], 'lastCheckedAt'>

async function ignoreAway(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!isConnectorError(error, 'store_unavailable')) throw error
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

/** Throws `instance_disabled`. */
export function requireEnabled(row: InstanceRow): void {
  if (!row.enabled || row.state === 'disabled') throw disabled()
}

/** Throws `instance_disabled`, and `reauthorization_required` for what the third party has ended. */
export function requireUsable(row: InstanceRow): void {
  requireEnabled(row)
  if (row.state !== 'auth_error') return
  throw new ConnectorError(
    'reauthorization_required',
    `the third party refuses this connection (${row.stateReason?.code ?? 'unknown'}); the user must connect again`,
    { details: { reason: row.stateReason?.code ?? null } },
  )
}

export function disabled(): ConnectorError {
  return new ConnectorError(
    'instance_disabled',
    'this instance is disabled; nothing is sent for it until it is enabled again',
  )
}
