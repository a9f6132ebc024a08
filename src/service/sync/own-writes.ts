// Writes through execute, brought into the copy before their answer leaves, or within moments after it.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../exchange/clock.ts'
import type { JobQueue } from '../../sync/job-queue.ts'
import { applyOwnWrite, type OwnWrite } from '../../sync/own-write.ts'
import type { InstanceRow } from '../../store/store.ts'
import type { ServiceLog } from '../log.ts'
import type { SyncPartsOf } from './sync-parts.ts'

export interface OwnWrites {
  /** Resolves when the copy has the write, at the latest after 250 ms. Never fails: the write itself has succeeded. */
  applied(row: InstanceRow, write: Omit<OwnWrite, 'instanceId'>): Promise<void>
  /** Lets what is under way come to its end. */
  close(): Promise<void>
}

export interface OwnWritesPorts {
  readonly partsOf: SyncPartsOf
  readonly queue: JobQueue
  readonly clock: Clock
  readonly log: ServiceLog
}

/** What a caller waits for the copy. */
const WAIT_MS = 250
const LONGEST_MS = 30_000

export function createOwnWrites({ partsOf, queue, clock, log }: OwnWritesPorts): OwnWrites {
  const running = new Set<Promise<void>>()
  const closing = new AbortController()

  async function apply(row: InstanceRow, write: OwnWrite): Promise<void> {
    const entity = write.action.touches ?? write.action.entity
    const facts = { connector_id: row.id, connector_type: row.connectorType, entity }
    try {
      const { ports, entities } = await partsOf(row)
      if (!entities.has(entity)) return
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LONGEST_MS)])
      if (await applyOwnWrite(ports, entities, write, signal)) return
      log.debug(facts, 'a write is brought into the copy by the next run, which is due now')
    } catch (error) {
      const code = isConnectorError(error) ? error.code : 'internal_error'
      log.warn({ ...facts, code }, 'a write could not be brought into the copy; its run is due now')
    }
    await queue.enqueue({ kind: 'sync', instanceId: row.id, key: entity }).catch(() => {
      log.warn(facts, 'a write is brought into the copy by the next run')
    })
  }

  return {
    async applied(row, write) {
      const work = apply(row, { ...write, instanceId: row.id })
      running.add(work)
      void work.finally(() => running.delete(work))
      const timer = new AbortController()
      await Promise.race([work, clock.sleep(WAIT_MS, timer.signal).catch(() => {})])
      timer.abort()
    },
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}
