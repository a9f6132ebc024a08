// So many at once, the others in the order of asking: each may keep a file open.

export class Line {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  /** Does the work once there is a place for it. */
  async enter<T>(work: () => T): Promise<Awaited<T>> {
    if (this.#free > 0) this.#free--
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    try {
      return await work()
    } finally {
      // The place goes from hand to hand.
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
