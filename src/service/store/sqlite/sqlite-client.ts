// The near end of the thread that owns SQLite: requests of one turn of the event loop travel as one message.
import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../../package-file.ts'
import { ThreadLosses } from '../../../database/thread-losses.ts'
import { sqliteError, storeClosed, threadError } from '../sql/store-errors.ts'
import type {
  SqliteReply,
  SqliteRequest,
  SqliteRow,
  SqliteStep,
  SqliteWorkerData,
} from './sqlite-messages.ts'

export interface SqliteResult {
  readonly rows: readonly SqliteRow[]
  readonly changes: number | null
}

export interface SqliteClient {
  /** Another one for each thread: a transaction is gone with the thread that it was begun in. */
  readonly thread: number
  /**
   * Runs steps in order until one fails; the result of the last. Throws `store_unavailable`, also when they belong to
   * another thread than the present one.
   */
  run(steps: readonly SqliteStep[], thread?: number): Promise<SqliteResult>
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (result: SqliteResult) => void
  readonly reject: (error: Error) => void
}

/** Sources run as they are; the built package has the worker as a file of its own. */
const WORKER = import.meta.url.endsWith('.ts')
  ? new URL('./sqlite-worker.ts', import.meta.url)
  : packageFile('dist/service/store/sqlite/sqlite-worker.js')

/**
 * Opens a file, and makes it with its folder where there is none: readable by this user only.
 *
 * When its thread ends, what was under way fails, and another thread takes its place after a pause.
 */
export async function openSqlite(file: string): Promise<SqliteClient> {
  const data: SqliteWorkerData = { file, identity: makeFile(file) }
  let threads = 1
  let thread = new SqliteThread(data)
  const losses = new ThreadLosses()
  let noted: SqliteThread | null = null
  let isClosed = false
  await thread.opened

  function present(): SqliteThread {
    if (thread.ended === null || isClosed) return thread
    if (noted !== thread) losses.note(thread.endedAt)
    noted = thread
    if (!losses.isOver(performance.now())) return thread
    threads++
    thread = new SqliteThread(data)
    // Whoever calls is told.
    thread.opened.catch(() => {})
    return thread
  }

  return {
    get thread() {
      present()
      return threads
    },
    async run(steps, wanted) {
      const now = present()
      if (wanted !== undefined && wanted !== threads)
        throw storeClosed(new Error('the thread of this transaction has ended'))
      return await now.run(steps)
    },
    async close() {
      isClosed = true
      await thread.close()
    },
  }
}

/** One thread with its connections, and the requests it owes answers to. */
class SqliteThread {
  /** The first message says that the file is open, or why it is not. */
  readonly opened: Promise<undefined>
  ended: Error | null = null
  endedAt = 0
  private readonly worker: Worker
  private readonly waiting = new Map<number, Waiting>()
  private readonly opening = Promise.withResolvers<undefined>()
  private readonly exited = Promise.withResolvers<undefined>()
  private outbox: SqliteRequest[] = []
  private lastId = 0

  constructor(data: SqliteWorkerData) {
    this.opened = this.opening.promise
    this.worker = new Worker(WORKER, { workerData: data })
    this.worker.on('message', (replies: readonly SqliteReply[]) => {
      this.take(replies)
    })
    this.worker.on('error', (error) => {
      this.end(threadError(error))
    })
    this.worker.on('exit', () => {
      this.end(storeClosed())
      this.exited.resolve(undefined)
    })
  }

  async run(steps: readonly SqliteStep[]): Promise<SqliteResult> {
    if (this.ended !== null) throw this.ended
    const { promise, resolve, reject } = Promise.withResolvers<SqliteResult>()
    const id = ++this.lastId
    this.waiting.set(id, { resolve, reject })
    if (this.outbox.push({ id, steps }) === 1)
      queueMicrotask(() => {
        this.send()
      })
    return await promise
  }

  async close(): Promise<void> {
    if (this.ended === null) this.worker.postMessage('close')
    await this.exited.promise
  }

  private send(): void {
    const requests = this.outbox
    this.outbox = []
    if (this.ended === null) this.worker.postMessage(requests)
  }

  private take(replies: readonly SqliteReply[]): void {
    for (const reply of replies) {
      const wanted = this.waiting.get(reply.id)
      this.waiting.delete(reply.id)
      if (!('failure' in reply)) wanted?.resolve(reply)
      else if (wanted === undefined) this.end(sqliteError(reply.failure))
      else wanted.reject(sqliteError(reply.failure))
    }
    this.opening.resolve(undefined)
  }

  private end(error: Error): void {
    if (this.ended !== null) return
    this.ended = error
    this.endedAt = performance.now()
    this.opening.reject(error)
    for (const { reject } of this.waiting.values()) reject(error)
    this.waiting.clear()
  }
}

/** Gives what tells the file from another one. */
function makeFile(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // The files beside it (WAL, shared memory) get the same rights from SQLite.
    const made = openSync(file, 'a', 0o600)
    const { dev, ino } = fstatSync(made)
    closeSync(made)
    return `${dev} ${ino}`
  } catch (error) {
    throw threadError(error)
  }
}
