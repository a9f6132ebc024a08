// A run of somebody's own making on one account, in its place at the gate: what it comes to stands in the audit log, and of
// what may change something also that it was begun.
import { type ConnectorError, isConnectorError } from '../errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { AuditAction } from '../display/audit-actions.ts'
import type { AuditEntry } from './store/audit.ts'
import type { InstanceRow } from './store/instances.ts'
import { uuidv7 } from './store/uuid.ts'
import { auditOf } from './audit.ts'
import type { ServiceBase } from './base.ts'
import type { ServiceRequest } from './route.ts'

export type AuditedRunPorts = Pick<ServiceBase, 'clock' | 'gate' | 'store' | 'records'>

export interface AuditedRun<T> {
  readonly row: Pick<InstanceRow, 'id' | 'organizationId'>
  readonly action: AuditAction
  /** What it is done to, for the audit log. */
  readonly target: string
  /** What it is called in the log of the service. */
  readonly operation: string
  /** Whether it may change something at the third party. */
  readonly isWrite: boolean
  /** By the monotonic clock: waiting for a place included. */
  readonly endsAtMs: number
  /** `outcome`: of what succeeded, for the audit log. */
  readonly work: (
    settings: Parameters<Engine['execute']>[1],
  ) => Promise<{ readonly value: T; readonly outcome: string }>
  /** Called with what failed, before that is written down. */
  readonly onFailure?: (error: ConnectorError, facts: object) => Promise<void>
}

const MAX_TARGET = 200

/** Throws what `work` throws, and `store_unavailable` before it where nothing can be written down. */
export async function runAudited<T>(
  { clock, gate, store, records }: AuditedRunPorts,
  {
    principal,
    requestId,
    signal,
    observer,
  }: Pick<ServiceRequest, 'principal' | 'requestId' | 'signal' | 'observer'>,
  { row, action, target, operation, isWrite, endsAtMs, work, onFailure }: AuditedRun<T>,
): Promise<T> {
  const left = (): number => Math.max(1, endsAtMs - clock.monotonic())
  const leave =
    gate.take(row.organizationId) ?? (await gate.enter(row.organizationId, left(), signal))
  const facts = { request_id: requestId, connector_id: row.id, operation }
  const tell = (outcome: string): AuditEntry =>
    auditOf(principal, requestId, action, {
      instanceId: row.id,
      target: target.slice(0, MAX_TARGET),
      outcome,
    })
  let auditId: string | null = null
  const audit = (outcome: string): Promise<boolean> =>
    records.keep({ ...facts, outcome }, () =>
      auditId === null
        ? store.audit.append(tell(outcome))
        : store.audit.close(auditId, tell(outcome)),
    )
  try {
    // A store that cannot be written refuses a write here, before anything leaves.
    if (isWrite) auditId = await store.audit.open(uuidv7(clock.now()), tell('uncertain'))
    else records.admit()
    const { value, outcome } = await work({
      // A write goes on when its caller has left: stopping it would only make its outcome unknown.
      ...(isWrite ? {} : { signal }),
      timeoutMs: left(),
      observer,
    })
    await audit(outcome)
    return value
  } catch (error) {
    if (!isConnectorError(error)) await audit('internal_error, uncertain')
    else {
      await onFailure?.(error, facts)
      await audit(error.outcome === 'not_applied' ? error.code : `${error.code}, ${error.outcome}`)
    }
    throw error
  } finally {
    leave()
  }
}
