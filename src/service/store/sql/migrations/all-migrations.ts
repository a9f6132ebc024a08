// The steps of the schema, oldest first. Steps are only ever added: a step that was released is never edited. The version
// of a schema is how many of them ran.
import type { ColumnTypes, Migration } from '../migrate.ts'
import { firstTables } from './first-tables.ts'
import { jobBuckets } from './job-buckets.ts'

export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  // Jobs of instances: what is to be done, when, and who does it.
  {
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
  },
  // Events of an organisation in the order of their commits, the webhooks that want them, and what is to be delivered.
  {
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
  },
  // Links for end users to connect their accounts.
  {
    name: 'connect-sessions',
    statements: ({ text, integer, options }) => [
      `create table connect_session (
        token_hash ${text} not null primary key,
        organization_id ${text} not null,
        client_id ${text},
        external_user_id ${text} not null,
        connector_types ${text},
        instance_id ${text},
        return_url ${text} not null,
        allowed_origin ${text},
        attempts ${integer} not null,
        problem ${text},
        connected_id ${text},
        held_until ${integer} not null,
        created_at ${integer} not null,
        expires_at ${integer} not null
      ) ${options}`,
      'create index connect_session_by_expiry on connect_session (expires_at)',
    ],
  },
  // What is used of the rates of third parties, for all processes, and whom they asked for silence.
  {
    name: 'rates',
    statements: ({ text, integer, options }) => [
      `create table rate_use (
        owner_id ${text} not null,
        period_ms ${integer} not null,
        slice ${integer} not null,
        used ${text} not null,
        version ${integer} not null,
        expires_at ${integer} not null,
        primary key (owner_id, period_ms)
      ) ${options}`,
      `create table rate_block (
        owner_id ${text} not null primary key,
        blocked_until ${integer} not null
      ) ${options}`,
    ],
  },
  // Which token a token or a connect link was made with, so that the one ends with the other.
  {
    name: 'makers',
    statements: ({ text }) => [
      `alter table token add column made_by ${text}`,
      `alter table connect_session add column made_by ${text}`,
    ],
  },
  // Which version of its connector a consent is for: two majors may send the user to different places.
  {
    name: 'consent-versions',
    statements: ({ text }) => [`alter table oauth_state add column connector_version ${text}`],
  },
  // Operations that are about to be sent: what the audit log gets when their process ends before it could tell.
  {
    name: 'pending-audits',
    statements: ({ text, integer, options }) => [
      `create table audit_pending (
        pending_id ${text} not null primary key,
        organization_id ${text} not null,
        instance_id ${text},
        request_id ${text},
        actor ${text} not null,
        action ${text} not null,
        target ${text} not null,
        members ${text} not null,
        opened_at ${integer} not null
      ) ${options}`,
      'create index audit_pending_by_time on audit_pending (opened_at)',
    ],
  },
  jobBuckets,
  // Which instances a vendor's webhook is for, and what has arrived, so that nothing is told twice.
  {
    name: 'vendor-webhooks',
    statements: ({ text, integer, options }) => [
      `create table webhook_route (
        organization_id ${text} not null,
        instance_id ${text} not null,
        connector_type ${text} not null,
        route ${text} not null,
        primary key (organization_id, instance_id)
      ) ${options}`,
      'create index webhook_route_by_route on webhook_route (connector_type, route)',
      `create table webhook_receipt (
        organization_id ${text} not null,
        instance_id ${text} not null,
        event_hash ${text} not null,
        expires_at ${integer} not null,
        primary key (organization_id, instance_id, event_hash)
      ) ${options}`,
      'create index webhook_receipt_by_expiry on webhook_receipt (expires_at)',
    ],
  },
  // What the service has asked vendors to send to it.
  {
    name: 'webhook-subscriptions',
    statements: ({ text, integer, bytes, options }) => [
      `create table webhook_subscription (
        instance_id ${text} not null primary key,
        state ${text} not null,
        version ${integer} not null,
        sealed ${bytes},
        made_for ${text} not null,
        expires_at ${integer},
        renew_at ${integer},
        problem ${text},
        failures ${integer} not null,
        updated_at ${integer} not null
      ) ${options}`,
    ],
  },
  // Which method a consent is for: some vendors issue tokens of a program and of a person.
  {
    name: 'consent-methods',
    statements: ({ text }) => [`alter table oauth_state add column auth_method ${text}`],
  },
  // Which answers an application wants: clients that were made for another service read those of that service.
  {
    name: 'application-answers',
    statements: ({ text }) => [`alter table application add column compat ${text}`],
  },
  // What applications may do only where their operator allows it.
  {
    name: 'application-rights',
    statements: ({ text }) => [
      `alter table application add column allows ${text} not null default '[]'`,
    ],
  },
  // Who is signed in to the console, for all processes, and the people of an OpenID provider.
  {
    name: 'console-sessions',
    statements: ({ text, integer, options }) => [
      `create table console_session (
        session_hash ${text} not null primary key,
        organization_id ${text} not null,
        client_id ${text},
        person_id ${text},
        created_at ${integer} not null,
        used_at ${integer} not null,
        ends_at ${integer} not null
      ) ${options}`,
      'create index console_session_by_end on console_session (ends_at)',
      `create table console_person (
        person_id ${text} not null primary key,
        organization_id ${text} not null,
        issuer ${text} not null,
        subject ${text} not null,
        login ${text} not null,
        name ${text},
        role ${text} not null,
        given_role ${text},
        created_at ${integer} not null,
        signed_in_at ${integer} not null,
        removed_at ${integer}
      ) ${options}`,
      'create unique index console_person_by_subject on console_person (organization_id, issuer, subject)',
    ],
  },
  // Lists of instances by name and change, the beginnings of names and users, and how many there are of each kind.
  {
    name: 'instance-lists',
    statements: () => [
      'create index instance_by_kind on connector_instance (organization_id, connector_type, state, instance_id)',
      'create index instance_by_user on connector_instance (organization_id, external_user_id, instance_id)',
      'create index instance_by_user_start on connector_instance (organization_id, lower(external_user_id))',
      'create index instance_by_name on connector_instance (organization_id, lower(name), instance_id)',
      'create index instance_by_change on connector_instance (organization_id, updated_at, instance_id)',
    ],
  },
  // The audit log of an organisation as a whole, the newest first.
  {
    name: 'audit-search',
    statements: () => [
      'create index audit_event_by_organization on audit_event (organization_id, at, chain_id, seq)',
    ],
  },
  // What happened, for people who look, with the figures of five minutes each, and what was said where operators keep it.
  {
    name: 'logs',
    statements: ({ text, integer, bytes, options, inOrder }) => [
      ...logEntries({ text, integer }, '', inOrder),
      `create table log_content (
        instance_id ${text} not null,
        log_id ${text} not null,
        sealed ${bytes} not null,
        primary key (instance_id, log_id)
      ) ${options}`,
      'create index log_content_by_age on log_content (log_id)',
      `create table log_count (
        organization_id ${text} not null,
        bucket_at ${integer} not null,
        kind ${text} not null,
        connector_type ${text} not null,
        entity ${text} not null,
        action ${text} not null,
        code ${text} not null,
        calls ${integer} not null,
        took_us ${integer} not null,
        max_us ${integer} not null,
        primary key (organization_id, bucket_at, kind, connector_type, entity, action, code)
      ) ${inOrder}`,
      `create table log_head (
        organization_id ${text} not null primary key,
        entries ${integer} not null
      ) ${options}`,
    ],
  },
  // The pictures of applications, which users see on the connect page: apart from the rows that every call reads.
  {
    name: 'application-logos',
    statements: ({ text, bytes, options }) => [
      `alter table application add column logo_hash ${text}`,
      `create table application_logo (
        client_id ${text} not null primary key,
        image ${bytes} not null
      ) ${options}`,
    ],
  },
  // Manifests that people publish while the service runs, and which of their versions is served for each major.
  {
    name: 'published-manifests',
    statements: ({ text, integer, options }) => [
      `create table manifest_version (
        connector_type ${text} not null,
        version ${text} not null,
        manifest_id ${text} not null,
        hash ${text} not null,
        manifest ${text} not null,
        published_by ${text} not null,
        published_at ${integer} not null,
        note ${text},
        primary key (connector_type, version)
      ) ${options}`,
      'create index manifest_version_by_id on manifest_version (manifest_id)',
      `create table manifest_current (
        connector_type ${text} not null,
        major ${text} not null,
        version ${text} not null,
        changed_by ${text} not null,
        changed_at ${integer} not null,
        primary key (connector_type, major)
      ) ${options}`,
    ],
  },
  // Which copies fail, for lists over many instances.
  {
    name: 'sync-failures',
    statements: ({ text, integer, options }) => [
      `create table sync_failure (
        instance_id ${text} not null,
        entity ${text} not null,
        since ${integer} not null,
        code ${text} not null,
        detail ${text} not null,
        failures ${integer} not null,
        failed_at ${integer} not null,
        primary key (instance_id, entity)
      ) ${options}`,
    ],
  },
  // Log entries that are alike lie in one row.
  {
    name: 'logs-together',
    statements: ({ text, integer, options, inOrder }) => {
      const own = [`entries ${integer} not null default 1`, `all_us ${integer}`, `several ${text}`]
      if (options === inOrder)
        return own.map((column) => `alter table log_entry add column ${column}`)
      // In a table that lies in its key SQLite reads a row as a whole to compare the key.
      return [
        'drop index log_entry_by_instance',
        'alter table log_entry rename to log_entry_before',
        ...logEntries({ text, integer }, `${own.join(', ')},`, options),
        'insert into log_entry select *, 1, null, null from log_entry_before',
        'drop table log_entry_before',
      ]
    },
  },
  // OAuth clients that administrators store for their organisation.
  {
    name: 'oauth-clients',
    statements: ({ text, integer, bytes, options }) => [
      `create table oauth_client (
        organization_id ${text} not null,
        connector_type ${text} not null,
        client_id ${text} not null,
        secret_sealed ${bytes},
        version ${integer} not null,
        changed_by ${text} not null,
        changed_at ${integer} not null,
        primary key (organization_id, connector_type)
      ) ${options}`,
    ],
  },
  // Secrets of applications: who made them, when they were used, and until when earlier ones are good.
  {
    name: 'application-secrets',
    statements: ({ text, integer, options }) => [
      `create table application_secret (
        client_id ${text} not null,
        secret_hash ${text} not null,
        made_by ${text},
        made_at ${integer},
        ends_at ${integer},
        replaced_at ${integer},
        used_at ${integer},
        primary key (client_id, secret_hash)
      ) ${options}`,
    ],
  },
  // From where an event of the audit log came, and with which token.
  {
    name: 'audit-origins',
    statements: ({ text }) =>
      ['audit_event', 'audit_pending'].flatMap((table) => [
        `alter table ${table} add column address ${text}`,
        `alter table ${table} add column token ${text}`,
      ]),
  },
  // Refused access alone, which is looked for among all events whenever somebody looks at applications.
  {
    name: 'audit-refusals',
    statements: () => [
      `create index audit_event_refusals on audit_event (organization_id, at, chain_id, seq)
        where action = 'access.refuse'`,
    ],
  },
  // From where applications may be used.
  {
    name: 'application-addresses',
    statements: ({ text }) => [
      `alter table application add column addresses ${text} not null default '[]'`,
    ],
  },
  // The colours of applications, which users see on the connect page.
  {
    name: 'application-accents',
    statements: ({ text }) => [`alter table application add column accent ${text}`],
  },
]

function logEntries(
  { text, integer }: Pick<ColumnTypes, 'text' | 'integer'>,
  more: string,
  options: string,
): readonly string[] {
  return [
    `create table log_entry (
      organization_id ${text} not null,
      log_id ${text} not null,
      kind ${text} not null,
      at ${integer} not null,
      instance_id ${text},
      external_user_id ${text},
      connector_type ${text},
      client_id ${text},
      entity ${text},
      action ${text},
      code ${text},
      status ${integer},
      upstream_status ${integer},
      took_us ${integer} not null,
      request_id ${text},
      data ${text} not null,
      ${more}
      primary key (organization_id, log_id)
    ) ${options}`,
    `create index log_entry_by_instance on log_entry (organization_id, instance_id, log_id)
      where instance_id is not null`,
  ]
}
