// How many parts of a table each statement of the store asks on a real Citus, by the plans that Citus makes.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { citusSubject } from '../contracts/store/subject.ts'
import { storeContract } from '../contracts/store/store-contract.ts'
import { NO_CITUS } from '../fixtures/citus.ts'

const subject = await citusSubject()
const shapes = new Set<string>()
/** Any value of a type that a parameter has. */
const VALUES: Readonly<Record<string, string>> = {
  bigint: '1',
  integer: '1',
  bytea: String.raw`'\x00'`,
  'text[]': "'{x}'",
}

/** What may ask every part of a table: nothing that a request for one instance waits for. */
const WIDE: Readonly<Record<string, RegExp>> = {
  'an organization lists its instances':
    /^select \* from "connector_instance" where .*"organization_id" = \$1.* order by /,
  'an organization learns whether it has more instances than words are looked for in':
    /^select "updated_at" from "connector_instance" where "organization_id" = \$1 order by "updated_at" desc, /,
  'an organization counts its instances':
    /^select "connector_type", "state", count\(\*\) as "count" from "connector_instance" where /,
  'the versions of a connector in use are counted':
    /^select "connector_version" as "version", count\(\*\) as "count" from "connector_instance" where /,
  'another version of a connector serves, and what fails is tried with it':
    /^select "failure"."instance_id", .* from "sync_failure" as "failure" inner join "connector_instance" /,
  'syncs that nobody took when they were due are looked for, once for all who ask':
    /^select job\.instance_id, job\.kind, job\.job_key as key,\s/,
  'the audit log of an organization is searched':
    /^select \* from "audit_event" where .*"organization_id" = \$1.* order by "at" desc, /,
  'an organization lists the users of its instances':
    /^select distinct "external_user_id" from "connector_instance" where \("organization_id" = \$1 and /,
  'the job of refreshes looks for what is due': /"next_refresh_at" <= \$1/,
  'the job of refreshes looks for what was left behind': /from "refresh_intent" as "intent"/,
  'the job of webhooks looks for what is due': /from webhook_delivery join webhook using/,
  'a process hears of the waits that others were asked for': /^select "owner_id", blocked_until - /,
  'a webhook of a vendor is for instances of any organisation':
    /^select \* from "webhook_route" where/,
  'the routes of webhooks are looked at':
    /^select \* from "connector_instance" where \("connector_type" = /,
  'expired rows are removed':
    /^delete from "(idempotency_record|rate_block|rate_use|webhook_receipt)" where "(expires_at|blocked_until)" <= /,
  'the logs of every organisation are shortened':
    /^(select \* from "log_head" where "organization_id" > |delete from "log_content" where "log_id" < )/,
  'old events are looked for': /max\(seq\) as last from "(audit_event|event)" where at < /,
  'operations whose process ended are closed':
    /^select \* from "audit_pending" where "opened_at" <= /,
  'the audit log is verified':
    /^select (\* from "audit_head" where "chain_id" > |chain_id as chain, seq\s)/,
  'keys are counted and rotated': /^select "(key_id|owner_id)", .* from "data_key"/,
  'metrics count rows':
    /^select "(kind|state)", .*count\(\*\) as "count" from "(job|connector_instance)"/,
  'an embedded store ends what a killed process held':
    /^(update|delete from) "\w+" .*"(held_until|next_at|blocked_until)" > cast/,
  'a test looks at all rows': /^select \* from audit_pending$/,
}

describe('the statements of the store on Citus', () => {
  if (subject === null) {
    test.skip(NO_CITUS)
    return
  }
  storeContract({
    ...subject,
    open: (options) =>
      subject.open({
        ...options,
        onStatement(text) {
          shapes.add(text)
          options?.onStatement?.(text)
        },
      }),
    close: async () => {},
  })

  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({
      connectionString: 'url' in subject.location ? subject.location.url : '',
    })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await subject.close()
  })

  async function tasksOf(statement: string): Promise<number> {
    await client.query(`prepare shape as ${statement}`)
    try {
      const { rows } = await client.query<{ readonly types: readonly string[] }>(
        "select parameter_types::text[] as types from pg_prepared_statements where name = 'shape'",
      )
      const values = (rows[0]?.types ?? []).map((type) => VALUES[type] ?? "'x'")
      const call = values.length === 0 ? 'shape' : `shape(${values.join(', ')})`
      const plan = await client.query<{ readonly 'QUERY PLAN': string }>(`explain execute ${call}`)
      const counts = plan.rows.map((row) => /Task Count: (\d+)/.exec(row['QUERY PLAN'])?.[1])
      return Math.max(1, ...counts.map((count) => Number(count ?? 1)))
    } finally {
      await client.query('deallocate shape')
    }
  }

  test('what requests do asks one part of a table; what asks all of them is a list or a job', async () => {
    const wide: string[] = []
    for (const shape of shapes)
      if (/^(select|insert|update|delete|with)\b/.test(shape) && (await tasksOf(shape)) > 1)
        wide.push(shape)
    const reasons = Object.entries(WIDE)
    expect(wide.filter((shape) => !reasons.some(([, known]) => known.test(shape)))).toEqual([])
    const unused = reasons.filter(([, known]) => !wide.some((shape) => known.test(shape)))
    expect(unused.map(([reason]) => reason)).toEqual([])
  })
})
