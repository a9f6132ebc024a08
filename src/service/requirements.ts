// What must hold before a third party is asked for anything.
import { ConnectorError } from '../errors.ts'
import type { InstanceRow } from './store/instances.ts'
import { disabled } from './instances/instances.ts'

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
    `the third party refuses this connection (${row.stateReason?.code ?? 'unknown'}); the user must connect again: PATCH it with new credentials`,
    { details: { reason: row.stateReason?.code ?? null } },
  )
}
