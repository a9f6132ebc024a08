// Copies in SQLite files, one per instance, owned by a worker thread.
import { Worker } from 'node:worker_threads'

import { ConnectorError } from '../../errors.ts'
import { packageFile } from '../../package-file.ts'
import { LostLease, type SearchIndex } from '../../search/search-index.ts'
import type { CopyAnswer, CopyFailure, CopyMethod } from './copy-call.ts'
import { restoreRemoved } from './restore-removed.ts'
import { timedOut } from './search-pages.ts'

export interface SqliteSearchIndexOptions {
  /** One file per instance; made when it is not there. */
  readonly folder: string
}

/** A search is given up after this long; the thread itself stops between two statements. */
const LONGEST_SEARCH_MS = 2_500

/** Sources run as they are; the built package has the worker as a file of its own. */
const WORKER = import.meta.url.endsWith('.ts')
  ? new URL('./sqlite-worker.ts', import.meta.url)
  : packageFile('dist/search/sqlite-worker.js')

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Opens the copies in a folder. Nothing else may write to the files meanwhile. */
export function openSqliteSearchIndex({ folder }: SqliteSearchIndexOptions): SearchIndex {
  const thread = new CopyThread(folder)
  const call =
    <M extends Exclude<keyof SearchIndex, 'restore' | 'close' | 'search'>>(method: M) =>
    async (...args: Parameters<SearchIndex[M]>): Promise<Awaited<ReturnType<SearchIndex[M]>>> =>
      // The worker runs the same port.
      (await thread.call(method, args)) as Awaited<ReturnType<SearchIndex[M]>>
  const index: SearchIndex = {
    prepare: call('prepare'),
    serve: call('serve'),
    takeLease: call('takeLease'),
    renewLease: call('renewLease'),
    releaseLease: call('releaseLease'),
    write: call('write'),
    restore: (copy, runId) =>
      restoreRemoved(index, copy, async (limit) => {
        const documents = await thread.call('removedDocuments', [copy, runId, limit])
        return documents as Awaited<ReturnType<SearchIndex['documents']>>
      }),
    forgetRemoved: call('forgetRemoved'),
    forgetRun: call('forgetRun'),
    postpone: call('postpone'),
    purge: call('purge'),
    close: () => thread.close(),
    copies: call('copies'),
    search: async (request) =>
      (await thread.call('search', [request], LONGEST_SEARCH_MS)) as Awaited<
        ReturnType<SearchIndex['search']>
      >,
    documents: call('documents'),
    records: call('records'),
    unseen: call('unseen'),
    children: call('children'),
    countSeen: call('countSeen'),
    todo: call('todo'),
    entries: call('entries'),
  }
  return index
}

/** The worker with the calls it owes answers to. */
class CopyThread {
  private readonly worker: Worker
  private readonly waiting = new Map<number, Waiting>()
  private last = 0
  private ended: Error | null = null

  constructor(folder: string) {
    this.worker = new Worker(WORKER, { workerData: { folder } })
    this.worker.on('message', (answer: CopyAnswer) => {
      const waiting = this.waiting.get(answer.id)
      this.waiting.delete(answer.id)
      if ('error' in answer) waiting?.reject(errorOf(answer.error))
      else waiting?.resolve(answer.value)
      if (this.waiting.size === 0) this.worker.unref()
    })
    this.worker.on('error', (error) => {
      this.end(error instanceof Error ? error : new Error(String(error)))
    })
    this.worker.on('exit', () => {
      this.end(new Error('the thread of the copies has ended'))
    })
    this.worker.unref()
  }

  async call(method: CopyMethod, args: readonly unknown[], longestMs?: number): Promise<unknown> {
    if (this.ended !== null) throw unavailable(this.ended)
    const id = ++this.last
    const answer = new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
    })
    this.worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.worker.postMessage({ id, method, args })
    if (longestMs === undefined) return await answer
    const timer = setTimeout(() => {
      this.waiting.get(id)?.reject(timedOut())
    }, longestMs)
    try {
      return await answer
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    if (this.ended !== null) return
    await this.call('close', [])
    this.ended = new Error('the copies are closed')
    await this.worker.terminate()
  }

  private end(error: Error): void {
    this.ended ??= error
    for (const { reject } of this.waiting.values()) reject(unavailable(error))
    this.waiting.clear()
  }
}

function unavailable(cause: Error): ConnectorError {
  return new ConnectorError('store_unavailable', 'the synchronized copy cannot be read', { cause })
}

function errorOf({ kind, code, message }: CopyFailure): Error {
  if (kind === 'lost_lease') return new LostLease()
  if (kind === 'connector' && code !== null) return new ConnectorError(code, message)
  return unavailable(new Error(message))
}
