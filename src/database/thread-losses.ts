// Threads that end and are started again: at once would let what ends them take a core.

/** The first pause; twice as long each time, up to the longest. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** After so long without a loss the counting begins anew. */
const CALM_MS = 600_000

/** How long to wait before the next thread. Times are those of a clock that never goes back, in milliseconds. */
export class ThreadLosses {
  private count = 0
  private lastMs = -Infinity

  /** A thread has ended. Gives the pause that follows. */
  note(atMs: number): number {
    this.count = atMs - this.lastMs > CALM_MS ? 1 : this.count + 1
    this.lastMs = atMs
    return this.pauseMs
  }

  /** Whether another one may be started. */
  isOver(nowMs: number): boolean {
    return nowMs >= this.lastMs + this.pauseMs
  }

  private get pauseMs(): number {
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.count - 1))
  }
}
