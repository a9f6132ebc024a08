// As of when a copy is: never later than what was read, and no earlier than the turn that read it.
import { afterAll, expect, test } from 'vitest'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { ConnectorError } from '../../../src/errors.ts'
import {
  createNotesSync,
  createNotesVendor,
  idOf,
  noteOf,
  notesManifest,
  openSharedCopies,
} from './notes-vendor.ts'

const copies = openSharedCopies()
afterAll(() => copies[Symbol.asyncDispose]())

const BEGIN = Date.parse('2026-05-01T12:00:00Z')
const at = (minute: number): string => new Date(BEGIN + minute * 60_000).toISOString()

/** At which minute a turn began, and which page failed then; null: it read everything that was left. */
type Turn = readonly [minute: number, failing: number | null]

const HISTORIES: readonly {
  readonly name: string
  readonly turns: readonly Turn[]
  readonly want: number
}[] = [
  { name: 'one turn', turns: [[0, null]], want: 0 },
  {
    name: 'a turn that read nothing before',
    turns: [
      [0, 1],
      [5, null],
    ],
    want: 5,
  },
  {
    name: 'several of these',
    turns: [
      [0, 1],
      [3, 1],
      [9, 1],
      [30, null],
    ],
    want: 30,
  },
  {
    name: 'a turn that read the first pages',
    turns: [
      [0, 4],
      [5, null],
    ],
    want: 0,
  },
  {
    name: 'one that read nothing, and one that read the first pages',
    turns: [
      [0, 1],
      [3, 4],
      [9, null],
    ],
    want: 3,
  },
  {
    name: 'one that read the first pages, and one that read nothing more',
    turns: [
      [0, 4],
      [3, 4],
      [9, null],
    ],
    want: 0,
  },
  {
    name: 'a turn that failed at the last page',
    turns: [
      [0, 10],
      [5, null],
    ],
    want: 0,
  },
]

const KINDS = {
  'a first reading': { sync: {}, isRead: false },
  'a whole reading': { sync: {}, isRead: true },
  'a reading of changes': { sync: { cursor: { field: 'updated', since: 'since' } }, isRead: true },
  'a reading of changes up to its begin': {
    sync: { cursor: { field: 'updated', since: 'since', until: 'until' } },
    isRead: true,
  },
}

const cases = Object.entries(KINDS).flatMap(([kind, { sync, isRead }]) =>
  HISTORIES.map(({ name, turns, want }) => ({
    name: `${kind} behind ${name}`,
    sync,
    isRead,
    turns,
    want,
  })),
)

test.for(cases)('$name', async ({ sync: settings, isRead, turns, want }) => {
  await using vendor = await createNotesVendor(95)
  let minute = -600
  const clock = { ...createSystemClock(), now: () => BEGIN + minute * 60_000 }
  const manifest = await notesManifest({ sync: settings })
  await using sync = await createNotesSync(vendor.http.url, manifest, { ...copies.place(), clock })
  const copy = async () => {
    const [found] = await sync.index.copies({ instanceId: sync.instanceId, entity: 'notes' })
    if (found === undefined) throw new TypeError('there is no copy')
    return found
  }
  if (isRead) {
    expect(await sync.run()).toMatchObject({ kind: 'done' })
    // All of them change, so that what changed has several pages.
    for (let n = 1; n <= 95; n++)
      vendor.notes.set(idOf(n), { ...noteOf(n, 'changed'), updated: at(-300) })
  }
  for (const [began, page] of turns) {
    minute = began
    // What is on the first page changes with every turn.
    vendor.notes.set(idOf(1), { ...noteOf(1, `minute ${began}`), updated: at(began) })
    vendor.fault = page === null ? null : { page, kind: 'too many requests', once: true }
    expect(await sync.run()).toMatchObject({ kind: page === null ? 'done' : 'failed' })
  }
  const { syncedAtMs } = await copy()
  const found = await sync.index.records(await copy(), [idOf(1)])
  const { text } = JSON.parse(found[0]?.doc ?? '') as { readonly text: string }
  expect([new Date(syncedAtMs ?? 0).toISOString(), text]).toEqual([at(want), `minute ${want}`])
  // What is asked for up to a moment ends there.
  const asked = new URL(vendor.http.requests.at(-1)?.url ?? '', 'http://vendor').searchParams
  if (asked.has('until')) expect(Date.parse(asked.get('until') ?? '')).toBe(Date.parse(at(want)))
})

/** What is read at which minute; `comments` of a number: so many of their listings are answered. */
type Step = readonly [minute: number, entity: 'notes' | 'comments', answered?: number]

test.for<{ readonly name: string; readonly steps: readonly Step[]; readonly want: number }>([
  {
    name: 'what is read below others is as fresh as these at best',
    steps: [
      [0, 'notes'],
      [5, 'comments'],
    ],
    want: 0,
  },
  {
    name: 'a turn below others that read nothing leaves the next one as fresh as they are',
    steps: [
      [0, 'notes'],
      [3, 'comments', 0],
      [7, 'notes'],
      [9, 'comments'],
    ],
    want: 7,
  },
  {
    name: 'what a turn below others has read keeps its time',
    steps: [
      [0, 'notes'],
      [3, 'comments', 4],
      [7, 'notes'],
      [9, 'comments'],
    ],
    want: 3,
  },
])('$name', async ({ steps, want }) => {
  await using vendor = await createNotesVendor(20)
  let [minute, answered] = [0, Infinity]
  const clock = { ...createSystemClock(), now: () => BEGIN + minute * 60_000 }
  const manifest = await notesManifest()
  await using other = await createNotesSync(vendor.http.url, manifest, copies.place())
  await using sync = await createNotesSync(vendor.http.url, manifest, {
    ...copies.place(),
    clock,
    async list(call) {
      if (call.entity === 'comments' && --answered < 0)
        throw new ConnectorError('upstream_failed', 'down')
      return await other.ports.upstream.list(call)
    },
  })
  for (const [began, entity, count = Infinity] of steps) {
    ;[minute, answered] = [began, count]
    const kind = count === Infinity ? 'done' : 'failed'
    expect(await sync.run(entity)).toMatchObject({ kind })
  }
  const [copy] = await sync.index.copies({ instanceId: sync.instanceId, entity: 'comments' })
  expect(new Date(copy?.syncedAtMs ?? 0).toISOString()).toBe(at(want))
})
