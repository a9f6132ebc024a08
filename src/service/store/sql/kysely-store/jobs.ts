// Jobs: rows that wait for their time, held by one process at a time, by the database's clock.
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { JobPlace, JobStore, StoredJobs, TakenJob } from '../../../store/jobs.ts'
import type { Tables } from '../schema.ts'
import { toInstance } from './instance-row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

/** An instance may be about to be refused for so long. */
const NEW_MS = 60_000

/** What nobody holds. */
const FREE = { owner_id: '', held_until: 0 }
/** What was never taken. */
export const NEW_JOB = {
  owner_id: '',
  held_until: 0,
  detail: '',
  taken_detail: '',
  again_at: null,
  priority: 0,
  fence: 0,
  attempts: 0,
}

export class Jobs extends StoreGroup implements JobStore {
  readonly add: JobStore['add'] = async (job) => {
    const { detail = '', priority = 0, delayMs } = job
    const adding = this.db
      .insertInto('job')
      .values({ ...NEW_JOB, ...keyOf(job), detail, priority, due_at: this.now(delayMs) })
      .onConflict((conflict) => conflict.doNothing())
    return await changesAny(this.db, adding)
  }

  readonly put: JobStore['put'] = async (job) => {
    const { detail = '', priority = 0, delayMs } = job
    const now = this.now()
    const wanted = this.now(delayMs)
    for (;;) {
      if (await this.add(job)) return 'queued'
      const joining = this.db
        .updateTable('job')
        .set({
          due_at: sql<number>`case when held_until > ${now} or due_at < ${wanted} then due_at else ${wanted} end`,
          again_at: sql<
            number | null
          >`case when held_until <= ${now} or again_at < ${wanted} then again_at else ${wanted} end`,
          ...(detail === '' ? {} : { detail }),
          priority: sql<number>`case when priority < ${priority} then ${priority} else priority end`,
        })
        .where(at(job))
      // It was finished in between: then it is put again.
      if (await changesAny(this.db, joining)) return 'joined'
    }
  }

  readonly take: JobStore['take'] = async (kinds, ownerId, ttlMs, limit) => {
    if (kinds.length === 0 || limit < 1) return []
    const due = await this.db
      .selectFrom('job')
      .select(['instance_id', 'kind', 'job_key'])
      .where('kind', 'in', kinds)
      .where('due_at', '<=', this.now())
      .where('held_until', '<=', this.now())
      .orderBy('priority', 'desc')
      .orderBy('due_at')
      .limit(limit)
      .execute()
    const taken: TakenJob[] = []
    for (const { instance_id: instanceId, kind, job_key: key } of due) {
      const place = { instanceId, kind, key }
      // Of several processes that saw the row one changes it.
      const row = await this.db
        .updateTable('job')
        .set((eb) => ({
          owner_id: ownerId,
          fence: eb('fence', '+', 1),
          held_until: this.now(ttlMs),
          attempts: eb('attempts', '+', 1),
          taken_detail: sql<string>`case when detail = '' then taken_detail else detail end`,
          detail: '',
        }))
        .where(at(place))
        .where('held_until', '<=', this.now())
        .where('due_at', '<=', this.now())
        .returning(['fence', 'taken_detail as detail', 'attempts'])
        .executeTakeFirst()
      if (row !== undefined) taken.push({ ...place, ownerId, ...row })
    }
    return taken
  }

  readonly extend: JobStore['extend'] = async (job, ttlMs) =>
    await changesAny(
      this.db,
      this.db
        .updateTable('job')
        .set({ held_until: this.now(ttlMs) })
        .where(held(job)),
    )

  readonly finish: JobStore['finish'] = async (job, againMs) => {
    if (againMs === null) {
      const removing = this.db.deleteFrom('job').where(held(job)).where('again_at', 'is', null)
      if (await changesAny(this.db, removing)) return
    }
    const next = againMs === null ? null : this.now(againMs)
    await this.db
      .updateTable('job')
      .set({
        ...FREE,
        taken_detail: '',
        attempts: 0,
        again_at: null,
        // What waited for this turn waits for no other, unless it was asked for meanwhile.
        priority: sql<number>`case when again_at is null then priority % 10 else priority end`,
        due_at:
          next === null
            ? sql<number>`coalesce(again_at, ${this.now()})`
            : sql<number>`case when again_at < ${next} then again_at else ${next} end`,
      })
      .where(held(job))
      .execute()
  }

  readonly giveBack: JobStore['giveBack'] = async (job, afterMs) => {
    const later = afterMs === undefined ? {} : { due_at: this.now(afterMs) }
    await this.db
      .updateTable('job')
      .set({ ...FREE, ...later })
      .where(held(job))
      .execute()
  }

  readonly cancel: JobStore['cancel'] = async (instanceId, kinds) => {
    await this.db
      .deleteFrom('job')
      .where('instance_id', '=', instanceId)
      .where('kind', 'in', kinds)
      .execute()
  }

  readonly list: JobStore['list'] = async (instanceId) => {
    const rows = await this.db
      .selectFrom('job')
      .selectAll()
      .select(this.now().as('now'))
      .where('instance_id', '=', instanceId)
      .orderBy('kind')
      .orderBy('job_key')
      .execute()
    return rows.map((row) => ({
      instanceId,
      kind: row.kind,
      key: row.job_key,
      dueAt: row.due_at,
      againAt: row.again_at,
      isHeld: row.held_until > row.now,
      attempts: row.attempts,
    }))
  }

  readonly count: JobStore['count'] = async () => {
    const now = this.now()
    const state = sql<
      StoredJobs['state']
    >`case when held_until > ${now} then 'running' when due_at <= ${now} then 'due' else 'waiting' end`
    return await this.db
      .selectFrom('job')
      .select(['kind', state.as('state'), (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy(['kind', 'state'])
      .orderBy('kind')
      .orderBy('state')
      .execute()
  }

  readonly idleInstances: JobStore['idleInstances'] = async (kind, limit) => {
    const rows = await this.db
      .selectFrom('connector_instance')
      .selectAll('connector_instance')
      // One that is being made is tried out first.
      .where(
        sql<SqlBool>`(state in ('active', 'refresh_unknown')
          or state = 'pending' and created_at < ${this.now(-NEW_MS)})`,
      )
      .where(
        sql<SqlBool>`not exists (select 1 from job
          where job.instance_id = connector_instance.instance_id and job.kind = ${kind})`,
      )
      .orderBy('connector_instance.instance_id')
      .limit(limit)
      .execute()
    return rows.map(toInstance)
  }
}

type Key = Pick<Tables['job'], 'instance_id' | 'kind' | 'job_key'>

function keyOf({ instanceId, kind, key }: JobPlace): Key {
  return { instance_id: instanceId, kind, job_key: key }
}

type Condition = (eb: ExpressionBuilder<Tables, 'job'>) => Expression<SqlBool>

function at(place: JobPlace): Condition {
  return (eb) => eb.and(keyOf(place))
}

function held(job: TakenJob): Condition {
  return (eb) => eb.and({ ...keyOf(job), owner_id: job.ownerId, fence: job.fence })
}
