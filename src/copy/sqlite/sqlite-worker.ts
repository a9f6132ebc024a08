// The thread that owns the SQLite files of copies: it opens, closes and deletes them, and answers calls.
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

import { defect } from '../../database/database-errors.ts'
import { fileShare } from '../../database/descriptors.ts'
import { restWhenIdle } from '../../database/rest.ts'
import { causeOf } from '../../database/thread-cause.ts'
import type { SearchLayout } from '../search/layout.ts'
import type { CopyId, CopyName } from '../search/search-index.ts'
import {
  type BatchPart,
  type CopyCall,
  onePart,
  type OwnMethod,
  reply,
  type RowsPart,
} from './copy-call.ts'
import {
  type CopyMethod,
  COPY_METHODS,
  copyOperations,
  readRemoved,
  stepsOf,
} from '../sql/copy-operations.ts'
import { Line, OpenFiles } from './open-files.ts'
import { SqliteFile } from './sqlite-file.ts'
import { SQLITE_DIALECT } from './sqlite-schema.ts'
import { plain } from '../sql/sql.ts'

// Given by the thread that starts this one.
const { folder, run, endsLeases } = workerData as {
  readonly folder: string
  readonly run: number | null
  readonly endsLeases: boolean
}
mkdirSync(folder, { recursive: true, mode: 0o700 })

const files = new OpenFiles({
  folder,
  run,
  open: openFile,
  // Each may remember 32 MiB.
  warm: 4,
  onMoved: forgetLog,
  onOverwritten: putAside,
})
restWhenIdle(() => files.rest())
/** Files that were opened already: the leases in them are of this process. */
const openedBefore = new Set<string>()
/** What is worked with cannot be closed. */
const line = new Line(fileShare().files)
const now = plain("CAST(unixepoch('subsec') * 1000 AS INTEGER)")
const operations = copyOperations(SQLITE_DIALECT, now)

function openFile(path: string): SqliteFile {
  const file = new SqliteFile(path, { endsLeases: endsLeases && !openedBefore.has(path) })
  openedBefore.add(path)
  return file
}

/** The log of a file that is gone, or was replaced, would be read into the new one. */
function forgetLog(path: string): void {
  for (const ending of ['-wal', '-shm']) remove(path + ending)
}

/** Whatever is there instead of a file. */
function remove(path: string): void {
  rmSync(path, { force: true, recursive: true })
}

async function purge(instanceId: string): Promise<void> {
  await files.close(instanceId)
  const path = files.pathOf(instanceId)
  for (const ending of ['', '-wal', '-shm', DAMAGED]) remove(path + ending)
}

/** What hangs on the name of a damaged file. */
const DAMAGED = '.damaged'

async function setAside(instanceId: string): Promise<string> {
  await files.close(instanceId)
  return putAside(files.pathOf(instanceId))
}

function putAside(path: string): string {
  remove(path + DAMAGED)
  renameSync(path, path + DAMAGED)
  forgetLog(path)
  return path + DAMAGED
}

const OWN: Readonly<Record<OwnMethod, (...args: never[]) => unknown>> = {
  prepare: (name: CopyName, layout: SearchLayout, settings: string) =>
    files.of(name).prepareCopy(name, layout, settings),
  serve: (copy: CopyId) => files.of(copy).serve(copy),
  removed: (copy: CopyId, runId: string) =>
    files.of(copy).read(readRemoved(SQLITE_DIALECT, copy, runId)),
  purge,
  setAside,
  close: () => files.closeAll(),
}

/** The port's types stand on the other side of the thread. */
function answer({ method, args }: Extract<CopyCall, { readonly args: unknown }>): unknown {
  if (!isShared(method)) return OWN[method](...(args as never[]))
  // Every method names the instance first.
  const file = files.of(args[0] as CopyName)
  const steps = stepsOf(operations, method, args)
  return COPY_METHODS[method].changes === true ? file.change(() => steps) : file.read(steps)
}

function isShared(method: CopyMethod | OwnMethod): method is CopyMethod {
  return method in COPY_METHODS
}

/** Batches of which parts are still to come, by number. */
const coming = new Map<number, ReadableStreamDefaultController<RowsPart>>()

/** Batches come with their rows, or in parts from the thread that reads rows. */
function takePart({ id, head, part, isLast }: BatchPart): void {
  // A problem behind the first part brings the head once more.
  if (head !== null && !coming.has(id)) {
    const parts = new ReadableStream<RowsPart>({ start: (batch) => void coming.set(id, batch) })
    void reply(id, () => line.enter(() => files.of(head.copy).write(head, parts))).finally(() =>
      coming.delete(id),
    )
  }
  // Parts that come after a failure are dropped.
  const batch = coming.get(id)
  if ('problem' in part) return batch?.error(defect('reading rows', causeOf(part.problem)))
  batch?.enqueue(part)
  if (isLast) batch?.close()
}

parentPort?.on('message', (call: CopyCall) => {
  if (call.method === 'listen') {
    call.port.on('message', takePart)
  } else if (call.method === 'write') {
    const { id, head, rows } = call
    void reply(id, () => line.enter(() => files.of(head.copy).write(head, onePart(rows))))
  } else {
    void reply(call.id, () => line.enter(() => answer(call)))
  }
})
