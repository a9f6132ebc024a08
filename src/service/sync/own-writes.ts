// Writes through execute, brought into the copy before their answer leaves, or within moments after it.
import type { JobQueue } from '../jobs/store-queue.ts'
import type { ChangedRecords } from '../../copy/sync/one-record.ts'
import { applyOwnWrite, type OwnWrite } from '../../copy/sync/own-write.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { ServiceBase } from '../base.ts'
import { codeOf } from '../log.ts'
import { within } from '../within.ts'
import { syncOf } from './sync-jobs.ts'
import type { SyncPartsOf } from './sync-parts.ts'
import type { TellChanged } from './tell-changed.ts'

export interface OwnWritesPorts extends Pick<ServiceBase, 'clock' | 'log'> {
  readonly partsOf: SyncPartsOf
  readonly queue: JobQueue
  readonly tellChanged: TellChanged
}

/** What a caller waits for the copy. */
const WAIT_MS = 250
const MAX_MS = 30_000

export class OwnWrites {
  readonly #ports: OwnWritesPorts
  readonly #running = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  constructor(ports: OwnWritesPorts) {
    this.#ports = ports
  }

  /** Resolves when the copy has the write, at the latest after 250 ms. Never fails: the write itself has succeeded. */
  async applied(
    row: InstanceRow,
    { requestId, ...write }: Omit<OwnWrite, 'instanceId'> & { readonly requestId: string },
  ): Promise<void> {
    const work = this.#apply(row, { ...write, instanceId: row.id }, requestId)
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
    await within(this.#ports.clock, WAIT_MS, work)
  }

  /** Lets what is under way come to its end. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }

  async #apply(row: InstanceRow, write: OwnWrite, requestId: string): Promise<void> {
    const { partsOf, queue, log } = this.#ports
    const entity = write.action.touches ?? write.action.entity
    const facts = { connector_id: row.id, connector_type: row.connectorType, entity }
    try {
      const { ports: parts, entities } = await partsOf(row)
      if (!entities.has(entity)) return
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(MAX_MS)])
      const changed = await applyOwnWrite(parts, entities, write, signal)
      if (changed !== null) {
        await this.#tell(row, changed, requestId)
        return
      }
      log.debug(facts, 'a write reaches the copy with the next run, which is due now')
    } catch (error) {
      log.warn(
        { ...facts, code: codeOf(error) },
        'a write could not be written to the copy; a run is due now',
      )
    }
    await queue.enqueue(syncOf(row.id, entity)).catch(() => {
      log.warn(facts, 'a write reaches the copy with the next run')
    })
  }

  /** A change of the copy is told as one that a sync found is. */
  async #tell(row: InstanceRow, changes: ChangedRecords, requestId: string): Promise<void> {
    const { tellChanged, log } = this.#ports
    try {
      for (const [entity, changed] of changes)
        if (changed > 0) await tellChanged(row, entity, { request_id: requestId, changed })
    } catch (error) {
      // The copy is written. Its events are of another database.
      log.warn({ connector_id: row.id, code: codeOf(error) }, 'a write event could not be stored')
    }
  }
}
