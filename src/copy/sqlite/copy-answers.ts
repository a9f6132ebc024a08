// How the threads that have SQLite files open answer calls.
import { parentPort } from 'node:worker_threads'

import type { CopyAnswer } from './copy-call.ts'
import { failureOf } from '../sql/copy-errors.ts'

/** Sends what the work gives, or why it failed. */
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
