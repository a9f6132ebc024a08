// The near end of the thread that owns SQLite: requests of one turn of the event loop travel as one message.
import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { storeThread } from '../../../late-modules.ts'
import { type OnEnd, Thread, ThreadPlace } from '../../../database/thread.ts'
import { sqliteError, storeClosed, storeError } from '../sql/store-errors.ts'
import type {
  SqliteReply,
  SqliteRequest,
  SqliteResult,
  SqliteStep,
  SqliteWorkerData,
} from './sqlite-worker.ts'

export interface SqliteClient {
  /** Another one for each thread: a transaction is gone with the thread that it was begun in. */
  readonly thread: number
  /** The result of the last step. Throws `store_unavailable`, also when they belong to a thread that has ended. */
  run(steps: readonly SqliteStep[], thread?: number): Promise<SqliteResult>
  /**
   * Writes the file once more, without what is in no row. False: a transaction or somebody else is in the way. Throws
   * `store_unavailable`, as where the disk is full.
   */
  rewrite(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens a file, and makes it with its folder where there is none: readable by this user only. `isOwner`: no other process
 * does more with it than commands do; then it is noticed when the file is written over.
 *
 * When its thread ends, what was under way fails, and another thread takes its place after a pause.
 */
export async function openSqlite(file: string, isOwner: boolean = false): Promise<SqliteClient> {
  const run = isOwner ? Math.floor(Math.random() * 2 ** 32) : null
  const data: SqliteWorkerData = { file, identity: makeFile(file), run }
  const threads = new ThreadPlace((onEnd) => new SqliteThread(data, onEnd))
  await threads.now.ready
  return {
    get thread() {
      return threads.count
    },
    async run(steps, wanted) {
      const thread = threads.now
      if (wanted !== undefined && wanted !== threads.count)
        throw storeClosed(new Error('the thread of this transaction has ended'))
      return await thread.run(steps)
    },
    async rewrite() {
      const { rows } = await threads.now.run([{ on: 'rewrite' }])
      return rows[0]?.['is_done'] === 1
    },
    close: () => threads.close((thread) => thread.close(), storeClosed()),
  }
}

class SqliteThread extends Thread<SqliteReply, SqliteResult> {
  #outbox: SqliteRequest[] = []

  constructor(data: SqliteWorkerData, onEnd: OnEnd) {
    super({
      program: storeThread(),
      data,
      holdsProcess: true,
      read: resultOf,
      failure: storeError,
      onEnd,
    })
  }

  async run(steps: readonly SqliteStep[]): Promise<SqliteResult> {
    const { id, answer } = this.expect()
    if (this.#outbox.push({ id, steps }) === 1)
      queueMicrotask(() => {
        const requests = this.#outbox
        this.#outbox = []
        this.post(requests)
      })
    return await answer
  }

  async close(): Promise<void> {
    this.post('close')
    await this.exit()
  }
}

function resultOf(reply: SqliteReply): SqliteResult {
  if ('failure' in reply) throw sqliteError(reply.failure)
  return reply
}

/** Gives what tells the file from another one. */
function makeFile(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // SQLite gives its other files (WAL, shared memory) the same rights.
    const made = openSync(file, 'a', 0o600)
    const { dev, ino } = fstatSync(made)
    closeSync(made)
    return `${dev} ${ino}`
  } catch (error) {
    throw storeError(error)
  }
}
