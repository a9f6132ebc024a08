// When what was never read is read for the first time: before its own turn, by that of its plan or of what is above it.
import type { EntityStatus } from '../../copy/sync/status.ts'
import type { SyncedEntity } from '../../copy/sync/synced-entity.ts'
import { PLAN_JOB, type JobRow } from '../store/jobs.ts'

type Turn = { readonly isRunning: boolean; readonly dueAt: number }

/** The turn of an entity; before it has one, that of the plan which gives it one that is due at once. Null: neither. */
export function turnOf(jobs: readonly JobRow[], entity: string, nowMs: number): Turn | null {
  const job = jobs.find(({ kind, key }) => kind === 'sync' && key === entity)
  if (job !== undefined) return { isRunning: job.isHeld, dueAt: job.dueAt }
  const plan = jobs.find(({ kind }) => kind === PLAN_JOB)
  if (plan === undefined) return null
  return { isRunning: false, dueAt: plan.isHeld ? nowMs : plan.dueAt }
}

/**
 * The statuses of all entities of an instance. What is read below the records of another entity has a turn of its own for
 * later, and is due as soon as those were read for the first time: until then it is read next when they are; null: they
 * are being read.
 */
export function withFirstTurns<S extends EntityStatus>(
  statuses: readonly S[],
  entities: ReadonlyMap<string, SyncedEntity>,
): readonly S[] {
  const byName = new Map(statuses.map((status) => [status.entity, status]))
  const nextOf = (status: S, seen: ReadonlySet<string>): number | null => {
    const own = status.nextRunAtMs
    const above = byName.get(entities.get(status.entity)?.sync.parent?.entity ?? '')
    if (own === null || above === undefined || !isNew(status) || seen.has(above.entity)) return own
    if (above.failures > 0 || above.state === 'paused') return own
    const next = nextOf(above, new Set([...seen, above.entity]))
    if (next === null) return null
    return isNew(above) ? Math.min(own, next) : own
  }
  return statuses.map((status) => ({
    ...status,
    nextRunAtMs: nextOf(status, new Set([status.entity])),
  }))
}

/** Nothing of it was read yet, and nothing has failed. */
function isNew({ state, syncedAtMs, run }: EntityStatus): boolean {
  return state === 'initial' && syncedAtMs === null && run === null
}
