// The requests of one turn of a sync as its entry in the logs has them: the first ones, the last ones and those that
// failed, and how many there were.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { ExchangeObserver } from '../../engine/exchange/call.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isList } from '../../language/json/members.ts'
import { StepRecorder } from '../logs/step-recorder.ts'

/** Calls that are kept of each kind: a call is one request and its repetitions. */
const KEPT = 8
/** Requests in an entry. */
const MAX_STEPS = 40

export class TurnSteps {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #startedAt: number
  readonly #first: StepRecorder[] = []
  readonly #failed: StepRecorder[] = []
  readonly #last: StepRecorder[] = []
  #requests = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
    this.#startedAt = clock.monotonic()
  }

  /** Makes a call, and remembers what it sent. */
  async watch<T>(call: (observer: ExchangeObserver) => Promise<T>): Promise<T> {
    const recorder = new StepRecorder(this.#clock, this.#startedAt)
    try {
      const result = await call(recorder)
      this.#keep(recorder, null)
      return result
    } catch (error) {
      this.#keep(recorder, isConnectorError(error) ? error.code : 'internal_error')
      throw error
    }
  }

  /** Whether the turn sent anything. */
  get hasSent(): boolean {
    return this.#requests > 0
  }

  /** Of the last answer; null: there was none. */
  get lastStatus(): number | null {
    return (this.#last.at(-1) ?? this.#first.at(-1))?.lastStatus ?? null
  }

  /** Nothing where nothing was sent. */
  get shown(): JsonObject {
    if (this.#requests === 0) return {}
    const kept = new Set([...this.#first, ...this.#failed, ...this.#last])
    const all = [...kept].flatMap(({ shown: { steps } }): readonly Json[] =>
      isList(steps) ? steps : [],
    )
    const half = MAX_STEPS / 2
    const steps = all.length > MAX_STEPS ? [...all.slice(0, half), ...all.slice(-half)] : all
    const leftOut = this.#requests - steps.length
    return { steps, ...(leftOut > 0 && { steps_left_out: leftOut }) }
  }

  #keep(recorder: StepRecorder, code: string | null): void {
    recorder.end(code)
    if (recorder.count === 0) return
    this.#requests += recorder.count
    if (this.#first.length < KEPT) {
      this.#first.push(recorder)
      return
    }
    const isSmooth = code === null && recorder.count === 1
    if (!isSmooth && this.#failed.length < KEPT) this.#failed.push(recorder)
    this.#last.push(recorder)
    if (this.#last.length > KEPT) this.#last.shift()
  }
}
