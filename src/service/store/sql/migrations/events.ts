// Events of an organisation in the order of their commits, the webhooks that want them, and what is to be delivered.
import type { Migration } from './migration.ts'

export const events: Migration = {
  name: 'events',
  statements: ({ text, integer, bytes, options }) => [
    `alter table connector_instance add column auth_error_since ${integer}`,
    `update connector_instance set auth_error_since = updated_at where state = 'auth_error'`,
    `create table event_head (
      organization_id ${text} not null primary key,
      seq ${integer} not null,
      removed_seq ${integer} not null
    ) ${options}`,
    `create table event (
      organization_id ${text} not null,
      seq ${integer} not null,
      event_id ${text} not null,
      type ${text} not null,
      instance_id ${text} not null,
      external_user_id ${text} not null,
      connector_type ${text} not null,
      at ${integer} not null,
      data ${text} not null,
      primary key (organization_id, seq)
    ) ${options}`,
    'create unique index event_by_id on event (organization_id, event_id)',
    'create index event_by_time on event (at)',
    `create table webhook (
      organization_id ${text} not null,
      webhook_id ${text} not null,
      url ${text} not null,
      description ${text} not null,
      event_types ${text},
      secret_sealed ${bytes} not null,
      secret_generation ${integer} not null,
      previous_sealed ${bytes},
      previous_generation ${integer},
      previous_ends_at ${integer},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      disabled_at ${integer},
      disabled_reason ${text},
      primary key (organization_id, webhook_id)
    ) ${options}`,
    `create table webhook_delivery (
      organization_id ${text} not null,
      webhook_id ${text} not null,
      seq ${integer} not null,
      state ${text} not null,
      attempts ${integer} not null,
      fence ${integer} not null,
      next_at ${integer} not null,
      last_at ${integer},
      last_status ${integer},
      last_error ${text},
      primary key (organization_id, webhook_id, seq)
    ) ${options}`,
    `create index webhook_delivery_by_time on webhook_delivery (next_at) where state = 'pending'`,
    'create index webhook_delivery_by_event on webhook_delivery (organization_id, seq)',
  ],
}
