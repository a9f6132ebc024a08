// Searches while the keys of their cursors cannot be had.
import { expect, test } from 'vitest'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { ConnectorError } from '../../../src/errors.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import { createSearchCopies } from '../../../src/service/sync/search-copies.ts'
import { SearchGate } from '../../../src/service/sync/search-gate.ts'
import {
  createNotesSync,
  createNotesVendor,
  notesManifest,
  openSharedCopies,
} from '../../copy/sync/notes-vendor.ts'

test('without its keys a first page is answered, and a cursor made under them is not called invalid', async () => {
  await using vendor = await createNotesVendor(5)
  await using copies = openSharedCopies()
  const place = copies.place()
  await using sync = await createNotesSync(vendor.http.url, await notesManifest(), place)
  await sync.run('notes', { mode: 'full', intervalMs: 0, textRules: '', settings: '' })
  const clock = createSystemClock()
  let isAway = false
  const search = createSearchCopies({
    index: place.index,
    clock,
    gate: new SearchGate(clock, 4),
    intervalMs: () => 60_000,
    vault: {
      deriveKeys: async () => {
        if (isAway) throw new ConnectorError('store_unavailable', 'the key cannot be had')
        return [new Uint8Array(32)]
      },
    },
  })
  // What of the row a search asks for.
  const row = { id: place.instanceId, organizationId: 'o', enabled: true, state: 'active' }
  const page = async (cursor: string | null) => {
    const params = { query: {}, limit: 2, ...(cursor === null ? {} : { cursor }) }
    const { signal } = new AbortController()
    return await search(row as InstanceRow, 'notes', params, signal)
  }
  const before = await page(null)
  isAway = true
  await expect(page(before.nextCursor)).rejects.toMatchObject({ code: 'store_unavailable' })
  const meanwhile = await page(null)
  await page(meanwhile.nextCursor)
  isAway = false
  for (const { nextCursor } of [before, meanwhile]) await page(nextCursor)
  await expect(page('invented')).rejects.toMatchObject({ code: 'cursor_invalid' })
})
