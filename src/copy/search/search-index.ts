// The port of the synchronized copy: what is kept of each entity of each connector instance, and how it is asked.
import type { SearchQuery } from './filter.ts'
import type { SearchLayout } from './layout.ts'
import type { WalkPosition } from './cursor.ts'
import type { CopyRow } from './row.ts'

/** An entity of a connector instance. Nothing ever reaches beyond one instance. */
export interface CopyName {
  readonly instanceId: string
  readonly entity: string
}

/** Those of one entity, or of all. */
export type InstanceCopies = Pick<CopyName, 'instanceId'> & Partial<CopyName>

/** One copy of an entity, made under one layout. A new layout gets a new epoch next to the serving one. */
export interface CopyId extends CopyName {
  readonly epoch: number
}

/** What is known of a copy. Times are milliseconds since 1970. */
export interface CopyState extends CopyId {
  readonly layout: SearchLayout
  /** Tells the settings of the instance that it was made with from others; '' where they do not matter. */
  readonly settings: string
  /** Whether searches are answered from it; true of one copy of an entity at most. */
  readonly serving: boolean
  /** Tells this copy from every other one, also from one of the same epoch that was there before; '' in copies of earlier versions. */
  readonly generation: string
  /** Counts the writes. */
  readonly version: number
  /** The next record to arrive gets this number. */
  readonly nextSeq: number
  /** Records that can be found. */
  readonly live: number
  /** Whether a whole reading was finished once. */
  readonly complete: boolean
  /** What changed upstream before this is in the copy; null before the first complete run. */
  readonly syncedAtMs: number | null
  /** What the sync keeps for itself about this copy, as it wrote it; '' at first. */
  readonly facts: string
}

/** The copy that answers searches; undefined: there is none of the entity. */
export async function readServing(
  index: Pick<CopyReader, 'copies'>,
  { instanceId, entity }: CopyName,
): Promise<CopyState | undefined> {
  return (await index.copies({ instanceId, entity })).find(({ serving }) => serving)
}

/** The copies of all instances. One contract for every store: test/contracts/search-index. */
export interface SearchIndex extends CopyReader {
  /** The copy of this layout and these settings (default ''), made when there is none. The first one of an entity serves. */
  prepare(name: CopyName, layout: SearchLayout, settings?: string): Promise<CopyState>
  /** Makes a copy the serving one, and deletes the others of the entity. */
  serve(copy: CopyId): Promise<void>

  /** The fence of a lease for `ttlMs`, or null while another owner has it. Time is the store's. */
  takeLease(copy: CopyId, owner: string, ttlMs: number): Promise<number | null>
  /** False when the lease is lost: stop writing. */
  renewLease(copy: CopyId, fence: number, ttlMs: number): Promise<boolean>
  releaseLease(copy: CopyId, fence: number): Promise<void>

  /** Writes a batch in one transaction. Throws LostLease, having written nothing, when the fence is not the last one. */
  write(batch: CopyWrite): Promise<WriteReport>
  /** Brings back what a run removed; gives the number of records. Nothing that has arrived again meanwhile is touched. */
  restore(copy: CopyId, runId: string): Promise<number>
  /** Forgets removed records for good that were removed before, also for those who read changes; gives their number. */
  forgetRemoved(copy: CopyId, beforeMs: number): Promise<number>
  /** Forgets which records a run has seen. */
  forgetRun(name: CopyName, runId: string): Promise<void>
  /** Reads parents again not before `notBeforeMs`. */
  postpone(name: CopyName, parentIds: readonly string[], notBeforeMs: number): Promise<void>

  /** Deletes everything of an instance. Safe to repeat. */
  purge(instanceId: string): Promise<void>
  close(): Promise<void>
}

export interface CopyReader {
  /** The copies of an entity, or of all entities of the instance, oldest first. */
  copies(name: InstanceCopies): Promise<readonly CopyState[]>
  search(request: SearchRequest): Promise<SearchReply>
  /** Live records by number, a part at a time: for building a copy again from its documents. */
  documents(copy: CopyId, afterSeq: number, limit: number): Promise<readonly StoredDocument[]>
  /** Live records by id, in no order; unknown ids are left out. */
  records(copy: CopyId, ids: readonly string[]): Promise<readonly StoredDocument[]>
  /** Live records that none of the runs has seen, by number; those that a write of ours still holds are left out. */
  unseen(copy: CopyId, question: UnseenQuestion): Promise<readonly StoredId[]>
  /** What has changed from a position on (null: from the beginning), in order; of each record the last change alone. */
  changesSince(
    copy: CopyId & Pick<CopyState, 'generation'>,
    position: ChangesPosition | null,
    limit: number,
  ): Promise<ChangesReply>
  children(copy: CopyId, parentId: string): Promise<readonly StoredId[]>
  /** How many distinct records a run has seen. */
  countSeen(name: CopyName, runId: string): Promise<number>
  /** Parents whose children are due, longest waiting first. */
  todo(name: CopyName, nowMs: number, limit: number): Promise<readonly TodoItem[]>
  /** How many parents have children that are due. */
  countTodo(name: CopyName, nowMs: number): Promise<number>
  /** What the sync keeps under names with this beginning, in the order of names. */
  entries(name: CopyName, prefix: string): Promise<readonly CopyEntry[]>
}

/** One transaction. Everything in it happens, or nothing. */
export interface CopyWrite {
  readonly copy: CopyId
  /** The lease it is made under; null for writes of our own, which need none. */
  readonly fence: number | null
  /** When the request was begun, for rows that do not say so. Rows read earlier never replace rows read later. */
  readonly observedAtMs: number
  /** Records to be kept. Of several with one id the last counts. */
  readonly rows?: readonly CopyRow[]
  /** Set for writes of our own: until then a sync neither replaces the rows by older ones, nor removes or restores them. */
  readonly holdUntilMs?: number
  /** The run that has seen the rows. */
  readonly seenBy?: string
  /** Ids of records that a listing of keys names: seen, but not written. */
  readonly seenIds?: readonly string[]
  /** What one run has seen counts as seen by another one as well. */
  readonly addSeen?: { readonly of: string; readonly to: string }
  /** Entities whose children are read again where a row is new or changed. */
  readonly childEntities?: readonly string[]
  /** Parents whose children, which are the records of this copy, are due. */
  readonly due?: readonly string[]
  /** Parents whose children are complete with this batch. */
  readonly done?: readonly TodoItem[]
  readonly remove?: Removal
  readonly complete?: boolean
  /** With `complete`: it lacks records that could not be kept, so that searches do not call it complete; default false. */
  readonly hasGaps?: boolean
  readonly syncedAtMs?: number
  readonly facts?: string
  /** Written or, with null, deleted. */
  readonly entries?: readonly (CopyEntry | { readonly name: string; readonly value: null })[]
}

export interface Removal {
  readonly ids: readonly string[]
  readonly runId: string
  readonly atMs: number
}

/** What became of a row: `held` and `stale` rows were not written. */
export type RowOutcome = 'inserted' | 'changed' | 'restored' | 'unchanged' | 'held' | 'stale'

/** Whether the outcome puts the row into the copy. */
export function isWritten(outcome: RowOutcome): boolean {
  return outcome === 'inserted' || outcome === 'changed' || outcome === 'restored'
}

export interface WriteReport {
  readonly version: number
  /** In the order of the rows. */
  readonly outcomes: readonly RowOutcome[]
  readonly removed: number
  /** Of all documents of the copy, after the batch. */
  readonly bytes: number
  /** Of `seenIds`, where given: those that name no live record. */
  readonly unknownIds?: readonly string[]
}

export interface StoredId {
  readonly seq: number
  readonly recordId: string
}

export interface StoredDocument extends StoredId, Pick<CopyRow, 'doc' | 'parentId'> {
  /** The digest where it was kept; null: it is that of the document. */
  readonly compared: Uint8Array | null
}

export interface UnseenQuestion {
  readonly runIds: readonly string[]
  /** Only records that arrived before this number. */
  readonly beforeSeq: number
  readonly afterSeq: number
  readonly nowMs: number
  readonly limit: number
}

/** A parent to be read; `mark` tells whether it has changed again meanwhile. */
export interface TodoItem {
  readonly parentId: string
  readonly mark: number
}

export interface CopyEntry {
  readonly name: string
  readonly value: Uint8Array
}

/** One question to the serving copy. `epoch` and `layoutHash` are those the query was checked against. */
export interface SearchRequest extends CopyId {
  readonly layoutHash: string
  readonly query: SearchQuery
  readonly position: WalkPosition | null
  /** Milliseconds of the time it may take that have passed already; default 0. */
  readonly spentMs?: number
}

/** A page, or word that the copy is another one by now: check the query against `copies` again. */
export type SearchReply = SearchPage | { readonly kind: 'moved' }

export interface SearchPage {
  readonly kind: 'page'
  /** JSON text of the array of hits. */
  readonly hits: string
  readonly count: number
  /** Where the next page begins; null on the last one. */
  readonly next: WalkPosition | null
  /** False where hits come newest first although their scores differ. */
  readonly ranked: boolean
  /** How it was found, where the query asks for that. */
  readonly plan?: SearchPlan
  /** JSON text of what was counted among all hits, where the query asks for that and begins at the first page. */
  readonly facets?: string
  /** `complete`: a whole reading was finished, and nothing was left out. */
  readonly copy: Pick<CopyState, 'live' | 'complete' | 'syncedAtMs'>
}

/** How a page was found. */
export interface SearchPlan {
  /**
   * What narrows the search before documents are read: indexes of `fields`, of words, of parts of texts, one for each
   * part of an `or`, or nothing.
   */
  readonly by: 'fields' | 'words' | 'text_parts' | 'each_part' | 'nothing'
  /** Fields whose indexes lead to the hits. */
  readonly fields: readonly string[]
  readonly order: 'sort' | 'score' | 'newest'
  /** Who chooses among several indexes: counts of this search, or the planner of the database. */
  readonly chosen: 'counts' | 'database'
  /** Documents that were read and compared, because no index says everything that is asked. */
  readonly compared: number
}

/** Where a reader of changes goes on. A change has the version of its write and the number of its record. */
export interface ChangesPosition {
  readonly version: number
  readonly seq: number
  /** The version of the copy when the reader was at the end last or, before that, when it began. */
  readonly base: number
  /** Whether the reader has been at the end yet: until then every record is new to it. */
  readonly isFirst: boolean
  /** The last version that is told; absent: all there are. */
  readonly until?: number
}

/** `moved`: the copy does not serve any more. `forgotten`: removals that the reader lacks are not kept any more. */
export type ChangesReply = ChangesPage | { readonly kind: 'moved' } | { readonly kind: 'forgotten' }

export interface ChangesPage {
  readonly kind: 'page'
  /** JSON text of the array of changes. */
  readonly changes: string
  readonly count: number
  readonly next: ChangesPosition
  /** False: at this moment there was nothing beyond `next`. */
  readonly hasMore: boolean
  readonly copy: Pick<CopyState, 'live' | 'complete' | 'syncedAtMs'>
}

/** The lease was taken over; its former holder stops. */
export class LostLease extends Error {
  override readonly name = 'LostLease'

  constructor() {
    super('the lease on this copy was taken over')
  }
}
