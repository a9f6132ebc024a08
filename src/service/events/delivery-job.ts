// The loop around the deliveries of a process.
import { isConnectorError } from '../../errors.ts'
import type { Jobs } from '../jobs.ts'
import { createDeliveries, type DeliveryPorts } from './deliveries.ts'

const LOOK_EVERY_MS = 1000
/** While there is much to do. */
const LOOK_AGAIN_MS = 50

/** Starts it. Any number of processes may run it: the store decides who makes which attempt. */
export function startDeliveries(ports: DeliveryPorts): Jobs {
  const stopped = new AbortController()
  const deliveries = createDeliveries(ports)

  async function look(): Promise<void> {
    while (!stopped.signal.aborted) {
      let started = 0
      try {
        started = await deliveries.round()
      } catch (error) {
        ports.log.warn(
          {
            code: isConnectorError(error) ? error.code : 'internal_error',
            reason: error instanceof Error ? error.message : String(error),
          },
          'deliveries could not be looked for; it is tried again',
        )
      }
      const ms = started > 0 ? LOOK_AGAIN_MS : LOOK_EVERY_MS
      await ports.clock
        .sleep(ms * (0.9 + 0.2 * ports.clock.random()), stopped.signal)
        .catch(() => {})
    }
  }

  const looking = look()
  return {
    get running() {
      return !stopped.signal.aborted
    },
    async close() {
      stopped.abort()
      await looking
      await deliveries.close()
    },
  }
}
