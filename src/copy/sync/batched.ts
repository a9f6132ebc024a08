// Reading goes on while what was read is being written, up to a limit.

export interface BatchLimits<T> {
  /** How much of the room an item takes. */
  readonly sizeOf: (item: T) => number
  /** Reading waits while as much as this is waiting itself. */
  readonly room: number
}

/**
 * The items of a source in order, as many at once as have arrived since the last ones were asked for: one at a time
 * from a slow source, and many from a fast one. Nothing is ever held back to make a batch larger.
 *
 * What reading fails with is thrown after all that was read before has been given. A consumer that leaves early does not
 * wait for what is being read.
 */
export async function* batched<T>(
  source: AsyncIterable<T>,
  { sizeOf, room }: BatchLimits<T>,
): AsyncGenerator<readonly T[], void, undefined> {
  const state = { waiting: [] as T[], size: 0, end: null as End | null, isLeft: false }
  const arrived = createBell()
  const taken = createBell()

  async function readAhead(): Promise<void> {
    try {
      for await (const item of source) {
        state.waiting.push(item)
        state.size += sizeOf(item)
        arrived.ring()
        while (state.size >= room && !state.isLeft) await taken.heard()
        if (state.isLeft) return
      }
      state.end = 'reached'
    } catch (error) {
      state.end = { error }
    }
    arrived.ring()
  }

  void readAhead()
  try {
    for (;;) {
      while (state.waiting.length === 0 && state.end === null) await arrived.heard()
      const { waiting, end } = state
      state.waiting = []
      state.size = 0
      taken.ring()
      if (waiting.length > 0) yield waiting
      else if (end === 'reached') return
      else if (end !== null) throw end.error
    }
  } finally {
    state.isLeft = true
    taken.ring()
  }
}

type End = { readonly error: unknown } | 'reached'

/** Wakes the one that waits for it, or the next one that will. */
function createBell(): { readonly ring: () => void; readonly heard: () => Promise<void> } {
  let next = Promise.withResolvers<void>()
  return {
    ring: () => next.resolve(),
    async heard() {
      await next.promise
      next = Promise.withResolvers()
    },
  }
}
