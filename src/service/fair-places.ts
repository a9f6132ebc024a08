// Places for what runs at once in this process: organisations take turns once anybody waits.
import type { Clock } from '../engine/exchange/clock.ts'
import { Sweep } from '../engine/exchange/sweep.ts'
import { WaitingLine } from '../engine/exchange/waiting-line.ts'

/** What one organisation holds, and what of it waits, in the order of its turns. */
export interface Share {
  running: number
  readonly waiting: WaitingLine
}

export interface FairPlacesOptions {
  readonly count: number
  /** Of them for one organisation; half of all while others wait. */
  readonly ofOne: number
  /** For what waited until its deadline. */
  readonly tooLate: () => Error
}

/** Beyond that, those that rest are forgotten. */
const MAX_KNOWN = 1_000

export class FairPlaces {
  readonly #options: FairPlacesOptions
  readonly #shares = new Map<string, Share>()
  /** Those for which something waits, the one whose turn is next in front. */
  readonly #line = new Set<Share>()
  readonly #sweep: Sweep
  #running = 0

  constructor(clock: Clock, options: FairPlacesOptions) {
    this.#options = options
    this.#sweep = new Sweep(clock, (now) => {
      const lines = [...this.#line].map(({ waiting }) => waiting)
      for (const line of lines)
        line.refuse((deadline) => (deadline <= now ? options.tooLate() : null))
      return Math.min(...lines.map(({ nextDeadline }) => nextDeadline))
    })
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return [...this.#line].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  shareOf(organizationId: string): Share {
    const known = this.#shares.get(organizationId)
    if (known !== undefined) return known
    for (const [id, { running, waiting }] of this.#shares) {
      if (this.#shares.size < MAX_KNOWN) break
      if (running === 0 && waiting.length === 0) this.#shares.delete(id)
    }
    const share: Share = { running: 0, waiting: new WaitingLine(() => this.#leaveLine(share)) }
    this.#shares.set(organizationId, share)
    return share
  }

  /** How many places an organisation may have now. */
  placesOf(share: Share): number {
    const { count, ofOne } = this.#options
    const othersWait = this.#line.size > (this.#line.has(share) ? 1 : 0)
    return othersWait ? Math.min(ofOne, Math.ceil(count / 2)) : ofOne
  }

  /** False: none is free now, or others of the organisation come first. */
  take(share: Share): boolean {
    if (share.waiting.length > 0 || !this.#mayRun(share)) return false
    this.#begin(share)
    return true
  }

  /** Waits for a place until a time in monotonic milliseconds. Throws `tooLate`, and the signal's reason when aborted. */
  async wait(share: Share, deadline: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const turn = share.waiting.join(deadline, signal)
    this.#line.add(share)
    this.#sweep.by(deadline)
    await turn
  }

  /** Gives a place back. */
  leave(share: Share): void {
    this.#running--
    share.running--
    for (const next of this.#line) {
      if (!this.#mayRun(next)) continue
      this.#begin(next)
      next.waiting.grant()
      // To the end of the line: the others come first now.
      if (this.#line.delete(next)) this.#line.add(next)
    }
  }

  #mayRun(share: Share): boolean {
    return this.#running < this.#options.count && share.running < this.placesOf(share)
  }

  #begin(share: Share): void {
    this.#running++
    share.running++
  }

  #leaveLine(share: Share): void {
    this.#line.delete(share)
    if (this.#line.size === 0) this.#sweep.end()
  }
}
