// Records of an entity without `get`, under random histories of a third party: nothing that exists is removed, and what is
// gone is removed within a bound, however often listings come.
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'

import { ConnectorError } from '../../../src/errors.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import type { Upstream } from '../../../src/copy/sync/sync-run.ts'
import { sized } from '../../fixtures/sizes.ts'
import { createNotesSync, noteOf, notesManifest, openSharedCopies } from './notes-vendor.ts'

const copies = openSharedCopies()
afterAll(() => copies[Symbol.asyncDispose]())

const SECOND = 1_000
const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const RECORDS = 60
/** Fewer than the guard keeps. */
const MAX_GONE = 15

interface History {
  readonly seed: number
  readonly intervalMs: number
  /** How often listings come, as a share of the interval. */
  readonly pace: number
  readonly pageSize: number
  /** How likely a change is while a page is turned, and between two listings. */
  readonly shifts: number
  readonly changes: number
  /** How likely a page fails, and how likely a listing ends before its end without a word. */
  readonly failures: number
  readonly cuts: number
}

const HISTORY: fc.Arbitrary<History> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  intervalMs: fc.constantFrom(SECOND, 30 * SECOND, 15 * 60 * SECOND, DAY),
  pace: fc.constantFrom(0.1, 0.3, 0.6, 1, 1.1),
  pageSize: fc.constantFrom(10, 25),
  shifts: fc.constantFrom(0, 0.1),
  changes: fc.constantFrom(0.2, 1),
  failures: fc.constantFrom(0, 0.03),
  cuts: fc.constantFrom(0, 0, 0.1),
})

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A third party that changes while its pages are turned. What it knows of its records is the oracle. */
interface ShiftingVendor {
  nowMs: number
  isQuiet: boolean
  /** Records that are there, and those that were, with since when. */
  readonly presentMs: Map<string, number>
  readonly absentMs: Map<string, number>
  /** When the listing that is under way was begun. */
  listingMs: number
  /** Whether the last listing ended before its end. */
  wasCut: boolean
  pass(ms: number): void
  readonly list: Upstream['list']
}

function createShiftingVendor({
  seed,
  pageSize,
  shifts,
  changes,
  failures,
  cuts,
}: History): ShiftingVendor {
  const random = randomOf(seed)
  const listed: number[] = Array.from({ length: RECORDS }, (_, at) => at + 1)
  const add = (n: number, place: number): void => {
    listed.splice(place, 0, n)
    vendor.absentMs.delete(noteOf(n).id)
    vendor.presentMs.set(noteOf(n).id, vendor.nowMs)
  }
  const change = (): void => {
    const at = Math.floor(random() * listed.length)
    const [n = 0] = listed.slice(at, at + 1)
    const kind = random()
    const place = random() < 0.5 ? 0 : listed.length
    if (kind < 0.4 && vendor.absentMs.size < MAX_GONE) {
      listed.splice(at, 1)
      vendor.presentMs.delete(noteOf(n).id)
      vendor.absentMs.set(noteOf(n).id, vendor.nowMs)
    } else if (kind < 0.6) {
      const back = [...vendor.absentMs.keys()].at(Math.floor(random() * vendor.absentMs.size))
      if (back !== undefined) add(Number(back.slice(1)), place)
    } else if (kind < 0.8) {
      listed.splice(at, 1)
      listed.splice(Math.min(place, listed.length), 0, n)
    } else add(Math.max(0, ...listed) + 1_000, place)
  }
  const vendor: ShiftingVendor = {
    nowMs: START,
    isQuiet: false,
    presentMs: new Map(listed.map((n) => [noteOf(n).id, START])),
    absentMs: new Map(),
    listingMs: START,
    wasCut: false,
    pass(ms: number): void {
      vendor.nowMs += ms
      for (let n = 0; n < 3; n++) if (!vendor.isQuiet && random() < changes) change()
    },
    async list({ params }) {
      const from = Number(params['cursor'] ?? 0)
      if (from === 0) vendor.listingMs = vendor.nowMs
      vendor.nowMs += 10
      if (!vendor.isQuiet && random() < shifts) change()
      if (!vendor.isQuiet && random() < failures)
        throw new ConnectorError('upstream_unreachable', 'the line broke')
      const end = from + pageSize
      const isCut =
        !vendor.isQuiet && !vendor.wasCut && from > 0 && end < listed.length && random() < cuts
      const hasMore = end < listed.length && !isCut
      if (!hasMore) vendor.wasCut = isCut
      return await Promise.resolve({
        records: listed.slice(from, end).map((n) => ({ ...noteOf(n) })),
        next: hasMore ? { cursor: String(end) } : null,
        mark: `${vendor.nowMs}`,
        total: null,
        unsaidEnd: null,
        waitedMs: 0,
      })
    },
  }
  return vendor
}

interface Seen {
  /** Records that were there all the time, and were removed. */
  readonly wrong: readonly string[]
  /** Records that were kept beyond the bound. */
  readonly late: readonly string[]
  /** What the copy has too much and lacks, when all has been quiet for long enough. */
  readonly differs: readonly string[]
}

async function runHistory(history: History, listings: number): Promise<Seen> {
  const { intervalMs, pace, cuts } = history
  const vendor = createShiftingVendor(history)
  const clock = { ...createSystemClock(), now: () => vendor.nowMs }
  const manifest = await notesManifest({ get: false })
  await using sync = await createNotesSync('http://127.0.0.1:9', manifest, {
    ...copies.place(),
    clock,
    list: vendor.list,
  })
  const wrong: string[] = []
  const late: string[] = []
  let before: readonly string[] = []
  let lastMs = START
  let gapMs = 0
  const turn = async (): Promise<void> => {
    const outcome = await sync.run('notes', { intervalMs })
    const now = new Set(await sync.ids())
    for (const id of before)
      if (!now.has(id) && (vendor.presentMs.get(id) ?? Infinity) < vendor.listingMs) wrong.push(id)
    before = [...now]
    if (outcome.kind === 'done') {
      gapMs = Math.max(gapMs, vendor.listingMs - lastMs)
      lastMs = vendor.listingMs
      const boundMs = 2 * Math.max(0.9 * intervalMs + gapMs, 2 * gapMs)
      for (const [id, goneMs] of vendor.absentMs)
        if (cuts === 0 && now.has(id) && lastMs >= goneMs + boundMs) late.push(id)
    }
    vendor.pass(pace * intervalMs)
  }
  for (let n = 0; n < listings; n++) await turn()
  vendor.isQuiet = true
  const quietMs = vendor.nowMs
  while (vendor.nowMs - quietMs < 4 * (intervalMs + gapMs)) await turn()
  const differs = [
    ...before.filter((id) => !vendor.presentMs.has(id)),
    ...[...vendor.presentMs.keys()].filter((id) => !before.includes(id)),
  ]
  return { wrong, late, differs }
}

describe('records without a get', () => {
  test('nothing that exists is removed, and what is gone is removed within a bound', async () => {
    await fc.assert(
      fc.asyncProperty(HISTORY, async (history) => {
        const seen = await runHistory(history, sized(10, 40))
        expect(seen).toEqual({ wrong: [], late: [], differs: [] })
      }),
      { seed: 18, numRuns: sized(2, 60), endOnFailure: true },
    )
  })
})
