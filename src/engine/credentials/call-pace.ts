// How often credentials are asked for: what is seldom used is renewed earlier, so that calls seldom wait.

/** The time between the last two calls of one keeper, in milliseconds; 0 before there were two. */
export class CallPace {
  #lastAt: number | null = null
  #gapMs = 0

  get gapMs(): number {
    return this.#gapMs
  }

  /** Counts a call at `now`, in monotonic milliseconds. */
  count(now: number): void {
    this.#gapMs = this.#gapSince(now)
    this.#lastAt = now
  }

  /** Counts a call only if `attempt` gives something; the attempt sees the gap as if it counted. */
  countIf<T>(now: number, attempt: () => T | null): T | null {
    const before = this.#gapMs
    this.#gapMs = this.#gapSince(now)
    const given = attempt()
    if (given === null) this.#gapMs = before
    else this.#lastAt = now
    return given
  }

  #gapSince(now: number): number {
    return this.#lastAt === null ? 0 : now - this.#lastAt
  }
}
