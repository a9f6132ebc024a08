// The deliveries of a process, again and again.
import { type Jobs, repeat } from '../repeat.ts'
import { Deliveries, type DeliveryPorts } from './deliveries.ts'

const LOOK_EVERY_MS = 1000
/** While there is much to do. */
const LOOK_AGAIN_MS = 50

/** Starts it. Any number of processes may run it: the store decides who makes which attempt. */
export function startDeliveries(ports: DeliveryPorts): Jobs {
  const deliveries = new Deliveries(ports)
  const looking = repeat(ports, {
    everyMs: LOOK_EVERY_MS,
    step: async () => ((await deliveries.round()) > 0 ? LOOK_AGAIN_MS : undefined),
    failure: 'deliveries could not be looked for; it is tried again',
  })
  return {
    get running() {
      return looking.running
    },
    async close() {
      await looking.close()
      await deliveries.close()
    },
  }
}
