// Links for end users to connect their accounts.
import type { Migration } from './migration.ts'

export const connectSessions: Migration = {
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
}
