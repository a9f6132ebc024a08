// The near end of the workshop's thread: it starts with the first call, and each call has a bound.
import { Thread } from '../../database/thread.ts'
import { causeOf } from '../../database/thread-cause.ts'
import { ConnectorError } from '../../errors.ts'
import { workshopThread } from '../../late-modules.ts'
import type { WorkshopCalls, WorkshopMethod, WorkshopReply } from './workshop-call.ts'

/** Behind the call under way; each keystroke asks, and only the last one matters. */
const MAX_WAITING = 8

export class WorkshopThread {
  readonly #maxMs: number
  #thread: Thread<WorkshopReply, unknown> | null = null
  #waiting = 0

  /** A call that takes longer ends with its thread. */
  constructor(maxMs: number) {
    this.#maxMs = maxMs
  }

  /** Throws `request_malformed` for what the author gave, `overloaded` where too many wait or it takes too long. */
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
    const timer = setTimeout(() => void this.#end(thread, tooLong(this.#maxMs)), this.#maxMs)
    try {
      thread.post({ id, method, given })
      return (await answer) as WorkshopCalls[K]['answer']
    } finally {
      clearTimeout(timer)
      this.#waiting -= 1
    }
  }

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
      data: null,
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
  const detail = reply.refused
  throw new ConnectorError('request_malformed', detail, {
    errors: [{ pointer: '/text', code: 'document', detail }],
  })
}

function tooLong(maxMs: number): ConnectorError {
  return new ConnectorError(
    'overloaded',
    `this draft takes longer than ${maxMs / 1_000} s; split it, or use the command line`,
  )
}
