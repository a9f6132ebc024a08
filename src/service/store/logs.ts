// What happened, for people who look: one entry per operation, refresh, sync and so on. Names and figures, never values.
import type { JsonObject } from '../../language/json/json.ts'
import type { Owner } from './owner.ts'

/**
 * `operation`: a call of an action; `mcp_call`: one by an agent at /mcp; `request`: one of an application's own making;
 * `draft`: an operation of a manifest that is being worked on, which no app calls.
 * The requests to the third party that these make are their steps. `delivery`: an attempt to deliver an event to a webhook
 * of a host app; `vendor_webhook`: what a third party sent; `check`: a call that proves the credentials of an instance.
 */
export const LOG_KINDS = [
  'operation',
  'request',
  'mcp_call',
  'draft',
  'refresh',
  'consent',
  'sync',
  'delivery',
  'vendor_webhook',
  'check',
] as const
export type LogKind = (typeof LOG_KINDS)[number]

export interface LogRow {
  readonly organizationId: string
  /** Grows with the time at which it was written; made by the caller. */
  readonly logId: string
  readonly kind: LogKind
  /** When it ended, by the clock of its process. */
  readonly at: number
  readonly instanceId: string | null
  /** Whose instance it is. */
  readonly externalUserId: string | null
  readonly connectorType: string | null
  /** The application that asked for it; null: a host app, or nobody. */
  readonly clientId: string | null
  readonly entity: string | null
  readonly action: string | null
  /** null: it succeeded. */
  readonly code: string | null
  /** What the caller was answered, by HTTP. */
  readonly status: number | null
  /** What the third party, or the receiver, answered last. */
  readonly upstreamStatus: number | null
  readonly tookUs: number
  readonly requestId: string | null
  /** Counts, steps, and the words of a failure. */
  readonly data: JsonObject
}

/**
 * What entries have in common that may lie in one row of a store: such a row costs little more than that of one entry.
 * Their ids differ in the last digits only, so that nothing else lies between them.
 */
const SHARED = [
  'organizationId',
  'kind',
  'instanceId',
  'externalUserId',
  'connectorType',
  'clientId',
  'entity',
  'action',
  'code',
  'status',
  'upstreamStatus',
] as const satisfies readonly (keyof LogRow)[]

/** Whether two entries may lie in one row: what is asked of a row holds for both, but for times, durations and requests. */
export function areAlike(a: LogRow, b: LogRow): boolean {
  return bucketOf(a.at) === bucketOf(b.at) && SHARED.every((member) => a[member] === b[member])
}

/** Entries of one row. */
export const MAX_TOGETHER = 64
const INDEX_DIGITS = 2

/** What the ids of the entries of one row begin with. It stands before each of them in the order of ids. */
export function headOfLogId(id: string): string {
  return id.slice(0, -INDEX_DIGITS)
}

export function logIdAt(head: string, index: number): string {
  return head + index.toString(16).padStart(INDEX_DIGITS, '0')
}

/** Parameters and answer of an operation, sealed under the key of its instance. */
export interface LogContent {
  readonly instanceId: string
  readonly logId: string
  readonly sealed: Uint8Array
}

/** Every part that is given narrows. */
export interface LogFilter {
  readonly kind?: LogKind
  readonly instanceId?: string
  readonly externalUserId?: string
  readonly connectorType?: string
  readonly entity?: string
  readonly action?: string
  readonly failed?: boolean
  readonly code?: string
  readonly upstreamStatus?: number
  readonly requestId?: string
  /** In lower case: each stands in a text of the entry, as `hasLogWords` says. */
  readonly words?: readonly string[]
  readonly minUs?: number
  /** Times in milliseconds since 1970; `toMs` itself is not within. */
  readonly fromMs?: number
  readonly toMs?: number
}

/** By what entries are counted as they are written. */
export type LogFigureFilter = Pick<
  LogFilter,
  'kind' | 'connectorType' | 'entity' | 'action' | 'failed' | 'code'
>

/** What holds for all entries of a row, or for none. */
export type LogCountFilter = LogFigureFilter &
  Pick<LogFilter, 'instanceId' | 'externalUserId' | 'upstreamStatus'>

export interface LogPlace {
  /** Only entries before this one, the newest first; or those after it, the oldest first. */
  readonly beforeId?: string
  readonly afterId?: string
  readonly limit: number
  /** So many rows of entries are looked at, at most. */
  readonly scan: number
}

export interface LogPage {
  readonly rows: readonly LogRow[]
  /** Where looking ended before the page was full; null: at the end of all, or because it is full. */
  readonly scannedTo: string | null
}

/** What was called how often, with what result. */
export interface LogCount {
  readonly kind: LogKind
  /** '' where there is none, as for the next two. */
  readonly connectorType: string
  readonly entity: string
  readonly action: string
  /** '': it succeeded. */
  readonly code: string
  readonly calls: number
  readonly tookUs: number
  readonly maxUs: number
  /** When it was called first and last; of counts that are kept, the beginnings of their times (`LOG_BUCKET_MS`). */
  readonly firstAt: number
  readonly lastAt: number
}

export interface LogBucket {
  readonly bucketAt: number
  readonly kind: LogKind
  readonly calls: number
  readonly failures: number
}

export interface LogSummary {
  readonly buckets: readonly LogBucket[]
  readonly counts: readonly LogCount[]
}

export interface CountedLogs {
  readonly counts: readonly (LogCount & Pick<LogBucket, 'bucketAt'>)[]
  /** Since when entries were counted, where that is later than asked for; null: all of them were. */
  readonly countedFromMs: number | null
}

export interface LogSpan {
  readonly fromMs: number
  readonly toMs: number
  readonly bucketMs: number
}

/** Entries of one bucket of the figures: five minutes. */
export const LOG_BUCKET_MS = 300_000

/** When the bucket of a time begins. */
export function bucketOf(at: number): number {
  return at - (at % LOG_BUCKET_MS)
}

/** Contents of one instance that are kept, the newest. */
export const MAX_LOG_CONTENTS = 200

export interface LogStore {
  /**
   * Appends entries of one organisation in the order of their ids, and counts them in its figures: all or none. Those whose
   * ids have one head are alike.
   */
  append(organizationId: string, rows: readonly LogRow[]): Promise<void>
  /** Those of instances that are gone are left out. */
  putContents(instanceId: string, contents: readonly LogContent[]): Promise<void>
  list(owner: Owner, filter: LogFilter, place: LogPlace): Promise<LogPage>
  find(owner: Owner, logId: string): Promise<LogRow | null>
  content(instanceId: string, logId: string): Promise<Uint8Array | null>
  /** All contents of an instance. */
  contentsOf(instanceId: string): Promise<readonly LogContent[]>
  /** Replaces what is sealed by the same under another key. */
  reseal(content: LogContent): Promise<void>
  /** The figures of a whole organisation, whatever it has entries. Names that callers made up are counted without them. */
  summary(organizationId: string, span: LogSpan, filter?: LogFigureFilter): Promise<LogSummary>
  /** The same for an owner of less, or by more, counted over the newest entries: `scan` rows of them at most. */
  count(
    owner: Owner,
    filter: LogCountFilter,
    span: LogSpan & { readonly scan: number },
  ): Promise<CountedLogs>
  /**
   * Removes what was written before a time, and of each organisation what is beyond the newest `maxEntries`, with those
   * in the same row; how many.
   */
  purge(beforeMs: number, maxEntries: number): Promise<number>
}

const DIGITS = 12

/** The first id of a time. */
export function firstLogId(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(DIGITS, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
