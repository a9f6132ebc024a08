// The near end of the thread that owns SQLite: requests of one turn of the event loop travel as one message.
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../package-file.ts'
import { sqliteError, storeClosed, threadError } from './store-errors.ts'
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
  /** Runs steps in order until one fails; the result of the last. Throws `store_unavailable`. */
  run(steps: readonly SqliteStep[]): Promise<SqliteResult>
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (result: SqliteResult) => void
  readonly reject: (error: Error) => void
}

/** Sources run as they are; the built package has the worker as a file of its own. */
const WORKER = import.meta.url.endsWith('.ts')
  ? new URL('./sqlite-worker.ts', import.meta.url)
  : packageFile('dist/store/sqlite-worker.js')

/** Opens a file, and makes it with its folder where there is none: readable by this user only. */
export async function openSqlite(file: string): Promise<SqliteClient> {
  makeFile(file)
  const data: SqliteWorkerData = { file }
  const worker = new Worker(WORKER, { workerData: data })
  const waiting = new Map<number, Waiting>()
  const opened = Promise.withResolvers<undefined>()
  const ended = Promise.withResolvers<undefined>()
  let outbox: SqliteRequest[] = []
  let lastId = 0
  let end: Error | null = null

  function stop(error: Error): void {
    end ??= error
    opened.reject(end)
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
  }

  worker.on('message', (replies: readonly SqliteReply[]) => {
    opened.resolve(undefined)
    for (const reply of replies) {
      const wanted = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (!('failure' in reply)) wanted?.resolve(reply)
      else if (wanted === undefined) stop(sqliteError(reply.failure))
      else wanted.reject(sqliteError(reply.failure))
    }
  })
  worker.on('error', (error) => stop(threadError(error)))
  worker.on('exit', () => {
    stop(storeClosed())
    ended.resolve(undefined)
  })

  function send(): void {
    const requests = outbox
    outbox = []
    if (end === null) worker.postMessage(requests)
  }

  await opened.promise
  // The first message says that the file is open, or why it is not.
  if (end !== null) throw end as Error
  return {
    async run(steps) {
      if (end !== null) throw end
      const { promise, resolve, reject } = Promise.withResolvers<SqliteResult>()
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      if (outbox.push({ id, steps }) === 1) queueMicrotask(send)
      return await promise
    },
    async close() {
      if (end === null) worker.postMessage('close')
      await ended.promise
    },
  }
}

function makeFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // The files beside it (WAL, shared memory) get the same rights from SQLite.
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw threadError(error)
  }
}
