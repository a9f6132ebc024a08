// Whether this process can hardly keep up: its event loop comes late, or its heap is nearly full.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

export interface Pressure {
  isHigh(): boolean
  close(): void
}

const LOOK_EVERY_MS = 1000
/** How often the loop's delay is measured; a loop that is on time shows this. */
const RESOLUTION_MS = 10
const MAX_HEAP_SHARE = 0.85

/** `maxLoopDelayMs`: on average within a second; 0: whatever it is. */
export function watchPressure(maxLoopDelayMs: number): Pressure {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const maxHeapBytes = Math.floor(getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE)
  let isHigh = false
  const timer = setInterval(() => {
    // Without one measurement the loop has stood for the whole time.
    const delayMs = delays.count === 0 ? Infinity : delays.mean / 1e6 - RESOLUTION_MS
    delays.reset()
    const isLate = maxLoopDelayMs > 0 && delayMs > maxLoopDelayMs
    isHigh = isLate || process.memoryUsage().heapUsed > maxHeapBytes
  }, LOOK_EVERY_MS).unref()
  return {
    isHigh: () => isHigh,
    close() {
      clearInterval(timer)
      delays.disable()
    },
  }
}
