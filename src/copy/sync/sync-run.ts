// A run under way: what it has done so far, and the one way in which it writes.
import { setImmediate } from 'node:timers/promises'

import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { UnsaidEnd } from '../../engine/response/page-end.ts'
import type { Sealer } from '../../engine/run/seal.ts'
import { type CopyRow, type RowParent, unusableKeyIn } from '../search/row.ts'
import {
  type CopyEntry,
  type CopyId,
  type CopyState,
  type CopyWrite,
  isWritten,
  LostLease,
  type SearchIndex,
  type TodoItem,
  type WriteReport,
} from '../search/search-index.ts'
import { BoundMetError, type ReadSoFar, type SyncBounds } from './bounds.ts'
import type { HeldLease } from './held-lease.ts'
import { isMistaken, withLeftOut } from './left-out.ts'
import {
  type CopyFacts,
  type LeftOutRecord,
  readFacts,
  RUN_ENTRY,
  type RunRecord,
  type SliceRecord,
  sliceEntry,
  toEntry,
} from './run-record.ts'
import type { SyncedEntity } from './synced-entity.ts'

export interface UpstreamPage {
  readonly records: readonly Json[]
  /** The patch over the parameters that fetches the next page; null on the last. */
  readonly next: JsonObject | null
  /** Tells this page from others of one listing; null where nothing can be compared. */
  readonly mark: string | null
  /** How many records the third party says there are; null when it does not. */
  readonly total: number | null
  /** Set where the listing ends with this page, its first, and nothing in the answer said that it does. */
  readonly unsaidEnd: UnsaidEnd | null
  /** Records that the third party counts and the manifest filters out; absent: none. */
  readonly filteredOut?: number
  /** How long the call waited for its turn, in milliseconds. */
  readonly waitedMs: number
}

export interface UpstreamCall {
  readonly entity: string
  readonly action: string
  readonly params: JsonObject
  readonly signal: AbortSignal
}

/** The longest wait that a third party may ask for and that is made within a call: what waits so is shown as running. */
export const PATIENCE_MS = 10_000

/**
 * The actions of one instance. They throw what the engine throws, also for an answer that is none: it is no empty page.
 * A wait of more than `PATIENCE_MS` that the third party asks for is not made: `upstream_rate_limited` names it.
 */
export interface Upstream {
  config(): JsonObject
  list(call: UpstreamCall): Promise<UpstreamPage>
  get(call: UpstreamCall): Promise<Json>
}

export interface SyncPorts {
  readonly index: SearchIndex
  readonly upstream: Upstream
  readonly clock: Clock
  /** Seals positions, which may hold tokens of the third party. */
  readonly sealer: Sealer
  readonly newId: () => string
  /** Is told when records of an entity wait to be read, and when the run that lists their parents has ended. */
  readonly childrenDue: (entity: string) => void
}

export interface SyncTask {
  readonly instanceId: string
  readonly entity: SyncedEntity
  readonly entities: ReadonlyMap<string, SyncedEntity>
  readonly intervalMs: number
  /** Scopes that the third party has granted; '' where it grants none. */
  readonly scopes: string
  /** Tells the settings of the instance from others: with them other records are listed, so the copy is made again. */
  readonly settings: string
  readonly bounds: SyncBounds
}

export interface SyncTurn {
  readonly ports: SyncPorts
  readonly task: SyncTask
  readonly lease: HeldLease
  /** Somebody asked for it, and it is not only due. */
  readonly isAsked: boolean
}

export interface MadeRows {
  readonly rows: readonly CopyRow[]
  readonly leftOut: readonly LeftOutRecord[]
}

export type RunCounts = Pick<
  RunRecord,
  'pages' | 'read' | 'changed' | 'unchanged' | 'removed' | 'waitedMs'
>

/** One run, as the process that holds its lease sees it. */
export class SyncRun implements SyncTurn {
  readonly ports: SyncPorts
  readonly task: SyncTask
  readonly lease: HeldLease
  readonly isAsked: boolean
  readonly copy: CopyState
  readonly record: RunRecord
  readonly slices: Map<number, SliceRecord>
  facts: CopyFacts
  /** Keys that were listed, of records that the copy lacks. */
  readonly unknownIds: Set<string> = new Set()
  /** Records that have been removed, by entity: with a record goes what hangs on it. */
  readonly removed: Map<string, number> = new Map()
  /** Of records below parents: how many are about to be removed, and how many parents were found to be gone. */
  removing: number = 0
  parentsGone: number = 0
  /** Of records below parents: the largest page, the largest one that another one followed, and whether any did. */
  largestPage: number | null
  fullPage: number | null
  turnedPage: boolean = false
  /** Of records below parents: as of when the copy of these is that was looked at last; null: that is not known. */
  parentsAsOfMs: number | null = null
  /** Whether a parent is to be read again before its records are known. */
  postponed: boolean = false
  /** With the pages that are not written yet. */
  readonly asked: ReadSoFar
  /** What it had done when this turn began, and when that was. */
  readonly before: RunCounts & { readonly atMs: number }
  #toldAtMs: number = Number.NEGATIVE_INFINITY

  constructor(
    { ports, task, lease, isAsked }: SyncTurn,
    copy: CopyState,
    record: RunRecord,
    slices: readonly SliceRecord[] = [],
  ) {
    this.ports = ports
    this.task = task
    this.lease = lease
    this.isAsked = isAsked
    this.copy = copy
    this.record = record
    this.slices = new Map(slices.map((slice) => [slice.no, slice]))
    const facts = readFacts(copy.facts)
    // Found by a process that did not come to the end of the run.
    this.facts =
      record.suspicious === undefined ? facts : { ...facts, suspicious: record.suspicious }
    this.largestPage = this.facts.largestPage ?? null
    this.fullPage = this.facts.fullPage ?? null
    this.asked = { pages: record.pages, records: record.read }
    const { pages, read, changed, unchanged, removed, waitedMs } = record
    this.before = { pages, read, changed, unchanged, removed, waitedMs, atMs: ports.clock.now() }
  }

  get nowMs(): number {
    return this.ports.clock.now()
  }

  get signal(): AbortSignal {
    return this.lease.signal
  }

  /** Under which id the records of this run count as seen: runs between two complete ones add to the first of them. */
  get seenBy(): string {
    const { kind, runId } = this.record
    return kind === 'incremental' ? (this.facts.proof?.runId ?? runId) : runId
  }

  /** Writes rows, checkpoint and counters in one transaction. Throws LostLease. */
  async commit(
    batch: Partial<CopyWrite> & { readonly entries?: readonly WrittenEntry[] },
    slice?: SliceRecord,
  ): Promise<WriteReport> {
    this.signal.throwIfAborted()
    if (slice !== undefined) this.slices.set(slice.no, slice)
    const entries: WrittenEntry[] = [
      ...(batch.entries ?? []),
      ...(slice === undefined ? [] : [toEntry(sliceEntry(slice.no), slice)]),
    ]
    const ends = entries.some(({ name, value }) => name === RUN_ENTRY && value === null)
    const report = await this.ports.index.write({
      observedAtMs: this.nowMs,
      ...batch,
      copy: this.copy,
      fence: this.lease.fence,
      entries: ends ? entries : [...entries, toEntry(RUN_ENTRY, this.record)],
    })
    const changed = report.outcomes.filter(isWritten).length
    this.record.changed += changed
    this.record.unchanged += report.outcomes.length - changed
    this.record.removed += report.removed
    this.record.lastVersion = Math.max(this.record.lastVersion ?? 0, report.version)
    this.noteRemoved([[this.copy.entity, report.removed]])
    if (changed > 0) this.#tellChildren()
    return report
  }

  async postpone({ parentId }: TodoItem, laterMs: number): Promise<void> {
    this.postponed = true
    await this.ports.index.postpone(this.copy, [parentId], this.nowMs + laterMs)
  }

  /** Throws BoundMetError where the copy has become larger than it may be. */
  checkSize({ bytes }: Pick<WriteReport, 'bytes'>): void {
    const limit = this.task.bounds.bytes
    if (bytes > limit) throw new BoundMetError({ name: 'bytes', limit })
  }

  noteRemoved(counts: Iterable<readonly [entity: string, count: number]>): void {
    for (const [entity, count] of counts)
      if (count > 0) this.removed.set(entity, (this.removed.get(entity) ?? 0) + count)
  }

  /** Not with every page: the end of a run reports it in any case. */
  #tellChildren(): void {
    const { clock, childrenDue } = this.ports
    const nowMs = clock.monotonic()
    if (nowMs - this.#toldAtMs < TELL_EVERY_MS) return
    this.#toldAtMs = nowMs
    for (const child of this.task.entity.children) childrenDue(child)
  }

  /** Remembers keys of records that the copy lacks, up to a number that can be asked for one by one. */
  noteUnknown(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.unknownIds.has(id)) continue
      this.record.unknown = (this.record.unknown ?? 0) + 1
      if (this.unknownIds.size < MAX_UNKNOWN) this.unknownIds.add(id)
    }
  }

  /** Counts records that are written, and those of their pages that are left out. Throws like `requireUsable`. */
  noteRead(kept: number, leftOut: readonly LeftOutRecord[]): void {
    const { record } = this
    const all = withLeftOut(record.leftOut, leftOut)
    if (all !== undefined) {
      // Before they are counted: the run stays where it is, and reads them once more.
      this.#requireUsable(all, record.read + kept, false)
      record.leftOut = all
    }
    record.read += kept
  }

  /** Throws `upstream_malformed` where more than half of all the records that a whole reading gave have no usable key. */
  requireUsable(): void {
    this.#requireUsable(this.record.leftOut, this.record.read, true)
  }

  #requireUsable(leftOut: RunRecord['leftOut'], kept: number, isWhole: boolean): void {
    if (leftOut === undefined || !isMistaken(leftOut, kept, { isWhole })) return
    const { name: entity } = this.task.entity
    const { records, reasons, examples } = leftOut
    throw new ConnectorError(
      'upstream_malformed',
      `${entity}: ${records} of ${records + kept} records have no usable primary key (${Object.keys(reasons).join(', ')} at ${examples[0]?.path ?? ''})`,
      { details: { entity, left_out: records, reasons: { ...reasons } } },
    )
  }

  /** Rows of records, without keeping the thread for long, and the records that no row can be made of. */
  async toRows(
    records: readonly Json[],
    { page = null, parent }: { readonly page?: number | null; readonly parent?: RowParent } = {},
  ): Promise<MadeRows> {
    const rows: CopyRow[] = []
    const leftOut: LeftOutRecord[] = []
    /** By key: the last row that has it, and its place. */
    const known = new Map<string, readonly [row: CopyRow, index: number]>()
    let length = 0
    for (const [index, record] of records.entries()) {
      if (length > LENGTH_PER_TURN) {
        // Everything else that is ready goes first.
        await setImmediate()
        length = 0
      }
      try {
        const row = this.task.entity.toRow(record, parent)
        const [other, place] = known.get(row.recordId) ?? []
        // The last one counts.
        if (other !== undefined && place !== undefined && other.doc !== row.doc)
          leftOut.push({ page, index: place, path: this.#keyPath, reason: 'duplicate' })
        known.set(row.recordId, [row, index])
        rows.push(row)
        length += row.doc.length
      } catch (error) {
        const key = unusableKeyIn(error)
        if (key === null) throw error
        leftOut.push({ page, index, ...key })
      }
    }
    return { rows, leftOut }
  }

  get #keyPath(): string {
    return this.task.entity.sync.primaryKey.map(({ source }) => source).join(', ')
  }
}

/** The copy as it is now. Throws LostLease where it is gone. */
export async function readCopy(
  { index }: Pick<SyncPorts, 'index'>,
  copy: CopyId,
): Promise<CopyState> {
  const found = (await index.copies(copy)).find(({ epoch }) => epoch === copy.epoch)
  if (found === undefined) throw new LostLease()
  return found
}

/** Works on items, `atOnce` of them at a time. Begins none after a failure, which is thrown when nothing runs any more. */
export async function workOn<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // The first worker that fails closes it for all of them.
  const waiting = (function* () {
    yield* items
  })()
  const workers = Array.from({ length: atOnce }, async () => {
    for (const item of waiting) await work(item)
  })
  const results = await Promise.allSettled(workers)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

export type WrittenEntry = CopyEntry | { readonly name: string; readonly value: null }

/** Characters of documents that are written in one go: half a millisecond. */
const LENGTH_PER_TURN = 128 * 1_024
const MAX_UNKNOWN = 1_000
/** Parents that change are told of at most this often while they are read. */
const TELL_EVERY_MS = 2_000
