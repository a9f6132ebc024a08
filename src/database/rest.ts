// Gives memory back once a thread has nothing more to do: V8 collects while memory is asked for, and not behind that.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 5_000
/** A thread that works for a smaller share of the time has nothing to do. */
const IDLE = 0.1
/** Collecting takes about a millisecond per MiB that is in use, during which the thread does nothing else. */
const MAX_USED_BYTES = 256 * 1024 * 1024

/**
 * Looks at this thread every five seconds, for as long as it lives; when it has worked and does so no longer, `release` is
 * called, and what nobody uses goes back to the system.
 */
export function restWhenIdle(release: () => void = () => {}): void {
  let last = performance.eventLoopUtilization()
  let hasWorked = false
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > IDLE) {
      hasWorked = true
    } else if (hasWorked) {
      hasWorked = false
      release()
      if (process.memoryUsage().heapUsed < MAX_USED_BYTES) collect()
    }
  }, LOOK_EVERY_MS).unref()
}

let collectGarbage: (() => void) | null = null

function collect(): void {
  if (collectGarbage === null) {
    // The only way to it in a program that was not started with the flag.
    setFlagsFromString('--expose-gc')
    collectGarbage = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collectGarbage()
}
