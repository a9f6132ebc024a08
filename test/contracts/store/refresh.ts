import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CredentialInput, HeldLease } from '../../../src/service/store/credentials.ts'
import type { InstancePatch, InstanceRow } from '../../../src/service/store/instances.ts'
import type { Owner } from '../../../src/service/store/owner.ts'
import type { Store } from '../../../src/service/store/store.ts'
import {
  auditEntry,
  credentialInput,
  intentInput,
  secretInput,
  storedInstance,
  unique,
} from './rows.ts'

const ACME: Owner = { organizationId: 'acme' }

export function refresh(store: () => Store): void {
  test('a refresh is committed from the generation it was made from', async () => {
    const row = await storedInstance(store(), { state: 'refresh_unknown' })
    await store().leases.acquire(row.id, 'refresh', 'process-1', 60_000)
    await store().intents.put(intentInput(row.id))
    const next = {
      ...credentialInput('two'),
      config: { api_base_url: 'https://eu.gong.io', added: true },
      nextRefreshAt: 99,
    }
    const { credentials } = store()
    expect(await credentials.commitRefresh(row.id, 2, next, auditEntry(row))).toBe(false)
    expect(await credentials.commitRefresh(row.id, 1, next, auditEntry(row))).toBe(true)
    expect(await credentials.commitRefresh(row.id, 1, next, auditEntry(row))).toBe(false)
    expect(await credentials.read(row.id)).toEqual({ generation: 2, ...credentialInput('two') })
    expect(await store().intents.find(row.id)).toBe(null)
    expect(await store().instances.get(ACME, row.id)).toEqual({
      ...row,
      state: 'active',
      config: { api_base_url: 'https://eu.gong.io', account_ids: ['1', '2'], added: true },
      nextRefreshAt: 99,
      updatedAt: expect.any(Number),
    })
    expect(await credentials.commitRefresh('unknown', 1, next, auditEntry(row))).toBe(false)
  })

  test('a refresh that ends after the instance was disabled keeps the tokens and the state', async () => {
    const row = await storedInstance(store())
    await store().instances.update(ACME, row.id, { enabled: false }, auditEntry(row))
    const next = { ...credentialInput('two'), nextRefreshAt: null }
    expect(await store().credentials.commitRefresh(row.id, 1, next, auditEntry(row))).toBe(true)
    expect((await store().instances.get(ACME, row.id))?.state).toBe('disabled')
    expect((await store().credentials.read(row.id))?.generation).toBe(2)
  })

  test('of many refreshes of one generation one is committed', async () => {
    const row = await storedInstance(store())
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        store().credentials.commitRefresh(
          row.id,
          1,
          { ...credentialInput(`n${i}`), nextRefreshAt: null },
          auditEntry(row),
        ),
      ),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    const winner = results.indexOf(true)
    expect(await store().credentials.read(row.id)).toEqual({
      generation: 2,
      ...credentialInput(`n${winner}`),
    })
  })

  test('R8 credentials replaced by hand end a refresh under way', async () => {
    const row = await storedInstance(store(), { state: 'auth_error' })
    const { credentials, leases, intents, instances } = store()
    const lease = await leases.acquire(row.id, 'refresh', 'process-1', 60_000)
    expect(await intents.put(intentInput(row.id))).toBe(true)
    const generations: number[] = []
    const replaced = await credentials.replace(
      ACME,
      row.id,
      {
        async seal(generation) {
          generations.push(generation)
          return credentialInput('by hand')
        },
        config: { b: 2 },
        authMethod: 'key',
        grantedScopes: null,
        oauthSecretHash: null,
      },
      auditEntry(row),
    )
    expect(replaced).toBe('replaced')
    expect(generations).toEqual([2])
    expect(await intents.find(row.id)).toBe(null)
    expect(await leases.extend(heldLease(row.id, 'process-1', lease?.fence ?? 0), 1000)).toBe(false)
    expect(await intents.put(intentInput(row.id))).toBe(false)
    const late = { ...credentialInput('late'), nextRefreshAt: null }
    expect(await credentials.commitRefresh(row.id, 1, late, auditEntry(row))).toBe(false)
    expect(await credentials.read(row.id)).toEqual({ generation: 2, ...credentialInput('by hand') })
    expect(await instances.get(ACME, row.id)).toEqual({
      ...row,
      state: 'pending',
      config: { b: 2 },
      authMethod: 'key',
      grantedScopes: null,
      credentialEpoch: 2,
      updatedAt: expect.any(Number),
    })
    expect((await leases.acquire(row.id, 'refresh', 'process-2', 1000))?.fence).toBe(3)
  })

  test('what changes with credentials is one change: one row of the audit log, one event', async () => {
    const owner = { organizationId: unique('org') }
    const row = await storedInstance(store(), { ...owner, state: 'active' })
    const reason = { code: 'why', detail: 'because', since: 5, upstreamStatus: 401 }
    const replace = async (
      patch: InstancePatch,
      state?: Pick<InstanceRow, 'state' | 'stateReason'>,
    ): Promise<unknown> => {
      const seal = async (): Promise<CredentialInput> => credentialInput()
      const change = {
        seal,
        oauthSecretHash: null,
        patch,
        ...(state === undefined ? {} : { state }),
      }
      const audit = auditEntry(row)
      await store().credentials.replace(owner, row.id, change, audit)
      const { name, enabled, connectorVersion, ...now } =
        (await store().instances.get(owner, row.id)) ?? row
      return [name, enabled, connectorVersion, now.state, now.stateReason]
    }
    expect(await replace({ name: 'two', connectorVersion: '2.0.0' })).toEqual([
      'two',
      true,
      '2.0.0',
      'pending',
      null,
    ])
    const found = { state: 'auth_error', stateReason: reason } as const
    expect(await replace({ name: 'three' }, found)).toEqual([
      'three',
      true,
      '2.0.0',
      'auth_error',
      reason,
    ])
    expect(await replace({ enabled: false })).toEqual(['three', false, '2.0.0', 'disabled', null])
    expect(await replace({}, found)).toEqual(['three', false, '2.0.0', 'disabled', null])
    expect(await replace({ enabled: true })).toEqual(['three', true, '2.0.0', 'pending', null])
    const { events } = await store().events.list(owner, { afterSeq: 0, limit: 100 })
    expect(events.map(({ type, data }) => [type, data['state']])).toEqual([
      ['connector.created', 'active'],
      ['connector.updated', 'pending'],
      ['connector.auth_error', 'auth_error'],
      ['connector.updated', 'disabled'],
      ['connector.updated', 'disabled'],
      ['connector.updated', 'pending'],
    ])
    const audited = await store().audit.list(owner, { instanceId: row.id, limit: 100 })
    expect(audited).toHaveLength(6)
  })

  test('R8 credentials replaced by hand are sealed again when a refresh takes their generation', async () => {
    const row = await storedInstance(store())
    const secret = secretInput()
    await store().oauthSecrets.insert(secret)
    const generations: number[] = []
    const replaced = await store().credentials.replace(
      ACME,
      row.id,
      {
        async seal(generation) {
          generations.push(generation)
          if (generation === 2) {
            const next = { ...credentialInput('refreshed'), nextRefreshAt: null }
            await store().credentials.commitRefresh(row.id, 1, next, auditEntry(row))
          }
          return credentialInput(`by hand ${generation}`)
        },
        oauthSecretHash: secret.secretHash,
      },
      auditEntry(row),
    )
    expect(replaced).toBe('replaced')
    expect(generations).toEqual([2, 3])
    expect(await store().credentials.read(row.id)).toEqual({
      generation: 3,
      ...credentialInput('by hand 3'),
    })
  })

  test('an instance without credentials gets its first by hand', async () => {
    const row = await storedInstance(store(), {}, null)
    const replaced = await store().credentials.replace(
      ACME,
      row.id,
      { seal: async (generation) => credentialInput(`first ${generation}`), oauthSecretHash: null },
      auditEntry(row),
    )
    expect(replaced).toBe('replaced')
    expect(await store().credentials.read(row.id)).toEqual({
      generation: 1,
      ...credentialInput('first 1'),
    })
  })

  test('the same credentials are sealed anew unless they have changed', async () => {
    const row = await storedInstance(store())
    const sealed = new Uint8Array([9, 9])
    expect(await store().credentials.reseal(row.id, 2, sealed)).toBe(false)
    expect(await store().credentials.reseal(row.id, 1, sealed)).toBe(true)
    expect(await store().credentials.read(row.id)).toEqual({
      generation: 1,
      ...credentialInput(),
      sealed,
    })
  })

  test('what expires first is refreshed first', async () => {
    const { credentials, instances } = store()
    const at = async (nextRefreshAt: number, changes = {}): Promise<string> =>
      (await storedInstance(store(), { state: 'active', nextRefreshAt, ...changes })).id
    const late = await at(30)
    const soon = await at(20)
    await at(5, { state: 'auth_error' })
    await at(5, { state: 'disabled' })
    await at(5000)
    const ids = async (before: number, limit: number): Promise<readonly string[]> =>
      (await credentials.expiring(before, limit)).map(({ id }) => id)
    expect((await ids(30, 100)).filter((id) => id === soon || id === late)).toEqual([soon, late])
    await credentials.scheduleRefresh(soon, 1, null)
    await credentials.scheduleRefresh(late, 1, 4)
    // What is known of other credentials puts nothing off.
    await credentials.scheduleRefresh(late, 2, null)
    expect(await ids(4, 100)).toEqual([late])
    expect((await instances.get(ACME, soon))?.nextRefreshAt).toBe(null)
  })

  test('a lease is granted to one, and its fence grows', async () => {
    const { leases } = store()
    const id = unique('lease')
    const granted = await Promise.all(
      Array.from({ length: 50 }, (_, i) => leases.acquire(id, 'refresh', `p${i}`, 60_000)),
    )
    expect(granted.filter((lease) => lease !== null)).toEqual([{ fence: 1 }])
    const owner = `p${granted.findIndex((lease) => lease !== null)}`
    expect(await leases.acquire(id, 'other purpose', 'me', 60_000)).toEqual({ fence: 1 })
    await leases.release(heldLease(id, 'somebody else', 1))
    await leases.release(heldLease(id, owner, 2))
    expect(await leases.acquire(id, 'refresh', 'me', 60_000)).toBe(null)
    await leases.release(heldLease(id, owner, 1))
    expect(await leases.acquire(id, 'refresh', 'me', 60_000)).toEqual({ fence: 2 })
    expect(await leases.extend(heldLease(id, owner, 1), 60_000)).toBe(false)
    await leases.release(heldLease(id, owner, 1))
    expect(await leases.acquire(id, 'refresh', owner, 60_000)).toBe(null)
  })

  test('a lease runs out, and can be extended until somebody else has it', async () => {
    const { leases } = store()
    const id = unique('lease')
    await leases.acquire(id, 'refresh', 'a', 30)
    expect(await leases.extend(heldLease(id, 'a', 1), 30)).toBe(true)
    // Waits for time: a lease of 30 ms ends.
    await sleep(60)
    expect(await leases.acquire(id, 'refresh', 'b', 60_000)).toEqual({ fence: 2 })
    expect(await leases.extend(heldLease(id, 'a', 1), 60_000)).toBe(false)
  })

  test('an intent is stored for the generation and the fence that are', async () => {
    const row = await storedInstance(store())
    const { intents, leases } = store()
    expect(await intents.put(intentInput(row.id))).toBe(false)
    await leases.acquire(row.id, 'refresh', 'process-1', 60_000)
    expect(await intents.put(intentInput(row.id, { generation: 2 }))).toBe(false)
    expect(await intents.put(intentInput(row.id, { fence: 2 }))).toBe(false)
    expect(await intents.find(row.id)).toBe(null)
    const intent = intentInput(row.id, { notBefore: 7, mark: 'http_503' })
    expect(await intents.put(intent)).toBe(true)
    expect(await intents.find(row.id)).toEqual({ ...intent, createdAt: expect.any(Number) })
    const recovery = intentInput(row.id, { kind: 'recovery', attempts: 2 })
    expect(await intents.put(recovery)).toBe(true)
    expect(await intents.find(row.id)).toEqual({ ...recovery, createdAt: expect.any(Number) })
    expect(await intents.update(row.id, 2, { mark: 'x' })).toBe(false)
    expect(await intents.update(row.id, 1, { mark: 'lost', notBefore: 11, attempts: 3 })).toBe(true)
    expect(await intents.find(row.id)).toEqual({
      ...recovery,
      mark: 'lost',
      notBefore: 11,
      attempts: 3,
      createdAt: expect.any(Number),
    })
    await intents.remove(row.id, 2)
    expect(await intents.find(row.id)).not.toBe(null)
    await intents.remove(row.id, 1)
    expect(await intents.find(row.id)).toBe(null)
  })

  test('D5 renames and refreshes at the same time lose nothing of each other', async () => {
    const row = await storedInstance(store(), { state: 'active' })
    const rounds = 150
    const owner = ACME
    async function refreshAll(): Promise<void> {
      for (let generation = 1; generation <= rounds; generation++) {
        const next = {
          ...credentialInput(`generation ${generation + 1}`),
          config: { turn: generation },
          nextRefreshAt: generation,
        }
        const audit = auditEntry(row)
        expect(await store().credentials.commitRefresh(row.id, generation, next, audit)).toBe(true)
      }
    }
    async function renameAll(): Promise<void> {
      for (let i = 1; i <= rounds; i++) {
        const patch = { name: `name ${i}`, sync: { enabled: false, i } }
        const renamed = await store().instances.update(owner, row.id, patch, auditEntry(row))
        expect(renamed?.name).toBe(`name ${i}`)
      }
    }
    async function readAll(): Promise<void> {
      for (let i = 0; i < rounds; i++) {
        const { generation, ...credential } = (await store().credentials.read(row.id)) ?? {}
        const text = generation === 1 ? 'sealed' : `generation ${generation}`
        expect(credential).toEqual(credentialInput(text))
      }
    }
    await Promise.all([refreshAll(), renameAll(), readAll()])
    expect(await store().credentials.read(row.id)).toEqual({
      generation: rounds + 1,
      ...credentialInput(`generation ${rounds + 1}`),
    })
    expect(await store().instances.get(owner, row.id)).toEqual({
      ...row,
      name: `name ${rounds}`,
      sync: { enabled: false, i: rounds },
      config: { ...row.config, turn: rounds },
      nextRefreshAt: rounds,
      updatedAt: expect.any(Number),
    })
  })
}

function heldLease(instanceId: string, ownerId: string, fence: number): HeldLease {
  return { instanceId, purpose: 'refresh', ownerId, fence }
}
