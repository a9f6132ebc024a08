// The place of a turn among those that its process does at once: it is given to another turn while this one only waits.
import type { ExchangeObserver } from '../../engine/exchange/call.ts'

/** Gives the place away; the function that it returns takes it back. */
export type Rest = () => () => void

/** A shorter wait is over before another turn could do something with the place. */
const MOMENT_MS = 1_000

const KEEPS: Rest = () => () => {}

/** Knows of all calls of a turn which of them wait: for a limit of the third party, or before a repetition. */
export class TurnPlace {
  readonly #rest: Rest
  #calls = 0
  #waiting = 0
  #takeBack: (() => void) | null = null

  constructor(rest: Rest = KEEPS) {
    this.#rest = rest
  }

  /** One more call is under way, until the returned function is called. */
  begin(): () => void {
    this.#calls++
    this.#settle()
    return () => {
      this.#calls--
      this.#settle()
    }
  }

  /** A call waits until this is over. `ms`: how long that is; left out: nobody knows. */
  async during<T>(wait: Promise<T>, ms: number = Number.POSITIVE_INFINITY): Promise<T> {
    if (ms <= MOMENT_MS) return await wait
    const end = this.#wait()
    try {
      return await wait
    } finally {
      end()
    }
  }

  /** Makes a call that waits from when a repetition is announced until it is sent. `seen` is told of it as well. */
  async watch<T>(
    seen: ExchangeObserver | undefined,
    call: (observer: ExchangeObserver) => Promise<T>,
  ): Promise<T> {
    let end: (() => void) | null = null
    const goOn = (): void => {
      end?.()
      end = null
    }
    try {
      return await call({
        request(...sent) {
          goOn()
          seen?.request?.(...sent)
        },
        response: (...answer) => seen?.response?.(...answer),
        retry: (attempt, waitMs, ...why) => {
          if (waitMs > MOMENT_MS) end ??= this.#wait()
          seen?.retry?.(attempt, waitMs, ...why)
        },
      })
    } finally {
      goOn()
    }
  }

  #wait(): () => void {
    this.#waiting++
    this.#settle()
    return () => {
      this.#waiting--
      this.#settle()
    }
  }

  #settle(): void {
    const isWaiting = this.#waiting > 0 && this.#waiting === this.#calls
    if (isWaiting) this.#takeBack ??= this.#rest()
    else {
      this.#takeBack?.()
      this.#takeBack = null
    }
  }
}
