// Taking turns within one thread.

/** Lets other work of the thread go first. */
export async function pause(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
}

/** Work in turns of so many milliseconds: `if (turns.isOver) await turns.next()`. */
export class Turns {
  readonly #ms: number
  #since: number = performance.now()

  constructor(ms: number) {
    this.#ms = ms
  }

  get isOver(): boolean {
    return performance.now() - this.#since > this.#ms
  }

  async next(): Promise<void> {
    await pause()
    this.#since = performance.now()
  }
}
