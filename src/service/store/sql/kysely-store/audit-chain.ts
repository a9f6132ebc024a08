// The hash chain of the audit log: one per instance, one per organisation for what lies above instances.
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { AuditEntry } from '../../../store/audit.ts'
import type { StoreDatabase } from '../database.ts'
import type { Executor, Tables } from '../schema.ts'
import { writeRow } from './row.ts'

export type AuditRow = Selectable<Tables['audit_event']>

/** The chain of what happened above instances. */
export function organizationChain(organizationId: string): string {
  return `org:${organizationId}`
}

/**
 * Appends an event to its chain. To be the last step of a transaction: the chain is locked from here to its end.
 */
export async function appendAudit(
  database: StoreDatabase,
  tx: Executor,
  entry: AuditEntry,
): Promise<void> {
  const chain = entry.instanceId ?? organizationChain(entry.organizationId)
  const head = await tx
    .insertInto('audit_head')
    .values({ chain_id: chain, seq: 1, hash: '', removed_seq: 0, removed_hash: '' })
    .onConflict((conflict) =>
      conflict.column('chain_id').doUpdateSet((eb) => ({ seq: eb('audit_head.seq', '+', 1) })),
    )
    .returning(['seq', 'hash', database.now().as('at')])
    .executeTakeFirstOrThrow()
  const event = { ...writeRow(entry), chain_id: chain, seq: head.seq, at: head.at }
  const hash = auditHash(head.hash, event)
  await tx
    .insertInto('audit_event')
    .values({ ...event, hash })
    .execute()
  await tx.updateTable('audit_head').set({ hash }).where('chain_id', '=', chain).execute()
}

/**
 * Runs a change, and appends its event in the same transaction, unless nothing changed: null, false and 0 say so.
 * Without an event the change is one statement, which needs no transaction.
 */
export async function audited<R>(
  database: StoreDatabase,
  entry: AuditEntry | undefined,
  change: (executor: Executor) => Promise<R>,
): Promise<R> {
  if (entry === undefined) return await change(database.db)
  return await database.transaction(async (tx) => {
    const result = await change(tx)
    const happened = result !== null && result !== false && result !== 0
    if (happened) await appendAudit(database, tx, entry)
    return result
  })
}

/** SHA-256 over the hash of the event before ('' for the first) and all that this one says, hex. */
export function auditHash(before: string, event: Omit<AuditRow, 'hash'>): string {
  const said = [
    before,
    event.chain_id,
    event.seq,
    event.at,
    event.organization_id,
    event.instance_id,
    event.request_id,
    event.actor,
    event.action,
    event.target,
    event.outcome,
    event.members,
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}
