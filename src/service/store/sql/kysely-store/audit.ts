// Reading, checking and shortening the audit log.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isNodeAway } from '../../../../errors.ts'
import type { AuditStore, BrokenAudit } from '../../../store/audit.ts'
import { organizationKeyOwner, type Owner } from '../../../store/owner.ts'
import type { StoreDatabase, Wide } from '../database.ts'
import { above, atMost, below, given, inOrder, matching, Rows } from '../statements.ts'
import { appendAudit, auditHash, type AuditRow } from './audit-chain.ts'
import { visibleTo } from './instance-row.ts'
import { StoreGroup } from './store-group.ts'

const CHAINS_AT_ONCE = 500
const EVENTS_AT_ONCE = 1000

export class Audit extends StoreGroup implements AuditStore {
  readonly append: AuditStore['append'] = async (entry) =>
    await this.rows.transaction((tx) => appendAudit(tx, entry))

  readonly open: AuditStore['open'] = async (id, { outcome: _outcome, ...entry }) =>
    await onAnyNode(id, (pendingId) =>
      this.rows.insert('audit_pending', { ...entry, pendingId, openedAt: this.now() }),
    )

  readonly close: AuditStore['close'] = async (id, entry) =>
    await this.rows.transaction(async (tx) => {
      // The process whose row is removed first appends the event.
      if ((await tx.remove('audit_pending', { pendingId: id })) === 0) return false
      await appendAudit(tx, entry)
      return true
    })

  readonly closeAbandoned: AuditStore['closeAbandoned'] = async (ageMs) => {
    let closed = 0
    for (;;) {
      const before = closed
      const isAbandoned = { openedAt: atMost(this.now(-ageMs)) }
      const order = { by: ['openedAt'], limit: EVENTS_AT_ONCE } as const
      const { rows } = await this.rows.listWide('audit_pending', isAbandoned, order)
      for (const { pendingId, openedAt: _openedAt, ...entry } of rows)
        try {
          if (await this.close(pendingId, { ...entry, outcome: 'uncertain' })) closed++
        } catch (error) {
          // Its chain lies elsewhere, and waits until that node is back.
          if (!isNodeAway(error)) throw error
        }
      if (rows.length < EVENTS_AT_ONCE || closed === before) return closed
    }
  }

  readonly list: AuditStore['list'] = async (owner, { instanceId, beforeSeq, limit }) => {
    if (!(await maySee(this.rows, owner, instanceId))) return []
    const { organizationId } = owner
    const chainId = instanceId ?? organizationKeyOwner(organizationId)
    const seq = below(beforeSeq ?? Number.MAX_SAFE_INTEGER)
    const order = { by: ['seq'], isDescending: true, limit } as const
    const rows = await this.rows.list('audit_event', { chainId, organizationId, seq }, order)
    return rows.map(({ chainId: chain, ...event }) => ({ chain, ...event }))
  }

  readonly search: AuditStore['search'] = async (organizationId, wanted) => {
    const { actor, outcome, target, requestId, address, token, instanceId } = wanted
    const { status, action, without = [], about, fromMs = 0, toMs, after, limit } = wanted
    const plain = {
      organizationId,
      actor: given(actor),
      outcome: given(outcome),
      target: given(target),
      requestId: given(requestId),
      address: given(address),
      token: given(token),
      instanceId: given(instanceId),
      chainId: given(wanted.chain),
      seq: given(wanted.seq),
    }
    let query = this.db
      .selectFrom('audit_event')
      .selectAll()
      .where(matching<'audit_event'>(plain))
      .where('at', '>=', fromMs)
    if (toMs !== undefined) query = query.where('at', '<', toMs)
    // They have an index of their own.
    if (action === 'access.refuse') query = query.where(IS_REFUSED)
    // A word and what stands behind its dot: as a range, which no character of the word can widen.
    else if (action !== undefined)
      query = query.where((eb) =>
        eb.or([
          eb('action', '=', action),
          eb.and([eb('action', '>=', `${action}.`), eb('action', '<', `${action}/`)]),
        ]),
      )
    if (without.length > 0) query = query.where('action', 'not in', [...without])
    if (status !== undefined)
      query = query.where((eb) => {
        const isNamed = eb('action', 'in', [...status.without])
        const isDone = eb.or([
          eb('outcome', '=', 'done'),
          // An empty list is no SQL.
          eb.and([isNamed, ...status.wrong.map((wrong) => eb('outcome', '<>', wrong))]),
        ])
        return status.is === 'done' ? isDone : eb.not(isDone)
      })
    if (about !== undefined) {
      const { targets, instanceIds } = about
      query = query.where((eb) =>
        eb.or([
          eb('target', 'in', [...targets]),
          ...(instanceIds.length === 0 ? [] : [eb('instanceId', 'in', [...instanceIds])]),
        ]),
      )
    }
    if (after !== undefined)
      query = query.where(
        sql<boolean>`(at, chain_id, seq) < (${after.at}, ${after.chain}, ${after.seq})`,
      )
    const ordered = query.orderBy('at', 'desc').orderBy('chainId', 'desc').orderBy('seq', 'desc')
    return newest(await this.database.wide(ordered.limit(limit).compile(), 'audit_event'), limit)
  }

  readonly refusals: AuditStore['refusals'] = async (organizationId, { fromMs, limit }) => {
    const query = this.db
      .selectFrom('audit_event')
      .selectAll()
      .where(IS_REFUSED)
      .where('organizationId', '=', organizationId)
      .where('at', '>=', fromMs)
      .orderBy('at', 'desc')
      .orderBy('chainId', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit)
    return newest(await this.database.wide(query.compile(), 'audit_event'), limit)
  }

  readonly verify: AuditStore['verify'] = async () => {
    const orphans = await sql<Pick<BrokenAudit, 'chain' | 'seq'>>`select chain_id as chain, seq
      from audit_event where not exists
      (select 1 from audit_head where audit_head.chain_id = audit_event.chain_id)
      order by chain_id, seq limit 1`.execute(this.db)
    for (const orphan of orphans.rows) return { ...orphan, problem: 'missing' }
    for await (const chain of chains(this.rows)) {
      // What looks broken may have been shortened while it was read.
      const broken = (await verifyChain(this.rows, chain)) && (await verifyChain(this.rows, chain))
      if (broken !== null) return broken
    }
    return null
  }

  readonly purgeBefore: AuditStore['purgeBefore'] = async (beforeMs) =>
    await this.removeOld(beforeMs, ['audit_event', 'chainId'], (chain, last) =>
      this.#removeUpTo(chain, last),
    )

  async #removeUpTo(chainId: string, last: number): Promise<number> {
    return await this.rows.transaction(async (tx) => {
      const end = await tx.find('audit_event', { chainId, seq: last })
      // Somebody else removes them.
      if (end === null) return 0
      const removed = { removedSeq: last, removedHash: end.hash }
      await tx.update('audit_head', { chainId, removedSeq: below(last) }, removed)
      return await tx.remove('audit_event', { chainId, seq: atMost(last) })
    })
  }
}

/** As their index says it: no database uses an index of a part for a value that comes later. */
const IS_REFUSED = sql<boolean>`action = 'access.refuse'`

/** Nodes that answer alone give as many each. */
function newest(
  { rows, isWhole }: Wide<AuditRow>,
  limit: number,
): Awaited<ReturnType<AuditStore['search']>> {
  const sorted = inOrder(rows, ['at', 'chainId', 'seq'], rows.length).toReversed()
  const events = sorted.slice(0, limit).map(({ chainId: chain, ...event }) => ({ chain, ...event }))
  return { events, isWhole }
}

/** More than one page of SQLite, so that new ones are needed. */
const PROBE = 'x'.repeat(8192)

export async function tryWriting(database: StoreDatabase): Promise<void> {
  await onAnyNode(`probe:${randomUUID()}`, (pendingId) =>
    new Rows(database).transaction(async (tx) => {
      const nobody = {
        organizationId: '',
        instanceId: null,
        requestId: null,
        actor: '',
        action: '',
        address: null,
        token: null,
      }
      const probe = { ...nobody, target: PROBE, members: [], openedAt: tx.now() }
      await tx.insert('audit_pending', { ...probe, pendingId })
      await tx.remove('audit_pending', { pendingId })
    }),
  )
}

/** With every second node away, one of so many ids lies on another one, but for a chance of 1 in 65,536. */
const IDS = 16

/** Where a row lies follows from its id: while that node is away, it is kept under another id. Gives the id. */
async function onAnyNode(id: string, keep: (id: string) => Promise<void>): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const tried = attempt === 1 ? id : `${id}/${attempt}`
    try {
      await keep(tried)
      return tried
    } catch (error) {
      if (!isNodeAway(error) || attempt === IDS) throw error
    }
  }
}

/** An owner of all of an organisation sees its events; one of less, those of the instances that are visible to it. */
async function maySee(db: Rows, owner: Owner, instanceId?: string): Promise<boolean> {
  const { externalUserId, connectorTypes, connectorIds } = owner
  const isNarrow = [externalUserId, connectorTypes, connectorIds].some((part) => part !== undefined)
  if (!isNarrow) return true
  if (instanceId === undefined) return false
  return (await db.find('connector_instance', [{ instanceId }, visibleTo(owner)])) !== null
}

async function* chains(db: Rows): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const order = { by: ['chainId'], limit: CHAINS_AT_ONCE } as const
    const page = await db.list('audit_head', { chainId: above(after) }, order)
    for (const { chainId } of page) yield chainId
    const last = page.at(-1)
    if (last === undefined) return
    after = last.chainId
  }
}

/** What is hashed next to the text of `members`, which is read as it is: once changed, it need not be JSON. */
const HASHED = [
  'chainId',
  'seq',
  'at',
  'organizationId',
  'instanceId',
  'requestId',
  'actor',
  'action',
  'target',
  'outcome',
  'address',
  'token',
  'hash',
] as const

/** The head is read after the events that it ends: events may be appended meanwhile. */
async function verifyChain(db: Rows, chain: string): Promise<BrokenAudit | null> {
  const first = await db.find('audit_head', { chainId: chain })
  if (first === null) return null
  let { removedSeq: seq, removedHash: hash } = first
  for (;;) {
    const events = await db.db
      .selectFrom('audit_event')
      .select(HASHED)
      .select(sql<string>`members`.as('membersText'))
      .where(matching<'audit_event'>({ chainId: chain, seq: above(seq) }))
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
    const head = await db.find('audit_head', { chainId: chain })
    if (head === null || head.seq < seq) return { chain, seq, problem: 'changed' }
    if (head.seq === seq) return head.hash === hash ? null : { chain, seq, problem: 'changed' }
    if (events.length === 0) return { chain, seq: seq + 1, problem: 'missing' }
  }
}
