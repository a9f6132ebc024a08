import { expect, test } from 'vitest'
import type { AuditEntry, AuditEvent } from '../../../src/service/store/audit.ts'
import type { Owner } from '../../../src/service/store/owner.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { auditEntry, credentialInput, organizationEntry, storedInstance, unique } from './rows.ts'
import { type StoreSubject, tamper } from './subject.ts'

/** Of one event: the end of its chain, the event, and the new end. */
const MAX_STATEMENTS = 3

export function audit(subject: () => StoreSubject, store: () => Store): void {
  test('A1 an event costs a change of state a fixed number of statements, however long its chain is', async () => {
    const statements: string[] = []
    const given = await subject().open({ onStatement: (sql) => void statements.push(sql) })
    const row = await storedInstance(given, { organizationId: unique('org'), state: 'active' })
    const turns = ['auth_error', 'active'] as const
    const costOf = async (entry?: AuditEntry): Promise<number> => {
      statements.length = 0
      for (const [at, to] of turns.entries()) {
        const from = [turns[1 - at] ?? to]
        const change = { from, to, reason: null }
        expect(await given.instances.setState(row.id, change, entry)).toBe(from[0])
      }
      return statements.length / turns.length
    }
    const entry = auditEntry(row, 'state')
    const [plain, first] = [await costOf(), await costOf(entry)]
    expect(first - plain).toBeLessThanOrEqual(MAX_STATEMENTS)
    for (let turn = 0; turn < 10; turn++) await costOf(entry)
    expect(await costOf(entry)).toBe(first)
  })

  test('A1 each change leaves one event, and a change that was refused none', async () => {
    const { instances, credentials, audit } = store()
    const row = await storedInstance(store())
    const owner = { organizationId: 'acme' }
    const entry = (action: string) => auditEntry(row, action)
    await instances.update(owner, row.id, { name: 'new' }, entry('update'))
    await instances.update({ organizationId: 'other' }, row.id, { name: 'x' }, entry('foreign'))
    const next = { ...credentialInput('two'), nextRefreshAt: null }
    await credentials.commitRefresh(row.id, 1, next, entry('refresh'))
    await credentials.commitRefresh(row.id, 1, next, entry('too late'))
    await instances.setState(
      row.id,
      { from: ['active'], to: 'auth_error', reason: null },
      entry('state'),
    )
    await instances.delete(owner, row.id, entry('delete'))
    const events = await audit.list(owner, { instanceId: row.id, limit: 100 })
    expect(events.map(({ seq, action }) => [seq, action])).toEqual([
      [5, 'delete'],
      [4, 'state'],
      [3, 'refresh'],
      [2, 'update'],
      [1, 'test'],
    ])
    expect(events[0]).toEqual({
      ...entry('delete'),
      chain: row.id,
      seq: 5,
      at: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const older = await audit.list(owner, { instanceId: row.id, limit: 2, beforeSeq: 4 })
    expect(older.map(({ seq }) => seq)).toEqual([3, 2])
  })

  test('T4 events are seen by who sees what they are about', async () => {
    const { audit } = store()
    const organizationId = unique('org')
    const row = await storedInstance(store(), { organizationId })
    await audit.append(organizationEntry(organizationId, 'login'))
    const sees = async (owner: Owner, instanceId?: string): Promise<number> =>
      (await audit.list(owner, { limit: 10, ...(instanceId === undefined ? {} : { instanceId }) }))
        .length
    expect(await sees({ organizationId })).toBe(1)
    expect(await sees({ organizationId }, row.id)).toBe(1)
    expect(await sees({ organizationId, externalUserId: 'user-42' })).toBe(0)
    expect(await sees({ organizationId, externalUserId: 'user-42' }, row.id)).toBe(1)
    expect(await sees({ organizationId, externalUserId: 'user-43' }, row.id)).toBe(0)
    expect(await sees({ organizationId: 'other' })).toBe(0)
    expect(await sees({ organizationId: 'other' }, row.id)).toBe(0)
  })

  test('A1 the events of many changes at once make one chain', async () => {
    const { audit } = store()
    const organizationId = unique('org')
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        audit.append(organizationEntry(organizationId, `a${i}`)),
      ),
    )
    const events = await audit.list({ organizationId }, { limit: 100 })
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, i) => 40 - i))
    expect(await audit.verify()).toBe(null)
  })

  test.for([
    {
      name: 'an edited event',
      change: (c: string) =>
        `update audit_event set actor = 'nobody' where chain_id = '${c}' and seq = 3`,
      want: { seq: 3, problem: 'changed' },
    },
    {
      name: 'an event from elsewhere',
      change: (c: string) =>
        `update audit_event set address = '192.0.2.9' where chain_id = '${c}' and seq = 3`,
      want: { seq: 3, problem: 'changed' },
    },
    {
      name: 'members that are no list',
      change: (c: string) =>
        `update audit_event set members = '' where chain_id = '${c}' and seq = 3`,
      want: { seq: 3, problem: 'changed' },
    },
    {
      name: 'members in another spelling',
      change: (c: string) =>
        `update audit_event set members = members || ' ' where chain_id = '${c}' and seq = 3`,
      want: { seq: 3, problem: 'changed' },
    },
    {
      name: 'a removed event',
      change: (c: string) => `delete from audit_event where chain_id = '${c}' and seq = 3`,
      want: { seq: 3, problem: 'missing' },
    },
    {
      name: 'a removed last event',
      change: (c: string) => `delete from audit_event where chain_id = '${c}' and seq = 5`,
      want: { seq: 5, problem: 'missing' },
    },
    {
      name: 'events in another order',
      change: (c: string) =>
        `update audit_event set action = case seq when 2 then 'a3' else 'a2' end where chain_id = '${c}' and seq in (2, 3)`,
      want: { seq: 2, problem: 'changed' },
    },
    {
      name: 'an event too many',
      change: (c: string) =>
        `insert into audit_event select chain_id, 6, at, organization_id, instance_id, request_id, actor, action, target, outcome, members, hash, address, token from audit_event where chain_id = '${c}' and seq = 5`,
      want: { seq: 6, problem: 'changed' },
    },
    {
      name: 'a chain without its head',
      change: (c: string) => `delete from audit_head where chain_id = '${c}'`,
      want: { seq: 1, problem: 'missing' },
    },
  ])('A1 checking the log names $name', async ({ change, want }) => {
    const { audit } = store()
    const organizationId = unique('org')
    const chain = `org:${organizationId}`
    for (let i = 1; i <= 5; i++) await audit.append(organizationEntry(organizationId, `a${i}`))
    expect(await audit.verify()).toBe(null)
    await tamper(store(), change(chain))
    expect(await audit.verify()).toEqual({ chain, ...want })
    await tamper(store(), `delete from audit_event where chain_id = '${chain}'`)
    await tamper(store(), `delete from audit_head where chain_id = '${chain}'`)
  })

  test('A1 what is left of a chain whose old events were removed still verifies', async () => {
    const { audit } = store()
    const organizationId = unique('org')
    const chain = `org:${organizationId}`
    for (let i = 1; i <= 3; i++) await audit.append(organizationEntry(organizationId, `a${i}`))
    const removed = await audit.purgeBefore(Date.now() + 60_000)
    expect(removed).toBeGreaterThanOrEqual(3)
    expect(await audit.list({ organizationId }, { limit: 10 })).toEqual([])
    for (let i = 4; i <= 5; i++) await audit.append(organizationEntry(organizationId, `a${i}`))
    const events = await audit.list({ organizationId }, { limit: 10 })
    expect(events.map(({ seq }) => seq)).toEqual([5, 4])
    expect(await audit.purgeBefore(0)).toBe(0)
    expect(await audit.verify()).toBe(null)
    await tamper(store(), `delete from audit_event where chain_id = '${chain}' and seq = 4`)
    expect(await audit.verify()).toEqual({ chain, seq: 4, problem: 'missing' })
    await tamper(store(), `delete from audit_event where chain_id = '${chain}'`)
    await tamper(store(), `delete from audit_head where chain_id = '${chain}'`)
  })

  test('refused access of an organisation is found by its time, the newest first', async () => {
    const { audit } = store()
    const organizationId = unique('org')
    const refuse = async (outcome: string, organization = organizationId): Promise<void> =>
      await audit.append({ ...organizationEntry(organization, 'access.refuse'), outcome })
    await refuse('one')
    await audit.append(organizationEntry(organizationId, 'token.mint'))
    await refuse('two')
    await refuse('foreign', unique('org'))
    await refuse('three')
    const found = async (fromMs: number, limit: number): Promise<unknown> => {
      const { events, isWhole } = await audit.refusals(organizationId, { fromMs, limit })
      return [isWhole, ...events.map(({ outcome }) => outcome)]
    }
    expect(await found(0, 10)).toEqual([true, 'three', 'two', 'one'])
    expect(await found(0, 2)).toEqual([true, 'three', 'two'])
    const [newest] = await audit.list({ organizationId }, { limit: 1 })
    expect(await found((newest?.at ?? 0) + 1, 10)).toEqual([true])
    // The search for them takes another way to the same.
    const wanted = { action: 'access.refuse', limit: 10 }
    const { events } = await audit.search(organizationId, wanted)
    expect(events.map(({ outcome }) => outcome)).toEqual(['three', 'two', 'one'])
  })

  test('A1 an operation that was opened has one event, whether its process tells of it, twice, or ends', async () => {
    const { audit } = store()
    const organizationId = unique('org')
    const [told, ended] = [unique('told'), unique('ended')]
    const entry = { ...organizationEntry(organizationId, 'execute.create'), outcome: 'done' }
    await audit.open(told, entry)
    const origin = { address: '192.0.2.1', token: '0123456789ab' }
    await audit.open(ended, { ...entry, ...origin, action: 'execute.delete', members: ['a'] })
    expect(await audit.list({ organizationId }, { limit: 10 })).toEqual([])
    expect([await audit.close(told, entry), await audit.close(told, entry)]).toEqual([true, false])
    // As old as an hour is none of them.
    await audit.closeAbandoned(3_600_000)
    expect(await audit.list({ organizationId }, { limit: 10 })).toHaveLength(1)
    expect(await audit.closeAbandoned(0)).toBeGreaterThanOrEqual(1)
    expect(await audit.close(ended, entry)).toBe(false)
    const events = await audit.list({ organizationId }, { limit: 10 })
    const shown = ({ action, outcome, members, address, token }: AuditEvent): object => {
      return { action, outcome, members, address, token }
    }
    expect(events.map(shown)).toEqual([
      { action: 'execute.delete', outcome: 'uncertain', members: ['a'], ...origin },
      { action: 'execute.create', outcome: 'done', members: [], address: null, token: null },
    ])
    expect(await audit.verify()).toBe(null)
  })

  test('a store that takes changes says so, and nothing of the question stays', async () => {
    expect(await store().writable()).toBe('ok')
    expect(await tamper(store(), 'select * from audit_pending')).toEqual([])
  })
}
