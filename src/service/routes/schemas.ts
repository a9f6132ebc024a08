// Shapes that several routes share, as JSON Schemas. Our own objects are closed in requests and open in answers.
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import type { Route } from '../route.ts'
import type { InstanceState } from '../store/instances.ts'
import { MIN_INTERVAL_SECONDS } from '../sync/sync-settings.ts'
import type { Declared } from './answer-headers.ts'

export const TIME = { type: 'string', format: 'date-time' } as const
export const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' } as const
export const TEXT: JsonSchema = { type: 'string', minLength: 1, maxLength: 1024 }
/** How long a page of a listing is. */
export const LIMIT = { type: 'integer', minimum: 1, maximum: 200, default: 50 } as const
const NAME: JsonSchema = { type: 'string', minLength: 1, maxLength: 255 }

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

/** An object of members that are not ours to name. */
export const FREE = { type: 'object', additionalProperties: true } as const
export const FREE_OR_NULL = { type: ['object', 'null'], additionalProperties: true } as const

export type Members = Readonly<Record<string, JsonSchema>>

export function closed(properties: Members, required: readonly string[] = []): JsonSchema {
  return { type: 'object', additionalProperties: false, required, properties }
}

export function open(
  properties: Members,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', required, properties }
}

/** One answer of a route that succeeds; null: it has no body. */
export function answers(
  status: number,
  description: string,
  schema: JsonSchema | 'bytes' | null,
  headers: readonly Declared[] = [],
): Route['success'] {
  return [{ status, description, schema, headers }]
}

/** An answer whose body has these members, and may grow. */
export function answersWith(
  status: number,
  description: string,
  members: Members,
): Route['success'] {
  return answers(status, description, open(members))
}

export function answersPage(
  description: string,
  items: JsonSchema,
  cursor: JsonSchema = { type: ['string', 'null'] },
  /** What `meta` may have, too. */
  more: Members = {},
): Route['success'] {
  return answersWith(200, description, { data: listOf(items), meta: page(cursor, more) })
}

/** What a page of a listing says of itself. */
export function page(cursor: JsonSchema, more: Members): JsonSchema {
  const members = { has_more: { type: 'boolean' }, next_cursor: cursor }
  return open({ ...members, ...more }, Object.keys(members))
}

/** A body that must be sent, with these members and no others. */
export function requiredBody(required: readonly string[], members: Members): Route['body'] {
  return { optional: false, schema: closed(members, required) }
}

/** A body that may be left out, with these members and no others. */
export function optionalBody(members: Members): Route['body'] {
  return { optional: true, schema: closed(members) }
}

/** What may be missing, too. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [{ type: 'null' }, schema] }
}

export function each(names: readonly string[], schema: JsonSchema): Members {
  return Object.fromEntries(names.map((name) => [name, schema]))
}

const SYNC_SETTING = {
  enabled: { type: 'boolean' },
  interval_seconds: { type: 'integer', minimum: MIN_INTERVAL_SECONDS },
} as const satisfies Record<string, JsonSchema>

const SYNC_ABOUT =
  'Whether and how often entities are synchronized: enabled, interval_seconds (30 or more), and both for each of its entities.'

const SYNC: JsonSchema = {
  ...closed({
    ...SYNC_SETTING,
    entities: { type: 'object', additionalProperties: closed(SYNC_SETTING) },
  }),
  description: SYNC_ABOUT,
}

const CHANGED_SETTING = {
  ...SYNC_SETTING,
  interval_seconds: { type: ['integer', 'null'], minimum: MIN_INTERVAL_SECONDS },
} as const satisfies Record<string, JsonSchema>

/** As a merge patch: null takes an interval, or all settings of an entity, away. */
const SYNC_CHANGE: JsonSchema = {
  ...closed({
    ...CHANGED_SETTING,
    entities: {
      type: ['object', 'null'],
      additionalProperties: { ...closed(CHANGED_SETTING), type: ['object', 'null'] },
    },
  }),
  description: `${SYNC_ABOUT} What is left out stays; null removes an interval, or all settings of an entity.`,
}

export const INSTANCE_CHANGE: Members = {
  name: { ...NAME, description: 'Label of the instance.' },
  credentials: {
    ...FREE,
    description: 'The credential fields of one authentication method of the connector.',
  },
  server_side_oauth_secret_id: {
    type: 'string',
    description: 'The secret_id that a completed consent returned.',
  },
  auth_method: {
    type: 'string',
    description: 'The authentication method, where the credentials fit more than one.',
  },
  config: { ...FREE, description: 'Settings of the connector.' },
  replication_config: {
    ...FREE,
    description: 'Another name for config; for advertising marketing it holds account_ids.',
  },
  sync: SYNC_CHANGE,
}

/** The members that a new instance is given next to its user and its type. */
export const INSTANCE_INPUT: Members = {
  ...INSTANCE_CHANGE,
  sync: SYNC,
  server_url: {
    type: 'string',
    description:
      'An origin to use instead of the third party’s; only where the operator allows it.',
  },
}

const STATES: readonly InstanceState[] = [
  'pending',
  'active',
  'refresh_unknown',
  'auth_error',
  'disabled',
]

export const STATE: JsonSchema = { enum: STATES }

const INSTANCE_MEMBERS: Members = {
  ...each(['id', 'connector_id'], { type: 'string', format: 'uuid' }),
  ...each(['external_user_id', 'connector_type'], { type: 'string' }),
  connector_version: {
    type: 'string',
    description:
      'The version that it was created with or moved to; another version of the same major may serve it.',
  },
  served_version: {
    type: ['string', 'null'],
    description:
      'The version of the connector that serves its calls now; null: no version of its major is loaded.',
  },
  name: { type: 'string' },
  state: STATE,
  state_reason: orNull(
    open({
      ...each(['code', 'detail'], { type: 'string' }),
      since: TIME,
      upstream_status: { type: ['integer', 'null'] },
    }),
  ),
  enabled: { type: 'boolean' },
  auth_method: { type: ['string', 'null'] },
  granted_scopes: orNull(listOf({ type: 'string' })),
  config: FREE,
  sync: open(SYNC_SETTING),
  ...each(['created_at', 'updated_at'], TIME),
  last_checked_at: {
    ...TIME_OR_NULL,
    description:
      'When it was last determined whether the third party accepts the credentials; a check that the third party did not answer changes nothing.',
  },
  next_refresh_at: TIME_OR_NULL,
}

export const INSTANCE: JsonSchema = open(
  {
    ...INSTANCE_MEMBERS,
    replication_config: { ...FREE, description: 'Present if the instance was given one.' },
    server_url: {
      type: 'string',
      description:
        'Present if the instance was given one: the origin used instead of the third party’s.',
    },
  },
  Object.keys(INSTANCE_MEMBERS),
)

/** Where the vendor sends webhooks of an instance to. */
export const VENDOR_WEBHOOKS: JsonSchema = open(
  {
    url: { type: 'string', format: 'uri', description: 'The address of this instance.' },
    subscription: orNull(
      open(
        {
          state: {
            enum: ['none', 'making', 'active', 'failed', 'ending'],
            description:
              '`none`: the settings of the instance want none, or it is about to be made. `making`: the vendor may have it. `active`: the vendor has it. `failed`: it is tried again. `ending`: the instance is being deleted.',
          },
          problem: orNull(open(each(['code', 'detail'], { type: 'string' }), ['code', 'detail'])),
          expires_at: TIME_OR_NULL,
          updated_at: TIME_OR_NULL,
        },
        ['state', 'problem', 'expires_at', 'updated_at'],
      ),
    ),
  },
  ['url', 'subscription'],
)

const EXECUTION_MEMBERS: Members = {
  request_id: { type: 'string' },
  connector_id: { type: 'string', format: 'uuid' },
  ...each(['connector_type', 'connector_version'], { type: 'string' }),
  ...each(['upstream_requests', 'took_ms'], { type: 'integer' }),
}

export const EXECUTION: JsonSchema = open(
  {
    ...EXECUTION_MEMBERS,
    warnings: {
      type: 'array',
      description:
        '`deprecated`: what a caller should change. `not_recorded`: the operation was done, and the audit log gets its entry as soon as the store takes changes.',
      items: open(each(['code', 'pointer', 'detail'], { type: 'string' })),
    },
  },
  Object.keys(EXECUTION_MEMBERS),
)

/** What can be done, as an instance and a type of connector tell it. */
export const ENTITIES: JsonSchema = {
  type: 'array',
  items: open({
    entity: { type: 'string' },
    ...each(['title', 'description'], { type: ['string', 'null'] }),
    record: {
      ...FREE_OR_NULL,
      description: 'JSON Schema of a record; null: the manifest describes none.',
    },
    search_fields: orNull({ type: 'object', additionalProperties: { type: 'string' } }),
    search_paths: {
      type: 'array',
      items: { type: 'string' },
      description: 'Dotted paths below searchable fields that the connector names.',
    },
    cursor_field: {
      type: ['string', 'null'],
      description:
        'The field by whose value its copy takes in what is new, as searches name it where they have it; null: it has no copy, or one that is read as a whole.',
    },
    key_field: {
      type: ['string', 'null'],
      description:
        'The field whose value names a record, spelled likewise: what a member with refers_to has. Null: it has no copy, or several fields name a record together.',
    },
    actions: {
      type: 'array',
      items: open({
        action: { type: 'string' },
        ...each(['summary', 'description'], { type: ['string', 'null'] }),
        deprecated: { type: ['boolean', 'string'] },
        params: { ...FREE, description: 'JSON Schema.' },
        result: FREE_OR_NULL,
        ...each(['paged', 'safe', 'idempotent'], { type: 'boolean' }),
      }),
    },
  }),
}

export const REQUESTS: JsonSchema = {
  type: 'array',
  items: open({ curl: { type: 'string' }, after: { type: ['string', 'null'] } }),
}

export const YES_NO: JsonSchema = { type: 'boolean' }
