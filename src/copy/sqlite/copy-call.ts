// What crosses between the service's thread and those that own SQLite files, search them, and read rows for them.
import { type MessagePort, parentPort } from 'node:worker_threads'

import type { SearchLayout } from '../search/layout.ts'
import type { ThreadCause } from '../../database/thread-cause.ts'
import { type CopyFailure, failureOf } from '../sql/copy-errors.ts'
import type { CopyMethod } from '../sql/copy-operations.ts'
import { type IndexedRows, type PackedRows, toRows } from './row-columns.ts'
import { supersededPlaces } from '../sql/row-decision.ts'
import type { BatchHead } from '../sql/write-batch.ts'

/** What the thread that searches does. `forget` closes the file of an instance. */
export type SearchMethod = 'search' | 'copies' | 'forget' | 'close'

/** What only the thread of the files does. `setAside` gives the name under which a damaged file is kept. */
export type OwnMethod = 'prepare' | 'serve' | 'removed' | 'purge' | 'setAside' | 'close'

interface Call<Method> {
  readonly id: number
  readonly method: Method
  readonly args: readonly unknown[]
}

/** To the thread that searches. */
export type SearchCall = Call<SearchMethod>

/** To the thread of the files. */
export type CopyCall =
  | Call<CopyMethod | OwnMethod>
  | (Pick<RowCall, 'id' | 'head'> & {
      readonly method: 'write'
      readonly rows: PackedRows | null
    })
  /** Where parts of batches come from. */
  | { readonly method: 'listen'; readonly port: MessagePort }

/** To the thread that reads rows. */
export interface RowCall {
  readonly id: number
  readonly head: BatchHead
  readonly rows: PackedRows
  readonly layoutHash: string
  /** Null: it was told with an earlier call. */
  readonly layout: SearchLayout | null
  readonly scopeNo: number
}

/** A part of a batch with what its rows are found by, or why there is none. `head` comes with the first one. */
export interface BatchPart {
  readonly id: number
  readonly head: BatchHead | null
  readonly isLast: boolean
  readonly part: RowsPart | { readonly problem: ThreadCause }
}

export interface RowsPart {
  readonly rows: PackedRows
  readonly indexed: IndexedRows | null
  /** Places of rows that another one of the batch with the same id makes void. */
  readonly superseded: readonly number[]
}

/** A batch that came in one piece, its rows as they are. */
export async function* onePart(rows: PackedRows | null): AsyncGenerator<RowsPart, void, undefined> {
  if (rows !== null) yield { rows, indexed: null, superseded: supersededPlaces(toRows(rows)) }
}

export type CopyAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: CopyFailure }

/** Sends what the work gives, or why it failed: how the threads that have files open answer calls. */
export async function reply(id: number, work: () => unknown): Promise<void> {
  try {
    send({ id, value: await work() })
  } catch (error) {
    send({ id, error: failureOf(error) })
  }
}

function send(message: CopyAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message)
}
