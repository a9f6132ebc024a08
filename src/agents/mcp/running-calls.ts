// Calls under way over HTTP, so that they can be cancelled. In the era of 2025 a client cancels by a request of its own,
// which knows the call by its session and number only; where each request is on its own, the session is a mere label.

/** Who calls, and in which session. */
export interface CallerLabel {
  readonly token: string
  readonly session: string | null
}

export class RunningCalls {
  readonly #running = new Map<string, AbortController>()

  /** Aborted when the caller cancels this call in this process. Ends with what it is for, by `end`. */
  begin(caller: CallerLabel, id: string | number): { readonly signal: AbortSignal; end(): void } {
    const controller = new AbortController()
    const key = keyOf(caller, id)
    if (key === null) return { signal: controller.signal, end: () => {} }
    this.#running.set(key, controller)
    return {
      signal: controller.signal,
      end: () => {
        if (this.#running.get(key) === controller) this.#running.delete(key)
      },
    }
  }

  /** A call that has ended, or runs elsewhere, is left alone. */
  cancel(caller: CallerLabel, id: string | number): void {
    const key = keyOf(caller, id)
    if (key !== null) this.#running.get(key)?.abort()
  }
}

/** Null: without a session, calls of several clients with one token would have one number. */
function keyOf({ token, session }: CallerLabel, id: string | number): string | null {
  return session === null ? null : JSON.stringify([token, session, id])
}
