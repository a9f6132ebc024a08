import { describe, expect, test } from 'vitest'
import { nativeJson } from '../../../src/language/json/native-json.ts'
import type {
  InstanceOrder,
  InstanceRow,
  InstanceState,
} from '../../../src/service/store/instances.ts'
import type { Owner } from '../../../src/service/store/owner.ts'
import { reasonOf } from '../../../src/service/store/sql/store-errors.ts'
import type { Store } from '../../../src/service/store/store.ts'
import {
  auditEntry,
  credentialInput,
  instanceRow,
  intentInput,
  place,
  secretInput,
  storedInstance,
  unique,
} from './rows.ts'

const ACME: Owner = { organizationId: 'acme' }

export function instances(store: () => Store): void {
  test('an instance comes back as it was stored', async () => {
    const row = instanceRow({
      stateReason: { code: 'c', detail: 'Ü', since: 1, upstreamStatus: null },
      config: { 'a/b': [null, { nested: 'ß😀' }], text: 'no \u0000 lost', __proto__: 1 },
      replicationConfig: { account_ids: '1,2' },
      serverUrl: 'https://gong.example',
      nextRefreshAt: 7,
    })
    const inserted = await store().instances.insert(row, credentialInput(), {
      oauthSecretHash: null,
      audit: auditEntry(row),
    })
    expect(inserted).toBe('inserted')
    expect(await store().instances.get(ACME, row.id)).toEqual(row)
    expect(await store().credentials.read(row.id)).toEqual({ generation: 1, ...credentialInput() })
  })

  test('settings keep digits that a double cannot hold', async () => {
    const row = await storedInstance(store(), {
      config: { account: nativeJson.rawJSON('12345678901234567890') },
    })
    const found = await store().instances.get(ACME, row.id)
    expect(JSON.stringify(found?.config)).toBe('{"account":12345678901234567890}')
  })

  test('an instance may have no credentials', async () => {
    const row = await storedInstance(store(), { authMethod: null, grantedScopes: null }, null)
    expect(await store().instances.get(ACME, row.id)).toEqual(row)
    expect(await store().credentials.read(row.id)).toBe(null)
  })

  test.for<{ name: string; owner: Owner; sees: boolean }>([
    { name: 'its organisation', owner: ACME, sees: true },
    { name: 'another organisation', owner: { organizationId: 'other' }, sees: false },
    { name: 'its user', owner: { ...ACME, externalUserId: 'user-42' }, sees: true },
    { name: 'another user', owner: { ...ACME, externalUserId: 'user-43' }, sees: false },
    { name: 'its type', owner: { ...ACME, connectorTypes: ['jira', 'gong'] }, sees: true },
    { name: 'another type', owner: { ...ACME, connectorTypes: ['jira'] }, sees: false },
    { name: 'no type at all', owner: { ...ACME, connectorTypes: [] }, sees: false },
    { name: 'another id', owner: { ...ACME, connectorIds: ['x'] }, sees: false },
    { name: 'no id at all', owner: { ...ACME, connectorIds: [] }, sees: false },
  ])('T4 an instance is seen and changed by who may: $name', async ({ owner, sees }) => {
    const row = await storedInstance(store())
    const { instances, credentials } = store()
    const audit = auditEntry(row)
    expect(await instances.get(owner, row.id)).toEqual(sees ? row : null)
    const { rows: listed } = await instances.list(owner, { limit: 1000 })
    expect(listed.some(({ id }) => id === row.id)).toBe(sees)
    expect((await instances.update(owner, row.id, { name: 'new' }, audit)) !== null).toBe(sees)
    const replacing = credentials.replace(
      owner,
      row.id,
      { seal: async () => credentialInput('two'), oauthSecretHash: null },
      audit,
    )
    expect(await replacing).toBe(sees ? 'replaced' : 'instance_unknown')
    expect((await credentials.read(row.id))?.generation).toBe(sees ? 2 : 1)
    expect(await instances.delete(owner, row.id, audit)).toBe(sees)
    expect(await instances.get(ACME, row.id)).toEqual(sees ? null : row)
  })

  test('T4 an owner who is narrowed to ids sees these', async () => {
    const row = await storedInstance(store())
    const owner = { ...ACME, connectorIds: ['x', row.id] }
    expect(await store().instances.get(owner, row.id)).toEqual(row)
  })

  test('a list is ordered by id, cut into pages and filtered', async () => {
    const organizationId = unique('org')
    const rows = []
    for (let i = 0; i < 5; i++) {
      rows.push(
        await storedInstance(store(), {
          organizationId,
          externalUserId: i % 2 === 0 ? 'even' : 'odd',
          connectorType: i === 4 ? 'jira' : 'gong',
          state: i === 0 ? 'active' : 'pending',
          name: `n${i}`,
        }),
      )
    }
    const sorted = rows.map(({ id }) => id).sort()
    const owner = { organizationId }
    const ids = async (filter: object): Promise<readonly string[]> =>
      (await store().instances.list(owner, { limit: 100, ...filter })).rows.map(({ id }) => id)
    expect(await ids({})).toEqual(sorted)
    expect(await ids({ limit: 2 })).toEqual(sorted.slice(0, 2))
    const after = { ...rows[0], id: sorted[1] }
    expect(await ids({ limit: 2, after })).toEqual(sorted.slice(2, 4))
    expect(await ids({ externalUserId: 'odd' })).toHaveLength(2)
    expect(await ids({ connectorType: 'jira' })).toEqual([rows[4]?.id])
    expect(await ids({ state: 'active' })).toEqual([rows[0]?.id])
    expect(await ids({ name: 'n3', externalUserId: 'odd' })).toEqual([rows[3]?.id])
    expect(await ids({ name: 'n3', externalUserId: 'even' })).toEqual([])
  })

  test('a list is ordered by what is asked for, either way, and cut into pages anywhere', async () => {
    const organizationId = unique('org')
    const rows: InstanceRow[] = []
    for (const [name, updatedAt] of [
      ['beta', 30],
      ['Alpha', 30],
      ['alpha', 10],
      ['Ümlaut', 20],
      ['😀', 20],
    ] as const)
      rows.push(await storedInstance(store(), { organizationId, name, updatedAt }))
    const byId = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const lists: Readonly<Record<InstanceOrder['by'], readonly InstanceRow[]>> = {
      id: byId,
      name: [
        ...byId.filter(({ name }) => name.toLowerCase() === 'alpha'),
        ...['beta', 'Ümlaut', '😀'].flatMap((wanted) => rows.filter(({ name }) => name === wanted)),
      ],
      updatedAt: byId.toSorted((a, b) => a.updatedAt - b.updatedAt),
    }
    for (const [by, list] of Object.entries(lists))
      for (const isDescending of [false, true]) {
        const wanted = isDescending ? list.toReversed() : list
        // The keys of the table above.
        const order = { by: by as InstanceOrder['by'], isDescending }
        for (let at = 0; at < wanted.length; at++) {
          const { rows: found } = await store().instances.list(
            { organizationId },
            { limit: 2, order, ...(at === 0 ? {} : { after: wanted[at - 1] }) },
          )
          expect(found.map(({ id }) => id)).toEqual(wanted.slice(at, at + 2).map(({ id }) => id))
        }
      }
  })

  test('instances are found by what their name, user or id begins with', async () => {
    const organizationId = unique('org')
    const make = (externalUserId: string, name: string) =>
      storedInstance(store(), { organizationId, externalUserId, name })
    const [ann, bert, odd] = [
      await make('Ann', 'Gong of ACME'),
      await make('bert', 'annals'),
      await make('100%', 'x_y'),
    ]
    const found = async (startsWith: string, more: object = {}) => {
      const { rows } = await store().instances.list(
        { organizationId },
        { limit: 9, startsWith, ...more },
      )
      return rows.map(({ name }) => name).toSorted()
    }
    expect(await found('ANN')).toEqual(['Gong of ACME', 'annals'])
    expect(await found('ANN', { name: bert.name })).toEqual(['annals'])
    expect(await found('nn')).toEqual([])
    expect(await found('%')).toEqual([])
    expect(await found('x_')).toEqual(['x_y'])
    expect(await found('xz')).toEqual([])
    expect(await found(odd.id)).toEqual(['x_y'])
    expect(await found(ann.id.toUpperCase())).toEqual(['Gong of ACME'])
    const seen = { organizationId, externalUserId: 'bert' }
    const { rows } = await store().instances.list(seen, { limit: 9, startsWith: 'a' })
    expect(rows.map(({ id }) => id)).toEqual([bert.id])
  })

  test('instances are found by words anywhere in their name, user, id or connector', async () => {
    const organizationId = unique('org')
    const make = (externalUserId: string, name: string, connectorType = 'gong') =>
      storedInstance(store(), { organizationId, externalUserId, name, connectorType })
    await make('Ann', 'Gong of Company 0044')
    await make('bert', 'Company 0244', 'jira')
    const odd = await make('100%', 'x_y')
    const found = async (contains: string, more: object = {}) => {
      const wanted = { limit: 9, contains, ...more }
      const { rows } = await store().instances.list({ organizationId }, wanted)
      return rows.map(({ name }) => name).toSorted()
    }
    expect(await found('0044')).toEqual(['Gong of Company 0044'])
    expect(await found('044 ANN')).toEqual(['Gong of Company 0044'])
    expect(await found('COMPANY')).toEqual(['Company 0244', 'Gong of Company 0044'])
    expect(await found('company jira')).toEqual(['Company 0244'])
    expect(await found('company', { startsWith: 'gong' })).toEqual(['Gong of Company 0044'])
    expect(await found('company', { connectorType: 'jira' })).toEqual(['Company 0244'])
    expect(await found('company x_y')).toEqual([])
    expect(await found('%')).toEqual(['x_y'])
    expect(await found('x%y')).toEqual([])
    expect(await found(odd.id.slice(9))).toEqual(['x_y'])
    expect(await found(' ')).toHaveLength(3)
    const bert = { organizationId, externalUserId: 'bert' }
    const { rows } = await store().instances.list(bert, { limit: 9, contains: 'company' })
    expect(rows.map(({ name }) => name)).toEqual(['Company 0244'])
    const { groups } = await store().instances.count({ organizationId }, { contains: '44' })
    expect(groups.map(({ connectorType }) => connectorType).toSorted()).toEqual(['gong', 'jira'])
    expect(await store().instances.latestBefore({ organizationId })).toBe(null)
  })

  test('instances are counted by connector and state, under filters and for their owner', async () => {
    const organizationId = unique('org')
    const make = (connectorType: string, state: InstanceState, externalUserId = 'a') =>
      storedInstance(store(), { organizationId, connectorType, state, externalUserId })
    await make('gong', 'active')
    await make('gong', 'active', 'zed')
    await make('gong', 'disabled')
    await make('jira', 'active')
    const counted = async (owner: object, filter: object = {}) => {
      const { groups, isWhole } = await store().instances.count(
        { organizationId, ...owner },
        filter,
      )
      expect(isWhole).toBe(true)
      return groups.map((each) => `${each.connectorType} ${each.state} ${each.count}`).toSorted()
    }
    expect(await counted({})).toEqual(['gong active 2', 'gong disabled 1', 'jira active 1'])
    expect(await counted({}, { startsWith: 'ZE' })).toEqual(['gong active 1'])
    expect(await counted({ externalUserId: 'zed' })).toEqual(['gong active 1'])
    expect(await counted({ connectorTypes: ['jira'] })).toEqual(['jira active 1'])
  })

  test('users that have instances are listed once each, by a part of their names, in pages', async () => {
    const organizationId = unique('org')
    for (const externalUserId of ['100%', 'Ann', 'ann_2', 'bert', 'Ann', 'other'])
      await storedInstance(store(), { organizationId, externalUserId })
    const users = async (filter: { contains: string; after?: string; limit?: number }) =>
      (await store().instances.users({ organizationId }, { limit: 10, ...filter })).users
    expect((await users({ contains: '' })).toSorted()).toEqual(
      ['100%', 'Ann', 'ann_2', 'bert', 'other'].toSorted(),
    )
    expect((await users({ contains: 'ANN' })).toSorted()).toEqual(['Ann', 'ann_2'])
    expect(await users({ contains: '%' })).toEqual(['100%'])
    expect(await users({ contains: '_' })).toEqual(['ann_2'])
    const [first = '', ...rest] = await users({ contains: '' })
    expect(await users({ contains: '', limit: 1 })).toEqual([first])
    expect(await users({ contains: '', after: first })).toEqual(rest)
    const owner = { organizationId, externalUserId: 'bert' }
    expect(await store().instances.users(owner, { contains: '', limit: 10 })).toEqual({
      users: ['bert'],
      isWhole: true,
    })
  })

  test('a change touches what is named only', async () => {
    const row = await storedInstance(store(), { serverUrl: 'https://a.example' })
    const audit = auditEntry(row)
    const changed = await store().instances.update(
      ACME,
      row.id,
      { name: 'new', config: { a: 1 }, serverUrl: null },
      audit,
    )
    expect(changed).toEqual({
      ...row,
      name: 'new',
      config: { a: 1 },
      serverUrl: null,
      updatedAt: expect.any(Number),
    })
    expect(changed?.updatedAt).toBeGreaterThan(row.updatedAt)
    expect(await store().instances.get(ACME, row.id)).toEqual(changed)
  })

  test('disabling and enabling moves the state', async () => {
    const row = await storedInstance(store(), {
      state: 'auth_error',
      stateReason: { code: 'revoked', detail: 'd', since: 1, upstreamStatus: 401 },
    })
    const audit = auditEntry(row)
    const { instances } = store()
    const set = async (enabled: boolean): Promise<unknown> => {
      const {
        state,
        stateReason,
        enabled: is,
      } = (await instances.update(ACME, row.id, { enabled }, audit)) ?? row
      return { state, reason: stateReason?.code ?? null, enabled: is }
    }
    expect(await set(true)).toEqual({ state: 'auth_error', reason: 'revoked', enabled: true })
    expect(await set(false)).toEqual({ state: 'disabled', reason: null, enabled: false })
    expect(await set(false)).toEqual({ state: 'disabled', reason: null, enabled: false })
    expect(await set(true)).toEqual({ state: 'pending', reason: null, enabled: true })
  })

  test('a state changes only from the states that are named', async () => {
    const row = await storedInstance(store(), { state: 'active' })
    const { instances } = store()
    const reason = { code: 'grant_refused', detail: 'd', since: 5, upstreamStatus: 400 }
    const change = { from: ['pending', 'active'] as const, to: 'auth_error' as const, reason }
    expect(await instances.setState(row.id, { ...change, lastCheckedAt: 9 })).toBe('active')
    expect(await instances.setState(row.id, change, auditEntry(row))).toBe(null)
    expect(await instances.setState(row.id, { ...change, from: [] })).toBe(null)
    expect(await instances.get(ACME, row.id)).toEqual({
      ...row,
      state: 'auth_error',
      stateReason: reason,
      lastCheckedAt: 9,
    })
  })

  test('R8 a state that is about replaced credentials is not set', async () => {
    const row = await storedInstance(store())
    const { instances, credentials } = store()
    const change = { from: ['pending', 'active'] as const, to: 'auth_error' as const, reason: null }
    await credentials.replace(
      ACME,
      row.id,
      { seal: async () => credentialInput('two'), oauthSecretHash: null },
      auditEntry(row),
    )
    expect(await instances.setState(row.id, { ...change, generation: 1 })).toBe(null)
    expect(await instances.setState(row.id, { ...change, generation: 1 }, auditEntry(row))).toBe(
      null,
    )
    expect(await instances.setState(row.id, { ...change, generation: 2 })).toBe(row.state)
  })

  test('of changes of one reading, of every kind, one is made', async () => {
    const { instances, credentials } = store()
    const kinds = (row: InstanceRow) => ({
      claim: () => instances.claim(ACME, row.id, row.updatedAt),
      update: async () =>
        (await instances.update(
          ACME,
          row.id,
          { name: 'n', unchangedSince: row.updatedAt },
          auditEntry(row),
        )) !== null,
      replace: async () =>
        (await credentials.replace(
          ACME,
          row.id,
          {
            seal: async () => credentialInput('two'),
            oauthSecretHash: null,
            unchangedSince: row.updatedAt,
          },
          auditEntry(row),
        )) === 'replaced',
    })
    for (const kind of ['claim', 'update', 'replace'] as const) {
      // Of now: the clock of the store may show the same millisecond.
      const row = await storedInstance(store(), { updatedAt: Date.now() })
      const done = await Promise.all([kinds(row)[kind](), kinds(row)[kind]()])
      expect([kind, done.toSorted()]).toEqual([kind, [false, true]])
      const late = await Promise.all(
        Object.values(kinds(row)).map(async (change) => await change()),
      )
      expect([kind, late]).toEqual([kind, [false, false, false]])
      const generation = (await credentials.read(row.id))?.generation
      expect([kind, generation]).toEqual([kind, kind === 'replace' ? 2 : 1])
    }
    const foreign = await storedInstance(store())
    const others = { organizationId: 'nobody' }
    expect(await instances.claim(others, foreign.id, foreign.updatedAt)).toBe(false)
  })

  test('states are counted', async () => {
    const before = await store().instances.countByState()
    await storedInstance(store(), { state: 'refresh_unknown' })
    const after = await store().instances.countByState()
    expect(after).toEqual({ ...before, refresh_unknown: before.refresh_unknown + 1 })
    const states: InstanceState[] = [
      'pending',
      'active',
      'refresh_unknown',
      'auth_error',
      'disabled',
    ]
    expect(Object.keys(after).sort()).toEqual(states.sort())
  })

  test('deleting an instance erases all that is below it', async () => {
    const row = await storedInstance(store())
    const other = await storedInstance(store())
    const { instances, credentials, dataKeys, leases, intents, idempotency } = store()
    const request = {
      fingerprint: 'f',
      ownerId: 'p',
      leaseMs: 60_000,
      keepMs: 60_000,
    }
    for (const { id } of [row, other]) {
      await dataKeys.put(id, { version: 1, keyId: 'k1', wrapped: new Uint8Array([1]) })
      await leases.acquire(id, 'refresh', 'p', 60_000)
      await intents.put(intentInput(id))
      await idempotency.begin(place({ instanceId: id, keyHash: 'same' }), request)
    }
    expect(await instances.delete(ACME, row.id, auditEntry(row, 'instance.delete'))).toBe(true)
    expect(await instances.delete(ACME, row.id, auditEntry(row))).toBe(false)
    expect(await credentials.read(row.id)).toBe(null)
    expect(await dataKeys.get(row.id)).toBe(null)
    expect(await intents.find(row.id)).toBe(null)
    expect(await leases.acquire(row.id, 'refresh', 'q', 1)).toEqual({ fence: 1 })
    const again = await idempotency.begin(place({ instanceId: row.id, keyHash: 'same' }), request)
    expect(again).toEqual({ kind: 'new' })
    expect(await credentials.read(other.id)).not.toBe(null)
    expect(await dataKeys.get(other.id)).not.toBe(null)
    expect(await intents.find(other.id)).not.toBe(null)
  })

  describe('the secret of a consent', () => {
    test('is used up by the instance that is made of it, and erased', async () => {
      const secret = secretInput()
      await store().oauthSecrets.insert(secret)
      expect(await store().oauthSecrets.read(ACME, 'gong', secret.secretHash)).toEqual({
        ...secret,
        usedAt: null,
      })
      const insert = async (): Promise<unknown> => {
        const row = instanceRow()
        await store().dataKeys.put(row.id, { version: 1, keyId: 'k', wrapped: new Uint8Array([1]) })
        const result = await store().instances.insert(row, credentialInput(), {
          oauthSecretHash: secret.secretHash,
          audit: auditEntry(row),
        })
        const stored = (await store().instances.get(ACME, row.id)) !== null
        const hasKey = (await store().dataKeys.get(row.id)) !== null
        return { result, stored, hasKey }
      }
      expect(await insert()).toEqual({ result: 'inserted', stored: true, hasKey: true })
      expect(await insert()).toEqual({ result: 'oauth_secret_used', stored: false, hasKey: false })
      const used = await store().oauthSecrets.read(ACME, 'gong', secret.secretHash)
      expect(used?.sealed).toEqual(new Uint8Array())
      expect(used?.usedAt).toEqual(expect.any(Number))
    })

    test.for([
      { name: 'another organisation', secret: { organizationId: 'other' } },
      { name: 'another user', secret: { externalUserId: 'user-43' } },
      { name: 'another type', secret: { connectorType: 'jira' } },
      { name: 'expired', secret: { expiresAt: Date.now() - 60_000 } },
    ])('O4 is unknown to whom it does not belong: $name', async ({ secret: changes }) => {
      const secret = secretInput(changes)
      await store().oauthSecrets.insert(secret)
      const row = instanceRow()
      const options = { oauthSecretHash: secret.secretHash, audit: auditEntry(row) }
      const result = await store().instances.insert(row, credentialInput(), options)
      expect(result).toBe('oauth_secret_unknown')
      expect(await store().instances.get(ACME, row.id)).toBe(null)
      const kept = await storedInstance(store())
      const replaced = await store().credentials.replace(
        ACME,
        kept.id,
        { seal: async () => credentialInput('two'), oauthSecretHash: secret.secretHash },
        auditEntry(kept),
      )
      expect(replaced).toBe('oauth_secret_unknown')
      expect((await store().credentials.read(kept.id))?.generation).toBe(1)
    })

    test('O4 of 100 instances made of one secret at once, one is stored', async () => {
      const secret = secretInput()
      await store().oauthSecrets.insert(secret)
      const results = await Promise.all(
        Array.from({ length: 100 }, async () => {
          const row = instanceRow()
          const audit = auditEntry(row)
          for (;;) {
            const options = { oauthSecretHash: secret.secretHash, audit }
            const result = await store()
              .instances.insert(row, credentialInput(), options)
              .catch((error: unknown) => reasonOf(error))
            // So many wait for a connection that a busy machine answers some of them so; nothing was stored then.
            if (result !== 'busy') return result
          }
        }),
      )
      expect(results.filter((result) => result === 'inserted')).toHaveLength(1)
      expect(results.filter((result) => result === 'oauth_secret_used')).toHaveLength(99)
    })

    test('O4 is given back when nothing came of its use, and is used once all the same', async () => {
      const secret = secretInput()
      const { oauthSecrets, instances } = store()
      await oauthSecrets.insert(secret)
      const use = async () => {
        const row = instanceRow()
        const options = { oauthSecretHash: secret.secretHash, audit: auditEntry(row) }
        return await instances.insert(row, credentialInput(), options)
      }
      const back = (organizationId: string) =>
        oauthSecrets.putBack(organizationId, secret.secretHash, secret.sealed)
      expect(await back('acme')).toBe(false)
      expect(await use()).toBe('inserted')
      expect([await back('other'), await back('acme'), await back('acme')]).toEqual([
        false,
        true,
        false,
      ])
      const read = await oauthSecrets.read(ACME, secret.connectorType, secret.secretHash)
      expect(read).toMatchObject({ usedAt: null, sealed: secret.sealed })
      expect([await use(), await use()]).toEqual(['inserted', 'oauth_secret_used'])
    })

    test('is read by whom it belongs to only', async () => {
      const secret = secretInput()
      await store().oauthSecrets.insert(secret)
      const read = async (owner: Owner, type = 'gong'): Promise<boolean> =>
        (await store().oauthSecrets.read(owner, type, secret.secretHash)) !== null
      expect(await read({ ...ACME, externalUserId: 'user-42', connectorTypes: ['gong'] })).toBe(
        true,
      )
      expect(await read({ organizationId: 'other' })).toBe(false)
      expect(await read({ ...ACME, externalUserId: 'user-43' })).toBe(false)
      expect(await read({ ...ACME, connectorTypes: ['jira'] })).toBe(false)
      expect(await read({ ...ACME, connectorIds: ['x'] })).toBe(false)
      expect(await read(ACME, 'jira')).toBe(false)
    })
  })
}
