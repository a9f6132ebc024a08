// Jobs: rows that wait for their time, held by one process at a time, by the database's clock.
import { type RawBuilder, sql } from 'kysely'
import { isConnectorError } from '../../../../errors.ts'
import {
  bucketOf,
  JOB_BUCKETS,
  JOB_PRIORITIES,
  type JobPlace,
  type JobPriority,
  type JobStore,
  type OverdueJob,
  PLAN_JOB,
  QUEUE_ID,
  type StoredJobs,
  SYNC_JOB,
  type TakenJob,
} from '../../../store/jobs.ts'
import type { Tables } from '../schema.ts'
import { matching, oneMore, oneOf, type Rows, type Where } from '../statements.ts'
import { StoreGroup } from './store-group.ts'

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
    const isNew = await this.rows.insertNew('job', { ...NEW_JOB, ...wanted })
    if (isNew) await this.announce(job.instanceId)
    return isNew
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
        priority: sql<JobPriority>`case when priority < ${priority} then ${priority} else priority end`,
      })
      // It was finished in between: then it is put again.
      if (joined === 0) continue
      await this.announce(job.instanceId)
      return 'joined'
    }
  }

  readonly take: JobStore['take'] = async ({ ownerId, ttlMs, limit, ...wanted }) => {
    if (limit < 1) return []
    const now = this.now()
    const first = (
      priority: Part,
    ): Part => sql`select instance_id, kind, job_key, priority, due_at from job
      where ${inBucket(wanted, priority)} and due_at <= ${now} and held_until <= ${now}
      order by due_at limit ${limit}`
    // A process that comes second takes others instead of waiting. SQLite has one writer at a time.
    const due =
      this.database.kind === 'postgres'
        ? sql`select due.* from ${LEVELS} cross join lateral
          (${first(LEVEL)} for update skip locked) as due`
        : sql.join(
            JOB_PRIORITIES.map((each) => sql`select * from (${first(sql.lit(each))}) as due`),
            sql` union all `,
          )
    const { rows } = await sql<TakenJob & { readonly dueAt: number }>`with next as materialized
      (select * from (${due}) as due order by priority desc, due_at limit ${limit})
      update job set owner_id = ${ownerId}, fence = fence + 1, held_until = ${this.now(ttlMs)},
      attempts = attempts + 1, detail = '',
      taken_detail = case when detail = '' then taken_detail else detail end
      from next where job.bucket = ${wanted.bucket} and job.instance_id = next.instance_id
      and job.kind = next.kind and job.job_key = next.job_key
      returning job.instance_id, job.kind, job.job_key as key, owner_id, fence,
      taken_detail as detail, attempts, job.priority, job.due_at`.execute(this.db)
    return rows
      .toSorted((one, other) => other.priority - one.priority || one.dueAt - other.dueAt)
      .map(({ dueAt: _dueAt, ...job }) => job)
  }

  readonly nextDue: JobStore['nextDue'] = async (wanted) => {
    const now = this.now()
    // While a free one is due, nobody needs to know which of those that are held ends first: all that are due would be read.
    const { rows } = await sql<{ readonly ms: number | null }>`with free as
      (select min(at) as at from (select (select min(due_at) from job
        where ${inBucket(wanted, LEVEL)} and held_until <= ${now}) as at from ${LEVELS}) as first)
      select case when at <= ${now} then at else (select min(times.at) from (select free.at
        union all select (select min(held_until) from job
          where ${inBucket(wanted, LEVEL)} and due_at <= ${now} and held_until > ${now})
          from ${LEVELS}) as times) end - ${now} as ms from free`.execute(this.db)
    return rows[0]?.ms ?? null
  }

  readonly look: JobStore['look'] = async () => {
    const { rows } = await sql<{ name: string; ownerId: string; changes: number }>`
      select purpose as name, owner_id, 0 as changes from lease
      where instance_id = ${QUEUE_ID} and held_until > ${this.now()}
      union all select cast(bucket as text), '', changes from job_bucket
      where queue_id = ${QUEUE_ID}`.execute(this.db)
    const isWorker = (row: { readonly ownerId: string }): boolean => row.ownerId !== ''
    return {
      workers: new Map(rows.filter(isWorker).map(({ name, ownerId }) => [name, ownerId])),
      changes: new Map(
        rows.filter((row) => !isWorker(row)).map(({ name, changes }) => [Number(name), changes]),
      ),
    }
  }

  readonly announce: JobStore['announce'] = (instanceId) => announceJob(this.rows, instanceId)

  readonly extend: JobStore['extend'] = async (job, ttlMs) =>
    (await this.rows.update('job', held(job), { heldUntil: this.now(ttlMs) })) > 0

  readonly finish: JobStore['finish'] = async (job, againMs) => {
    if (againMs === null && (await this.rows.remove('job', { ...held(job), againAt: null })) > 0)
      return null
    const next = againMs === null ? null : this.now(againMs)
    const { rows } = await sql<{
      readonly ms: number
    }>`update job set owner_id = '', held_until = 0,
      taken_detail = '', attempts = 0, again_at = null,
      priority = case when again_at is null then priority % 10 else priority end,
      due_at = ${
        next === null
          ? sql`coalesce(again_at, ${this.now()})`
          : sql`case when again_at < ${next} then again_at else ${next} end`
      }
      where ${matching<'job'>(held(job))} returning due_at - ${this.now()} as ms`.execute(this.db)
    return rows[0]?.ms ?? null
  }

  readonly giveBack: JobStore['giveBack'] = async (job, afterMs) => {
    const dueAt = afterMs === undefined ? undefined : this.now(afterMs)
    await this.rows.update('job', held(job), { ...FREE, dueAt })
  }

  readonly cancel: JobStore['cancel'] = async (instanceId, kinds) => {
    const place = { bucket: bucketOf(instanceId), instanceId }
    await this.rows.remove('job', { ...place, kind: oneOf(kinds) })
  }

  readonly list: JobStore['list'] = async (instanceId) => {
    const rows = await this.db
      .selectFrom('job')
      .select(['instanceId', 'kind', 'jobKey as key', 'dueAt', 'againAt', 'attempts'])
      .select(sql<number>`case when held_until > ${this.now()} then 1 else 0 end`.as('held'))
      .where('bucket', '=', bucketOf(instanceId))
      .where('instanceId', '=', instanceId)
      .orderBy('kind')
      .orderBy('jobKey')
      .execute()
    return rows.map(({ held: isHeld, ...row }) => ({ ...row, isHeld: isHeld === 1 }))
  }

  readonly overdue: JobStore['overdue'] = async ({ forMs, limit }) => {
    const now = this.now()
    // Each bucket and priority has its part of the index, so that what waits for its time is not read.
    const buckets = sql.join(Array.from({ length: JOB_BUCKETS }, (_, bucket) => sql.lit(bucket)))
    const priorities = sql.join(JOB_PRIORITIES.map((each) => sql.lit(each)))
    const query = sql<OverdueJob>`select job.instance_id, job.kind, job.job_key as key,
      ${now} - job.due_at as overdue_ms from job
      where job.bucket in (${buckets}) and job.priority in (${priorities})
      and job.due_at < ${this.now(-forMs)} and job.held_until <= ${now}
      and (job.kind = ${SYNC_JOB} or (job.kind = ${PLAN_JOB} and not exists (select 1
        from job as "other" where other.bucket = job.bucket
        and other.instance_id = job.instance_id and other.kind = ${SYNC_JOB})))
      order by job.due_at limit ${limit}`
    const { rows } = await this.database.wide(query.compile(this.db), 'job')
    return rows.toSorted((a, b) => b.overdueMs - a.overdueMs).slice(0, limit)
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
}

/** The place of a job as its row has it. */
export function keyOf({
  instanceId,
  kind,
  key,
}: JobPlace): Pick<Tables['job'], 'bucket' | 'instanceId' | 'kind' | 'jobKey'> {
  return { bucket: bucketOf(instanceId), instanceId, kind, jobKey: key }
}

/**
 * `JobStore.announce`, of jobs that a transaction added, after its end. A statement of its own, because many processes
 * change this row. What is not announced is found when its bucket is looked into for another reason, or after minutes.
 */
export async function announceJob(rows: Rows, instanceId: string): Promise<void> {
  const row = { queueId: QUEUE_ID, bucket: bucketOf(instanceId), changes: 1 }
  try {
    await rows.db
      .insertInto('job_bucket')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['queueId', 'bucket'])
          .doUpdateSet({ changes: oneMore('job_bucket.changes') }),
      )
      .execute()
  } catch (error) {
    if (!isConnectorError(error, 'store_unavailable')) throw error
  }
}

type Part = RawBuilder<unknown>

/** The priorities as a table: each is looked for by the index, so that neither what waits nor what is due is sorted. */
const LEVELS = sql`(values ${sql.join(JOB_PRIORITIES.map((each) => sql`(${sql.lit(each)})`))}) as level`
/** As both databases name the column of such a table. */
const LEVEL = sql`level.column1`

function inBucket({ bucket, kinds }: Parameters<JobStore['nextDue']>[0], priority: Part): Part {
  return sql`bucket = ${bucket} and priority = ${priority} and kind in (${sql.join(kinds)})`
}

function held(job: TakenJob): Where<'job'> {
  return { ...keyOf(job), ownerId: job.ownerId, fence: job.fence }
}
