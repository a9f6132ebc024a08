// Failures on demand: what a test wants to go wrong, how often, and before or after the request took effect.

/**
 * One way to fail. `status`, `rate-limited`, `html`, `reset` and `hang` come instead of the effect; with
 * `-after-apply` the effect has happened and only the answer is lost. `delay`, `malformed` and `cut` come with
 * the real answer.
 */
export type FaultMode =
  | 'status'
  | 'status-after-apply'
  | 'rate-limited'
  | 'html'
  | 'reset'
  | 'reset-after-apply'
  | 'hang'
  | 'hang-after-apply'
  | 'delay'
  | 'malformed'
  | 'cut'

export interface Fault {
  readonly mode: FaultMode
  /** How many requests fail; default 1. */
  readonly times?: number
  /** How many requests pass before; default 0. */
  readonly skip?: number
  /** For `status` and `html`; default 503, for `html` 200. */
  readonly status?: number
  /** For `status`: the body, else the vendor's own error body. */
  readonly body?: string
  /** Further headers of `status` and `rate-limited`. */
  readonly headers?: Readonly<Record<string, string>>
  /** For `rate-limited`: seconds, or the text of the header; default 1. */
  readonly retryAfter?: number | string
  /** For `delay`, in milliseconds; default 100. */
  readonly delayMs?: number
  /** For `cut`: how many bytes of the body arrive; default half of them. */
  readonly bytes?: number
}

interface Planned {
  readonly operation: string
  readonly fault: Fault
  skip: number
  left: number
}

export class FaultPlan {
  #planned: Planned[] = []

  /** `operation`: `issues.create`, `oauth.token`, `file`, `check`, or `*` for every request. */
  add(operation: string, fault: Fault): void {
    this.#planned.push({ operation, fault, skip: fault.skip ?? 0, left: fault.times ?? 1 })
  }

  /** The failure of a request that may be any of these operations; null when it passes. Counts it. */
  take(operations: readonly string[]): Fault | null {
    for (const plan of this.#planned) {
      if (plan.operation !== '*' && !operations.includes(plan.operation)) continue
      if (plan.left <= 0) continue
      if (plan.skip > 0) {
        plan.skip--
        continue
      }
      plan.left--
      return plan.fault
    }
    return null
  }
}
