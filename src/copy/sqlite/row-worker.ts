// The thread that makes keys and words of rows that are probably new, while the one that owns the files writes others.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

import type { SearchLayout } from '../search/layout.ts'
import { restWhenIdle } from '../../database/rest.ts'
import { threadCauseOf } from '../../database/thread-cause.ts'
import type { BatchPart, RowCall } from './copy-call.ts'
import { indexRows, packRows, toRows } from './row-columns.ts'
import { supersededPlaces } from '../sql/row-decision.ts'
import { TermTables } from './term-table.ts'

/** Rows per part: the first one is written while the second one is read. */
const PART = 250

// Given by the thread that starts this one: the port to the thread that owns the files.
const { port } = workerData as { readonly port: MessagePort }
const layouts = new Map<string, SearchLayout>()
const tables = new TermTables()
restWhenIdle()

function send(message: BatchPart): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(message)
}

function sendParts(call: RowCall): void {
  const { id, layoutHash, scopeNo } = call
  if (call.layout !== null) layouts.set(layoutHash, call.layout)
  const layout = layouts.get(layoutHash)
  if (layout === undefined) throw new TypeError('rows of a layout that was not told')
  const table = tables.begin(call.head.copy, layout, scopeNo)
  const rows = toRows(call.rows)
  const superseded = supersededPlaces(rows)
  for (let start = 0; start < rows.length; start += PART) {
    const some = rows.slice(start, start + PART)
    send({
      id,
      head: start === 0 ? call.head : null,
      isLast: start + PART >= rows.length,
      part: {
        rows: packRows(some),
        indexed: indexRows(layout, table, some),
        superseded: superseded
          .filter((place) => place >= start && place < start + PART)
          .map((place) => place - start),
      },
    })
  }
}

parentPort?.on('message', (call: RowCall) => {
  try {
    sendParts(call)
  } catch (error) {
    send({ id: call.id, head: call.head, isLast: true, part: { problem: threadCauseOf(error) } })
  }
})
