// How the threads that have SQLite files open answer calls.
import { parentPort } from 'node:worker_threads'

import { isConnectorError } from '../../errors.ts'
import { LostLease } from '../../search/search-index.ts'
import type { CopyAnswer, CopyFailure } from './copy-call.ts'

/** Sends what the work gives, or why it failed. */
export async function reply(id: number, work: () => unknown): Promise<void> {
  let message: CopyAnswer
  try {
    message = { id, value: await work() }
  } catch (error) {
    message = { id, error: failureOf(error) }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message)
}

function failureOf(error: unknown): CopyFailure {
  if (error instanceof LostLease) return { kind: 'lost_lease', code: null, message: error.message }
  if (isConnectorError(error))
    return { kind: 'connector', code: error.code, message: error.message }
  return {
    kind: 'other',
    code: null,
    message: error instanceof Error ? error.message : String(error),
  }
}
