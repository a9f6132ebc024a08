// A program that keeps a copy of its own by reading changes has, whenever it is at their end, what the copy has: whatever
// happens at the third party, to the copy, to the processes that fill it, and to the program itself.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isConnectorError } from '../../../src/errors.ts'
import { type ChangesPlace, readChanges } from '../../../src/copy/search/changes.ts'
import {
  type CopyName,
  type CopyState,
  readServing,
  type SearchIndex,
} from '../../../src/copy/search/search-index.ts'
import { syncedEntities } from '../../../src/copy/sync/synced-entity.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  noteOf,
  notesManifest,
  type NotesSync,
  type NotesVendor,
} from './notes-vendor.ts'

const ENTITIES = ['notes', 'comments'] as const
const NOTES = 12
const PAGE = 3

interface Change {
  readonly change: 'added' | 'updated' | 'removed'
  readonly id: string
  readonly data: unknown
}

/** Keeps records as they are told. What it has stored stays when it crashes. */
class Mirror {
  readonly #index: SearchIndex
  readonly #name: CopyName
  readonly #sweeps: boolean
  readonly records = new Map<string, string>()
  #place: string | null = null
  /** Since the changes began with nothing: records that were not told again yet. */
  #untold: ReadonlySet<string> = new Set()
  /** What it had when it was at the end last; null: it cannot know. */
  #base: ReadonlySet<string> | null = null

  /** `sweeps`: keeps what it has until everything was told again, instead of throwing it away at once. */
  constructor(index: SearchIndex, name: CopyName, sweeps: boolean) {
    this.#index = index
    this.#name = name
    this.#sweeps = sweeps
  }

  /** Reads a page; gives whether it is at the end. `crashesAfter`: so many changes are stored, and the place is not. */
  async read(limit: number, crashesAfter: number | null): Promise<boolean> {
    // As text: it may be kept for days.
    const place = this.#place === null ? null : (JSON.parse(this.#place) as ChangesPlace)
    const page = await readChanges(this.#index, this.#name, place, limit).catch(
      (error: unknown) => {
        if (isConnectorError(error, 'search_not_ready')) return null
        if (!isConnectorError(error, 'cursor_invalid')) throw error
        this.#place = null
        return null
      },
    )
    if (page === null) return false
    const changes = JSON.parse(page.changes) as readonly Change[]
    expect(changes.length).toBe(page.count)
    expect(changes.length).toBeLessThanOrEqual(limit)
    if (page.hasMore) expect(changes).not.toEqual([])
    if (page.reset) {
      this.#base = new Set()
      if (!this.#sweeps) this.records.clear()
    }
    const untold = new Set(page.reset ? this.records.keys() : this.#untold)
    for (const [at, { change, id, data }] of changes.entries()) {
      if (at === crashesAfter) {
        this.#base = null
        return false
      }
      untold.delete(id)
      if (change === 'removed') this.records.delete(id)
      else this.records.set(id, JSON.stringify(data))
      if (change === 'updated' && this.#base !== null) expect([...this.#base]).toContain(id)
    }
    if (crashesAfter !== null) return false
    if (!page.hasMore) {
      for (const id of untold) this.records.delete(id)
      untold.clear()
      this.#base = new Set(this.records.keys())
    }
    this.#untold = untold
    this.#place = JSON.stringify(page.next)
    return !page.hasMore
  }
}

type Step =
  | { readonly kind: 'add' | 'change' | 'lose' | 'own write' | 'own delete'; readonly note: number }
  | { readonly kind: 'comment'; readonly note: number; readonly comments: number }
  | { readonly kind: 'sync' | 'undo' | 'forget' | 'rebuild' | 'other settings' | 'purge' }
  | { readonly kind: 'fail' | 'kill'; readonly after: number }
  | {
      readonly kind: 'read'
      readonly pages: number
      readonly limit: number
      readonly mirror: number
    }
  | {
      readonly kind: 'crash'
      readonly limit: number
      readonly after: number
      readonly mirror: number
    }
  | { readonly kind: 'sync and read'; readonly limit: number }

const note = fc.integer({ min: 1, max: NOTES })
const small = fc.integer({ min: 0, max: 4 })
const limit = fc.integer({ min: 1, max: 5 })
const mirror = fc.integer({ min: 0, max: 3 })
const of = <K extends Step['kind']>(...kinds: readonly K[]): fc.Arbitrary<{ readonly kind: K }> =>
  fc.record({ kind: fc.constantFrom(...kinds) })

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('add', 'change', 'change', 'lose', 'own write', 'own delete'),
        note,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('comment'), note, comments: small }) },
    { weight: 5, arbitrary: of('sync') },
    { weight: 3, arbitrary: of('undo', 'forget', 'rebuild', 'other settings') },
    { weight: 1, arbitrary: of('purge') },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('fail', 'kill'), after: small }) },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('read'), pages: limit, limit, mirror }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('crash'), limit, after: small, mirror }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('sync and read'), limit }) },
  ),
  { minLength: 10, maxLength: 40 },
)

/** Courses of steps, each of an instance of its own. */
export function mirrorSuite(
  store: string,
  open: () => SearchIndex,
  { courses, seed }: { readonly courses: number; readonly seed?: number },
): void {
  let instances = 0

  test(
    `${store}: mirrors equal the copy after ${courses} courses of changes, kills, rebuilds and crashes`,
    async () => {
      const manifest = await notesManifest()
      await using vendor = await createNotesVendor(0)
      vendor.pageSize = PAGE
      const run = async (course: readonly Step[]): Promise<void> => {
        const instanceId = `mirror-${process.pid}-${++instances}`
        await using world = await createWorld(open(), vendor, manifest, instanceId)
        for (const step of course) await world.take(step)
        await world.end()
        await open().purge(instanceId)
      }
      const checked = fc.assert(fc.asyncProperty(steps, run), {
        numRuns: courses,
        ...(seed === undefined ? {} : { seed }),
        // Ends a course that hangs; on Citus and a machine with load 20 one takes 15 seconds.
        interruptAfterTimeLimit: 60_000 + courses * 24_000,
        markInterruptAsFailure: true,
      })
      await expect(checked).resolves.toBe(undefined)
    },
    90_000 + courses * 25_000,
  )
}

interface World extends AsyncDisposable {
  take(step: Step): Promise<void>
  /** Synchronizes what there is, and lets every mirror read to the end. */
  end(): Promise<void>
}

async function createWorld(
  index: SearchIndex,
  vendor: NotesVendor,
  manifest: Manifest,
  instanceId: string,
): Promise<World> {
  vendor.notes.clear()
  vendor.comments.clear()
  vendor.fault = null
  for (let n = 1; n <= NOTES / 2; n++) vendor.notes.set(idOf(n), noteOf(n))
  const sync = await createNotesSync(vendor.http.url, manifest, { index, instanceId })
  const mirrors = ENTITIES.flatMap((entity) =>
    [false, true].map((sweeps) => ({
      entity,
      mirror: new Mirror(index, { instanceId, entity }, sweeps),
    })),
  )
  const made = { textRules: '', settings: '' }
  const runs: string[] = []
  let count = 0

  /** To the end, also where another one has died at it: its lease runs out. */
  async function synchronize(by: NotesSync = sync, options: object = {}): Promise<void> {
    for (const entity of ENTITIES)
      for (;;) {
        const outcome = await by.run(entity, { mode: 'full', intervalMs: 0, ...made, ...options })
        if (outcome.kind === 'done') runs.push(outcome.runId)
        if (outcome.kind !== 'busy') break
        // Waits for time: that of the lease.
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
  }

  async function documents(entity: string): Promise<ReadonlyMap<string, string>> {
    const copy = await readServing(index, { instanceId, entity })
    const all = copy === undefined ? [] : await index.documents(copy, 0, 1_000)
    return new Map(all.map(({ recordId, doc }) => [recordId, JSON.stringify(JSON.parse(doc))]))
  }

  /** Of a copy that is not filled yet mirrors keep what they have. */
  async function compare({ entity, mirror: one }: (typeof mirrors)[number]): Promise<void> {
    expect(Object.fromEntries(one.records)).toEqual(Object.fromEntries(await documents(entity)))
  }

  async function copiesOf(entity: string): Promise<readonly CopyState[]> {
    return await index.copies({ instanceId, entity })
  }

  const own = { fence: null, observedAtMs: 0 }
  const toRow = syncedEntities(manifest).get('notes')?.toRow
  const at = (number: number): (typeof mirrors)[number] => {
    const found = mirrors[number]
    if (found === undefined) throw new TypeError('no such mirror')
    return found
  }

  async function take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'add':
      case 'change':
        vendor.notes.set(idOf(step.note), { ...noteOf(step.note), text: `text ${++count}` })
        return
      case 'lose':
        vendor.notes.delete(idOf(step.note))
        return
      case 'comment': {
        const all = Array.from({ length: step.comments }, (_, n) => ({
          id: `c${step.note}-${n}`,
          body: `comment ${++count}`,
        }))
        vendor.comments.set(idOf(step.note), all)
        // Comments are read where their note has changed.
        await take({ kind: 'change', note: step.note })
        return
      }
      case 'own write': {
        await take({ kind: 'change', note: step.note })
        const record = vendor.notes.get(idOf(step.note))
        if (record === undefined || toRow === undefined) return
        const rows = [toRow({ ...record })]
        const nowMs = Date.now()
        for (const copy of await copiesOf('notes'))
          await index.write({ ...own, copy, observedAtMs: nowMs, holdUntilMs: nowMs + 20, rows })
        return
      }
      case 'own delete': {
        vendor.notes.delete(idOf(step.note))
        const runId = `own-${++count}`
        const nowMs = Date.now()
        const remove = { ids: [idOf(step.note)], runId, atMs: nowMs }
        for (const copy of await copiesOf('notes'))
          await index.write({ ...own, copy, observedAtMs: nowMs, holdUntilMs: nowMs + 20, remove })
        runs.push(runId)
        return
      }
      case 'sync':
        await synchronize()
        return
      case 'fail':
        vendor.fault = { page: step.after, kind: 'status', once: true }
        await synchronize()
        vendor.fault = null
        return
      case 'kill': {
        const leaseTimes = { ttlMs: 40, beatMs: 10 }
        const mortal = dyingAfter(index, step.after)
        const other = { index: mortal, instanceId }
        await using doomed = await createNotesSync(vendor.http.url, manifest, other)
        await synchronize(doomed, { leaseTimes }).catch((error: unknown) => {
          if (error !== DEATH) throw error
        })
        return
      }
      case 'undo': {
        const runId = runs.at(-1)
        if (runId !== undefined)
          for (const entity of ENTITIES)
            for (const copy of await copiesOf(entity)) await index.restore(copy, runId)
        return
      }
      case 'forget':
        for (const entity of ENTITIES)
          for (const copy of await copiesOf(entity))
            await index.forgetRemoved(copy, Date.now() + 1_000)
        return
      case 'rebuild':
        made.textRules = `rules ${++count}`
        return
      case 'other settings':
        made.settings = `settings ${++count}`
        return
      case 'purge':
        await index.purge(instanceId)
        return
      case 'read': {
        const one = at(step.mirror)
        for (let page = 0; page < step.pages; page++)
          if (await one.mirror.read(step.limit, null)) await compare(one)
        return
      }
      case 'crash':
        await at(step.mirror).mirror.read(step.limit, step.after)
        return
      case 'sync and read': {
        const now = { isOver: false }
        const syncing = synchronize().finally(() => (now.isOver = true))
        const reading = mirrors.map(async (one) => {
          while (!now.isOver) await one.mirror.read(step.limit, null)
        })
        await Promise.all([syncing, ...reading])
      }
    }
  }

  return {
    take,
    async end() {
      // The second one finds what the first was not allowed to touch.
      await synchronize()
      await synchronize()
      for (const one of mirrors) {
        while (!(await one.mirror.read(PAGE, null)));
        await compare(one)
      }
    },
    [Symbol.asyncDispose]: () => sync[Symbol.asyncDispose](),
  }
}

const DEATH = new Error('the process is dead')

/** The copies as a process sees them that dies after so many writes: nothing that it begins afterwards happens. */
function dyingAfter(index: SearchIndex, writes: number): SearchIndex {
  let left = writes
  return new Proxy(index, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: readonly unknown[]): Promise<unknown> => {
        if (left < 0) throw DEATH
        if (name === 'write' && --left < 0) throw DEATH
        return await Reflect.apply(method, target, args)
      }
    },
  })
}
