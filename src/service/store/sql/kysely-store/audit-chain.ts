// The hash chain of the audit log: one per instance, one per organisation for what lies above instances.
import { createHash } from 'node:crypto'
import type { AuditEntry } from '../../../store/audit.ts'
import { organizationKeyOwner } from '../../../store/owner.ts'
import type { Tables } from '../schema.ts'
import { oneMore, type Rows } from '../statements.ts'

export type AuditRow = Tables['audit_event']

/** Appends an event to its chain, which is locked from here on: to be the last step of a transaction. */
export async function appendAudit(tx: Rows, entry: AuditEntry): Promise<void> {
  const chainId = entry.instanceId ?? organizationKeyOwner(entry.organizationId)
  const head = await tx.db
    .insertInto('audit_head')
    .values({ chainId, seq: 1, hash: '', removedSeq: 0, removedHash: '' })
    .onConflict((conflict) =>
      conflict.column('chainId').doUpdateSet({ seq: oneMore('audit_head.seq') }),
    )
    .returning(['seq', 'hash', tx.now().as('at')])
    .executeTakeFirstOrThrow()
  const event = { ...entry, chainId, seq: head.seq, at: head.at }
  const hash = auditHash(head.hash, { ...event, membersText: JSON.stringify(entry.members) })
  await tx.insert('audit_event', { ...event, hash })
  await tx.update('audit_head', { chainId }, { hash })
}

/**
 * Runs a change, and appends its event in the same transaction, unless nothing changed: null, false and 0 say so.
 * Without an event the change is one statement, which needs no transaction.
 */
export async function audited<R>(
  rows: Rows,
  entry: AuditEntry | undefined,
  change: (rows: Rows) => Promise<R>,
): Promise<R> {
  if (entry === undefined) return await change(rows)
  return await rows.transaction(async (tx) => {
    const result = await change(tx)
    const happened = result !== null && result !== false && result !== 0
    if (happened) await appendAudit(tx, entry)
    return result
  })
}

/** SHA-256 over the hash of the event before ('' for the first) and all that this one says, hex. */
export function auditHash(
  before: string,
  event: Omit<AuditRow, 'hash' | 'members'> & { readonly membersText: string },
): string {
  const said = [
    before,
    event.chainId,
    event.seq,
    event.at,
    event.organizationId,
    event.instanceId,
    event.requestId,
    event.actor,
    event.action,
    event.target,
    event.outcome,
    event.membersText,
    // Events of earlier versions have neither.
    ...(event.address === null && event.token === null ? [] : [event.address, event.token]),
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}
