// Appending events, within the transactions that make them true.
import { type RawBuilder, sql } from 'kysely'
import type { JsonObject } from '../../../../language/json/json.ts'
import type { EventInput, EventRow } from '../../../store/events.ts'
import { showInstance } from '../../../store/instance-view.ts'
import { uuidv7 } from '../../../store/uuid.ts'
import type { EventType } from '../../../../client/webhooks/event.ts'
import { oneMore, type Rows } from '../statements.ts'
import { type InstanceColumns, toInstance } from './instance-row.ts'

/** The maximum data of an event, in characters of JSON: receivers bound what they take. */
export const MAX_EVENT_DATA: number = 128 * 1024

/**
 * Appends an event, and what has to be delivered of it. To be the last step of a transaction: the organisation's events
 * wait for its end, so that their numbers are in the order of the commits.
 *
 * Throws a TypeError for data beyond 128 Ki characters.
 */
export async function appendEvent(tx: Rows, event: EventInput): Promise<EventRow> {
  if (JSON.stringify(event.data).length > MAX_EVENT_DATA)
    throw new TypeError(`the data of an event has at most ${MAX_EVENT_DATA} characters`)
  const { seq, at } = await tx.db
    .insertInto('event_head')
    .values({ organizationId: event.organizationId, seq: 1, removedSeq: 0 })
    .onConflict((conflict) =>
      conflict.column('organizationId').doUpdateSet({ seq: oneMore('event_head.seq') }),
    )
    .returning(['seq', tx.now().as('at')])
    .executeTakeFirstOrThrow()
  const id = uuidv7(at)
  await tx.insert('event', { ...event, eventId: id, seq, at })
  await deliver(tx, { ...event, seq }, null)
  return { ...event, id, seq, at }
}

/** Has an event delivered from its first attempt: to one webhook, or to all that want its type. How many those are. */
export async function deliver(
  tx: Rows,
  { organizationId, seq, type }: Pick<EventRow, 'organizationId' | 'seq' | 'type'>,
  webhookId: string | null,
): Promise<number> {
  // No type is part of another one.
  const wanted =
    webhookId === null
      ? sql`(event_types is null or event_types like ${`%"${type}"%`})`
      : sql`webhook_id = ${webhookId}`
  const { rows } = await sql`insert into webhook_delivery
    (organization_id, webhook_id, seq, state, attempts, fence, next_at)
    select organization_id, webhook_id, cast(${seq} as bigint), 'pending', 0, 0, ${tx.now()} from webhook
    where organization_id = ${organizationId} and disabled_at is null and ${wanted}
    on conflict (organization_id, webhook_id, seq) do update
    set state = 'pending', attempts = 0, fence = webhook_delivery.fence + 1, next_at = excluded.next_at
    returning webhook_id`.execute(tx.db)
  return rows.length
}

export async function appendInstanceEvent(
  tx: Rows,
  type: EventType,
  columns: InstanceColumns,
): Promise<void> {
  const { instanceId, organizationId, externalUserId, connectorType } = columns
  const data = bounded(showInstance(toInstance(columns)))
  const event = { organizationId, externalUserId, connectorType, instanceId, type, data }
  await appendEvent(tx, event)
}

/** Members that can be of any size; without them an instance always fits. */
const LARGE = ['config', 'replication_config', 'sync', 'granted_scopes', 'state_reason'] as const

function bounded(view: JsonObject): JsonObject {
  if (JSON.stringify(view).length <= MAX_EVENT_DATA) return view
  const small = Object.entries(view).filter(([name]) => !LARGE.some((large) => large === name))
  const omitted = LARGE.filter((name) => view[name] !== undefined)
  return { ...Object.fromEntries(small), omitted }
}

/** What is known of an instance before its state changes. */
export type StateBefore = Pick<InstanceColumns, 'state' | 'authErrorSince'>

export function stateEvent(to: string, before: StateBefore): EventType {
  if (to === 'auth_error') return 'connector.auth_error'
  if (to === 'active' && before.authErrorSince !== null) return 'connector.reauthorized'
  return 'connector.updated'
}

/** Remembers through all states between that an instance was refused, until it is `active`. */
export function authErrorColumns(
  tx: Rows,
  to: string,
  before: StateBefore,
): { readonly authErrorSince?: RawBuilder<number> | null } {
  if (to === 'active') return { authErrorSince: null }
  return to === 'auth_error' && before.authErrorSince === null ? { authErrorSince: tx.now() } : {}
}
