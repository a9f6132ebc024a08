// Jobs: rows that wait for their time, held by one process at a time, by the database's clock.
import type { ExpressionBuilder, Selectable, SqlBool, Expression } from 'kysely'
import { sql } from 'kysely'
import type {
  JobInput,
  JobPlace,
  JobRow,
  JobStore,
  StoredJobs,
  TakenJob,
} from '../../../store/jobs.ts'
import type { StoreDatabase } from '../database.ts'
import type { Tables } from '../schema.ts'
import { toInstance } from './instance-row.ts'

/** An instance may be about to be refused for so long. */
const NEW_MS = 60_000

type Columns = Selectable<Tables['job']>

export function createJobs(database: StoreDatabase): JobStore {
  const { db, now } = database

  async function add(job: JobInput): Promise<boolean> {
    const inserted = await db
      .insertInto('job')
      .values({
        ...keyOf(job),
        detail: job.detail ?? '',
        taken_detail: '',
        due_at: database.in(job.delayMs ?? 0),
        again_at: null,
        priority: job.priority ?? 0,
        owner_id: '',
        fence: 0,
        held_until: 0,
        attempts: 0,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('job_key')
      .executeTakeFirst()
    return inserted !== undefined
  }

  return {
    add,

    async put(job) {
      const wanted = database.in(job.delayMs ?? 0)
      const { detail = '', priority = 0 } = job
      for (;;) {
        if (await add(job)) return 'queued'
        const { numUpdatedRows } = await db
          .updateTable('job')
          .set({
            due_at: sql<number>`case when held_until > ${now()} or due_at < ${wanted} then due_at else ${wanted} end`,
            again_at: sql<
              number | null
            >`case when held_until <= ${now()} or again_at < ${wanted} then again_at else ${wanted} end`,
            ...(detail === '' ? {} : { detail }),
            priority: sql<number>`case when priority < ${priority} then ${priority} else priority end`,
          })
          .where(at(job))
          .executeTakeFirst()
        // It was done in between: then it is put anew.
        if (numUpdatedRows > 0n) return 'joined'
      }
    },

    async take(kinds, ownerId, ttlMs, limit) {
      if (kinds.length === 0 || limit < 1) return []
      const due = db
        .selectFrom('job')
        .select(['instance_id', 'kind', 'job_key'])
        .where('kind', 'in', kinds)
        .where('due_at', '<=', now())
        .where('held_until', '<=', now())
        .orderBy('priority', 'desc')
        .orderBy('due_at')
        .limit(limit)
      const taken: TakenJob[] = []
      for (const { instance_id: instanceId, kind, job_key: key } of await due.execute()) {
        // Of several processes that saw the row one changes it.
        const row = await db
          .updateTable('job')
          .set((eb) => ({
            owner_id: ownerId,
            fence: eb('fence', '+', 1),
            held_until: database.in(ttlMs),
            attempts: eb('attempts', '+', 1),
            taken_detail: eb
              .case()
              .when('detail', '=', '')
              .then(eb.ref('taken_detail'))
              .else(eb.ref('detail'))
              .end(),
            detail: '',
          }))
          .where(at({ instanceId, kind, key }))
          .where('held_until', '<=', now())
          .where('due_at', '<=', now())
          .returningAll()
          .executeTakeFirst()
        if (row !== undefined)
          taken.push({
            instanceId,
            kind,
            key,
            ownerId,
            fence: row.fence,
            detail: row.taken_detail,
            attempts: row.attempts,
          })
      }
      return taken
    },

    async extend(job, ttlMs) {
      const { numUpdatedRows } = await db
        .updateTable('job')
        .set({ held_until: database.in(ttlMs) })
        .where(held(job))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async finish(job, againMs) {
      const free = {
        owner_id: '',
        held_until: 0,
        taken_detail: '',
        attempts: 0,
        again_at: null,
        // Whoever waited for this turn waits for no other, unless it was asked for meanwhile.
        priority: sql<number>`case when again_at is null then priority % 10 else priority end`,
      }
      if (againMs === null) {
        const { numDeletedRows } = await db
          .deleteFrom('job')
          .where(held(job))
          .where('again_at', 'is', null)
          .executeTakeFirst()
        if (numDeletedRows > 0n) return
      }
      const next = againMs === null ? null : database.in(againMs)
      await db
        .updateTable('job')
        .set({
          ...free,
          due_at:
            next === null
              ? sql<number>`coalesce(again_at, ${now()})`
              : sql<number>`case when again_at < ${next} then again_at else ${next} end`,
        })
        .where(held(job))
        .execute()
    },

    async giveBack(job, afterMs) {
      const later = afterMs === undefined ? {} : { due_at: database.in(afterMs) }
      await db
        .updateTable('job')
        .set({ owner_id: '', held_until: 0, ...later })
        .where(held(job))
        .execute()
    },

    async cancel(instanceId, kinds) {
      await db
        .deleteFrom('job')
        .where('instance_id', '=', instanceId)
        .where('kind', 'in', kinds)
        .execute()
    },

    async list(instanceId) {
      const rows = await db
        .selectFrom('job')
        .selectAll()
        .select(now().as('now'))
        .where('instance_id', '=', instanceId)
        .orderBy('kind')
        .orderBy('job_key')
        .execute()
      return rows.map(toJob)
    },

    async count() {
      const state = sql<
        StoredJobs['state']
      >`case when held_until > ${now()} then 'running' when due_at <= ${now()} then 'due' else 'waiting' end`
      return await db
        .selectFrom('job')
        .select(['kind', state.as('state'), (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy(['kind', 'state'])
        .orderBy('kind')
        .orderBy('state')
        .execute()
    },

    async idleInstances(kind, limit) {
      const rows = await db
        .selectFrom('connector_instance')
        .selectAll('connector_instance')
        .where((eb) =>
          eb.or([
            eb('state', 'in', ['active', 'refresh_unknown']),
            // One that is being made is tried out first.
            eb.and([eb('state', '=', 'pending'), eb('created_at', '<', database.in(-NEW_MS))]),
          ]),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('job')
                .select('job.job_key')
                .whereRef('job.instance_id', '=', 'connector_instance.instance_id')
                .where('job.kind', '=', kind),
            ),
          ),
        )
        .orderBy('connector_instance.instance_id')
        .limit(limit)
        .execute()
      return rows.map(toInstance)
    },
  }
}

function keyOf({ instanceId, kind, key }: JobPlace): {
  readonly instance_id: string
  readonly kind: string
  readonly job_key: string
} {
  return { instance_id: instanceId, kind, job_key: key }
}

type Condition = (eb: ExpressionBuilder<Tables, 'job'>) => Expression<SqlBool>

function at(place: JobPlace): Condition {
  return (eb) => eb.and(keyOf(place))
}

function held(job: TakenJob): Condition {
  return (eb) => eb.and({ ...keyOf(job), owner_id: job.ownerId, fence: job.fence })
}

function toJob(row: Columns & { readonly now: number }): JobRow {
  return {
    instanceId: row.instance_id,
    kind: row.kind,
    key: row.job_key,
    dueAt: row.due_at,
    againAt: row.again_at,
    isHeld: row.held_until > row.now,
    attempts: row.attempts,
  }
}
