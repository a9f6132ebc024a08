// Nothing that exists is ever removed, whatever goes wrong at whichever page of a listing.
import { describe, expect, test } from 'vitest'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  noteOf,
  notesManifest,
  type PageFault,
} from './notes-vendor.ts'
import { sized } from '../../fixtures/sizes.ts'

const FAULTS: readonly PageFault[] = [
  'empty',
  'null',
  'half',
  'html',
  'truncated',
  'repeated cursor',
  'endless cursor',
  'duplicate page',
  'expired cursor',
  'status',
]
/** Pages of the listing. */
const PAGES = sized(4, 30)
const PAGE_SIZE = 4

describe.for([
  { name: 'with a get of its own', get: true, lasting: [false, true] },
  { name: 'without one', get: false, lasting: [false] },
])('an entity $name', ({ get, lasting }) => {
  test('D1 every fault at every page removes nothing that exists', async () => {
    await using vendor = await createNotesVendor(PAGES * PAGE_SIZE)
    vendor.pageSize = PAGE_SIZE
    await using sync = await createNotesSync(vendor.http.url, await notesManifest({ get }))
    await sync.run()
    const all = [...vendor.notes.keys()].sort()
    expect(await sync.ids()).toEqual(all)
    let cases = 0
    for (const kind of FAULTS) {
      for (let page = 1; page <= PAGES; page++) {
        for (const lasts of lasting) {
          vendor.fault = { page, kind, once: !lasts }
          await sync.run('notes', { intervalMs: 1 })
          if (lasts) await sync.run('notes', { intervalMs: 1 })
          vendor.fault = null
          expect([kind, page, await sync.ids()]).toEqual([kind, page, all])
          await sync.run('notes', { intervalMs: 1 })
          cases++
        }
      }
    }
    expect(cases).toBe(FAULTS.length * PAGES * lasting.length)
    // What is really gone is found all the same, by the next complete runs.
    for (const n of [1, 9, 10]) vendor.notes.delete(idOf(n))
    vendor.notes.set(idOf(99), noteOf(99))
    for (let turn = 0; turn < 2; turn++) await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual([...vendor.notes.keys()].sort())
  })
})
