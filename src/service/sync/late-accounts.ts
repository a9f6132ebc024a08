// Which accounts have a copy that is late although it does not fail: no process has read it when it was due.
import type { SyncedEntity } from '../../copy/sync/synced-entity.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { ServiceBase } from '../base.ts'
import type { Catalogue } from '../catalogue.ts'
import type { SyncedInstance } from '../store/instances.ts'
import { type OverdueJob, SYNC_JOB } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import { isOverdue } from './lateness.ts'
import { entitiesOf } from './sync-parts.ts'
import { isSynchronizing, MIN_INTERVAL_SECONDS, settingOf } from './sync-settings.ts'

export interface LateAccountsPorts extends Pick<ServiceBase, 'clock'> {
  readonly store: Pick<Store, 'instances' | 'jobs'>
  readonly catalogue: Pick<Catalogue, 'ofMajor' | 'majors'>
  readonly syncIntervalSeconds: number
}

/** Those that have been due longest: more than 10,000 accounts have, while nothing is read at all. */
const MAX_JOBS = 100_000
/** What was found is good for so long, and for so many times as long as it took to find it. */
const MIN_FRESH_MS = 1_000
const REST = 20

export class LateAccounts {
  readonly #ports: LateAccountsPorts
  #finding: Promise<readonly string[]> | null = null
  #freshUntilMs = 0

  constructor(ports: LateAccountsPorts) {
    this.#ports = ports
  }

  /** Their ids, of every owner. They were found a moment ago at most; longer ago where there are very many. */
  overdue(): Promise<readonly string[]> {
    const { clock } = this.#ports
    if (this.#finding !== null && clock.monotonic() < this.#freshUntilMs) return this.#finding
    const beganMs = clock.monotonic()
    this.#freshUntilMs = Number.POSITIVE_INFINITY
    const finding = this.#find().finally(() => {
      const nowMs = clock.monotonic()
      this.#freshUntilMs = nowMs + Math.max(MIN_FRESH_MS, REST * (nowMs - beganMs))
    })
    finding.catch(() => {
      this.#finding = null
    })
    this.#finding = finding
    return finding
  }

  async #find(): Promise<readonly string[]> {
    const { store } = this.#ports
    const jobs = Map.groupBy(
      await store.jobs.overdue({ forMs: this.#minIntervalMs(), limit: MAX_JOBS }),
      ({ instanceId }) => instanceId,
    )
    const rows = await store.instances.synced([...jobs.keys()])
    return rows.filter((row) => this.#isLate(row, jobs.get(row.id) ?? [])).map(({ id }) => id)
  }

  /** What is due for a shorter time is late nowhere. */
  #minIntervalMs(): number {
    const proposed = this.#ports.catalogue.majors.flatMap((manifest) =>
      [...entitiesOf(manifest).values()].flatMap(({ sync: { everyMs } }) => everyMs ?? []),
    )
    return Math.min(MIN_INTERVAL_SECONDS * 1000, ...proposed)
  }

  #isLate(row: SyncedInstance, jobs: readonly OverdueJob[]): boolean {
    if (!isSynchronizing(row)) return false
    const manifest = this.#manifestOf(row)
    if (manifest === undefined) return false
    const entities = entitiesOf(manifest)
    return jobs.some(({ kind, key, overdueMs }) => {
      // Before its plan was made every entity is due with that.
      const due = kind === SYNC_JOB ? [entities.get(key)] : [...entities.values()]
      return due.some(
        (entity) =>
          entity !== undefined &&
          isOverdue(overdueMs, this.#settingOf(row, entity).intervalMs) &&
          this.#isKept(row, entity, entities),
      )
    })
  }

  /** What is read below an entity that is paused waits for that, and is not late. */
  #isKept(
    row: SyncedInstance,
    entity: SyncedEntity,
    entities: ReadonlyMap<string, SyncedEntity>,
  ): boolean {
    const seen = new Set<string>()
    let at: SyncedEntity | undefined = entity
    while (at !== undefined && !seen.has(at.name)) {
      if (!this.#settingOf(row, at).isEnabled) return false
      seen.add(at.name)
      at = entities.get(at.sync.parent?.entity ?? '')
    }
    return true
  }

  #manifestOf({
    connectorType: type,
    connectorVersion: version,
  }: SyncedInstance): Manifest | undefined {
    return this.#ports.catalogue.ofMajor({ type, version })
  }

  #settingOf(row: SyncedInstance, { name, sync }: SyncedEntity): ReturnType<typeof settingOf> {
    return settingOf(row, name, sync, this.#ports.syncIntervalSeconds)
  }
}
