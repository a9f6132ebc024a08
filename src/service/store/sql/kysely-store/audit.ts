// Reading, checking and shortening the audit log.
import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
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
import { visibleTo } from './owner-filter.ts'
import { readRow, writeRow } from './row.ts'
import { changesAny, countChanged, StoreGroup } from './store-group.ts'

const CHAINS_AT_ONCE = 500
const EVENTS_AT_ONCE = 1000

export class Audit extends StoreGroup implements AuditStore {
  readonly append: AuditStore['append'] = async (entry) =>
    await this.database.transaction((tx) => appendAudit(this.database, tx, entry))

  readonly open: AuditStore['open'] = async (id, { outcome: _outcome, ...entry }) => {
    const values = { ...writeRow(entry), pending_id: id, opened_at: this.now() }
    await this.db.insertInto('audit_pending').values(values).execute()
  }

  readonly close: AuditStore['close'] = async (id, entry) =>
    await this.database.transaction(async (tx) => {
      // The process whose row is removed first appends the event.
      const closing = tx.deleteFrom('audit_pending').where('pending_id', '=', id)
      if (!(await changesAny(tx, closing))) return false
      await appendAudit(this.database, tx, entry)
      return true
    })

  readonly closeAbandoned: AuditStore['closeAbandoned'] = async (ageMs) => {
    let closed = 0
    for (;;) {
      const rows = await this.db
        .selectFrom('audit_pending')
        .selectAll()
        .where('opened_at', '<=', this.now(-ageMs))
        .limit(EVENTS_AT_ONCE)
        .execute()
      for (const row of rows) if (await this.close(row.pending_id, toEntry(row))) closed++
      if (rows.length < EVENTS_AT_ONCE) return closed
    }
  }

  readonly list: AuditStore['list'] = async (owner, filter) => {
    if (!(await maySee(this.db, owner, filter))) return []
    const rows = await this.db
      .selectFrom('audit_event')
      .selectAll()
      .where('chain_id', '=', filter.instanceId ?? organizationChain(owner.organizationId))
      .where('organization_id', '=', owner.organizationId)
      .where('seq', '<', filter.beforeSeq ?? Number.MAX_SAFE_INTEGER)
      .orderBy('seq', 'desc')
      .limit(filter.limit)
      .execute()
    return rows.map(toEvent)
  }

  readonly verify: AuditStore['verify'] = async () => {
    const orphans = await sql<Pick<BrokenAudit, 'chain' | 'seq'>>`select chain_id as chain, seq
      from audit_event where not exists
      (select 1 from audit_head where audit_head.chain_id = audit_event.chain_id)
      order by chain_id, seq limit 1`.execute(this.db)
    for (const orphan of orphans.rows) return { ...orphan, problem: 'missing' }
    for await (const chain of chains(this.db)) {
      // What looks broken may have been shortened while it was read.
      const broken = (await verifyChain(this.db, chain)) && (await verifyChain(this.db, chain))
      if (broken !== null) return broken
    }
    return null
  }

  readonly purgeBefore: AuditStore['purgeBefore'] = async (beforeMs) =>
    await this.removeOld(beforeMs, ['audit_event', 'chain_id'], (chain, last) =>
      this.#removeUpTo(chain, last),
    )

  async #removeUpTo(chain: string, last: number): Promise<number> {
    return await this.database.transaction(async (tx) => {
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
      const old = tx.deleteFrom('audit_event').where('chain_id', '=', chain)
      return await countChanged(tx, old.where('seq', '<=', last))
    })
  }
}

/** More than one page of SQLite, so that new ones are needed. */
const PROBE = 'x'.repeat(8192)

/** Commits a row and its removal. */
export async function tryWriting(database: StoreDatabase): Promise<void> {
  await database.transaction(async (tx) => {
    const id = `probe:${randomUUID()}`
    const entry = { organizationId: '', instanceId: null, requestId: null, actor: '', action: '' }
    const values = { ...writeRow({ ...entry, target: PROBE, members: [] }), pending_id: id }
    await tx
      .insertInto('audit_pending')
      .values({ ...values, opened_at: database.now() })
      .execute()
    await tx.deleteFrom('audit_pending').where('pending_id', '=', id).execute()
  })
}

/** An owner of all of an organisation sees its events; one of less, those of the instances that are visible to it. */
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
  const first = await readHead(db, chain)
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
    const head = await readHead(db, chain)
    if (head === undefined || head.seq < seq) return { chain, seq, problem: 'changed' }
    if (head.seq === seq) return head.hash === hash ? null : { chain, seq, problem: 'changed' }
    if (events.length === 0) return { chain, seq: seq + 1, problem: 'missing' }
  }
}

async function readHead(
  db: Executor,
  chain: string,
): Promise<Selectable<Tables['audit_head']> | undefined> {
  return await db
    .selectFrom('audit_head')
    .selectAll()
    .where('chain_id', '=', chain)
    .executeTakeFirst()
}

/** The event of an operation whose process ended before it could tell. */
function toEntry(row: Selectable<Tables['audit_pending']>): AuditEntry {
  const { pending_id: _id, opened_at: _openedAt, ...columns } = row
  return { ...readRow<Omit<AuditEntry, 'outcome'>>(columns), outcome: 'uncertain' }
}

function toEvent({ chain_id: chain, ...columns }: AuditRow): AuditEvent {
  return { chain, ...readRow<Omit<AuditEvent, 'chain'>>(columns) }
}
