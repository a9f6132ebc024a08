import { afterAll, describe, expect, test } from 'vitest'
import { eventInput, storedWebhook } from '../../../contracts/store/events.ts'
import { entries } from '../../../contracts/store/logs.ts'
import { copyStore } from '../../../../src/service/store/open/copy-store.ts'
import { PRIMARY_KEYS, type TableName } from '../../../../src/service/store/sql/schema.ts'
import { bucketOf } from '../../../../src/service/store/jobs.ts'
import type { Store } from '../../../../src/service/store/store.ts'
import { brokenIn, startWriting } from '../../../contracts/store/writing-load.ts'
import {
  auditEntry,
  credentialInput,
  intentInput,
  organizationEntry,
  PERSON,
  place,
  secretInput,
  sessionInput,
  stateInput,
  storedInstance,
  tokenRow,
} from '../../../contracts/store/rows.ts'
import {
  postgresSubject,
  sqliteSubject,
  type StoreSubject,
  tamper,
} from '../../../contracts/store/subject.ts'

const KINDS = { SQLite: sqliteSubject, PostgreSQL: postgresSubject }
const subjects: StoreSubject[] = []
afterAll(async () => {
  for (const subject of subjects) await subject.close()
})

async function open(kind: keyof typeof KINDS): Promise<Store | null> {
  const subject = await KINDS[kind]()
  if (subject === null) return null
  subjects.push(subject)
  return await subject.open()
}

/** At least one row in every table, and more than fit one page in some. */
async function fill(store: Store): Promise<void> {
  const application = { clientId: 'client-1', organizationId: 'acme', name: 'Größe' }
  await store.applications.create(
    { ...application, secretHash: 'h', redirectUrls: ['https://a.example'] },
    organizationEntry('acme'),
    { madeBy: 'cli', endsAt: null },
  )
  await store.applications.update('client-1', { logo: new Uint8Array([0, 255, 1]) })
  const version = { connectorType: 'acme', version: '1.0.0', manifestId: 'id', hash: 'h' }
  await store.manifests.publish(
    { ...version, manifest: 'type: acme # ß😀', note: null },
    { major: '1', before: null },
    organizationEntry('acme'),
  )
  for (let i = 0; i < 1001; i++)
    await store.tokens.insert(tokenRow({ hash: `hash ${i}`, expiresAt: 4e12 + i }))
  for (let i = 0; i < 3; i++) {
    const row = await storedInstance(store, { config: { i, text: 'ß😀 \u0000' } })
    const content = { instanceId: row.id, logId: `log ${i}`, sealed: new Uint8Array([0, i]) }
    await store.logs.putContents(row.id, [content])
    const subscription = {
      instanceId: row.id,
      state: 'active',
      sealed: new Uint8Array([i]),
    } as const
    const rest = { madeFor: 'mark', expiresAt: null, renewAt: null, problem: { i }, failures: i }
    await store.subscriptions.put({ ...subscription, ...rest }, 0)
    const failing = { entity: 'calls', code: 'upstream_failed', detail: '500', failures: i }
    await store.syncFailures.put({ instanceId: row.id, ...failing, since: i, failedAt: i })
    await store.dataKeys.put(row.id, {
      version: 1,
      keyId: 'k',
      wrapped: new Uint8Array([i, 0, 255]),
    })
    await store.dataKeys.put(row.id, { version: 2, keyId: 'k', wrapped: new Uint8Array(0) })
    await store.leases.acquire(row.id, 'refresh', 'p', 60_000)
    await store.intents.put(intentInput(row.id, { notBefore: 4e12 }))
    await store.jobs.put({ instanceId: row.id, kind: 'sync', key: 'calls', detail: 'full' })
    const next = { ...credentialInput('two'), expiresAt: null, nextRefreshAt: 4e12 }
    if (i > 0) await store.credentials.commitRefresh(row.id, 1, next, auditEntry(row))
    const at = place({ instanceId: row.id })
    const request = { fingerprint: 'f', ownerId: 'p', leaseMs: 1, keepMs: 60_000 }
    await store.idempotency.begin(at, request)
    const answer = { status: 200, headers: { a: 'b' }, sealedBody: new Uint8Array([0, 1]) }
    await store.idempotency.finish(at, 'p', answer)
  }
  await store.oauthStates.insert(stateInput())
  await store.connectSessions.insert(sessionInput(), organizationEntry('acme'))
  const nobody = { organizationId: 'acme', personId: null }
  const session = { ...nobody, sessionHash: 'session', clientId: 'client-1' }
  await store.consoleSessions.open(session, 'h', 86_400_000, organizationEntry('acme'))
  const person = { ...PERSON, organizationId: 'acme', subject: 's' }
  const opened = { sessionHash: 'of a person', lifeMs: 86_400_000 }
  await store.people.signIn(person, opened, organizationEntry('acme'))
  await store.oauthSecrets.insert(secretInput())
  const client = { organizationId: 'acme', connectorType: 'gong', clientId: 'ß😀', version: 1 }
  const secretSealed = new Uint8Array([0, 255])
  await store.oauthClients.put({ ...client, secretSealed }, null, organizationEntry('acme'))
  await store.audit.append(organizationEntry('acme'))
  await store.audit.open('operation', organizationEntry('acme'))
  await storedWebhook(store, { organizationId: 'acme' })
  await store.events.append(eventInput())
  await store.logs.append('acme', entries('acme', 3))
  const instance = { organizationId: 'acme', instanceId: 'i' }
  await store.vendorWebhooks.setRoute({ ...instance, connectorType: 'gong' }, 'route')
  const receipt = { ...instance, eventHash: 'hash' }
  await store.vendorWebhooks.take(receipt, 86_400_000, eventInput())
  await store.rates.write(
    { ownerId: 'connector:acme', periodMs: 86_400_000 },
    0,
    { slice: 1, used: [1] },
    86_400_000,
  )
  await store.rates.block('connector:acme', 86_400_000)
}

async function everything(store: Store): Promise<Record<string, readonly unknown[]>> {
  const tables: Record<string, readonly unknown[]> = {}
  for (const [table, key] of Object.entries(PRIMARY_KEYS)) {
    const rows = await tamper(store, `select * from ${table} order by ${key.join(', ')}`)
    // Classes of bytes differ by driver.
    tables[table] = rows.map((row) =>
      Object.entries(row as object).map(([, value]) => plain(value)),
    )
  }
  return tables
}

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? [...value] : value
}

describe('copying a store', () => {
  test('lets syncs begin at once, and leaves other jobs their time', async () => {
    const [source, target] = [await open('SQLite'), await open('SQLite')]
    if (source === null || target === null) throw new TypeError('SQLite is always there')
    const { id: instanceId } = await storedInstance(source)
    const delayMs = 3_600_000
    await source.jobs.put({ instanceId, kind: 'sync', key: 'calls', delayMs })
    await source.jobs.put({ instanceId, kind: 'plan', key: '', delayMs })
    await copyStore(source, target)
    const bucket = bucketOf(instanceId)
    const wanted = { bucket, kinds: ['sync', 'plan'], ownerId: 'p', ttlMs: 60_000, limit: 10 }
    const taken = await target.jobs.take(wanted)
    expect(taken.map(({ kind, key }) => [kind, key])).toEqual([['sync', 'calls']])
  })

  test.for([
    { from: 'SQLite', to: 'SQLite' },
    { from: 'SQLite', to: 'PostgreSQL' },
    { from: 'PostgreSQL', to: 'SQLite' },
  ] as const)('from $from to $to takes every row', async ({ from, to }, { skip }) => {
    const source = await open(from)
    const target = await open(to)
    if (source === null || target === null) return skip('there is no PostgreSQL')
    await fill(source)
    const before = await everything(source)
    const { rows } = await copyStore(source, target)
    expect(await everything(target)).toEqual(before)
    const counts = Object.entries(before).map(([table, each]) => [table, each.length])
    expect(rows).toEqual(Object.fromEntries(counts))
    expect(Object.values(rows).every((count) => count > 0)).toBe(true)
    expect(await target.audit.verify()).toBe(null)
    expect(await target.tokens.find('hash 7')).toEqual({
      ...tokenRow({ hash: 'hash 7', expiresAt: 4e12 + 7 }),
      compat: null,
    })
  })

  test('from PostgreSQL is of one moment while others write', async ({ skip }) => {
    const [source, other] = [await open('PostgreSQL'), await open('SQLite')]
    if (source === null || other === null) return skip('there is no PostgreSQL')
    const load = await startWriting([source], 1)
    await expect.poll(() => load.count()).toBeGreaterThan(20)
    await copyStore(source, other)
    await load.stop()
    expect(await brokenIn(other)).toEqual([])
    expect(await brokenIn(source)).toEqual([])
  })

  test.for(['SQLite', 'PostgreSQL'] as const)(
    'into a %s store that has rows copies nothing',
    async (kind, { skip }) => {
      const source = await open('SQLite')
      const target = await open(kind)
      if (source === null || target === null) return skip('there is no PostgreSQL')
      await fill(source)
      await target.oauthStates.insert(stateInput())
      const table: TableName = 'oauth_state'
      await expect(copyStore(source, target)).rejects.toMatchObject({
        name: 'CopyError',
        table,
        row: null,
      })
      expect(await target.applications.count()).toBe(0)
      expect(await target.tokens.find('hash 7')).toBe(null)
    },
  )
})
