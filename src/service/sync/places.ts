// Places that are taken, waited for in order, and given back.

/** Waits for a place; the function gives it back. Throws the signal's reason when aborted while waiting. */
export type Places = (signal: AbortSignal) => Promise<() => void>

export function createPlaces(count: number): Places {
  let free = count
  const waiting: (() => void)[] = []

  function leave(): void {
    const next = waiting.shift()
    // The place goes from hand to hand, so that a newcomer never overtakes the queue.
    if (next === undefined) free++
    else next()
  }

  return async (signal) => {
    signal.throwIfAborted()
    if (free > 0) free--
    else
      await new Promise<void>((resolve, reject) => {
        const granted = (): void => {
          signal.removeEventListener('abort', left)
          resolve()
        }
        const left = (): void => {
          const at = waiting.indexOf(granted)
          if (at >= 0) waiting.splice(at, 1)
          reject(signal.reason as Error)
        }
        waiting.push(granted)
        signal.addEventListener('abort', left, { once: true })
      })
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      leave()
    }
  }
}
