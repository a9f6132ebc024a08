// The thread that owns the SQLite files of copies: it opens, closes and deletes them, and answers calls.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

import { isConnectorError } from '../../errors.ts'
import type { SearchLayout } from '../../search/layout.ts'
import {
  type CopyId,
  type CopyName,
  LostLease,
  type SearchRequest,
  type UnseenQuestion,
} from '../../search/search-index.ts'
import { BatchParts, onePart } from './batch-parts.ts'
import type { BatchPart, CopyAnswer, CopyCall, CopyFailure, CopyMethod } from './copy-call.ts'
import {
  answerSearch,
  countSeen,
  findUnseen,
  forgetRemoved,
  forgetRun,
  postpone,
  readChildren,
  readCopies,
  readCopy,
  readDocuments,
  readEntries,
  readRecords,
  readRemoved,
  readTodo,
  releaseLease,
  renewLease,
  stateOf,
  takeLease,
} from './copy-operations.ts'
import type { Scope } from './dialect.ts'
import { SqliteFile } from './sqlite-file.ts'
import { SQLITE_DIALECT } from './sqlite-schema.ts'
import { plain, type SqlSteps } from './sql.ts'
import { Vocabularies } from './vocabulary.ts'

/** Files that stay open; the one used longest ago goes first. */
const MOST_OPEN = 64
const INSTANCE_ID = /^[\w-]{1,100}$/

// Handed over by the one who starts this thread.
const { folder } = workerData as { readonly folder: string }
mkdirSync(folder, { recursive: true, mode: 0o700 })

const files = new Map<string, SqliteFile>()
const vocabularies = new Vocabularies()
const now = plain("CAST(unixepoch('subsec') * 1000 AS INTEGER)")

function pathOf(instanceId: string): string {
  if (!INSTANCE_ID.test(instanceId)) throw new TypeError('no id of an instance')
  return join(folder, `${instanceId}.sqlite`)
}

function fileOf({ instanceId }: { readonly instanceId: string }): SqliteFile {
  const known = files.get(instanceId)
  const file = known ?? new SqliteFile(pathOf(instanceId))
  files.delete(instanceId)
  files.set(instanceId, file)
  for (const [id, other] of files) {
    if (files.size <= MOST_OPEN) break
    if (other === file || !other.idle) continue
    files.delete(id)
    void other.close()
  }
  return file
}

async function close(): Promise<void> {
  for (const file of files.values()) await file.close()
  files.clear()
}

async function purge(instanceId: string): Promise<void> {
  const path = pathOf(instanceId)
  await files.get(instanceId)?.close()
  files.delete(instanceId)
  vocabularies.forget(instanceId)
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true })
}

/** Steps about a copy that may be gone; null then. */
function* within<T>(copy: CopyId, gone: T, steps: (scope: Scope) => SqlSteps<T>): SqlSteps<T> {
  const found = yield* readCopy(copy)
  return found === null ? gone : yield* steps(found.scope)
}

type Handler = (...args: never[]) => unknown

const HANDLERS: Readonly<Record<CopyMethod, Handler>> = {
  prepare: (name: CopyName, layout: SearchLayout) => fileOf(name).prepareCopy(name, layout),
  serve: (copy: CopyId) => fileOf(copy).serve(copy),
  takeLease: (copy: CopyId, owner: string, ttlMs: number) =>
    fileOf(copy).change(() => takeLease(copy, owner, ttlMs, now)),
  renewLease: (copy: CopyId, fence: number, ttlMs: number) =>
    fileOf(copy).change(() => renewLease(copy, fence, ttlMs, now)),
  releaseLease: (copy: CopyId, fence: number) =>
    fileOf(copy).change(() => releaseLease(copy, fence)),
  forgetRemoved: (copy: CopyId, beforeMs: number) =>
    fileOf(copy).change(() =>
      within(copy, 0, (scope) => forgetRemoved(SQLITE_DIALECT, scope, beforeMs)),
    ),
  forgetRun: (name: CopyName, runId: string) => fileOf(name).change(() => forgetRun(name, runId)),
  postpone: (name: CopyName, parentIds: readonly string[], notBeforeMs: number) =>
    fileOf(name).change(() => postpone(name, parentIds, notBeforeMs)),
  purge,
  close,
  copies: async (name: { readonly instanceId: string; readonly entity?: string }) =>
    (await fileOf(name).read(readCopies(name))).map(stateOf),
  search: (request: SearchRequest) => {
    const started = performance.now()
    return fileOf(request).read(
      answerSearch({
        request,
        dialect: SQLITE_DIALECT,
        vocabularies,
        elapsedMs: () => performance.now() - started,
      }),
    )
  },
  documents: (copy: CopyId, afterSeq: number, limit: number) =>
    fileOf(copy).read(
      within(copy, [], (scope) => readDocuments(SQLITE_DIALECT, scope, afterSeq, limit)),
    ),
  removedDocuments: (copy: CopyId, runId: string, limit: number) =>
    fileOf(copy).read(
      within(copy, [], (scope) => readRemoved(SQLITE_DIALECT, scope, runId, limit)),
    ),
  records: (copy: CopyId, ids: readonly string[]) =>
    fileOf(copy).read(within(copy, [], (scope) => readRecords(SQLITE_DIALECT, scope, ids))),
  unseen: (copy: CopyId, question: UnseenQuestion) =>
    fileOf(copy).read(within(copy, [], (scope) => findUnseen(SQLITE_DIALECT, scope, question))),
  children: (copy: CopyId, parentId: string) =>
    fileOf(copy).read(within(copy, [], (scope) => readChildren(SQLITE_DIALECT, scope, parentId))),
  countSeen: (name: CopyName, runId: string) => fileOf(name).read(countSeen(name, runId)),
  todo: (name: CopyName, nowMs: number, limit: number) =>
    fileOf(name).read(readTodo(name, nowMs, limit)),
  entries: (name: CopyName, prefix: string) => fileOf(name).read(readEntries(name, prefix)),
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

async function reply(id: number, work: () => unknown): Promise<void> {
  let message: CopyAnswer
  try {
    message = { id, value: await work() }
  } catch (error) {
    message = { id, error: failureOf(error) }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message)
}

const parts = new BatchParts()

/** Batches come with their rows, or in parts from the thread that reads rows. */
function takePart(part: BatchPart): void {
  const { id, head } = part
  const coming = parts.take(part)
  if (head === null) return
  // Parts that come after a failure belong to nobody.
  void reply(id, () => fileOf(head.copy).write(head, coming)).finally(() => parts.forget(id))
}

parentPort?.on('message', (call: CopyCall) => {
  if (call.method === 'listen') {
    call.port.on('message', takePart)
  } else if (call.method === 'write') {
    const { id, head, rows } = call
    void reply(id, () => fileOf(head.copy).write(head, onePart(rows)))
  } else {
    // The port's types stand on the other side of the thread.
    void reply(call.id, () => HANDLERS[call.method](...(call.args as never[])))
  }
})
