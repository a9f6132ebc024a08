// The thread that searches SQLite files, on connections of its own: no search waits for what is written meanwhile.
import { parentPort, workerData } from 'node:worker_threads'

import { fileShare } from '../../database/descriptors.ts'
import { restWhenIdle } from '../../database/rest.ts'
import type { InstanceCopies, SearchReply, SearchRequest } from '../search/search-index.ts'
import { type SearchCall, type SearchMethod, reply } from './copy-call.ts'
import { answerSearch, readCopies } from '../sql/copy-operations.ts'
import { Line, OpenFiles } from './open-files.ts'
import { SQLITE_DIALECT } from './sqlite-schema.ts'
import { NoCopies, SqliteSnapshots } from './sqlite-snapshots.ts'
import type { SqlSteps } from '../sql/sql.ts'
import { Vocabularies } from '../sql/vocabulary.ts'

// Given by the thread that starts this one.
const { folder, run } = workerData as { readonly folder: string; readonly run: number | null }

const files = new OpenFiles({ folder, run, open: (path) => new SqliteSnapshots(path) })
restWhenIdle(() => files.rest())
/** What is searched cannot be closed. */
const line = new Line(fileShare().files)
const vocabularies = new Vocabularies()

/** `none`: where there is no file. */
async function read<T>(
  name: { readonly instanceId: string },
  none: T,
  steps: () => SqlSteps<T>,
): Promise<T> {
  try {
    return await line.enter(() => files.read(name, (file) => file.read(steps())))
  } catch (error) {
    if (error instanceof NoCopies) return none
    throw error
  }
}

type Handler = (...args: never[]) => unknown

const HANDLERS: Readonly<Record<SearchMethod, Handler>> = {
  search: async (request: SearchRequest) => {
    const started = performance.now()
    const elapsedMs = (): number => performance.now() - started
    const task = { ...request, dialect: SQLITE_DIALECT, vocabularies, elapsedMs }
    return await read<SearchReply>(request, { kind: 'moved' }, () => answerSearch(task))
  },
  copies: (name: InstanceCopies) => read(name, [], () => readCopies(name)),
  forget: async (instanceId: string) => {
    vocabularies.forget(instanceId)
    await files.close(instanceId)
  },
  close: () => files.closeAll(),
}

parentPort?.on('message', ({ id, method, args }: SearchCall) => {
  // The port's types stand on the other side of the thread.
  void reply(id, () => HANDLERS[method](...(args as never[])))
})
