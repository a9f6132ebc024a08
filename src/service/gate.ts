// How many operations run at once, and whose turn is next: round robin between organisations once anybody waits.
import { ConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'

export interface GateLimits {
  /** Operations that run at once. */
  readonly running: number
  /** Operations that wait. */
  readonly waiting: number
}

export interface Gate {
  /**
   * Waits for a place; the returned function gives it back and must be called once. While anybody waits no
   * organisation holds more than half of the places.
   * Throws `overloaded` at once when the queue is full, `deadline_exceeded` when no place comes free in time, and the
   * signal's reason when aborted.
   */
  enter(organizationId: string, waitMs: number, signal: AbortSignal): Promise<() => void>
  /** A place that is free now, given back in the same way; null: `enter` waits for one. */
  take(organizationId: string): (() => void) | null
  readonly running: number
  readonly waiting: number
}

interface Waiter {
  readonly organizationId: string
  grant(): void
}

const DEFAULT_LIMITS: GateLimits = { running: 512, waiting: 256 }

/** A gate for one process. */
export function createGate(clock: Clock, limits: GateLimits = DEFAULT_LIMITS): Gate {
  const held = new Map<string, number>()
  /** By organisation, the one whose turn is next in front. */
  const queues = new Map<string, Waiter[]>()
  let running = 0
  let waiting = 0

  function take(organizationId: string): () => void {
    running++
    held.set(organizationId, (held.get(organizationId) ?? 0) + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      running--
      const rest = (held.get(organizationId) ?? 1) - 1
      if (rest === 0) held.delete(organizationId)
      else held.set(organizationId, rest)
      next()
    }
  }

  function mayTake(organizationId: string): boolean {
    if (queues.size === 0) return true
    const others = [...queues.keys()].some((id) => id !== organizationId)
    return !others || (held.get(organizationId) ?? 0) < Math.ceil(limits.running / 2)
  }

  function takeFree(organizationId: string): (() => void) | null {
    if (running >= limits.running || queues.has(organizationId)) return null
    return mayTake(organizationId) ? take(organizationId) : null
  }

  function next(): void {
    if (running >= limits.running) return
    for (const [organizationId, queue] of queues) {
      if (!mayTake(organizationId)) continue
      const waiter = queue.shift()
      queues.delete(organizationId)
      // To the end of the row: the others come first now.
      if (queue.length > 0) queues.set(organizationId, queue)
      waiter?.grant()
      return
    }
  }

  async function wait(
    organizationId: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<() => void> {
    const timer = new AbortController()
    let leave: (() => void) | null = null
    const queue = queues.get(organizationId) ?? []
    queues.set(organizationId, queue)
    waiting++
    const granted = new Promise<'granted'>((resolve) => {
      queue.push({
        organizationId,
        grant() {
          leave = take(organizationId)
          resolve('granted')
        },
      })
    })
    const own = queue.at(-1)
    try {
      await Promise.race([
        granted,
        clock.sleep(waitMs, AbortSignal.any([signal, timer.signal])).catch(() => {}),
      ])
    } finally {
      timer.abort()
      waiting--
    }
    // TypeScript cannot see that `grant` may have run.
    const taken = leave as (() => void) | null
    if (taken !== null) {
      if (!signal.aborted) return taken
      taken()
    }
    const at = own === undefined ? -1 : queue.indexOf(own)
    if (at !== -1) queue.splice(at, 1)
    if (queue.length === 0 && queues.get(organizationId) === queue) queues.delete(organizationId)
    if (signal.aborted) throw signal.reason
    throw new ConnectorError(
      'deadline_exceeded',
      'the deadline passed while other operations were running; nothing was sent',
    )
  }

  return {
    take: takeFree,
    async enter(organizationId, waitMs, signal) {
      const taken = takeFree(organizationId)
      if (taken !== null) return taken
      if (waiting >= limits.waiting) {
        throw new ConnectorError('overloaded', 'the service has too much to do; nothing was sent', {
          retryAfterMs: 1000 + Math.floor(clock.random() * 4000),
        })
      }
      return await wait(organizationId, waitMs, signal)
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}
