// Writers of a store, and what holds of its rows at every moment while they write.
import { randomUUID } from 'node:crypto'
import { REFRESH_PURPOSE } from '../../../src/service/store/credentials.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { storedWebhook } from './events.ts'
import {
  auditEntry,
  credentialInput,
  instanceRow,
  intentInput,
  organizationEntry,
  secretInput,
  storedInstance,
  unique,
} from './rows.ts'
import { tamper } from './subject.ts'

const WALK = 'walk'

/** What holds at every moment, as the rows that contradict it; in SQL that every database with one node takes. */
const BROKEN: Readonly<Record<string, string>> = {
  'the generation of credentials stands in their instance': `select i.instance_id from connector_instance i
    join credential c using (instance_id) where i.next_refresh_at <> c.generation`,
  'a generation comes of one lease': `select c.instance_id from credential c join lease l using (instance_id)
    where l.purpose = '${REFRESH_PURPOSE}' and l.fence - c.generation not in (-1, 0)`,
  'an intent is of the generation that is current': `select c.instance_id from credential c
    join refresh_intent r using (instance_id) where r.generation <> c.generation`,
  'every generation is in the audit log': `select c.instance_id from credential c where c.generation - 1 <>
    (select count(*) from audit_event a where a.chain_id = c.instance_id and a.action = 'refresh')`,
  'a name is told by an event and by the audit log': `select i.instance_id from connector_instance i
    where cast(i.name as bigint) <> (select count(*) from event e
      where e.organization_id = i.organization_id and e.instance_id = i.instance_id and e.type = 'connector.updated')
    or cast(i.name as bigint) <> (select count(*) from audit_event a
      where a.chain_id = i.instance_id and a.action = 'rename')`,
  'the number of events is that of the newest': `select h.organization_id from event_head h where h.seq <>
    (select count(*) from event e where e.organization_id = h.organization_id)`,
  'every event has its delivery': `select e.seq from event e where not exists
    (select 1 from webhook_delivery d where d.organization_id = e.organization_id and d.seq = e.seq)`,
  'every delivery has its event': `select d.seq from webhook_delivery d where not exists
    (select 1 from event e where e.organization_id = d.organization_id and d.seq = e.seq)`,
  'a write that is open is not in the audit log': `select p.pending_id from audit_pending p
    join audit_event a on a.request_id = p.pending_id`,
  'an instance has used its secret': `select s.secret_hash from oauth_secret s where (s.used_at is null) =
    exists (select 1 from connector_instance i where i.external_user_id = s.external_user_id)`,
  // Nothing but time joins these two: the second is written when the first was acknowledged.
  'what was written first is there first': `select a.instance_id from lease a join connector_instance i
    on i.instance_id = a.instance_id left join lease b on b.instance_id = i.server_url and b.purpose = '${WALK}'
    where a.purpose = '${WALK}' and i.server_url is not null and a.fence - coalesce(b.fence, 0) not in (0, 1)`,
}

/** What does not hold in a copy of the store, each as `<what>: <number of rows>`. */
export async function brokenIn(copy: Store): Promise<readonly string[]> {
  const broken: string[] = []
  for (const [what, statement] of Object.entries(BROKEN)) {
    const rows = await tamper(copy, statement)
    if (rows.length > 0) broken.push(`${what}: ${rows.length}`)
  }
  const chain = await copy.audit.verify()
  return chain === null ? broken : [...broken, `audit log: ${chain.problem}`]
}

export interface WritingLoad {
  /** Operations that were acknowledged so far. */
  count(): number
  /** The longest operation since the last call, in milliseconds. */
  longestMs(): number
  /** Ends the writers. Throws the first error that one of them met. */
  stop(): Promise<void>
}

/** Begins to write through each of these stores, which are one, from `parallel` writers of each kind. */
export async function startWriting(
  stores: readonly Store[],
  parallel: number,
): Promise<WritingLoad> {
  const [first] = stores
  if (first === undefined) throw new TypeError('a load needs a store')
  const end = new AbortController()
  let count = 0
  let longestMs = 0
  const running: Promise<void>[] = []
  for (let index = 0; index < parallel; index++) {
    const organizationId = unique('org')
    await storedWebhook(first, { organizationId })
    const second = await newInstance(first, organizationId, null)
    const row = await newInstance(first, organizationId, second.id)
    const works = [renames(row), refreshes(row), walks(row.id, second.id), ...others(row)]
    works.forEach((work, number) => {
      const store = stores[(index + number) % stores.length] ?? first
      running.push(
        (async () => {
          for (let round = 1; !end.signal.aborted; round++) {
            const at = performance.now()
            await work(store, round)
            longestMs = Math.max(longestMs, performance.now() - at)
            count++
          }
        })(),
      )
    })
  }
  const all = Promise.all(running)
  // Told by stop.
  all.catch(() => end.abort())
  return {
    count: () => count,
    longestMs() {
      const longest = longestMs
      longestMs = 0
      return longest
    },
    async stop() {
      end.abort()
      await all
    },
  }
}

type Work = (store: Store, round: number) => Promise<unknown>
type Row = Awaited<ReturnType<typeof storedInstance>>

/** `serverUrl` names the instance that is written to after this one. */
async function newInstance(
  store: Store,
  organizationId: string,
  serverUrl: string | null,
): Promise<Row> {
  const names = { organizationId, serverUrl, name: '0' }
  return await storedInstance(store, { ...names, state: 'active', nextRefreshAt: 1 })
}

/** Instance, event, delivery and audit log: rows of two groups in one transaction. */
function renames(row: Row): Work {
  const owner = { organizationId: row.organizationId }
  return (store, round) =>
    store.instances.update(owner, row.id, { name: String(round) }, auditEntry(row, 'rename'))
}

/** Lease, intent, credentials, instance and audit log of one instance. */
function refreshes(row: Row): Work {
  const { id } = row
  return async ({ leases, intents, credentials }, generation) => {
    const lease = await leases.acquire(id, REFRESH_PURPOSE, 'p', 60_000)
    if (lease === null) throw new Error('the lease was released')
    await intents.put({ ...intentInput(id), generation, fence: lease.fence })
    const next = { ...credentialInput(`of ${generation}`), nextRefreshAt: generation + 1 }
    const audit = auditEntry(row, 'refresh')
    const isStored = await credentials.commitRefresh(id, generation, next, audit)
    if (!isStored) throw new Error('nobody else refreshes')
    await leases.release({ instanceId: id, purpose: REFRESH_PURPOSE, ownerId: 'p', ...lease })
  }
}

/** Single statements: one instance first, then another one. */
function walks(first: string, second: string): Work {
  return async ({ leases }) => {
    for (const instanceId of [first, second]) {
      const lease = await leases.acquire(instanceId, WALK, 'p', 60_000)
      if (lease === null) throw new Error('nobody else walks')
      await leases.release({ instanceId, purpose: WALK, ownerId: 'p', ...lease })
    }
  }
}

function others({ organizationId }: Row): readonly Work[] {
  return [
    async ({ audit }) => {
      const pendingId = randomUUID()
      const entry = { ...organizationEntry(organizationId), requestId: pendingId }
      await audit.open(pendingId, entry)
      await audit.close(pendingId, entry)
    },
    // A secret lies on every node, the instance on one.
    async ({ oauthSecrets, instances }) => {
      const secret = secretInput({ organizationId, externalUserId: unique('user') })
      await oauthSecrets.insert(secret)
      const { externalUserId, connectorType } = secret
      const row = instanceRow({ organizationId, externalUserId, connectorType, name: '0' })
      const options = { oauthSecretHash: secret.secretHash, audit: auditEntry(row) }
      await instances.insert({ ...row, nextRefreshAt: 1 }, credentialInput(), options)
    },
  ]
}
