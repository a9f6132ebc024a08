import { expect, test } from 'vitest'
import type { Store } from '../../../src/service/store/store.ts'
import { secretInput, stateInput, unique } from './rows.ts'

export function keysAndConsents(store: () => Store): void {
  test('a data key is made once, by whoever comes first', async () => {
    const { dataKeys } = store()
    const owner = unique('owner')
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        dataKeys.put(owner, { version: 1, keyId: 'k1', wrapped: new Uint8Array([i]) }),
      ),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    const wrapped = new Uint8Array([results.indexOf(true)])
    expect(await dataKeys.get(owner)).toEqual({ version: 1, keyId: 'k1', wrapped, uses: 0 })
    expect(await dataKeys.get(unique('owner'))).toBe(null)
  })

  test('a data key counts its uses, and an older version stays until it is removed', async () => {
    const { dataKeys } = store()
    const owner = unique('owner')
    const wrapped = new Uint8Array([1])
    await dataKeys.put(owner, { version: 1, keyId: 'k1', wrapped })
    expect(await dataKeys.addUses(owner, 1, 5)).toBe(5)
    expect(await dataKeys.addUses(owner, 1, 2 ** 31)).toBe(2 ** 31 + 5)
    expect(await dataKeys.addUses(owner, 2, 5)).toBe(0)
    await dataKeys.put(owner, { version: 2, keyId: 'k2', wrapped })
    expect((await dataKeys.get(owner))?.version).toBe(2)
    expect((await dataKeys.get(owner, 1))?.uses).toBe(2 ** 31 + 5)
    expect(await dataKeys.removeOlder(owner, 2)).toBe(1)
    expect(await dataKeys.get(owner, 1)).toBe(null)
  })

  test('data keys are wrapped anew, unless somebody else did', async () => {
    const { dataKeys } = store()
    const [from, to] = [unique('key'), unique('key')]
    const owners = [unique('a'), unique('b'), unique('c')]
    for (const owner of owners)
      await dataKeys.put(owner, { version: 1, keyId: from, wrapped: new Uint8Array([1]) })
    expect((await dataKeys.countByKey())[from]).toBe(3)
    const page = await dataKeys.onKey(from, 2)
    expect(page.map(({ ownerId }) => ownerId)).toEqual(owners.slice(0, 2))
    const last = page[1] ?? { ownerId: '', version: 0 }
    const rest = await dataKeys.onKey(from, 2, last)
    expect(rest).toEqual([
      { ownerId: owners[2], version: 1, keyId: from, wrapped: new Uint8Array([1]), uses: 0 },
    ])
    const next = { version: 1, keyId: to, wrapped: new Uint8Array([2, 2]) }
    expect(await dataKeys.rewrap(owners[0] ?? '', 'another', next)).toBe(false)
    expect(await dataKeys.rewrap(owners[0] ?? '', from, next)).toBe(true)
    expect(await dataKeys.rewrap(owners[0] ?? '', from, next)).toBe(false)
    expect(await dataKeys.get(owners[0] ?? '')).toEqual({ ...next, uses: 0 })
    expect((await dataKeys.countByKey())[from]).toBe(2)
  })

  test('K3 a data key gets one successor, and none when its owner is gone', async () => {
    const { dataKeys } = store()
    const owner = unique('owner')
    const next = (version: number) => ({ version, keyId: 'k1', wrapped: new Uint8Array([version]) })
    await dataKeys.put(owner, next(1))
    const made = await Promise.all(
      Array.from({ length: 5 }, () => dataKeys.succeed(owner, next(2))),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await dataKeys.succeed(unique('nobody'), next(2))).toBe(false)
    const versions = await dataKeys.versions(owner)
    expect(versions).toMatchObject([
      { version: 2, keyId: 'k1', wrapped: new Uint8Array([2]), uses: 0 },
      { version: 1 },
    ])
    expect(versions.every(({ ageMs }) => ageMs >= 0 && ageMs < 60_000)).toBe(true)
  })

  test('K3 data keys are found by their age, page by page', async () => {
    const { dataKeys } = store()
    const prefix = unique('0')
    const owners = ['a', 'b', 'c'].map((name) => `${prefix}${name}`)
    const wrapped = new Uint8Array([1])
    for (const owner of owners) await dataKeys.put(owner, { version: 1, keyId: 'k1', wrapped })
    await dataKeys.succeed(owners[1] ?? '', { version: 2, keyId: 'k1', wrapped })
    const ours = (rows: readonly { readonly ownerId: string; readonly version: number }[]) =>
      rows
        .filter(({ ownerId }) => ownerId.startsWith(prefix))
        .map(({ ownerId, version }) => `${ownerId.slice(prefix.length)}${version}`)
    const far = Date.now() + 60_000
    expect(ours(await dataKeys.madeBefore(far, 1000, prefix))).toEqual(['a1', 'b2', 'c1'])
    expect(ours(await dataKeys.madeBefore(far, 1, owners[0]))).toEqual(['b2'])
    expect(ours(await dataKeys.madeBefore(Date.now() - 60_000, 1000, prefix))).toEqual([])
    expect(ours(await dataKeys.superseded(0, 1000, prefix))).toEqual(['b2'])
    expect(ours(await dataKeys.superseded(0, 1000, owners[1]))).toEqual([])
    expect(ours(await dataKeys.superseded(60_000, 1000, prefix))).toEqual([])
  })

  test('O5 a consent belongs to the first browser that shows its ticket', async () => {
    const { oauthStates } = store()
    const state = stateInput()
    await oauthStates.insert(state)
    const row = { ...state, createdAt: expect.any(Number) }
    expect(await oauthStates.take(state.stateHash, 'cookie')).toBe(null)
    expect(await oauthStates.bindBrowser(state.ticketHash, 'cookie')).toEqual(row)
    expect(await oauthStates.bindBrowser(state.ticketHash, 'another')).toBe(null)
    expect(await oauthStates.bindBrowser(state.ticketHash, 'cookie')).toEqual(row)
    expect(await oauthStates.take(state.stateHash, 'another')).toBe(null)
    expect(await oauthStates.take(state.stateHash, 'cookie')).toEqual(row)
    expect(await oauthStates.take(state.stateHash, 'cookie')).toBe(null)
    expect(await oauthStates.bindBrowser(state.ticketHash, 'cookie')).toBe(null)
  })

  test('O1 of 100 equal callbacks one gets the state', async () => {
    const { oauthStates } = store()
    const state = stateInput()
    await oauthStates.insert(state)
    await oauthStates.bindBrowser(state.ticketHash, 'cookie')
    const taken = await Promise.all(
      Array.from({ length: 100 }, () => oauthStates.take(state.stateHash, 'cookie')),
    )
    expect(taken.filter((row) => row !== null)).toHaveLength(1)
  })

  test('O1 an expired state is unknown, and purged', async () => {
    const { oauthStates, oauthSecrets } = store()
    const state = stateInput({ expiresAt: Date.now() - 60_000, config: { subdomain: 'acme' } })
    await oauthStates.insert(state)
    expect(await oauthStates.bindBrowser(state.ticketHash, 'cookie')).toBe(null)
    expect(await oauthStates.take(state.stateHash, 'cookie')).toBe(null)
    expect(await oauthStates.purgeExpired()).toBe(1)
    await oauthSecrets.insert(secretInput({ expiresAt: Date.now() - 60_000 }))
    expect(await oauthSecrets.purgeExpired()).toBeGreaterThanOrEqual(1)
    expect(await oauthSecrets.purgeExpired()).toBe(0)
  })
}
