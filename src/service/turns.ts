// Work that would hold up the event loop, done a little at a time: one slice in each turn of the loop, everybody in turn.
import type { Clock } from '../engine/exchange/clock.ts'

/** Works on until it is done or `isOver`; true: it is done. */
export type SlicedWork = (isOver: () => boolean) => boolean

export interface Turns {
  /** Resolves when the work is done, rejects with what it throws. `key`: on whose behalf. */
  run(key: string, work: SlicedWork): Promise<void>
}

interface Waiting {
  readonly work: SlicedWork
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const SLICE_MS = 4

/** The turns of one process. `slice` begins one and gives what says that it is over; default: after 4 ms. */
export function createTurns(clock: Clock, slice: () => () => boolean = sliceOf(clock)): Turns {
  /** By key, the one whose turn is next in front. */
  const queues = new Map<string, Waiting[]>()

  function next(): void {
    const [first] = queues
    if (first === undefined) return
    const [key, queue] = first
    const [waiting] = queue
    if (waiting !== undefined && isSettled(waiting)) queue.shift()
    queues.delete(key)
    // To the end of the row: the others come first now.
    if (queue.length > 0) queues.set(key, queue)
    if (queues.size > 0) setImmediate(next)
  }

  function isSettled({ work, resolve, reject }: Waiting): boolean {
    try {
      if (!work(slice())) return false
      resolve()
    } catch (error) {
      reject(error)
    }
    return true
  }

  return {
    run: (key, work) =>
      new Promise((resolve, reject) => {
        const waiting: Waiting = { work, resolve, reject }
        const queue = queues.get(key)
        if (queue !== undefined) queue.push(waiting)
        else if (queues.set(key, [waiting]).size === 1) setImmediate(next)
      }),
  }
}

function sliceOf(clock: Clock): () => () => boolean {
  return () => {
    const until = clock.monotonic() + SLICE_MS
    return () => clock.monotonic() >= until
  }
}
