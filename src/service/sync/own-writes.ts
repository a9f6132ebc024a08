// Writes through execute, brought into the copy before their answer leaves, or within moments after it.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { JobQueue } from '../../copy/sync/job-queue.ts'
import { applyOwnWrite, type ChangedRecords, type OwnWrite } from '../../copy/sync/own-write.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Emit } from '../events/emit.ts'
import type { ServiceLog } from '../log.ts'
import type { SyncPartsOf } from './sync-parts.ts'

export interface OwnWrites {
  /** Resolves when the copy has the write, at the latest after 250 ms. Never fails: the write itself has succeeded. */
  applied(
    row: InstanceRow,
    write: Omit<OwnWrite, 'instanceId'> & { readonly requestId: string },
  ): Promise<void>
  /** Lets what is under way come to its end. */
  close(): Promise<void>
}

export interface OwnWritesPorts {
  readonly partsOf: SyncPartsOf
  readonly queue: JobQueue
  readonly clock: Clock
  readonly log: ServiceLog
  readonly emit: Emit
}

/** What a caller waits for the copy. */
const WAIT_MS = 250
const LONGEST_MS = 30_000

export function createOwnWrites(ports: OwnWritesPorts): OwnWrites {
  const { partsOf, queue, clock, log, emit } = ports
  const running = new Set<Promise<void>>()
  const closing = new AbortController()

  /** A change of the copy is told as one that a sync found is. */
  async function tell(row: InstanceRow, changes: ChangedRecords, requestId: string): Promise<void> {
    try {
      for (const [entity, changed] of changes)
        if (changed > 0)
          await emit(row, 'records.changed', { entity, request_id: requestId, changed })
    } catch (error) {
      // The copy is written. Its events are of another database.
      log.warn({ connector_id: row.id, code: codeOf(error) }, 'a write could not be told')
    }
  }

  async function apply(row: InstanceRow, write: OwnWrite, requestId: string): Promise<void> {
    const entity = write.action.touches ?? write.action.entity
    const facts = { connector_id: row.id, connector_type: row.connectorType, entity }
    try {
      const { ports: parts, entities } = await partsOf(row)
      if (!entities.has(entity)) return
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LONGEST_MS)])
      const changed = await applyOwnWrite(parts, entities, write, signal)
      if (changed !== null) {
        await tell(row, changed, requestId)
        return
      }
      log.debug(facts, 'a write is brought into the copy by the next run, which is due now')
    } catch (error) {
      log.warn(
        { ...facts, code: codeOf(error) },
        'a write could not be brought into the copy; its run is due now',
      )
    }
    await queue.enqueue({ kind: 'sync', instanceId: row.id, key: entity }).catch(() => {
      log.warn(facts, 'a write is brought into the copy by the next run')
    })
  }

  return {
    async applied(row, { requestId, ...write }) {
      const work = apply(row, { ...write, instanceId: row.id }, requestId)
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

function codeOf(error: unknown): string {
  return isConnectorError(error) ? error.code : 'internal_error'
}
