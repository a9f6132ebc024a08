// Reading goes on while what was read is being written, up to a limit.

/**
 * The items of a source in order, as many at once as have arrived since the last ones were asked for: one at a time
 * from a slow source, and many from a fast one. Nothing is ever held back to make a batch larger. `sizeOf`: how much of
 * the room an item takes; reading waits while as much as `room` is waiting itself.
 *
 * What reading fails with is thrown after all that was read before has been given. A consumer that leaves early does not
 * wait for what is being read.
 */
export async function* batched<T>(
  source: AsyncIterable<T>,
  { sizeOf, room }: { readonly sizeOf: (item: T) => number; readonly room: number },
): AsyncGenerator<readonly T[], void, undefined> {
  const state = { waiting: [] as T[], size: 0, isOver: false, isLeft: false }
  let moved = Promise.withResolvers<void>()
  const move = (): void => {
    moved.resolve()
    moved = Promise.withResolvers()
  }

  async function readAhead(): Promise<void> {
    for await (const item of source) {
      state.waiting.push(item)
      state.size += sizeOf(item)
      move()
      while (state.size >= room && !state.isLeft) await moved.promise
      if (state.isLeft) return
    }
  }

  const reading = readAhead().finally(() => {
    state.isOver = true
    move()
  })
  // What it fails with is thrown below.
  reading.catch(() => {})
  try {
    for (;;) {
      while (state.waiting.length === 0 && !state.isOver) await moved.promise
      const { waiting } = state
      if (waiting.length === 0) return await reading
      state.waiting = []
      state.size = 0
      move()
      yield waiting
    }
  } finally {
    state.isLeft = true
    move()
  }
}
