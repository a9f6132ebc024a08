import { expect, test } from 'vitest'
import type { Store } from '../../../src/service/store/store.ts'
import { organizationEntry, unique } from './rows.ts'
import type { StoreSubject } from './subject.ts'

export function oauthClients(subject: () => StoreSubject, store: () => Store): void {
  const audit = organizationEntry('acme', 'oauth_client.put')

  test('a client is kept for one organization and connector, and is seen by every process', async () => {
    const other = await subject().open()
    const organizationId = unique('org')
    const place = { organizationId, connectorType: 'gong' }
    const row = {
      ...place,
      clientId: 'client-1',
      secretSealed: new Uint8Array([0, 255]),
      version: 7,
    }
    expect(await store().oauthClients.put(row, null, audit)).toBe(true)
    const [kept, ...rest] = await other.oauthClients.list(organizationId)
    expect({ ...kept, secretSealed: [...(kept?.secretSealed ?? [])] }).toEqual({
      ...row,
      secretSealed: [0, 255],
      changedBy: 'cli',
      changedAt: expect.any(Number),
    })
    expect(rest).toEqual([])
    expect(await other.oauthClients.list(unique('org'))).toEqual([])
    expect(await other.oauthClients.list()).toContainEqual(kept)
    expect(await other.oauthClients.remove({ ...place, connectorType: 'jira' }, audit)).toBe(false)
    expect(await other.oauthClients.remove(place, audit)).toBe(true)
    expect(await store().oauthClients.list(organizationId)).toEqual([])
  })

  test('of changes at the same time one is made, and leaves the other no trace', async () => {
    const other = await subject().open()
    const organizationId = unique('org')
    const place = { organizationId, connectorType: 'gong' }
    const row = (version: number) => ({
      ...place,
      clientId: `client ${version}`,
      secretSealed: null,
      version,
    })
    const own = organizationEntry(organizationId, 'oauth_client.put')
    expect(await store().oauthClients.put(row(1), null, own)).toBe(true)
    expect(await store().oauthClients.put(row(2), null, own)).toBe(false)
    const results = await Promise.all([
      store().oauthClients.put(row(3), 1, own),
      other.oauthClients.put(row(4), 1, own),
    ])
    expect(results.toSorted()).toEqual([false, true])
    const events = await store().audit.list({ organizationId }, { limit: 10 })
    expect(events.filter(({ action }) => action === 'oauth_client.put')).toHaveLength(2)
  })

  test('a secret is sealed again for the version that it is of, and for no other one', async () => {
    const organizationId = unique('org')
    const place = { organizationId, connectorType: 'gong' }
    const row = { ...place, clientId: 'client-1', secretSealed: new Uint8Array([1]), version: 1 }
    await store().oauthClients.put(row, null, audit)
    const sealed = new Uint8Array([2])
    expect(await store().oauthClients.reseal(place, 2, sealed)).toBe(false)
    expect(await store().oauthClients.reseal(place, 1, sealed)).toBe(true)
    const [kept] = await store().oauthClients.list(organizationId)
    expect([...(kept?.secretSealed ?? [])]).toEqual([2])
  })
}
