// The near end of the workshop's thread: it starts with the first call, and each call has a bound. A call that takes longer
// ends with its thread.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Thread } from '../../database/thread.ts'
import { causeOf } from '../../database/thread-cause.ts'
import { ConnectorError } from '../../errors.ts'
import type { LoadResult } from '../../language/manifest/compiled.ts'
import { deepFreeze } from '../../language/manifest/freeze.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { workshopThread } from '../../late-modules.ts'
import type { ManifestReader } from '../../service/manifests/manifest-reader.ts'
import type { WorkshopCalls, WorkshopData, WorkshopMethod, WorkshopReply } from './workshop-call.ts'

/** A bundle in the form of CommonJS may not say where it is. */
const HERE =
  (import.meta.url as string | undefined) ?? pathToFileURL(join(process.cwd(), 'host')).href
/** Behind the call under way; each keystroke asks, and only the last one matters. */
const MAX_WAITING = 8

/** For one call, those before it included. */
const MAX_MS = 60_000

export class WorkshopThread implements ManifestReader {
  #thread: Thread<WorkshopReply, unknown> | null = null
  #waiting = 0

  /** Throws what is wrong with what the author gave, and `overloaded` where too many wait or it takes too long. */
  async call<K extends WorkshopMethod>(
    method: K,
    given: WorkshopCalls[K]['given'],
  ): Promise<WorkshopCalls[K]['answer']> {
    if (this.#waiting > MAX_WAITING)
      throw new ConnectorError('overloaded', 'the workshop is busy with other drafts', {
        retryAfterMs: 1_000,
      })
    const thread = (this.#thread ??= this.#start())
    this.#waiting += 1
    const { id, answer } = thread.expect()
    const timer = setTimeout(() => void this.#end(thread, tooLong()), MAX_MS)
    try {
      thread.post({ id, method, given })
      return (await answer) as WorkshopCalls[K]['answer']
    } finally {
      clearTimeout(timer)
      this.#waiting -= 1
    }
  }

  async load(text: string): Promise<LoadResult> {
    const { problems, compiled } = await this.call('compile', { text })
    // As `tenon compile` writes it, and by the same program.
    const manifest = compiled === null ? null : deepFreeze(JSON.parse(compiled) as Manifest)
    return { manifest, problems }
  }

  compare: ManifestReader['compare'] = (before, after) => this.call('compare', { before, after })

  async close(): Promise<void> {
    if (this.#thread !== null)
      await this.#end(this.#thread, new ConnectorError('overloaded', 'the service is closing'))
  }

  async #end(thread: Thread<WorkshopReply, unknown>, failure: Error): Promise<void> {
    if (this.#thread === thread) this.#thread = null
    await thread.terminate(failure)
  }

  #start(): Thread<WorkshopReply, unknown> {
    const thread: Thread<WorkshopReply, unknown> = new Thread<WorkshopReply, unknown>({
      program: workshopThread(),
      data: { packagesFrom: HERE } satisfies WorkshopData,
      holdsProcess: false,
      read: answerIn,
      failure: (cause) => cause,
      onEnd: () => {
        if (this.#thread === thread) this.#thread = null
      },
    })
    return thread
  }
}

function answerIn(reply: WorkshopReply): unknown {
  if ('answer' in reply) return reply.answer
  if ('failure' in reply) throw causeOf(reply.failure)
  const { code, message, ...facts } = reply.refused
  throw new ConnectorError(code, message, facts)
}

function tooLong(): ConnectorError {
  return new ConnectorError(
    'overloaded',
    `this draft takes longer than ${MAX_MS / 1_000} s; split it, or use the command line`,
  )
}
