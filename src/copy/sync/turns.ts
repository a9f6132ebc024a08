// Long work gives way to what waits.
import { setImmediate } from 'node:timers/promises'

/** Lets everything else that is ready go first. */
export async function pauseForOthers(): Promise<void> {
  await setImmediate()
}
