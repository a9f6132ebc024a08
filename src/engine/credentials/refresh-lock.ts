// The host's lock around a refresh, for several processes that share one single-use refresh token.
import { ConnectorError } from '../../errors.ts'

/** Runs `run` while no other process runs its own. */
export type WithRefreshLock = (run: () => Promise<void>) => Promise<unknown>

/**
 * Runs `run` once under the host's lock, whatever the lock does, and gives what became of it.
 *
 * Throws `refresh_failed` when the lock fails before `run` was called: nothing was done then. A lock that fails
 * afterwards changes nothing: the work is done. A lock that never calls `run` is a TypeError.
 */
export async function runLocked(
  withLock: WithRefreshLock,
  run: () => Promise<void>,
): Promise<void> {
  // The assertion keeps the compiler from believing that only this line assigns.
  let running = null as Promise<void> | null
  try {
    await withLock(() => {
      running ??= run()
      running.catch(() => {}) // heard below, also when the lock does not wait for it
      return running
    })
  } catch (cause) {
    if (running === null) {
      throw new ConnectorError(
        'refresh_failed',
        'the lock around a refresh could not be had; nothing was sent',
        { cause },
      )
    }
    // Either the failure of the work, which comes now, or that of giving the lock back.
  }
  if (running === null)
    throw new TypeError('withRefreshLock must call the function that it is given')
  await running
}
