// Everything of one end user: shown as a stream, and erased.
import type { SearchIndex } from '../copy/search/search-index.ts'
import { ConnectorError } from '../errors.ts'
import { auditedUser, auditOf } from './audit.ts'
import type { ServiceBase } from './base.ts'
import type { Instances } from './instances/instances.ts'
import { aboutUser, showAuditEvent } from './audit-view.ts'
import type { AuditSearch } from './store/audit.ts'
import { showInstance, timeText } from './store/instance-view.ts'
import type { InstanceRow } from './store/instances.ts'
import type { EndUser, UserPlace } from './store/users.ts'
import { type Principal, requireWhole } from './tokens/principal.ts'

export interface UserPorts extends Pick<ServiceBase, 'store' | 'clock' | 'logs'> {
  readonly index: Pick<SearchIndex, 'copies' | 'documents' | 'purge'>
  readonly instances: Pick<Instances, 'remove'>
}

interface Asked {
  readonly requestId: string
  readonly signal: AbortSignal
}

const ROWS_AT_ONCE = 200

/**
 * All that is kept of a user, as lines of JSON, one after the other while they are read: accounts, the records of their
 * copies, tokens, links, consents, events, and what the audit log says. The last line is `end`, with the number of lines
 * before it: without it something is missing. Secrets and hashes are no part of it. Throws `scope_denied`, and
 * `store_unavailable` where a node of the database is away.
 */
export async function* exportUser(
  ports: UserPorts,
  principal: Principal,
  externalUserId: string,
  { requestId }: Pick<Asked, 'requestId'>,
): AsyncGenerator<string> {
  requireWhole(principal)
  const { store, clock } = ports
  const { organizationId } = principal
  const user = { organizationId, externalUserId }
  await store.audit.append(auditOf(principal, requestId, 'user.export', { user: externalUserId }))
  let lines = 0
  const line = (type: string, facts: object): string => {
    lines++
    return `${JSON.stringify({ type, ...facts })}\n`
  }
  const exportedAt = timeText(clock.now())
  yield line('user', { external_user_id: externalUserId, exported_at: exportedAt })
  for await (const row of instancesOf(ports, user)) {
    yield line('connector_instance', { data: showInstance(row) })
    for await (const { entity, doc } of recordsOf(ports, row)) {
      const head = JSON.stringify({ type: 'record', connector_id: row.id, entity }).slice(0, -1)
      lines++
      // As it was kept: every number has all its digits.
      yield `${head},"data":${doc}}\n`
    }
  }
  // What happened in this process is written behind its answers.
  await ports.logs.flush()
  for (let place: UserPlace | null = null; ;) {
    const { rows, next } = await store.users.page(user, place, ROWS_AT_ONCE)
    for (const { type, data } of rows) yield line(type, { data })
    if (next === null) break
    place = next
  }
  const about = await aboutUser(store, organizationId, externalUserId)
  for (let after: AuditSearch['after']; ;) {
    const place = after === undefined ? {} : { after }
    const { events } = await store.audit.search(organizationId, {
      about,
      limit: ROWS_AT_ONCE,
      ...place,
    })
    for (const event of events) yield line('audit_event', { data: showAuditEvent(event) })
    after = events.at(-1)
    if (after === undefined || events.length < ROWS_AT_ONCE) break
  }
  yield line('end', { lines })
}

/** What an erasure removed. */
export interface Erased {
  readonly instances: number
  readonly rows: number
}

/**
 * Erases everything of a user: accounts with their credentials (revoked at the third party where it can be) and copies,
 * tokens, links, consents, events. The audit log keeps what was done, without the user's id. Safe to repeat, also for a
 * user who was never there. Throws as `exportUser` does.
 */
export async function eraseUser(
  ports: UserPorts,
  principal: Principal,
  externalUserId: string,
  asked: Asked,
): Promise<Erased> {
  requireWhole(principal)
  const { store, index, instances } = ports
  const { organizationId } = principal
  const user = { organizationId, externalUserId }
  // First, so that nothing new is connected meanwhile.
  const revoke = auditOf(principal, asked.requestId, 'token.revoke_user', { user: externalUserId })
  await store.tokens.revokeUser(organizationId, externalUserId, revoke)
  const removed: string[] = []
  for await (const { id } of instancesOf(ports, user)) {
    await instances.remove(principal, id, asked)
    removed.push(id)
  }
  // A job does this as well, for what a sync that is under way writes behind it.
  for (const id of removed) await index.purge(id)
  await ports.logs.forgetUserOf(removed)
  const about = { user: externalUserId, members: [`${removed.length} instances`] }
  const name = auditedUser(organizationId, externalUserId)
  const audit = auditOf(principal, asked.requestId, 'user.erase', about)
  return { instances: removed.length, rows: await store.users.erase(user, name, audit) }
}

/** Throws `store_unavailable` where some cannot be seen: what is said of everything must be true of everything. */
async function* instancesOf(
  { store }: Pick<UserPorts, 'store'>,
  user: EndUser,
): AsyncGenerator<InstanceRow> {
  for (let last: InstanceRow | undefined; ;) {
    const { rows, isWhole } = await store.instances.list(user, {
      limit: ROWS_AT_ONCE,
      ...(last && { after: last }),
    })
    if (!isWhole)
      throw new ConnectorError(
        'store_unavailable',
        'a node of the database cannot be reached, so not everything of this user is there',
        { retryAfterMs: 5000 },
      )
    yield* rows
    last = rows.at(-1)
    if (rows.length < ROWS_AT_ONCE) return
  }
}

async function* recordsOf(
  { index }: Pick<UserPorts, 'index'>,
  { id: instanceId }: InstanceRow,
): AsyncGenerator<{ readonly entity: string; readonly doc: string }> {
  for (const copy of await index.copies({ instanceId })) {
    if (!copy.serving) continue
    for (let afterSeq = 0; ;) {
      const documents = await index.documents(copy, afterSeq, ROWS_AT_ONCE)
      for (const { doc } of documents) yield { entity: copy.entity, doc }
      afterSeq = documents.at(-1)?.seq ?? afterSeq
      if (documents.length < ROWS_AT_ONCE) break
    }
  }
}
