// Runs over a real listing and a real copy: the first, the later ones, and what goes wrong in between.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConnectorError } from '../../../src/errors.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  noteOf,
  type NotesSync,
  notesManifest,
  type NotesVendor,
  openSharedCopies,
} from './notes-vendor.ts'
import { eventually } from '../../faults/resources.ts'
import {
  ATTEMPT_PREFIX,
  HISTORY_PREFIX,
  readFacts,
  readRun,
} from '../../../src/copy/sync/run-record.ts'

let vendor: NotesVendor
let sync: NotesSync
const copies = openSharedCopies()
afterAll(() => copies[Symbol.asyncDispose]())

const LIMITED = { code: 'upstream_rate_limited' }

const source = (): string[] => [...vendor.notes.keys()].sort()
const state = async (entity = 'notes') =>
  (await sync.index.copies({ instanceId: sync.instanceId, entity }))[0]

/** What `tenon sync confirm` writes. */
async function approve(entity = 'notes'): Promise<void> {
  const copy = await state(entity)
  if (copy === undefined) throw new TypeError('there is no copy')
  const facts = JSON.parse(copy.facts) as { suspicious: { runId: string } }
  const confirmed = { ...facts, confirmed: facts.suspicious.runId }
  const observedAtMs = Date.now()
  await sync.index.write({ copy, fence: null, observedAtMs, facts: JSON.stringify(confirmed) })
}

describe('an entity with a cursor', () => {
  beforeEach(async () => {
    vendor = await createNotesVendor(95)
    const cursor = { field: 'updated', since: 'since', lookback: 'PT1M' }
    sync = await createNotesSync(
      vendor.http.url,
      await notesManifest({ sync: { cursor } }),
      copies.place(),
    )
  })
  afterEach(async () => {
    await sync[Symbol.asyncDispose]()
    await vendor[Symbol.asyncDispose]()
  })

  test('the first run reads everything, page by page', async () => {
    expect(await sync.run()).toMatchObject({ kind: 'done', changed: 95 })
    expect(await sync.ids()).toEqual(source())
    expect(await state()).toMatchObject({ live: 95, complete: true })
    expect(vendor.http.requests).toHaveLength(10)
  })

  test('a later run asks for what is new, one lookback earlier', async () => {
    await sync.run()
    vendor.notes.set(idOf(96), noteOf(96))
    vendor.notes.set(idOf(3), { ...noteOf(97), id: idOf(3), text: 'changed' })
    const before = vendor.http.requests.length
    expect(await sync.run()).toMatchObject({ kind: 'done', changed: 2 })
    expect(vendor.http.requests.slice(before).map(({ url }) => url)).toEqual([
      `/notes?since=${encodeURIComponent('2026-01-01T01:34:00Z')}`,
    ])
    expect(await sync.ids()).toEqual(source())
  })

  test('a run that is stopped goes on at its page', async () => {
    const stop = new AbortController()
    vendor.delayMs = 30
    const stopped = sync.run('notes', { signal: stop.signal })
    const live = async (): Promise<number> => (await state())?.live ?? 0
    await eventually(async () => (await live()) >= 30)
    stop.abort()
    expect(await stopped).toEqual({ kind: 'stopped' })
    vendor.delayMs = 0
    const [asked, written] = [vendor.http.requests.length, await live()]
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    expect(await sync.ids()).toEqual(source())
    // Pages that were read but not yet written are read again, and no others.
    expect(vendor.http.requests.length - asked).toBe(Math.ceil((source().length - written) / 10))
    expect(vendor.listings).toBe(1)
  })

  test('a run that fails goes on at its page, and says why it failed', async () => {
    vendor.fault = { page: 4, kind: 'status', once: true }
    expect(await sync.run()).toMatchObject({
      kind: 'failed',
      failures: 1,
      error: { code: 'upstream_failed' },
    })
    expect(await state()).toMatchObject({ live: 30, complete: false })
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    expect([vendor.listings, await sync.ids()]).toEqual([1, source()])
  })

  test('each turn that fails is kept with what it did, and its run with how many there were', async () => {
    vendor.fault = { page: 4, kind: 'too many requests', once: false }
    for (let failures = 1; failures <= 2; failures++)
      expect(await sync.run()).toMatchObject({ kind: 'failed', failures })
    vendor.fault = null
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    const name = { instanceId: sync.instanceId, entity: 'notes' }
    const past = async (prefix: string) => (await sync.index.entries(name, prefix)).map(readRun)
    const [first, second, ...others] = await past(ATTEMPT_PREFIX)
    expect([first, second, others]).toMatchObject([
      { attempt: 1, goesOn: true, pages: 3, read: 30, changed: 30, error: LIMITED },
      { attempt: 2, goesOn: true, pages: 0, read: 0, changed: 0, error: LIMITED },
      [],
    ])
    expect(second?.startedAtMs).toBeGreaterThanOrEqual(first?.finishedAtMs ?? Infinity)
    const runs = await past(HISTORY_PREFIX)
    expect(runs).toMatchObject([{ runId: first?.runId, attempt: 3, read: 95, error: null }])
  })

  test('while a third party is left alone a copy keeps what it failed with, and fails no more often', async () => {
    vendor.fault = { page: 1, kind: 'status', once: false }
    const first = { code: 'upstream_failed', message: expect.stringContaining('(status 500)') }
    const last = async () => readFacts((await state())?.facts ?? '').lastError
    // A turn that sent something failed itself, also where nothing more was sent after that.
    for (let failures = 1; ; failures++) {
      const asked = vendor.http.requests.length
      const outcome = await sync.run()
      const isSent = vendor.http.requests.length > asked
      expect(outcome).toMatchObject({
        kind: 'failed',
        firstError: first,
        failures: isSent ? failures : failures - 1,
      })
      if (!isSent) break
      expect(await last()).toMatchObject(first)
      expect(await last()).not.toHaveProperty('cause')
    }
    const held = await last()
    expect(held).toMatchObject({ ...first, suspendedUntilMs: expect.any(Number) })
    expect(held).not.toHaveProperty('cause')
    expect(held?.suspendedUntilMs).toBeGreaterThan(held?.atMs ?? Infinity)
  })

  test('a copy that is held back for what another call failed with says so', async () => {
    await sync.run()
    vendor.fault = { page: 1, kind: 'status', once: false }
    let outcome = await sync.run()
    while (outcome.kind === 'failed' && outcome.error.code !== 'upstream_suspended')
      outcome = await sync.run()
    const cause = 'Notes: notes.list failed (status 500)'
    expect(await sync.run('comments')).toMatchObject({
      kind: 'failed',
      failures: 1,
      error: { code: 'upstream_suspended' },
      firstError: {
        code: 'upstream_failed',
        message: `Held back because another call failed: ${cause}`,
        cause: { code: 'upstream_failed', message: cause },
      },
    })
  })

  test.for([
    ['a copy that is well', 0, { kind: 'held', forMs: 9_000 }, 'as it was'],
    ['a copy that fails', 1, { kind: 'failed', failures: 1 }, 'with what it failed with'],
  ] as const)(
    'what somebody asks for while a third party is left alone leaves %s, %j',
    async ([, failures, want]) => {
      const cause = new ConnectorError('upstream_failed', 'another call failed')
      const held = new ConnectorError('upstream_suspended', 'left alone', {
        cause,
        retryAfterMs: 9_000,
      })
      let error = new ConnectorError('upstream_failed', 'its own call failed')
      await using other = await createNotesSync(vendor.http.url, await notesManifest(), {
        index: sync.index,
        instanceId: sync.instanceId,
        list: () => Promise.reject(error),
      })
      const name = { instanceId: sync.instanceId, entity: 'comments' }
      const kept = async () => {
        const { facts, live, complete } = (await state('comments')) ?? {}
        const { suspendedUntilMs: _, ...lastError } = readFacts(facts ?? '').lastError ?? {}
        const entries = (await sync.index.entries(name, '')).map((each) => each.name)
        // Of a copy that fails the run stays, and each of its attempts is kept.
        return { live, complete, lastError, entries: failures === 0 ? entries : [] }
      }
      vendor.comments.set('n000004', [{ id: 'c1', body: 'one' }])
      await sync.run()
      await sync.run('comments')
      vendor.comments.set('n000005', [{ id: 'c2', body: 'two' }])
      vendor.notes.set('n000005', noteOf(5, 'changed'))
      await sync.run('notes', { mode: 'full' })
      if (failures > 0)
        expect(await other.run('comments')).toMatchObject({ kind: 'failed', failures })
      const before = await kept()
      error = held
      expect(await other.run('comments', { isAsked: true })).toMatchObject(want)
      expect(await kept()).toEqual(before)
      expect(await sync.run('comments', { isAsked: true })).toMatchObject({
        kind: 'done',
        changed: 1,
      })
    },
  )

  test('a call of its own that fails is what a copy fails with that was held back before', async () => {
    const cause = new ConnectorError('upstream_failed', 'another call failed')
    const own = new ConnectorError('upstream_failed', 'notes.list failed')
    const errors = [new ConnectorError('upstream_suspended', 'left alone', { cause }), own]
    await using other = await createNotesSync(vendor.http.url, await notesManifest(), {
      ...copies.place(),
      list: () => Promise.reject(errors.shift() ?? own),
    })
    const first = async () => {
      const outcome = await other.run()
      return outcome.kind === 'failed' ? outcome.firstError : outcome
    }
    const held = await first()
    expect(held).toMatchObject({
      message: 'Held back because another call failed: another call failed',
      cause: { message: 'another call failed' },
    })
    // Since it was held back it has not been read.
    const { atMs } = held as { readonly atMs: number }
    const failed = { code: 'upstream_failed', message: 'notes.list failed', atMs }
    expect([await first(), await first()]).toEqual([failed, failed])
  })

  test('a refusal is no longer what a copy fails with once it meets something else', async () => {
    const errors = (['credentials_refused', 'upstream_failed', 'upstream_timeout'] as const).map(
      (code) => new ConnectorError(code, code),
    )
    await using other = await createNotesSync(vendor.http.url, await notesManifest(), {
      ...copies.place(),
      list: () => Promise.reject(errors.shift() ?? new TypeError('one turn too many')),
    })
    const firsts: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      const outcome = await other.run()
      if (outcome.kind === 'failed') firsts.push(outcome.firstError.code)
    }
    expect(firsts).toEqual(['credentials_refused', 'upstream_failed', 'upstream_failed'])
  })

  test('a run that fails at one page too often begins anew', async () => {
    vendor.fault = { page: 4, kind: 'html', once: false }
    for (let failures = 1; failures <= 5; failures++)
      expect(await sync.run()).toMatchObject({ kind: 'failed', failures })
    vendor.fault = null
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    expect([vendor.listings, await sync.ids()]).toEqual([2, source()])
  })

  test('a run that waits for its turn at the third party keeps its place, however long', async () => {
    vendor.fault = { page: 4, kind: 'too many requests', once: false }
    for (let failures = 1; failures <= 7; failures++)
      expect(await sync.run()).toMatchObject({
        kind: 'failed',
        failures,
        error: { code: 'upstream_rate_limited' },
      })
    vendor.fault = null
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    expect([vendor.listings, await sync.ids()]).toEqual([1, source()])
  })

  test.for([
    ['that has read pages is put off, and has not failed', 4, 'held', 0, 30],
    ['that has read nothing has failed', 1, 'failed', 1, 0],
  ] as const)('a turn that is asked to wait %s', async ([, page, kind, failures, live]) => {
    vendor.fault = { page, kind: 'asks to wait', once: true }
    const asked = { error: { code: 'upstream_rate_limited', retryAfterMs: 30_000 } }
    expect(await sync.run()).toMatchObject({ kind, ...asked })
    const { requests } = vendor.http
    const sent = requests.length
    // Until then nothing is sent, and no copy is the worse for it.
    expect(await sync.run()).toMatchObject({ kind: 'held' })
    expect(requests.length).toBe(sent)
    const copies = await sync.index.copies({ instanceId: sync.instanceId, entity: 'notes' })
    const facts = readFacts(copies[0]?.facts ?? '')
    expect([copies[0]?.live, facts.failures]).toEqual([live, failures])
    expect((facts.limitedUntilMs ?? 0) - Date.now()).toBeGreaterThan(25_000)
  })

  test('with other settings the copy is made anew, from the beginning, and the old one serves till then', async () => {
    await sync.run()
    for (const id of source().slice(0, 60)) vendor.notes.delete(id)
    vendor.fault = { page: 2, kind: 'status', once: true }
    expect(await sync.run('notes', { settings: 'other' })).toMatchObject({ kind: 'failed' })
    const copies = async () =>
      (await sync.index.copies({ instanceId: sync.instanceId, entity: 'notes' })).map(
        ({ settings, serving, live, complete }) => ({ settings, serving, live, complete }),
      )
    expect(await copies()).toEqual([
      { settings: '', serving: true, live: 95, complete: true },
      { settings: 'other', serving: false, live: 10, complete: false },
    ])
    expect(await sync.run('notes', { settings: 'other' })).toMatchObject({ kind: 'done' })
    expect(await copies()).toEqual([{ settings: 'other', serving: true, live: 35, complete: true }])
    expect(await sync.ids()).toEqual(source())
  })

  test('under other rules of text the copy is made of its documents, and goes on where it was', async () => {
    await sync.run()
    const [before] = await sync.index.copies({ instanceId: sync.instanceId, entity: 'notes' })
    vendor.notes.set(idOf(96), noteOf(96))
    const asked = vendor.http.requests.length
    expect(await sync.run('notes', { textRules: 'new' })).toMatchObject({
      kind: 'done',
      runs: ['incremental'],
      changed: 1,
    })
    expect(vendor.http.requests).toHaveLength(asked + 1)
    const after = await sync.index.copies({ instanceId: sync.instanceId, entity: 'notes' })
    expect(after).toMatchObject([{ epoch: 2, serving: true, complete: true, live: 96 }])
    const { proof } = JSON.parse(before?.facts ?? '') as { proof: { runId: string } }
    const seen = await sync.index.countSeen(
      { instanceId: sync.instanceId, entity: 'notes' },
      proof.runId,
    )
    expect(seen).toBe(0)
    expect(after[0]?.layout.hash).toBe(`${before?.layout.hash}new`)
    expect(await sync.ids()).toEqual(source())
    vendor.notes.delete(idOf(5))
    await sync.run('notes', { textRules: 'new', mode: 'full' })
    expect(await sync.ids()).toEqual(source())
  })

  test('documents of before are filled with null for the fields that they lack, which is no change', async () => {
    await sync.run()
    const name = { instanceId: sync.instanceId, entity: 'notes' }
    const [copy] = await sync.index.copies(name)
    if (copy === undefined) throw new Error('there is no copy')
    const bare = { recordId: 'bare', parentId: null, doc: '{"id":"bare"}', compared: null }
    await sync.index.write({ copy, fence: null, observedAtMs: Date.now(), rows: [bare] })
    expect(await sync.run('notes', { textRules: 'new' })).toMatchObject({ changed: 0 })
    const [serving] = await sync.index.copies(name)
    const [stored] = serving === undefined ? [] : await sync.index.records(serving, ['bare'])
    const names = serving?.layout.fields.map((field) => field.name) ?? []
    const filled = Object.fromEntries(names.map((field) => [field, field === 'id' ? 'bare' : null]))
    expect(JSON.parse(stored?.doc ?? '')).toEqual(filled)
    expect(names.length).toBeGreaterThan(1)
  })

  test('a run with other settings is no part of the next one', async () => {
    vendor.fault = { page: 4, kind: 'status', once: true }
    expect(await sync.run('notes', { settings: 'wrong' })).toMatchObject({ kind: 'failed' })
    expect(await sync.run('notes', { settings: 'right' })).toMatchObject({
      kind: 'done',
      runs: ['initial'],
      changed: 95,
    })
    expect(vendor.listings).toBe(2)
    expect(await sync.ids()).toEqual(source())
    // Back again: nothing that was left lying is taken for it.
    expect(await sync.run('notes', { settings: 'wrong' })).toMatchObject({ changed: 95 })
    expect(await sync.index.copies({ instanceId: sync.instanceId })).toHaveLength(1)
  })

  test('an expired cursor begins the listing again, once', async () => {
    vendor.fault = { page: 6, kind: 'expired cursor', once: true }
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    expect([vendor.listings, await sync.ids()]).toEqual([2, source()])
    vendor.fault = { page: 6, kind: 'expired cursor', once: false }
    expect(await sync.run('notes', { mode: 'full' })).toMatchObject({ kind: 'failed' })
  })

  test('of two turns at once one runs', async () => {
    vendor.delayMs = 5
    const outcomes = await Promise.all([sync.run(), sync.run(), sync.run()])
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['busy', 'busy', 'done'])
    expect(vendor.listings).toBe(1)
  })

  test('a full run removes what is gone, once its own get says so', async () => {
    await sync.run()
    vendor.notes.delete(idOf(5))
    await sync.run()
    expect(await sync.ids()).toContain(idOf(5))
    expect(await sync.run('notes', { mode: 'full' })).toMatchObject({ kind: 'done' })
    expect(await sync.ids()).toEqual(source())
  })

  test('nothing goes while the third party counts more records than it lists', async () => {
    await sync.run()
    vendor.notes.delete(idOf(5))
    vendor.total = 120
    await sync.run('notes', { mode: 'full', intervalMs: 1 })
    await sync.run('notes', { mode: 'full', intervalMs: 1 })
    expect(await sync.ids()).toContain(idOf(5))
    vendor.total = 94
    await sync.run('notes', { mode: 'full' })
    expect(await sync.ids()).toEqual(source())
  })

  test('what was removed and comes again is as before', async () => {
    await sync.run()
    const note = noteOf(5)
    vendor.notes.delete(note.id)
    await sync.run('notes', { mode: 'full' })
    vendor.notes.set(note.id, note)
    await sync.run('notes', { mode: 'full' })
    expect(await sync.ids()).toEqual(source())
  })
})

describe('an entity that is read by windows', () => {
  test('windows that were empty are not asked for again', async () => {
    await using vendor = await createNotesVendor(0)
    const cursor = {
      field: 'updated',
      since: 'since',
      until: 'until',
      start: '2026-01-01',
      window: 'P10D',
      lookback: 'P1D',
    }
    const manifest = await notesManifest({ sync: { cursor } })
    const clock = { ...createSystemClock(), now: () => Date.UTC(2026, 5, 1) }
    await using sync = await createNotesSync(vendor.http.url, manifest, {
      clock,
      ...copies.place(),
    })
    await sync.run()
    const asked = (from: number): readonly string[] =>
      vendor.http.requests
        .slice(from)
        .map(({ url }) => new URL(url, 'http://vendor').searchParams.get('since') ?? '')
        .map((since) => since.slice(0, 10))
        .sort()
    const first = asked(0)
    expect([first[0], first.at(-1), first.length]).toEqual(['2026-01-01', '2026-05-31', 16])
    await sync.run()
    expect(asked(first.length)).toEqual(['2026-05-21', '2026-05-31'])
  })
})

describe('an entity without a cursor and without get', () => {
  beforeEach(async () => {
    vendor = await createNotesVendor(95)
    sync = await createNotesSync(
      vendor.http.url,
      await notesManifest({ get: false }),
      copies.place(),
    )
  })
  afterEach(async () => {
    await sync[Symbol.asyncDispose]()
    await vendor[Symbol.asyncDispose]()
  })

  test('every run reads everything, and writes what changed only', async () => {
    await sync.run()
    vendor.notes.set(idOf(7), noteOf(7, 'changed'))
    expect(await sync.run()).toMatchObject({ kind: 'done', changed: 1 })
  })

  test('a record goes when two complete listings lack it, an interval apart', async () => {
    await sync.run()
    vendor.notes.delete(idOf(5))
    await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toContain(idOf(5))
    await sync.run('notes', { intervalMs: 3_600_000 })
    expect(await sync.ids()).toContain(idOf(5))
    await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(source())
  })

  test('too many at once are kept, and the copy is suspicious until they are back', async () => {
    await sync.run()
    const all = new Map(vendor.notes)
    for (let n = 1; n <= 30; n++) vendor.notes.delete(idOf(n))
    for (let turn = 0; turn < 3; turn++) await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toHaveLength(95)
    const facts = JSON.parse((await state())?.facts ?? '') as { suspicious: unknown }
    expect(facts.suspicious).toMatchObject({ missing: 30 })
    for (const [id, note] of all) vendor.notes.set(id, note)
    await sync.run('notes', { intervalMs: 1 })
    const cleared = JSON.parse((await state())?.facts ?? '') as { suspicious: unknown }
    expect(cleared.suspicious).toBe(null)
  })

  test('what the operator approves goes with the next complete listing that lacks it, however soon', async () => {
    await sync.run()
    for (let n = 1; n <= 30; n++) vendor.notes.delete(idOf(n))
    const anHour = { intervalMs: 3_600_000 }
    await sync.run('notes', anHour)
    await approve()
    // It came back: the operator spoke of what is gone.
    vendor.notes.set(idOf(7), noteOf(7))
    expect(await sync.run('notes', anHour)).toMatchObject({ kind: 'done', suspicion: null })
    expect(await sync.ids()).toEqual(source())
  })

  test('what the operator approves while a run is under way is not forgotten by its end', async () => {
    await sync.run()
    for (let n = 1; n <= 30; n++) vendor.notes.delete(idOf(n))
    await sync.run('notes', { intervalMs: 1 })
    const asked = vendor.http.requests.length
    vendor.delayMs = 20
    const running = sync.run('notes', { intervalMs: 1 })
    await eventually(() => vendor.http.requests.length > asked)
    await approve()
    await running
    expect(await sync.ids()).toHaveLength(95)
    await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(source())
  })

  test('an empty listing under other scopes proves nothing to the next one', async () => {
    await sync.run('notes', { scopes: 'a b', intervalMs: 1 })
    const all = new Map(vendor.notes)
    vendor.notes.clear()
    await sync.run('notes', { scopes: 'a', intervalMs: 1 })
    for (const [id, note] of all) if (id !== idOf(5)) vendor.notes.set(id, note)
    await sync.run('notes', { scopes: 'a', intervalMs: 1 })
    expect(await sync.ids()).toContain(idOf(5))
  })

  test('nothing goes when other scopes were granted', async () => {
    await sync.run('notes', { scopes: 'a b', intervalMs: 1 })
    vendor.notes.delete(idOf(5))
    await sync.run('notes', { scopes: 'a b', intervalMs: 1 })
    await sync.run('notes', { scopes: 'a', intervalMs: 1 })
    expect(await sync.ids()).toContain(idOf(5))
  })

  test('what a run removed can be brought back', async () => {
    await sync.run()
    vendor.notes.delete(idOf(5))
    await sync.run('notes', { intervalMs: 1 })
    const outcome = await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(source())
    const copy = await state()
    if (copy === undefined || outcome.kind !== 'done') throw new TypeError('the run failed')
    expect(await sync.index.restore(copy, outcome.runId)).toBe(1)
    expect(await sync.ids()).toHaveLength(95)
  })
})

describe('a listing that ended where there may be more', () => {
  const UNSAID = (missing: number) => ({ missing, reason: 'unsaid_end' })
  const suspicious = async (entity = 'notes'): Promise<unknown> =>
    (JSON.parse((await state(entity))?.facts ?? '') as { suspicious: unknown }).suspicious

  async function begin(count: number, manifest: object): Promise<void> {
    vendor = await createNotesVendor(count)
    sync = await createNotesSync(
      vendor.http.url,
      await notesManifest({ get: false, ...manifest }),
      copies.place(),
    )
  }
  afterEach(async () => {
    await sync[Symbol.asyncDispose]()
    await vendor[Symbol.asyncDispose]()
  })

  test('is suspicious at the first run where its only page is as full as was asked for', async () => {
    await begin(25, {
      pagination: { next: '$.nxt', size: 'limit' },
      sync: { params: { limit: 10 } },
    })
    expect(await sync.run()).toMatchObject({ kind: 'done', suspicion: UNSAID(0) })
    expect(await sync.ids()).toHaveLength(10)
  })

  test('is suspicious at the first run where the third party counts more', async () => {
    await begin(25, { pagination: { next: '$.nxt' } })
    vendor.total = 25
    expect(await sync.run()).toMatchObject({ kind: 'done', suspicion: UNSAID(0) })
  })

  test.for([
    { name: 'without a page size', more: {} },
    { name: 'with one', more: { pagination: { size: 'limit' }, sync: { params: { limit: 10 } } } },
    {
      name: 'with one that the third party lowers',
      more: { pagination: { size: 'limit' }, sync: { params: { limit: 50 } } },
    },
  ])('removes nothing once the pointer is not found any more, $name', async ({ more }) => {
    await begin(15, more)
    await sync.run()
    vendor.pointer = 'renamed'
    for (let turn = 0; turn < 3; turn++) await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(source())
    expect(await suspicious()).toMatchObject(UNSAID(5))
    vendor.pointer = 'next'
    await sync.run('notes', { intervalMs: 1 })
    expect(await suspicious()).toBe(null)
  })

  test('lets go what the operator approves', async () => {
    await begin(15, {})
    await sync.run()
    vendor.pointer = 'renamed'
    await sync.run('notes', { intervalMs: 1 })
    await approve()
    await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(source().slice(0, 10))
  })

  test.for([
    { name: 'is no doubt where the page is shorter than one before', more: {} },
    {
      name: 'is no doubt where the page is shorter than was asked for',
      more: { pagination: { size: 'limit' }, sync: { params: { limit: 10 } } },
    },
  ])('$name', async ({ more }) => {
    await begin(9, more)
    await sync.run()
    vendor.notes.delete(idOf(5))
    for (let turn = 0; turn < 2; turn++) await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(source())
    expect(await suspicious()).toBe(null)
  })

  test('is no doubt where the manifest states that the third party ends so', async () => {
    await begin(10, { pagination: { silent_end: true } })
    await sync.run()
    vendor.notes.delete(idOf(5))
    vendor.notes.set(idOf(11), noteOf(11))
    for (let turn = 0; turn < 2; turn++) await sync.run('notes', { intervalMs: 1 })
    expect(await sync.ids()).toEqual(source())
  })

  test('is no doubt once the listing of another parent has turned a page', async () => {
    await begin(2, {
      commentPages: { type: 'cursor', param: 'cursor', next: '$.next', size: 'limit' },
      commentLimit: 2,
    })
    const list = (...ids: readonly string[]) => ids.map((id) => ({ id, body: id }))
    vendor.comments.set(idOf(1), list('a', 'b'))
    vendor.comments.set(idOf(2), list('c', 'd', 'e'))
    await sync.run()
    expect(await sync.run('comments')).toMatchObject({ kind: 'done', suspicion: null })
    expect(await sync.ids('comments')).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('removes no record below its parent', async () => {
    await begin(2, { commentPages: { type: 'cursor', param: 'cursor', next: '$.next' } })
    const list = (...ids: readonly string[]) => ids.map((id) => ({ id, body: id }))
    vendor.comments.set(idOf(1), list('a', 'b'))
    vendor.comments.set(idOf(2), list('c', 'd'))
    await sync.run()
    await sync.run('comments')
    // One page of two was the largest there is: of the first parent one is gone, of the second one may lie further on.
    vendor.comments.set(idOf(1), list('a'))
    vendor.comments.set(idOf(2), list('d', 'e'))
    await sync.run('notes')
    const turn = await sync.run('comments', { mode: 'full' })
    expect(turn).toMatchObject({ kind: 'done', suspicion: UNSAID(1) })
    expect(await sync.ids('comments')).toEqual(['a', 'c', 'd', 'e'])
  })
})

describe('records below parents', () => {
  beforeEach(async () => {
    vendor = await createNotesVendor(12)
    for (let n = 1; n <= 12; n++)
      vendor.comments.set(idOf(n), [
        { id: `c${n}a`, body: 'first' },
        { id: `c${n}b`, body: 'second' },
      ])
    const cursor = { field: 'updated', since: 'since' }
    const sync1 = await notesManifest({ sync: { cursor } })
    sync = await createNotesSync(vendor.http.url, sync1, copies.place())
  })
  afterEach(async () => {
    await sync[Symbol.asyncDispose]()
    await vendor[Symbol.asyncDispose]()
  })

  const comments = (): string[] =>
    [...vendor.notes.keys()]
      .flatMap((id) => (vendor.comments.get(id) ?? []).map((c) => c.id))
      .sort()

  test('are read for every parent, and again for those that changed', async () => {
    await sync.run()
    expect(await sync.run('comments')).toMatchObject({ kind: 'done', changed: 24 })
    expect(await sync.ids('comments')).toEqual(comments())
    expect(await state('comments')).toMatchObject({ complete: true })
    vendor.notes.set(idOf(4), { ...noteOf(40), id: idOf(4) })
    vendor.comments.set(idOf(4), [{ id: 'c4b', body: 'second' }])
    await sync.run()
    const before = vendor.http.requests.length
    await sync.run('comments', { intervalMs: 3_600_000 })
    expect(vendor.http.requests.slice(before).map(({ url }) => url)).toEqual([
      `/notes/${idOf(4)}/comments`,
    ])
    expect(await sync.ids('comments')).toEqual(comments())
  })

  test('are complete when the run of their parents ends while they are read', async () => {
    vendor.fault = { page: 2, kind: 'status', once: true }
    expect(await sync.run()).toMatchObject({ kind: 'failed' })
    const gate = Promise.withResolvers<void>()
    vendor.commentsAfter = gate.promise
    const reading = sync.run('comments')
    await eventually(() => vendor.http.requests.some(({ url }) => url.endsWith('/comments')))
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    gate.resolve()
    expect(await reading).toMatchObject({ kind: 'done', changed: 24 })
    expect(await state('comments')).toMatchObject({ complete: true, live: 24 })
  })

  test('wait for parents of their own settings', async () => {
    await sync.run()
    await sync.run('comments')
    const moved = { settings: 'moved' }
    expect(await sync.run('comments', moved)).toMatchObject({ kind: 'done', changed: 0 })
    await sync.run('notes', moved)
    expect(await sync.run('comments', moved)).toMatchObject({ kind: 'done', changed: 24 })
    expect(await state('comments')).toMatchObject({ complete: true, live: 24, settings: 'moved' })
  })

  test('are told of with the first page of their parents, and when these are complete', async () => {
    vendor.pageSize = 2
    await sync.run()
    expect(sync.told).toEqual(['comments', 'comments'])
    await sync.run()
    expect(sync.told).toEqual(['comments', 'comments', 'comments'])
  })

  test('go with their parent, and come back with it', async () => {
    await sync.run()
    await sync.run('comments')
    vendor.notes.delete(idOf(4))
    const outcome = await sync.run('notes', { mode: 'full' })
    expect(await sync.ids('comments')).toEqual(comments())
    if (outcome.kind !== 'done') throw new TypeError('the run failed')
    expect([...outcome.removed]).toEqual([
      ['comments', 2],
      ['notes', 1],
    ])
    for (const copy of await sync.index.copies({ instanceId: sync.instanceId }))
      await sync.index.restore(copy, outcome.runId)
    expect(await sync.ids('comments')).toHaveLength(24)
    expect(await sync.ids()).toContain(idOf(4))
  })

  test('are all read again when that is asked for', async () => {
    await sync.run()
    await sync.run('comments')
    const before = vendor.http.requests.length
    await sync.run('comments', { intervalMs: 3_600_000 })
    expect(vendor.http.requests.length - before).toBe(0)
    await sync.run('comments', { intervalMs: 3_600_000, mode: 'full' })
    expect(vendor.http.requests.length - before).toBe(12)
  })

  test('are never removed beyond the guard, however many parents are read at once', async () => {
    const many = Array.from({ length: 20 }, (_, n) => n)
    for (const id of vendor.notes.keys())
      vendor.comments.set(
        id,
        many.map((n) => ({ id: `${id}-${n}`, body: 'one of many' })),
      )
    await sync.run()
    await sync.run('comments')
    expect(await sync.ids('comments')).toHaveLength(240)
    for (const id of vendor.notes.keys())
      vendor.comments.set(id, [{ id: `${id}-0`, body: 'the last one' }])
    const first = await sync.run('comments', { mode: 'full' })
    if (first.kind !== 'done') throw new TypeError('the run failed')
    // One parent's 19 are within the guard of 24, those of a second one are not.
    expect(await sync.ids('comments')).toHaveLength(240 - 19)
    expect(first.suspicion).toMatchObject({ missing: 11 * 19 })
    // It is the same suspicion until it is settled.
    const second = await sync.run('comments', { mode: 'full' })
    expect(second).toMatchObject({ kind: 'done', suspicion: null })
    const copy = await state('comments')
    if (copy === undefined) throw new TypeError('there is no copy')
    const facts = JSON.parse(copy.facts) as { suspicious: { runId: string } }
    expect(facts.suspicious.runId).toBe(first.suspicion?.runId)
    await approve('comments')
    await sync.run('comments', { mode: 'full' })
    expect(await sync.ids('comments')).toEqual(comments())
    expect(JSON.parse((await state('comments'))?.facts ?? '')).toMatchObject({
      suspicious: null,
      confirmed: null,
    })
  })

  test('stay with their parents when the third party finds nothing at all', async () => {
    await sync.run()
    await sync.run('comments')
    vendor.isLost = () => true
    expect(await sync.run('comments', { mode: 'full' })).toMatchObject({ kind: 'done' })
    expect(await sync.ids()).toHaveLength(12)
    expect(await sync.ids('comments')).toHaveLength(24)
  })

  test('no more parents go in one run than the guard lets go', async () => {
    for (let n = 13; n <= 40; n++) vendor.notes.set(idOf(n), noteOf(n))
    await sync.run()
    await sync.run('comments')
    for (let n = 1; n <= 30; n++) vendor.notes.delete(idOf(n))
    await sync.run('comments', { mode: 'full' })
    expect(await sync.ids()).toHaveLength(20)
    await sync.run('comments', { mode: 'full' })
    expect(await sync.ids()).toEqual(source())
  })

  test('a parent that is gone when its children are asked for goes with them', async () => {
    await sync.run()
    await sync.run('comments')
    vendor.notes.delete(idOf(4))
    const outcome = await sync.run('comments', { intervalMs: 1 })
    if (outcome.kind !== 'done') throw new TypeError('the run failed')
    expect([...outcome.removed]).toEqual([
      ['comments', 2],
      ['notes', 1],
    ])
    expect(await sync.ids()).toEqual(source())
    expect(await sync.ids('comments')).toEqual(comments())
  })
})

test('what the listings of a parent lack goes an interval after the first that lacks it, however often they come', async () => {
  await using some = await createNotesVendor(1)
  const all = Array.from({ length: 6 }, (_, n) => ({ id: `c${n}`, body: 'one of several pages' }))
  some.comments.set(idOf(1), [...all])
  let nowMs = Date.UTC(2026, 5, 1)
  const clock = { ...createSystemClock(), now: () => nowMs }
  const manifest = await notesManifest({
    commentPages: { type: 'cursor', param: 'cursor', next: '$.next', size: 'limit' },
    commentLimit: 2,
  })
  await using sync1 = await createNotesSync(some.http.url, manifest, { ...copies.place(), clock })
  const intervalMs = 1_000_000
  const read = async (laterMs: number, gone: readonly string[]): Promise<readonly string[]> => {
    nowMs += laterMs
    some.comments.set(
      idOf(1),
      all.filter(({ id }) => !gone.includes(id)),
    )
    await sync1.run('comments', { mode: 'full', intervalMs })
    return await sync1.ids('comments')
  }
  await sync1.run()
  expect(await read(0, [])).toHaveLength(6)
  expect(await read(1_000, ['c1'])).toHaveLength(6)
  expect(await read(800_000, ['c1', 'c2'])).toHaveLength(6)
  // Only c1 is missing for an interval, and three listings agree although their pages may have shifted.
  expect(await read(101_000, ['c1', 'c2'])).toEqual(['c0', 'c2', 'c3', 'c4', 'c5'])
  expect(await read(500_000, ['c1', 'c2'])).toContain('c2')
  // The parent is read again without being changed.
  nowMs += 501_000
  await sync1.run('comments', { intervalMs })
  expect(await sync1.ids('comments')).toEqual(['c0', 'c3', 'c4', 'c5'])
})

describe('a listing of keys', () => {
  beforeEach(async () => {
    vendor = await createNotesVendor(95)
    const cursor = { field: 'updated', since: 'since' }
    const reconcile = { every: '1ms', params: {} }
    const manifest = await notesManifest({ sync: { cursor, reconcile } })
    sync = await createNotesSync(vendor.http.url, manifest, copies.place())
  })
  afterEach(async () => {
    await sync[Symbol.asyncDispose]()
    await vendor[Symbol.asyncDispose]()
  })

  test('reads everything when keys that the copy lacks were forgotten with a process', async () => {
    await sync.run()
    const late = { ...noteOf(1), id: 'late' }
    vendor.notes.clear()
    vendor.notes.set(late.id, late)
    for (let n = 1; n <= 95; n++) vendor.notes.set(idOf(n), noteOf(n))
    // Only the listing of keys has so many pages.
    vendor.fault = { page: 5, kind: 'html', once: true }
    expect(await sync.run()).toMatchObject({ kind: 'failed' })
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    expect(await sync.run()).toMatchObject({ kind: 'done', runs: ['full'] })
    expect(await sync.ids()).toEqual(source())
  })

  test('removes what is gone, fetches what the copy lacks, and overwrites nothing', async () => {
    await sync.run()
    vendor.notes.delete(idOf(5))
    // Changed and made without moving the time by which the copy advances: no run by time finds them.
    vendor.notes.set(idOf(6), noteOf(6, 'changed'))
    const late = { ...noteOf(1), id: 'late' }
    vendor.notes.set(late.id, late)
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    expect(await sync.ids()).toEqual(source())
    const copy = await state()
    if (copy === undefined) throw new TypeError('there is no copy')
    const [kept] = await sync.index.records(copy, [idOf(6)])
    expect(kept?.doc).toContain('"note 6"')
  })
})
