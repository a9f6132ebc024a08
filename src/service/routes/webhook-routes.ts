// /webhooks: where the events of an organisation are delivered.
import { EVENT_TYPES } from '../../client/webhooks/event.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { WebhookRow } from '../store/webhooks.ts'
import type { ServiceBase } from '../base.ts'
import { isTaken } from '../events/attempt.ts'
import type { EventCursors } from '../events/event-cursor.ts'
import { showDelivery, showWebhook } from '../events/event-view.ts'
import { placeOf, type Webhooks } from '../events/webhooks.ts'
import { empty, type Handler, json, type Route, routes } from '../route.ts'
import { limitIn, pageOf } from './pages.ts'
import * as s from './schemas.ts'

export interface WebhookRoutePorts extends Pick<ServiceBase, 'store' | 'clock' | 'publicUrl'> {
  readonly webhooks: Webhooks
  readonly cursors: EventCursors
}

const COLLECTION = '/webhooks'
const ONE = '/webhooks/{webhook_id}'
const DAY_SECONDS = 86_400

const INPUT = {
  url: { type: 'string', minLength: 1, maxLength: 2048, description: 'A public https address.' },
  description: { type: 'string', maxLength: 255 },
  event_types: {
    type: ['array', 'null'],
    minItems: 1,
    uniqueItems: true,
    items: { enum: Object.keys(EVENT_TYPES) },
    description: 'The event types to deliver; null, the default: all, including future ones.',
  },
} as const

const VIEW = {
  id: { type: 'string', format: 'uuid' },
  ...s.each(['url', 'description'], { type: 'string' }),
  event_types: { type: ['array', 'null'], items: { type: 'string' } },
  enabled: { type: 'boolean' },
  disabled_reason: {
    type: ['string', 'null'],
    enum: ['gone', 'by_hand', null],
    description: 'gone: the receiver responded with 410.',
  },
  previous_secret_ends_at: s.TIME_OR_NULL,
  ...s.each(['created_at', 'updated_at'], s.TIME),
} as const
const WEBHOOK = s.open(VIEW)
const WITH_SECRET = s.open({
  ...VIEW,
  secret: { type: 'string', description: 'whsec_…: shown only here, and never again.' },
})

const DELIVERY = s.open({
  event_id: { type: 'string', format: 'uuid' },
  type: { type: 'string' },
  state: { enum: ['pending', 'delivered', 'failed', 'canceled'] },
  attempts: { type: 'integer' },
  ...s.each(['next_attempt_at', 'last_attempt_at'], s.TIME_OR_NULL),
  last_status: { type: ['integer', 'null'] },
  last_error: { type: ['string', 'null'] },
  body: { ...s.FREE, description: 'What is sent; the same in every attempt.' },
})

export function webhookRoutes(ports: WebhookRoutePorts): readonly Route[] {
  const { webhooks, clock } = ports
  const show = (row: WebhookRow): JsonObject => showWebhook(row, clock.now())
  return routes('application', [
    {
      name: 'createWebhook',
      at: `POST ${COLLECTION}`,
      manage: true,
      summary: 'Create a webhook',
      body: s.requiredBody(['url'], INPUT),
      success: s.answers(201, 'The webhook and its secret.', WITH_SECRET, ['location']),
      errors: ['destination_refused'],
      example: { url: 'https://app.example.com/hooks', event_types: ['connector.auth_error'] },
      async handle(request) {
        const { row, secret } = await webhooks.create(request, request.body)
        const location = `${ports.publicUrl()}/v1${COLLECTION}/${row.id}`
        return json(201, { ...show(row), secret }, { location })
      },
    },
    {
      name: 'listWebhooks',
      at: `GET ${COLLECTION}`,
      summary: 'List webhooks',
      success: s.answersWith(200, 'All webhooks of the organisation, by id.', {
        data: s.listOf(WEBHOOK),
      }),
      async handle({ principal }) {
        return json(200, { data: (await webhooks.list(principal)).map(show) })
      },
    },
    {
      name: 'getWebhook',
      at: `GET ${ONE}`,
      summary: 'Get a webhook',
      success: s.answers(200, 'The webhook.', WEBHOOK),
      errors: ['webhook_unknown'],
      handle: async ({ principal, path }) =>
        json(200, show(await webhooks.get(principal, idIn(path)))),
    },
    {
      name: 'updateWebhook',
      at: `PATCH ${ONE}`,
      manage: true,
      summary: 'Update a webhook, or enable or disable it',
      body: s.requiredBody([], { ...INPUT, enabled: { type: 'boolean' } }),
      success: s.answers(
        200,
        'The webhook. Deliveries that were waiting when it was disabled are not made.',
        WEBHOOK,
      ),
      errors: ['webhook_unknown', 'destination_refused'],
      example: { enabled: false },
      handle: async (request) =>
        json(200, show(await webhooks.update(request, idIn(request.path), request.body))),
    },
    {
      name: 'deleteWebhook',
      at: `DELETE ${ONE}`,
      manage: true,
      summary: 'Delete a webhook and its waiting deliveries',
      success: s.answers(204, 'Deleted.', null),
      errors: ['webhook_unknown'],
      async handle(request) {
        await webhooks.remove(request, idIn(request.path))
        return empty(204)
      },
    },
    {
      name: 'rotateWebhookSecret',
      at: `POST ${ONE}/rotate-secret`,
      manage: true,
      summary: 'Rotate the secret of a webhook; both secrets sign for a while',
      body: s.optionalBody({
        keep_seconds: {
          type: 'integer',
          minimum: 0,
          maximum: 7 * DAY_SECONDS,
          description: 'How long both secrets sign; a day by default, 0 if one has leaked.',
        },
      }),
      success: s.answers(200, 'The webhook, with the new secret.', WITH_SECRET),
      errors: ['webhook_unknown'],
      example: { keep_seconds: 3600 },
      async handle(request) {
        const keep = request.body['keep_seconds']
        const keepSeconds = typeof keep === 'number' ? keep : DAY_SECONDS
        const { row, secret } = await webhooks.rotate(request, idIn(request.path), keepSeconds)
        return json(200, { ...show(row), secret })
      },
    },
    {
      name: 'testWebhook',
      at: `POST ${ONE}/test`,
      manage: true,
      summary: 'Send a test event to a webhook',
      body: s.optionalBody({}),
      success: s.answersWith(200, 'The receiver’s response.', {
        delivered: { type: 'boolean' },
        status: { type: ['integer', 'null'] },
        error: {
          type: ['string', 'null'],
          description: 'The error code, if there was no response.',
        },
        took_ms: { type: 'integer' },
      }),
      errors: ['webhook_unknown'],
      async handle(request) {
        const { status, error, tookMs } = await webhooks.test(request, idIn(request.path))
        return json(200, { delivered: isTaken(status), status, error, took_ms: tookMs })
      },
    },
    {
      name: 'listWebhookDeliveries',
      at: `GET ${ONE}/deliveries`,
      queryExample: { limit: '50' },
      summary: 'List the deliveries of a webhook, newest first',
      query: s.closed({ cursor: s.TEXT, limit: s.LIMIT }),
      success: s.answersPage('One delivery per event, with its latest attempt.', DELIVERY),
      errors: ['webhook_unknown', 'cursor_invalid'],
      handle: (request) => listDeliveries(ports, request),
    },
  ])
}

const listDeliveries: Handler<WebhookRoutePorts> = async (ports, { principal, path, query }) => {
  const { webhooks, store, cursors } = ports
  const { id } = await webhooks.get(principal, idIn(path))
  const limit = limitIn(query['limit'])
  const { cursor } = query
  const beforeSeq =
    cursor === undefined ? undefined : await cursors.seqOfDelivery(principal, id, cursor)
  const found = await store.webhooks.deliveries(placeOf(principal, id), {
    limit: limit + 1,
    ...(beforeSeq === undefined ? {} : { beforeSeq }),
  })
  const { rows, meta } = await pageOf(found, limit, ({ seq }) =>
    cursors.delivery(principal, id, seq),
  )
  return json(200, { data: rows.map(showDelivery), meta })
}

function idIn(path: Readonly<Record<string, string>>): string {
  return path['webhook_id'] ?? ''
}
