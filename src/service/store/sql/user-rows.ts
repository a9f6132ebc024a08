// What belongs to an end user: one line per table, so that a new table that holds something of users cannot be forgotten.
import type { TableName, Tables } from './schema.ts'

/** Rows that name their user; an export shows these members, and `key` is what orders the rows of one user. */
interface OfUser<Row> {
  readonly by: 'user'
  readonly key: keyof Row & string
  readonly shown: readonly (keyof Row & string)[]
}

/** Rows that name their instance, and go with it. */
interface OfInstance {
  readonly by: 'instance'
}

/** Other rows: what removes them, or why there is nothing of a user in them. */
interface Otherwise {
  readonly by: 'other'
  readonly why: string
}

/** A table with the column of users is one of users, or goes with the instance: anything else does not compile. */
type Belongs<Row> = Row extends { readonly externalUserId: string | null }
  ? OfUser<Row> | OfInstance
  : OfInstance | Otherwise

const INSTANCE: OfInstance = { by: 'instance' }
const other = (why: string): Otherwise => ({ by: 'other', why })

export const USER_ROWS: { readonly [T in TableName]: Belongs<Tables[T]> } = {
  application: other('host apps, not their users'),
  application_secret: other('secrets of host apps'),
  application_logo: other('pictures of host apps'),
  token: { by: 'user', key: 'hash', shown: ['kind', 'scope', 'createdAt', 'expiresAt'] },
  oauth_state: {
    by: 'user',
    key: 'stateHash',
    shown: ['connectorType', 'redirectUrl', 'hostState', 'config', 'createdAt', 'expiresAt'],
  },
  oauth_secret: {
    by: 'user',
    key: 'secretHash',
    shown: ['connectorType', 'grantedScopes', 'config', 'createdAt', 'expiresAt'],
  },
  connect_session: {
    by: 'user',
    key: 'tokenHash',
    shown: ['connectorTypes', 'returnUrl', 'problem', 'createdAt', 'expiresAt'],
  },
  console_person: other('people of the operator'),
  console_session: other('people of the operator'),
  manifest_version: other('what connectors can do, and which person of the operator said so'),
  manifest_current: other('which of those versions are served'),
  oauth_client: other('clients of the organisation at third parties'),
  connector_instance: INSTANCE,
  credential: INSTANCE,
  lease: INSTANCE,
  refresh_intent: INSTANCE,
  webhook_subscription: INSTANCE,
  sync_failure: INSTANCE,
  data_key: INSTANCE,
  idempotency_record: other(
    'those of instances go with them; those of creations by tokens of the user name the user in the route',
  ),
  rate_use: INSTANCE,
  rate_block: INSTANCE,
  webhook_route: INSTANCE,
  webhook_receipt: INSTANCE,
  job: INSTANCE,
  webhook: other('addresses of host apps'),
  audit_pending: other('names of actions; the user is a digest'),
  audit_head: other('hashes'),
  audit_event: other('the user is a digest; what earlier versions wrote is written again'),
  event_head: other('numbers'),
  event: {
    by: 'user',
    key: 'seq',
    shown: ['eventId', 'type', 'instanceId', 'connectorType', 'at', 'data'],
  },
  webhook_delivery: other('goes with its event'),
  job_bucket: other('numbers'),
  log_entry: {
    by: 'user',
    key: 'logId',
    shown: [
      'kind',
      'at',
      'connectorType',
      'entity',
      'action',
      'code',
      'status',
      'requestId',
      'data',
    ],
  },
  log_content: INSTANCE,
  log_count: other('figures of connectors'),
  log_head: other('numbers'),
}
