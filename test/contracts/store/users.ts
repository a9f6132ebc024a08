import { expect, test } from 'vitest'
import type { AuditEntry, AuditSearch } from '../../../src/service/store/audit.ts'
import type { Store } from '../../../src/service/store/store.ts'
import type { UserPlace } from '../../../src/service/store/users.ts'
import { eventInput } from './events.ts'
import {
  organizationEntry,
  scopedToken,
  secretInput,
  sessionInput,
  stateInput,
  storedInstance,
  unique,
} from './rows.ts'

export function users(store: () => Store): void {
  async function fill(organizationId: string, externalUserId: string): Promise<void> {
    const user = { organizationId, externalUserId }
    const { tokens, oauthStates, oauthSecrets, connectSessions, events, idempotency } = store()
    for (let i = 0; i < 3; i++) await tokens.insert(scopedToken(organizationId, externalUserId))
    await oauthStates.insert(stateInput(user))
    await oauthSecrets.insert(secretInput(user))
    await connectSessions.insert(sessionInput(user), organizationEntry(organizationId))
    for (let i = 0; i < 3; i++) await events.append({ ...eventInput(), ...user })
    const place = { organizationId, instanceId: null, keyHash: unique('key') }
    const request = { fingerprint: 'f', ownerId: 'p', leaseMs: 60_000, keepMs: 60_000 }
    await idempotency.begin({ ...place, route: `create:${externalUserId}` }, request)
  }

  async function rowsOf(organizationId: string, externalUserId: string): Promise<string[]> {
    const found: string[] = []
    for (let place: UserPlace | null = null; ;) {
      const { rows, next } = await store().users.page({ organizationId, externalUserId }, place, 2)
      found.push(...rows.map(({ type }) => type))
      if (next === null) return found
      place = next
    }
  }

  test('everything of a user is listed in parts and erased, and nothing of another user', async () => {
    const organizationId = unique('org')
    const [ada, bob] = [unique('user'), unique('user')]
    await fill(organizationId, ada)
    await fill(organizationId, bob)
    await fill(unique('org'), ada)
    const all = [
      'token',
      'token',
      'token',
      'oauth_state',
      'oauth_secret',
      'connect_session',
      'event',
      'event',
      'event',
    ]
    expect(await rowsOf(organizationId, ada)).toEqual(all)
    const user = { organizationId, externalUserId: ada }
    const erased = await store().users.erase(user, 'user:1', organizationEntry(organizationId))
    expect(erased).toBe(all.length + 1)
    expect(await rowsOf(organizationId, ada)).toEqual([])
    expect(await rowsOf(organizationId, bob)).toEqual(all)
    expect(await store().users.erase(user, 'user:1', organizationEntry(organizationId))).toBe(0)
  })

  test('A1 what earlier versions wrote of a user gets another name, and the chain stays whole', async () => {
    const organizationId = unique('org')
    const { audit } = store()
    const entry = organizationEntry(organizationId)
    for (const target of ['a', 'ada', 'b', 'ada', 'c']) await audit.append({ ...entry, target })
    await store().users.erase({ organizationId, externalUserId: 'ada' }, 'user:1', entry)
    const targets = async (): Promise<readonly string[]> =>
      (await audit.list({ organizationId }, { limit: 10 })).map(({ target }) => target)
    expect(await targets()).toEqual(['client-1', 'c', 'user:1', 'b', 'user:1', 'a'])
    await audit.append({ ...entry, target: 'd' })
    expect(await audit.verify()).toBe(null)
  })

  test('the audit log of an organisation is searched by all that it says, in pages', async () => {
    const organizationId = unique('org')
    const { audit } = store()
    const row = await storedInstance(store(), { organizationId })
    const entries: readonly Partial<AuditEntry>[] = [
      { action: 'token.mint', actor: 'client-2', address: '192.0.2.7', token: 'abc' },
      { action: 'instance.update', instanceId: row.id, target: row.id },
      { action: 'instances', outcome: 'refused' },
      { action: 'instance_x.y', requestId: 'request-2' },
      { action: 'user.export', target: 'user:1' },
    ]
    const entry = organizationEntry(organizationId, 'other')
    for (const more of entries) await audit.append({ ...entry, ...more })
    await audit.append({ ...organizationEntry(unique('org')), action: 'instance.update' })
    const found = async (wanted: Partial<AuditSearch>): Promise<readonly string[]> =>
      (await audit.search(organizationId, { limit: 50, ...wanted })).events
        .map(({ action }) => action)
        .toSorted()
    const everything = [
      'instance.update',
      'instance_x.y',
      'instances',
      'test',
      'token.mint',
      'user.export',
    ]
    expect(await found({})).toEqual(everything)
    expect(await found({ action: 'instance' })).toEqual(['instance.update'])
    expect(await found({ action: 'instances' })).toEqual(['instances'])
    expect(await found({ action: '%' })).toEqual([])
    expect(await found({ actor: 'client-2' })).toEqual(['token.mint'])
    expect(await found({ outcome: 'refused' })).toEqual(['instances'])
    expect(await found({ instanceId: row.id })).toEqual(['instance.update', 'test'])
    expect(await found({ target: 'user:1' })).toEqual(['user.export'])
    expect(await found({ address: '192.0.2.7' })).toEqual(['token.mint'])
    expect(await found({ token: 'abc', outcome: 'done' })).toEqual(['token.mint'])
    expect(await found({ requestId: 'request-2' })).toEqual(['instance_x.y'])
    expect(await found({ chain: row.id, seq: 1 })).toEqual(['test'])
    const without = ['user.export']
    expect(await found({ status: { is: 'failed', without, wrong: [] } })).toEqual(['instances'])
    const done = everything.filter((action) => action !== 'instances')
    expect(await found({ status: { is: 'done', without: ['test'], wrong: [] } })).toEqual(done)
    const named = { without: ['instances'], wrong: ['refused'] }
    expect(await found({ status: { is: 'failed', ...named, wrong: [] } })).toEqual([])
    expect(await found({ status: { is: 'failed', ...named } })).toEqual(['instances'])
    expect(await found({ status: { is: 'done', ...named } })).toEqual(done)
    const about = { targets: ['user:1'], instanceIds: [row.id] }
    expect(await found({ about })).toEqual(['instance.update', 'test', 'user.export'])
    expect(await found({ about: { targets: ['nobody'], instanceIds: [] } })).toEqual([])
    expect(await found({ fromMs: Date.now() + 3_600_000 })).toEqual([])
    expect(await found({ toMs: Date.now() + 3_600_000 })).toHaveLength(everything.length)
    expect(await found({ toMs: 1 })).toEqual([])
    const paged: string[] = []
    for (let after: AuditSearch['after']; ;) {
      const place = after === undefined ? {} : { after }
      const { events, isWhole } = await audit.search(organizationId, { limit: 2, ...place })
      expect(isWhole).toBe(true)
      paged.push(...events.map(({ chain, seq }) => `${chain} ${seq}`))
      after = events.at(-1)
      if (after === undefined) break
    }
    expect(new Set(paged).size).toBe(everything.length)
    expect(paged).toHaveLength(everything.length)
  })
}
