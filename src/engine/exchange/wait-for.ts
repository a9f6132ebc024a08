// A caller's patience with work that is not its own.
import { ConnectorError } from '../../errors.ts'
import { aborted } from './call.ts'
import type { Clock } from './clock.ts'

/** How long a caller can wait, and what is said when that is over. */
export interface Patience {
  readonly clock: Clock
  /** In monotonic milliseconds. */
  readonly deadline: number
  readonly signal: AbortSignal | undefined
  readonly late: string
}

/**
 * The result of `work`, as long as the caller can wait; the work does not notice when it gives up.
 *
 * Throws what the work throws, `deadline_exceeded`, or `aborted` with the signal's reason as its cause.
 */
export async function waitFor<T>(
  work: Promise<T>,
  { clock, deadline, signal, late }: Patience,
): Promise<T> {
  const leave = new AbortController()
  const either = signal === undefined ? leave.signal : AbortSignal.any([leave.signal, signal])
  const patience = clock.sleep(Math.max(0, deadline - clock.monotonic()), either).then(
    () => {
      throw new ConnectorError('deadline_exceeded', late)
    },
    (cause: unknown) => {
      throw aborted(cause, 'not_applied')
    },
  )
  try {
    return await Promise.race([work, patience])
  } finally {
    // Ends the timer; the rejection that follows was not waited for by anybody.
    patience.catch(() => {})
    leave.abort()
  }
}
