// /events: what happened to instances, to be read and to be delivered once more.
import { ConnectorError } from '../../errors.ts'
import type { Store } from '../store/store.ts'
import { isUuid } from '../store/uuid.ts'
import { EVENT_TYPES } from '../../client/webhooks/event.ts'
import { auditOf } from '../audit.ts'
import { cursorRefused, type EventCursors } from '../events/event-cursor.ts'
import { showEvent } from '../events/event-view.ts'
import { placeOf, webhookUnknown } from '../events/webhooks.ts'
import { type Handler, json, type Route, routes } from '../route.ts'
import { ownerOf, requireWhole } from '../tokens/principal.ts'
import { limitIn } from './pages.ts'
import * as s from './schemas.ts'

const EVENT = s.open({
  id: { type: 'string', format: 'uuid' },
  type: { enum: Object.keys(EVENT_TYPES) },
  timestamp: s.TIME,
  data: s.FREE,
})

export interface EventRoutePorts {
  readonly store: Store
  readonly cursors: EventCursors
}

export function eventRoutes(ports: EventRoutePorts): readonly Route[] {
  return routes('application', [
    {
      name: 'listEvents',
      at: 'GET /events',
      queryExample: { limit: '50' },
      summary: 'List events, oldest first',
      query: s.closed({
        cursor: {
          type: 'string',
          maxLength: 100,
          description: 'Where to continue: next_cursor of an earlier response, however old.',
        },
        limit: s.LIMIT,
      }),
      success: s.answersPage(
        'Events, in order. next_cursor is always present: use it for the next request.',
        EVENT,
        { type: 'string' },
      ),
      errors: ['cursor_invalid'],
      handle: (request) => list(ports, request),
    },
    {
      name: 'redeliverEvent',
      at: 'POST /events/{event_id}/redeliver',
      manage: true,
      summary: 'Redeliver an event with the same id',
      body: s.optionalBody({
        webhook_id: {
          type: 'string',
          maxLength: 100,
          description:
            'Only to this webhook, whatever its event types; by default to all webhooks for this type.',
        },
      }),
      success: s.answersWith(
        202,
        'The number of webhooks it is queued for; disabled ones get nothing.',
        { event_id: { type: 'string' }, webhooks: { type: 'integer' } },
      ),
      errors: ['event_unknown', 'webhook_unknown'],
      example: {},
      handle: (request) => redeliver(ports, request),
    },
  ])
}

const list: Handler<EventRoutePorts> = async ({ store, cursors }, { principal, query }) => {
  const limit = limitIn(query['limit'])
  const { cursor } = query
  const given = cursor === undefined ? null : await cursors.seqOfEvent(principal, cursor)
  const { events, lastSeq, removedSeq } = await store.events.list(ownerOf(principal), {
    afterSeq: given ?? 0,
    limit: limit + 1,
  })
  if (given !== null && given > lastSeq)
    throw cursorRefused('the cursor is of other events; start again without it')
  if (given !== null && given < removedSeq)
    throw cursorRefused(
      'events behind this cursor were removed for their age; list the instances, and start again without it',
    )
  const page = events.slice(0, limit)
  // At the end it is the end of all, also of what this reader does not see.
  const place = page.at(-1)?.seq ?? Math.max(given ?? 0, lastSeq)
  return json(200, {
    data: page.map(showEvent),
    meta: {
      has_more: events.length > limit,
      next_cursor: await cursors.event(principal, place),
    },
  })
}

const redeliver: Handler<EventRoutePorts> = async ({ store }, request) => {
  const { principal, path, body, requestId } = request
  requireWhole(principal)
  const eventId = path['event_id'] ?? ''
  const webhookId = typeof body['webhook_id'] === 'string' ? body['webhook_id'] : null
  if (webhookId !== null && (await store.webhooks.get(placeOf(principal, webhookId))) === null)
    throw webhookUnknown()
  const webhooks = isUuid(eventId)
    ? await store.events.redeliver(
        principal.organizationId,
        eventId,
        webhookId,
        auditOf(principal, requestId, 'event.redeliver', { target: eventId }),
      )
    : null
  if (webhooks === null)
    throw new ConnectorError('event_unknown', 'there is no such event, or it was removed')
  return json(202, { event_id: eventId, webhooks })
}
