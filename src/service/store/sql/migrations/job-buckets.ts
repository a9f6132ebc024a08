// Jobs lie in buckets, which processes share. Every instance has its plan, and only refreshes that are wanted are looked at.
import type { Migration } from '../migrate.ts'

const COLUMNS =
  'instance_id, kind, job_key, detail, taken_detail, due_at, again_at, priority, owner_id, fence, held_until, attempts'

export const jobBuckets: Migration = {
  name: 'job-buckets',
  statements: ({ text, integer, options, find }) => {
    // As `bucketOf` reckons it.
    const digit = (at: number): string =>
      `${find}('123456789abcdef', substr(instance_id, length(instance_id) - ${at}, 1))`
    const bucket = `(16 * ${digit(1)} + ${digit(0)}) % 32`
    return [
      // Another primary key, and another place of each row in a cluster.
      `create table job_in_bucket (
        bucket ${integer} not null,
        instance_id ${text} not null,
        kind ${text} not null,
        job_key ${text} not null,
        detail ${text} not null,
        taken_detail ${text} not null,
        due_at ${integer} not null,
        again_at ${integer},
        priority ${integer} not null,
        owner_id ${text} not null,
        fence ${integer} not null,
        held_until ${integer} not null,
        attempts ${integer} not null,
        primary key (bucket, instance_id, kind, job_key)
      ) ${options}`,
      `insert into job_in_bucket (bucket, ${COLUMNS}) select ${bucket}, ${COLUMNS} from job`,
      'drop table job',
      'alter table job_in_bucket rename to job',
      'create index job_by_priority on job (bucket, priority, due_at)',
      `insert into job (bucket, ${COLUMNS}) select ${bucket}, instance_id, 'plan', '', '', '', 0, null, 2, '', 0, 0, 0
        from connector_instance where state in ('pending', 'active', 'refresh_unknown') on conflict do nothing`,
      `create table job_bucket (
        queue_id ${text} not null,
        bucket ${integer} not null,
        changes ${integer} not null,
        primary key (queue_id, bucket)
      ) ${options}`,
      'drop index instance_by_refresh',
      `create index instance_by_refresh on connector_instance (next_refresh_at, instance_id)
        where state in ('pending', 'active', 'refresh_unknown') and next_refresh_at is not null`,
    ]
  },
}
