// What ends a call before its answer is complete: its caller, its time, or the end of the client.
import { ConnectorError } from '../../errors.ts'

export class Stop {
  readonly #controller = new AbortController()
  readonly #given: AbortSignal | undefined
  readonly #open: Set<Stop>
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Why the call has ended; null: it goes on, or ended otherwise. */
  error: ConnectorError | null = null

  /** `open`: the calls under way, of which it is one until it is released. */
  constructor(given: AbortSignal | undefined, open: Set<Stop>) {
    this.#given = given
    this.#open = open
    open.add(this)
    if (given?.aborted === true) this.#aborted()
    else given?.addEventListener('abort', this.#aborted, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(error: ConnectorError): void {
    if (this.error !== null) return
    this.error = error
    this.#controller.abort(error)
  }

  /** Ends the call with this error, unless something else is said within the time. */
  within(ms: number, error: () => ConnectorError): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.end(error()), ms)
  }

  /** The call is over: nothing ends it any more. */
  release(): void {
    clearTimeout(this.#timer)
    this.#given?.removeEventListener('abort', this.#aborted)
    this.#open.delete(this)
  }

  readonly #aborted = (): void =>
    this.end(new ConnectorError('aborted', 'The call was aborted', { cause: this.#given?.reason }))
}
