// Reading, checking and shortening the audit log.
import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type {
  AuditEntry,
  AuditEvent,
  AuditFilter,
  AuditStore,
  BrokenAudit,
} from '../../../store/audit.ts'
import type { Owner } from '../../../store/owner.ts'
import type { StoreDatabase } from '../database.ts'
import type { Executor, Tables } from '../schema.ts'
import { appendAudit, auditHash, type AuditRow, organizationChain } from './audit-chain.ts'
import { readTexts } from './json-column.ts'
import { visibleTo } from './owner-filter.ts'

const CHAINS_AT_ONCE = 500
const EVENTS_AT_ONCE = 1000

export function createAudit(database: StoreDatabase): AuditStore {
  const { db } = database
  return {
    append: async (entry) => await database.transaction((tx) => appendAudit(database, tx, entry)),

    async open(id, entry) {
      await db
        .insertInto('audit_pending')
        .values({
          pending_id: id,
          organization_id: entry.organizationId,
          instance_id: entry.instanceId,
          request_id: entry.requestId,
          actor: entry.actor,
          action: entry.action,
          target: entry.target,
          members: JSON.stringify(entry.members),
          opened_at: database.now(),
        })
        .execute()
    },

    close: (id, entry) => closePending(database, id, entry),

    async closeAbandoned(ageMs) {
      let closed = 0
      for (;;) {
        const rows = await db
          .selectFrom('audit_pending')
          .selectAll()
          .where('opened_at', '<=', database.in(-ageMs))
          .limit(EVENTS_AT_ONCE)
          .execute()
        for (const row of rows)
          if (await closePending(database, row.pending_id, toEntry(row))) closed++
        if (rows.length < EVENTS_AT_ONCE) return closed
      }
    },

    async list(owner, filter) {
      if (!(await maySee(db, owner, filter))) return []
      const rows = await db
        .selectFrom('audit_event')
        .selectAll()
        .where('chain_id', '=', filter.instanceId ?? organizationChain(owner.organizationId))
        .where('organization_id', '=', owner.organizationId)
        .where('seq', '<', filter.beforeSeq ?? Number.MAX_SAFE_INTEGER)
        .orderBy('seq', 'desc')
        .limit(filter.limit)
        .execute()
      return rows.map(toEvent)
    },

    async verify() {
      const orphan = await db
        .selectFrom('audit_event')
        .select(['chain_id', 'seq'])
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('audit_head')
                .select('audit_head.seq')
                .whereRef('audit_head.chain_id', '=', 'audit_event.chain_id'),
            ),
          ),
        )
        .orderBy('chain_id')
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst()
      if (orphan !== undefined)
        return { chain: orphan.chain_id, seq: orphan.seq, problem: 'missing' }
      for await (const chain of chains(db)) {
        // What looks broken may have been shortened while it was read.
        const broken = (await verifyChain(db, chain)) && (await verifyChain(db, chain))
        if (broken !== null) return broken
      }
      return null
    },

    async purgeBefore(beforeMs) {
      let removed = 0
      for (;;) {
        const old = await db
          .selectFrom('audit_event')
          .select(['chain_id', (eb) => eb.fn.max('seq').as('last')])
          .where('at', '<', beforeMs)
          .groupBy('chain_id')
          .limit(CHAINS_AT_ONCE)
          .execute()
        for (const { chain_id: chain, last } of old)
          removed += await removeUpTo(database, chain, last)
        if (old.length < CHAINS_AT_ONCE) return removed
      }
    },
  }
}

/** Whose row goes first has the event. */
async function closePending(
  database: StoreDatabase,
  id: string,
  entry: AuditEntry,
): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('audit_pending')
      .where('pending_id', '=', id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await appendAudit(database, tx, entry)
    return true
  })
}

/** The event of an operation whose process ended before it could tell. */
function toEntry(row: Selectable<Tables['audit_pending']>): AuditEntry {
  return {
    organizationId: row.organization_id,
    instanceId: row.instance_id,
    requestId: row.request_id,
    actor: row.actor,
    action: row.action,
    target: row.target,
    outcome: 'uncertain',
    members: readTexts(row.members),
  }
}

/** More than one page of SQLite, so that new ones are needed. */
const PROBE = 'x'.repeat(8192)

/** Commits a row and its removal. */
export async function tryWriting(database: StoreDatabase): Promise<void> {
  await database.transaction(async (tx) => {
    const id = `probe:${randomUUID()}`
    await tx
      .insertInto('audit_pending')
      .values({
        pending_id: id,
        organization_id: '',
        instance_id: null,
        request_id: null,
        actor: '',
        action: '',
        target: PROBE,
        members: '[]',
        opened_at: database.now(),
      })
      .execute()
    await tx.deleteFrom('audit_pending').where('pending_id', '=', id).execute()
  })
}

/** Whoever sees all of an organisation sees its events; whoever sees less, those of the instances that are visible. */
async function maySee(db: Executor, owner: Owner, { instanceId }: AuditFilter): Promise<boolean> {
  const { externalUserId, connectorTypes, connectorIds } = owner
  const isNarrow = [externalUserId, connectorTypes, connectorIds].some((part) => part !== undefined)
  if (!isNarrow) return true
  if (instanceId === undefined) return false
  const visible = await db
    .selectFrom('connector_instance')
    .select('instance_id')
    .where('instance_id', '=', instanceId)
    .where(visibleTo(owner))
    .executeTakeFirst()
  return visible !== undefined
}

async function* chains(db: Executor): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const page = await db
      .selectFrom('audit_head')
      .select('chain_id')
      .where('chain_id', '>', after)
      .orderBy('chain_id')
      .limit(CHAINS_AT_ONCE)
      .execute()
    for (const { chain_id: chain } of page) yield chain
    const last = page.at(-1)
    if (last === undefined) return
    after = last.chain_id
  }
}

/** The head is read after the events that it ends: events may be appended meanwhile. */
async function verifyChain(db: Executor, chain: string): Promise<BrokenAudit | null> {
  const first = await headOf(db, chain)
  if (first === undefined) return null
  let { removed_seq: seq, removed_hash: hash } = first
  for (;;) {
    const events = await db
      .selectFrom('audit_event')
      .selectAll()
      .where('chain_id', '=', chain)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(EVENTS_AT_ONCE)
      .execute()
    for (const event of events) {
      if (event.seq !== seq + 1) return { chain, seq: seq + 1, problem: 'missing' }
      if (auditHash(hash, event) !== event.hash)
        return { chain, seq: event.seq, problem: 'changed' }
      ;({ seq, hash } = event)
    }
    if (events.length === EVENTS_AT_ONCE) continue
    const head = await headOf(db, chain)
    if (head === undefined || head.seq < seq) return { chain, seq, problem: 'changed' }
    if (head.seq === seq) return head.hash === hash ? null : { chain, seq, problem: 'changed' }
    if (events.length === 0) return { chain, seq: seq + 1, problem: 'missing' }
  }
}

async function headOf(
  db: Executor,
  chain: string,
): Promise<
  | {
      readonly seq: number
      readonly hash: string
      readonly removed_seq: number
      readonly removed_hash: string
    }
  | undefined
> {
  return await db
    .selectFrom('audit_head')
    .select(['seq', 'hash', 'removed_seq', 'removed_hash'])
    .where('chain_id', '=', chain)
    .executeTakeFirst()
}

async function removeUpTo(database: StoreDatabase, chain: string, last: number): Promise<number> {
  return await database.transaction(async (tx) => {
    const end = await tx
      .selectFrom('audit_event')
      .select('hash')
      .where('chain_id', '=', chain)
      .where('seq', '=', last)
      .executeTakeFirst()
    // Somebody else removes them.
    if (end === undefined) return 0
    await tx
      .updateTable('audit_head')
      .set({ removed_seq: last, removed_hash: end.hash })
      .where('chain_id', '=', chain)
      .where('removed_seq', '<', last)
      .execute()
    const { numDeletedRows } = await tx
      .deleteFrom('audit_event')
      .where('chain_id', '=', chain)
      .where('seq', '<=', last)
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
}

function toEvent(row: AuditRow): AuditEvent {
  return {
    chain: row.chain_id,
    seq: row.seq,
    at: row.at,
    organizationId: row.organization_id,
    instanceId: row.instance_id,
    requestId: row.request_id,
    actor: row.actor,
    action: row.action,
    target: row.target,
    outcome: row.outcome,
    members: readTexts(row.members),
    hash: row.hash,
  }
}
