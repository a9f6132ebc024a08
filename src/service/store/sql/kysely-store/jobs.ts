// Jobs: rows that wait for their time, held by one process at a time, by the database's clock.
import { sql, type SqlBool } from 'kysely'
import type { JobPlace, JobStore, StoredJobs, TakenJob } from '../../../store/jobs.ts'
import { atMost, matching, oneMore, oneOf, type Where } from '../statements.ts'
import { toInstance } from './instance-row.ts'
import { StoreGroup } from './store-group.ts'

/** An instance may be about to be refused for so long. */
const NEW_MS = 60_000

const FREE = { ownerId: '', heldUntil: 0 }
export const NEW_JOB = {
  ownerId: '',
  heldUntil: 0,
  detail: '',
  takenDetail: '',
  againAt: null,
  priority: 0,
  fence: 0,
  attempts: 0,
}

export class Jobs extends StoreGroup implements JobStore {
  readonly add: JobStore['add'] = async (job) => {
    const { detail = '', priority = 0, delayMs } = job
    const wanted = { ...keyOf(job), detail, priority, dueAt: this.now(delayMs) }
    return await this.rows.insertNew('job', { ...NEW_JOB, ...wanted })
  }

  readonly put: JobStore['put'] = async (job) => {
    const { detail = '', priority = 0, delayMs } = job
    const now = this.now()
    const wanted = this.now(delayMs)
    for (;;) {
      if (await this.add(job)) return 'queued'
      const joined = await this.rows.update('job', keyOf(job), {
        dueAt: sql<number>`case when held_until > ${now} or due_at < ${wanted} then due_at else ${wanted} end`,
        againAt: sql<
          number | null
        >`case when held_until <= ${now} or again_at < ${wanted} then again_at else ${wanted} end`,
        detail: detail === '' ? undefined : detail,
        priority: sql<number>`case when priority < ${priority} then ${priority} else priority end`,
      })
      // It was finished in between: then it is put again.
      if (joined > 0) return 'joined'
    }
  }

  readonly take: JobStore['take'] = async (kinds, ownerId, ttlMs, limit) => {
    if (limit < 1) return []
    const isFree = { dueAt: atMost(this.now()), heldUntil: atMost(this.now()) }
    const due = await this.db
      .selectFrom('job')
      .select(['instanceId', 'kind', 'jobKey as key'])
      .where(matching<'job'>({ kind: oneOf(kinds), ...isFree }))
      .orderBy('priority', 'desc')
      .orderBy('dueAt')
      .limit(limit)
      .execute()
    const taken: TakenJob[] = []
    for (const place of due) {
      // Of several processes that saw the row one changes it.
      const row = await this.db
        .updateTable('job')
        .set({
          ownerId,
          fence: oneMore('fence'),
          heldUntil: this.now(ttlMs),
          attempts: oneMore('attempts'),
          takenDetail: sql<string>`case when detail = '' then taken_detail else detail end`,
          detail: '',
        })
        .where(matching<'job'>({ ...keyOf(place), ...isFree }))
        .returning(['fence', 'takenDetail as detail', 'attempts'])
        .executeTakeFirst()
      if (row !== undefined) taken.push({ ...place, ownerId, ...row })
    }
    return taken
  }

  readonly extend: JobStore['extend'] = async (job, ttlMs) =>
    (await this.rows.update('job', held(job), { heldUntil: this.now(ttlMs) })) > 0

  readonly finish: JobStore['finish'] = async (job, againMs) => {
    if (againMs === null && (await this.rows.remove('job', { ...held(job), againAt: null })) > 0)
      return
    const next = againMs === null ? null : this.now(againMs)
    await this.rows.update('job', held(job), {
      ...FREE,
      takenDetail: '',
      attempts: 0,
      againAt: null,
      // What waited for this turn waits for no other, unless it was asked for meanwhile.
      priority: sql<number>`case when again_at is null then priority % 10 else priority end`,
      dueAt:
        next === null
          ? sql<number>`coalesce(again_at, ${this.now()})`
          : sql<number>`case when again_at < ${next} then again_at else ${next} end`,
    })
  }

  readonly giveBack: JobStore['giveBack'] = async (job, afterMs) => {
    const dueAt = afterMs === undefined ? undefined : this.now(afterMs)
    await this.rows.update('job', held(job), { ...FREE, dueAt })
  }

  readonly cancel: JobStore['cancel'] = async (instanceId, kinds) => {
    await this.rows.remove('job', { instanceId, kind: oneOf(kinds) })
  }

  readonly list: JobStore['list'] = async (instanceId) => {
    const rows = await this.db
      .selectFrom('job')
      .select(['instanceId', 'kind', 'jobKey as key', 'dueAt', 'againAt', 'attempts'])
      .select(sql<number>`case when held_until > ${this.now()} then 1 else 0 end`.as('held'))
      .where('instanceId', '=', instanceId)
      .orderBy('kind')
      .orderBy('jobKey')
      .execute()
    return rows.map(({ held: isHeld, ...row }) => ({ ...row, isHeld: isHeld === 1 }))
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
      .orderBy('connector_instance.instanceId')
      .limit(limit)
      .execute()
    return rows.map(toInstance)
  }
}

function keyOf({ instanceId, kind, key }: JobPlace): Omit<JobPlace, 'key'> & { jobKey: string } {
  return { instanceId, kind, jobKey: key }
}

function held(job: TakenJob): Where<'job'> {
  return { ...keyOf(job), ownerId: job.ownerId, fence: job.fence }
}
