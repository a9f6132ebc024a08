// Jobs of instances: what is to be done, when, and who does it.
import type { Migration } from './migration.ts'

export const jobs: Migration = {
  name: 'jobs',
  statements: ({ text, integer, options }) => [
    `create table job (
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
      primary key (instance_id, kind, job_key)
    ) ${options}`,
    'create index job_by_time on job (due_at)',
  ],
}
