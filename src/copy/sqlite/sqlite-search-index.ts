// Copies in SQLite files, one per instance: one worker thread owns and writes them, another one searches them.
import { mkdirSync } from 'node:fs'
import { MessageChannel, type MessagePort } from 'node:worker_threads'

import { isConnectorError } from '../../errors.ts'
import { copyThread, rowThread, searchThread, type ThreadProgram } from '../../late-modules.ts'
import type { SearchLayout } from '../search/layout.ts'
import {
  type CopyId,
  type CopyName,
  type CopyState,
  type CopyWrite,
  type InstanceCopies,
  isWritten,
  type SearchIndex,
  type SearchReply,
  type SearchRequest,
  type WriteReport,
} from '../search/search-index.ts'
import { type OnEnd, Thread, ThreadPlace } from '../../database/thread.ts'
import type {
  CopyAnswer,
  CopyCall,
  OwnMethod,
  RowCall,
  SearchCall,
  SearchMethod,
} from './copy-call.ts'
import { copyError, errorOf } from '../sql/copy-errors.ts'
import { type PackedRows, packRows } from './row-columns.ts'
import { copyMethods, type CopyMethod, restoreRemoved } from '../sql/copy-operations.ts'
import type { StoredCopy } from '../sql/dialect.ts'
import { timedOut } from '../sql/page.ts'
import type { BatchHead } from '../sql/write-batch.ts'

export interface SqliteSearchIndexOptions {
  /** One file per instance; made when it is not there. */
  readonly folder: string
  /** Ends the leases in the files: for a process that has the folder for itself. Default false. */
  readonly endsLeases?: boolean
  /** Another process has the files open and watches them: they are not marked as those of this one. Default false. */
  readonly isGuest?: boolean
  /** Told of what an operator should know, and callers cannot mend. */
  readonly onTrouble?: (trouble: CopiesTrouble) => void
}

export type CopiesTrouble =
  /** Others take their place after the pause. */
  | { readonly kind: 'threads_ended'; readonly cause: Error; readonly pauseMs: number }
  /** The copies of the instance begin again; `keptAs` null: the file could not be put aside. */
  | {
      readonly kind: 'file_damaged'
      readonly instanceId: string
      readonly keptAs: string | null
      readonly cause: Error
    }

/** A search is given up after this long; the thread itself stops between two statements. */
const MAX_SEARCH_MS = 2_500

const closed = (): Error => copyError(new Error('the copies are closed'))

/** What is known of a copy on this side: how to have its rows read ahead of their being written. */
interface KnownCopy {
  readonly layout: SearchLayout
  readonly scopeNo: number
  /** Whether most of the rows written last were new or changed, so that the next ones may be. */
  takesNew: boolean
}

/** A batch of fewer rows is read where it is written. */
const MIN_AHEAD = 20
const MAX_KNOWN = 1_000

/**
 * Opens the copies in a folder. Nothing else may write to the files meanwhile.
 *
 * What is in the files comes from third parties and can be read again. So a file that was taken away is made again, and one
 * that is damaged is put aside as `<file>.damaged`, in place of an earlier one: no sync could mend it.
 */
export function openSqliteSearchIndex(options: SqliteSearchIndexOptions): SearchIndex {
  const copies = new SqliteCopies(options)
  return Object.assign(
    copies,
    copyMethods((method, args) => copies.call(method, args)),
  )
}

/** At once, though threads begin later: by it a data folder that was in use is told from a new one. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    // The thread that needs it says why there is none.
  }
}

/** The threads of a folder, and what this side knows of its copies. */
class SqliteCopies implements Omit<SearchIndex, CopyMethod> {
  readonly #threads: ThreadPlace<ThreadSet>
  readonly #onTrouble: (trouble: CopiesTrouble) => void
  /** By instance: a damaged file that is being put aside, and how often that was done. */
  readonly #aside = new Map<string, Promise<void>>()
  readonly #timesAside = new Map<string, number>()
  readonly #known = new Map<string, KnownCopy>()

  constructor(options: SqliteSearchIndexOptions) {
    const { folder, endsLeases = false, isGuest = false, onTrouble = () => {} } = options
    if (!isGuest) makeFolder(folder)
    let isFirst = true
    const run = isGuest ? null : Math.floor(Math.random() * 2 ** 32)
    this.#threads = new ThreadPlace(
      (onEnd) => {
        // What later threads find is of this process.
        const given = { folder, run, endsLeases: endsLeases && isFirst }
        isFirst = false
        return new ThreadSet(given, onEnd)
      },
      (cause, pauseMs) => onTrouble({ kind: 'threads_ended', cause, pauseMs }),
    )
    this.#onTrouble = onTrouble
  }

  /** Calls the thread of the files; the first argument names the instance. Each method gives what it gives there. */
  call<T>(method: CopyMethod | OwnMethod, args: readonly unknown[]): Promise<T> {
    const { instanceId } = args[0] as CopyId
    return this.#watch(instanceId, () => this.#threads.now.call(method, args))
  }

  copies(name: InstanceCopies): Promise<readonly CopyState[]> {
    return this.#watch(name.instanceId, () => this.#threads.now.search('copies', [name]))
  }

  search(request: SearchRequest): Promise<SearchReply> {
    const maxMs = MAX_SEARCH_MS - (request.spentMs ?? 0)
    const { instanceId } = request
    return this.#watch(instanceId, () => this.#threads.now.search('search', [request], maxMs))
  }

  async prepare(name: CopyName, layout: SearchLayout, settings: string = ''): Promise<CopyState> {
    const copy = await this.call<StoredCopy>('prepare', [name, layout, settings])
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    const { scopeNo, nextSeq } = copy
    this.#known.set(keyOf(copy), { layout: copy.layout, scopeNo, takesNew: nextSeq === 1 })
    return copy
  }

  serve(copy: CopyId): Promise<void> {
    return this.call('serve', [copy])
  }

  async write({ rows = [], ...batch }: CopyWrite): Promise<WriteReport> {
    const { instanceId, entity, epoch } = batch.copy
    // A copy's state may come along, with all of its layout.
    const head: BatchHead = { ...batch, copy: { instanceId, entity, epoch } }
    const copy = this.#known.get(keyOf(batch.copy))
    const ahead = copy?.takesNew === true && rows.length >= MIN_AHEAD ? copy : null
    const packed = rows.length === 0 ? null : packRows(rows)
    const report = await this.#watch(instanceId, () => this.#threads.now.write(head, packed, ahead))
    if (copy !== undefined && rows.length > 0)
      copy.takesNew = 2 * report.outcomes.filter(isWritten).length >= rows.length
    return report
  }

  restore(copy: CopyId, runId: string): Promise<number> {
    return restoreRemoved(this, copy, () => this.call('removed', [copy, runId]))
  }

  async purge(instanceId: string): Promise<void> {
    // A search that runs meanwhile may open the file once more.
    await this.#threads.now.search('forget', [instanceId])
    await this.#threads.now.call('purge', [instanceId])
    await this.#threads.now.search('forget', [instanceId])
  }

  /** Runs a call about the file of an instance; the file is aside when it throws because of damage. */
  async #watch<T>(instanceId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#timesAside.get(instanceId)
    try {
      return await work()
    } catch (error) {
      // Calls that began before it was put aside tell of the file that is gone.
      if (isDamage(error) && before === this.#timesAside.get(instanceId)) {
        const aside = this.#aside.get(instanceId) ?? this.#setAside(instanceId, error)
        this.#aside.set(instanceId, aside)
        // The caller is told what happened to its call.
        await aside.catch(() => {})
      }
      throw error
    }
  }

  async #setAside(instanceId: string, cause: Error): Promise<void> {
    let keptAs: string | null = null
    try {
      await this.#threads.now.search('forget', [instanceId])
      keptAs = String(await this.#threads.now.call('setAside', [instanceId]))
    } finally {
      this.#aside.delete(instanceId)
      this.#timesAside.set(instanceId, (this.#timesAside.get(instanceId) ?? 0) + 1)
      this.#onTrouble({ kind: 'file_damaged', instanceId, keptAs, cause })
    }
  }

  close(): Promise<void> {
    return this.#threads.close((set) => set.close(), closed())
  }
}

function keyOf({ instanceId, entity, epoch }: CopyId): string {
  return `${instanceId}\n${entity}\n${epoch}`
}

function isDamage(error: unknown): error is Error {
  return isConnectorError(error, 'store_unavailable') && error.details['reason'] === 'damaged'
}

type CopyThread = Thread<CopyAnswer, unknown>

/** The thread that owns the files, the one that searches them, and the one that reads rows; none outlives another one. */
class ThreadSet {
  readonly #owner: CopyThread
  readonly #searcher: CopyThread
  /** Started by the first batch that is read ahead. */
  #rows: CopyThread | null = null
  readonly #toldLayouts = new Set<string>()
  readonly #onEnd: OnEnd
  #hasEnded = false

  /** `onEnd` is told once all threads have ended because one of them has. */
  constructor(given: object, onEnd: OnEnd) {
    this.#onEnd = onEnd
    this.#owner = this.#start(copyThread(), given)
    this.#searcher = this.#start(searchThread(), given)
  }

  #start(
    program: ThreadProgram,
    data: unknown,
    transferred: readonly MessagePort[] = [],
  ): CopyThread {
    return new Thread({
      program,
      data,
      transferred,
      holdsProcess: false,
      read: valueOf,
      failure: copyError,
      onEnd: (cause, failure) => void this.#end(cause, failure),
    })
  }

  call<T>(method: CopyMethod | OwnMethod, args: readonly unknown[]): Promise<T> {
    return ask(this.#owner, (id) => send(this.#owner, { id, method, args }))
  }

  async search<T>(method: SearchMethod, args: readonly unknown[], maxMs?: number): Promise<T> {
    const searcher = this.#searcher
    let timer: NodeJS.Timeout | undefined
    try {
      return await ask(searcher, (id) => {
        send(searcher, { id, method, args })
        if (maxMs !== undefined) timer = setTimeout(() => searcher.giveUp(id, timedOut()), maxMs)
      })
    } finally {
      clearTimeout(timer)
    }
  }

  /** `ahead`: the copy whose rows are read by another thread while others are written. */
  write(head: BatchHead, rows: PackedRows | null, ahead: KnownCopy | null): Promise<WriteReport> {
    // What the thread of the rows owes is owed by the one that writes them.
    return ask(this.#owner, (id) => {
      if (ahead === null || rows === null) {
        send(this.#owner, { id, method: 'write', head, rows })
        return
      }
      const { layout, scopeNo } = ahead
      this.#rows ??= this.#startRows()
      const { hash: layoutHash } = layout
      const told = this.#toldLayouts.has(layoutHash) ? null : layout
      this.#toldLayouts.add(layoutHash)
      send(this.#rows, { id, head, rows, layoutHash, layout: told, scopeNo })
    })
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return
    // The last connection to a file tidies up behind it, which only one that writes can.
    await this.search('close', [])
    await this.call('close', [])
    this.#hasEnded = true
    for (const thread of [this.#rows, this.#searcher, this.#owner])
      await thread?.terminate(closed())
  }

  #startRows(): CopyThread {
    const { port1, port2 } = new MessageChannel()
    send(this.#owner, { method: 'listen', port: port2 }, [port2])
    return this.#start(rowThread(), { port: port1 }, [port1])
  }

  /** Before others begin: of two threads that own the files, one would be too many. */
  async #end(cause: Error, failure: Error): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const all = [this.#owner, this.#searcher, this.#rows]
    await Promise.allSettled(all.map(async (each) => await each?.terminate(failure)))
    this.#onEnd(cause, failure)
  }
}

/** The answer to a request that `post` sends under a number. */
function ask<T>(thread: CopyThread, post: (id: number) => void): Promise<T> {
  const { id, answer } = thread.expect()
  post(id)
  // The threads run the same port.
  return answer as Promise<T>
}

function send(
  thread: CopyThread,
  message: CopyCall | SearchCall | RowCall,
  transferred: readonly MessagePort[] = [],
): void {
  thread.post(message, transferred)
}

function valueOf(answer: CopyAnswer): unknown {
  if ('error' in answer) throw errorOf(answer.error)
  return answer.value
}
