// What a sync keeps in addition to the rows: the run under way, its slices, facts about the copy, runs of the past.
import type { ErrorCode } from '../../errors.ts'
import type { Json } from '../../language/json/json.ts'
import type { UnsaidEnd } from '../../engine/response/page-end.ts'
import type { MetBound } from './bounds.ts'
import type { UnusableKey, UnusableReason } from '../search/row.ts'
import type { CopyEntry, CopyState } from '../search/search-index.ts'

/**
 * `initial`: the first complete reading. `incremental`: what changed since. `full`: everything again. `reconcile`: keys
 * only. `children`: the records below parents that changed.
 */
export type RunKind = 'initial' | 'incremental' | 'full' | 'reconcile' | 'children'

/** A run under way, or one of the past. Times are milliseconds since 1970. */
export interface RunRecord {
  readonly runId: string
  readonly kind: RunKind
  readonly epoch: number
  readonly startedAtMs: number
  /** Records from this number on arrived during the run. */
  readonly startSeq: number
  /** The copy as it was before the first write of the run; absent: an earlier version of Tenon began it. */
  readonly before?: Pick<CopyState, 'generation' | 'version'>
  /** Of the copy, after the last write of the run before its end; absent: it has written nothing. */
  lastVersion?: number
  /**
   * The end of what is asked for, and as of when the run reads: the begin of the turn that read the first page that
   * stands. What changed later may or may not be in it.
   */
  readonly untilMs: number
  /** The values of `each`, and from where each of them is read; null: no lower bound. */
  readonly values: readonly Json[]
  readonly sinceMs: readonly (number | null)[]
  phase: 'reading' | 'children' | 'removing'
  slicesDone: number
  pages: number
  read: number
  changed: number
  unchanged: number
  removed: number
  /** What the third party says there is, over the slices that know; null: none does. */
  expectedTotal: number | null
  /** For a turn at the third party. */
  waitedMs: number
  /** Failures since a page was last written for which the place in the listing may be the reason. */
  attempts: number
  /** Turns of it that failed; absent: none did. */
  failed?: number
  /** Of the past: the turn that ended it, from 1; absent: an earlier version of Tenon wrote it. */
  readonly attempt?: number
  /** Of the past: that turn failed, and another one goes on with the run; absent: the run has ended. */
  readonly goesOn?: true
  /** Slices that began again because their cursor had expired. */
  restarts: number
  /** Whether another process began it. */
  resumed: boolean
  /** Slices whose total is known; absent: none is. */
  slicesCounted?: number
  /** Keys that were listed, of records that the copy lacks; absent: none. */
  unknown?: number
  /** Of records below parents: what was suspicious when it began. */
  readonly suspectedBefore?: Suspicion | null
  /** Of records below parents: what it found suspicious so far; absent: nothing. */
  suspicious?: Suspicion
  /** Of records below parents: the operator has approved removals beyond the guard. */
  readonly isApproved?: boolean
  /** Where the process that works on it now began, absent: at the start of the run. Rates are computed from here. */
  readonly paceFrom?: { readonly atMs: number; readonly read: number; readonly slicesDone: number }
  finishedAtMs: number | null
  error: SyncFailure | null
  /** The bound at which it ended, or at which the listing of a parent ended; absent: it met none. */
  bound?: MetBound
  /** Records that it read and could not keep; absent: none. */
  leftOut?: LeftOut
}

/** Records that were left out, by number and place; never their values. */
export interface LeftOut {
  readonly records: number
  readonly reasons: { readonly [Reason in UnusableReason]?: number }
  /** The first ones. */
  readonly examples: readonly LeftOutRecord[]
}

/** `page`: of its listing, from 1; null: it was asked for alone. `index`: its place on the page, from 0. */
export interface LeftOutRecord extends UnusableKey {
  readonly page: number | null
  readonly index: number
}

export interface SyncFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly atMs: number
  /** Until when nothing is sent, because of failures before; absent: that is not the reason. */
  readonly suspendedUntilMs?: number
  /** The failure that it only follows from; absent: it follows from none that is known. */
  readonly cause?: Pick<SyncFailure, 'code' | 'message'>
}

/** What a copy that was held back is said to fail with: this, and the words of the call that failed. */
export const HELD_BACK = 'Held back because another call failed: '

export interface SliceRecord {
  readonly no: number
  /** Parameters of the next page, sealed; null: the first one. */
  readonly position: string | null
  readonly pages: number
  readonly received: number
  readonly done: boolean
  readonly maxSeenMs: number | null
  /** Tells the page before from this one. */
  readonly edge: string | null
  readonly total: number | null
  /** Records of its largest page; absent: it was written by an earlier version. */
  readonly largestPage?: number
  /** Records of its largest page that another one followed; absent: it was written by an earlier version. */
  readonly fullPage?: number
  /** Set where it ended with its first page and nothing in the answer said so; absent: it did not. */
  readonly unsaidEnd?: UnsaidEnd | null
  /** Records that the manifest filters out; absent: none. */
  readonly filteredOut?: number
}

/** What stays from run to run. */
export interface CopyFacts {
  /** The latest cursor seen in finished slices, by value of `each`. */
  readonly highWaterMs: Readonly<Record<string, number>>
  readonly fullAtMs: number | null
  readonly reconciledAtMs: number | null
  /** A complete listing: what it has seen, and the runs since, is kept under its id. */
  readonly proof: {
    readonly runId: string
    readonly startSeq: number
    readonly atMs: number
    /** Granted scopes: with others the same records may not be visible. */
    readonly scopes: string
    /** Complete listings up to now, with this one; absent: one. */
    readonly listings?: number
    /** Their pages may have shifted; absent: they did not. */
    readonly isShifted?: boolean
  } | null
  /** A complete listing would have removed too much. */
  readonly suspicious: Suspicion | null
  /** Records of the largest page that was seen so far; absent: not known. */
  readonly largestPage?: number
  /** Records of the largest page that another one followed; absent: none was seen. */
  readonly fullPage?: number
  /** The run whose removals the operator has approved, although they are many. */
  readonly confirmed: string | null
  readonly lastError: SyncFailure | null
  /** With which the failures began that have not ended since; absent: there are none, or an earlier version saw it. */
  readonly firstError?: SyncFailure
  readonly failures: number
  /** Those of them that lengthen the wait for the next attempt; absent: all, the last of them that of `lastError`. */
  readonly counted?: CountedFailures
  /** Until when its turns are put off, as the third party limits how often it is asked; absent: they never were. */
  readonly limitedUntilMs?: number
  /** What the last whole reading could not keep, or a run since that left out more; absent: nothing. */
  readonly leftOut?: LeftOut
  /** Why the copy, although it was read as a whole once, is not known to have everything; absent: it is. */
  readonly gaps?: readonly Gap[]
}

/**
 * `left_out`: records have no usable key. `count_unmet`: the third party counts more than it listed. `unsaid_end`,
 * `bound_met`: as of a suspicion. `unread_records`: a listing of keys named more than could be asked for one by one.
 * `unread_parents`: the records below some parents could not be read. `parents`: the copy of the parents has gaps.
 */
export type Gap =
  | 'left_out'
  | 'count_unmet'
  | 'unsaid_end'
  | 'bound_met'
  | 'unread_records'
  | 'unread_parents'
  | 'parents'

/** Failures in a row that lengthen the wait for the next attempt, and when the last of them was. */
export interface CountedFailures {
  readonly failures: number
  readonly atMs: number
  /** One that somebody asked for has failed since, and did not count. */
  readonly isSpared?: true
}

export interface Suspicion {
  readonly runId: string
  readonly missing: number
  readonly atMs: number
  /**
   * Absent: too many records are missing. `unsaid_end`: the listing ended where there may be more. `bound_met`: it was
   * not read to its end, because it went beyond what a run may read.
   */
  readonly reason?: 'unsaid_end' | 'bound_met'
  /** The bound that a run of this kind met; present where that is the reason. */
  readonly bound?: MetBound & { readonly kind: RunKind }
}

export type SuspicionReason = 'missing_records' | 'unsaid_end' | 'bound_met'

export function reasonOf({ reason }: Suspicion): SuspicionReason {
  return reason ?? 'missing_records'
}

export const NO_FACTS: CopyFacts = {
  highWaterMs: {},
  fullAtMs: null,
  reconciledAtMs: null,
  proof: null,
  suspicious: null,
  confirmed: null,
  lastError: null,
  failures: 0,
}

/** The facts of a copy; `text` as `CopyState.facts` has it. */
export function readFacts(text: string): CopyFacts {
  // Written by `JSON.stringify` of this type.
  return text === '' ? NO_FACTS : { ...NO_FACTS, ...(JSON.parse(text) as Partial<CopyFacts>) }
}

export const RUN_ENTRY = 'run'
export const SLICE_PREFIX = 'slice/'
export const HISTORY_PREFIX = 'history/'
/** Of turns that failed, while their runs go on. */
export const ATTEMPT_PREFIX = 'attempt/'
/** Of each parent, with what its listings lack. */
export const ABSENT_PREFIX = 'absent/'

/** The name of a slice's entry; in the order of names slices are in order. */
export function sliceEntry(no: number): string {
  return SLICE_PREFIX + String(no).padStart(8, '0')
}

/** The name of the entry of a finished run; in the order of names the oldest is first. */
export function historyEntry({ startedAtMs, runId }: RunRecord): string {
  return `${HISTORY_PREFIX}${timeName(startedAtMs)}/${runId}`
}

/** The name of the entry of a turn that failed; in the order of names the oldest is first. */
export function attemptEntry({ runId }: RunRecord, failedAtMs: number): string {
  return `${ATTEMPT_PREFIX}${timeName(failedAtMs)}/${runId}`
}

/** Times as parts of names, in the order of time. */
export function timeName(ms: number): string {
  return String(ms).padStart(15, '0')
}

export function toEntry(name: string, value: RunRecord | SliceRecord | ChildAbsence): CopyEntry {
  return { name, value: new TextEncoder().encode(JSON.stringify(value)) }
}

/** What the listings of a parent lack since then. */
export interface ChildAbsence {
  readonly ids: readonly string[]
  readonly atMs: number
  /** How many listings that were; absent: one. */
  readonly listings?: number
  /** The last one could not be read; absent: it was. */
  readonly isUnread?: boolean
}

export const readRun: (entry: CopyEntry) => RunRecord = readEntry
export const readSlice: (entry: CopyEntry) => SliceRecord = readEntry
export const readAbsence: (entry: CopyEntry) => ChildAbsence = readEntry

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the name of an entry tells its type
function readEntry<T>({ value }: CopyEntry): T {
  // Written by `toEntry`.
  return JSON.parse(new TextDecoder().decode(value)) as T
}
