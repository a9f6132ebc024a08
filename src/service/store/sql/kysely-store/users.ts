// All that belongs to one end user, by the table of it.
import { sql } from 'kysely'
import { organizationKeyOwner } from '../../../store/owner.ts'
import type { EndUser, UserStore } from '../../../store/users.ts'
import { columnName } from '../row.ts'
import type { TableName } from '../schema.ts'
import { above, given, matching, type Rows } from '../statements.ts'
import { USER_ROWS } from '../user-rows.ts'
import { appendAudit, auditHash } from './audit-chain.ts'
import { entriesIn, type StoredLogs } from './log-rows.ts'
import { removeLogs } from './logs.ts'
import { StoreGroup } from './store-group.ts'

interface UserTable {
  readonly table: TableName
  readonly key: string
  readonly shown: readonly string[]
}

/** In the order of USER_ROWS. */
const USER_TABLES: readonly UserTable[] = Object.entries(USER_ROWS).flatMap(([table, belongs]) =>
  // The keys of the record are the names of tables.
  belongs.by === 'user' ? [{ ...belongs, table: table as TableName }] : [],
)

export class Users extends StoreGroup implements UserStore {
  readonly page: UserStore['page'] = async (user, place, limit) => {
    const index = place?.table ?? 0
    const asked = USER_TABLES[index]
    if (asked === undefined) return { rows: [], next: null }
    const { table, key, shown } = asked
    const after = place === null || place.after === '' ? undefined : above(place.after)
    const where = { ...rowsOf(user), [key]: given(after) }
    // A member of the table, which its line names.
    const order = { by: [key as never], limit }
    // What each is shown by is a list of its own members.
    const stored = (await this.rows.list(table, where, order)) as readonly object[]
    // The rows of the log, which the table says.
    const found = table === 'log_entry' ? (stored as StoredLogs[]).flatMap(entriesIn) : stored
    const rows = found.map((row) => ({
      type: table,
      data: Object.fromEntries(
        Object.entries(row).flatMap(([name, value]) =>
          shown.includes(name) ? [[columnName(name), value]] : [],
        ),
      ),
    }))
    const last = Object.entries(found.at(-1) ?? {}).find(([name]) => name === key)?.[1]
    const isEnd = stored.length < limit
    if (isEnd && index + 1 >= USER_TABLES.length) return { rows, next: null }
    const next = isEnd ? { table: index + 1, after: '' } : { table: index, after: last as string }
    return { rows, next }
  }

  readonly erase: UserStore['erase'] = async (user, name, audit) => {
    const { organizationId, externalUserId } = user
    const removed = await this.rows.transaction(async (tx) => {
      let count = 0
      for (const { table } of USER_TABLES) {
        if (table === 'event') continue
        const mine = rowsOf(user)
        count += await (table === 'log_entry' ? removeLogs(tx, mine) : tx.remove(table, mine))
      }
      const scopeId = organizationKeyOwner(organizationId)
      const route = `create:${externalUserId}`
      count += await tx.remove('idempotency_record', { scopeId, organizationId, route })
      await renameTarget(tx, scopeId, externalUserId, name)
      await appendAudit(tx, audit)
      await sql`delete from webhook_delivery where organization_id = ${organizationId} and seq in
        (select seq from event where ${matching<'event'>({ organizationId, externalUserId })})`.execute(
        tx.db,
      )
      return count + (await tx.remove('event', { organizationId, externalUserId }))
    })
    await this.database.scrub('all')
    return removed
  }
}

function rowsOf({ organizationId, externalUserId }: EndUser): EndUser {
  return { organizationId, externalUserId }
}

const EVENTS_AT_ONCE = 500

/**
 * Earlier versions wrote users into the log by their ids. Writes another name there, and the hashes of the chain again from
 * the first such event on. Nothing where there is none.
 */
async function renameTarget(tx: Rows, chainId: string, from: string, to: string): Promise<void> {
  const order = { by: ['seq'], limit: 1 } as const
  const [first] = await tx.list('audit_event', { chainId, target: from }, order)
  if (first === undefined) return
  const head = await tx.lock('audit_head', { chainId })
  if (head === null) return
  const before = await tx.find('audit_event', { chainId, seq: first.seq - 1 })
  let hash = before?.hash ?? head.removedHash
  for (let seq = first.seq - 1; ;) {
    const events = await tx.db
      .selectFrom('audit_event')
      .selectAll()
      .select(sql<string>`members`.as('membersText'))
      .where(matching<'audit_event'>({ chainId, seq: above(seq) }))
      .orderBy('seq')
      .limit(EVENTS_AT_ONCE)
      .execute()
    for (const event of events) {
      const target = event.target === from ? to : event.target
      hash = auditHash(hash, { ...event, target })
      await tx.update('audit_event', { chainId, seq: event.seq }, { target, hash })
      ;({ seq } = event)
    }
    if (events.length < EVENTS_AT_ONCE) break
  }
  await tx.update('audit_head', { chainId }, { hash })
}
