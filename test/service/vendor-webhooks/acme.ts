// A connector whose vendor sends webhooks, and what such a vendor signs.
import { createHmac } from 'node:crypto'
import { methodText } from '../../fixtures/method-manifest.ts'

const RECORD = {
  required: ['id'],
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    updated_at: { type: 'string', format: 'date-time' },
  },
}

const NAMED = { required: ['id'], properties: { id: { type: 'string' } } }

/** One entity that is read again, taken from the event, or removed, as the event says. */
export function acmeText(webhooks: object = {}): string {
  return methodText(
    {
      key: {
        credentials: {
          required: ['key'],
          properties: {
            key: { type: 'string', writeOnly: true },
            webhook_secret: { type: 'string', writeOnly: true },
          },
        },
        apply: { bearer: '{{ credentials.key }}' },
      },
    },
    {
      config: { properties: { account: { type: 'string' } } },
      entities: {
        things: {
          record: RECORD,
          actions: {
            list: {
              summary: 'List things',
              request: { http: 'GET /things' },
              response: { records: '$.things' },
              pagination: { type: 'none', reason: 'there are few' },
            },
            get: { params: NAMED, request: { http: 'GET /things/{{ params.id }}' } },
            update: {
              params: {
                required: ['id'],
                properties: { id: { type: 'string' }, title: { type: 'string' } },
              },
              request: { http: 'PATCH /things/{{ params.id }}', body: ['title'] },
            },
          },
          search: { fields: 'all' },
          sync: {
            action: 'list',
            primary_key: 'id',
            cursor: { field: 'updated_at', newest_first: true },
          },
        },
      },
      webhooks: {
        verify: {
          sign: {
            alg: 'hmac_sha256',
            key: '{{ default credentials.webhook_secret webhook.secret }}',
            of: '{{ request.timestamp }}.{{ request.body }}',
            headers: { 'X-Signature': '{{ signature }}', 'X-Time': '{{ request.timestamp }}' },
          },
        },
        challenges: [
          { when: { body: { '$.type': 'ping' } }, answer: { text: '{{ event.body.challenge }}' } },
        ],
        id: '$.id',
        type: '$.type',
        route: { '$.account': '{{ config.account }}' },
        map: [
          { when: { type: 'thing.gone' }, entity: 'things', removed: '$.thing.id' },
          { when: { type: 'thing.told' }, entity: 'things', record: '$.thing' },
          { when: { type: 'thing.changed' }, entity: 'things', get: { id: '$.thing.id' } },
        ],
        ...webhooks,
      },
    },
  )
}

/** A vendor that keeps subscriptions with a secret that it is told. */
export const SUBSCRIBE = {
  if: '{{ config.account }}',
  create: {
    request: {
      http: 'POST /hooks',
      body: { target: '{{ webhook.url }}', secret: '{{ subscription.secret }}' },
    },
    store: { id: '$.id' },
    expires: '$.until',
  },
  find: {
    request: { http: 'GET /hooks', query: { page: '{{ params.page }}' } },
    from: '$.hooks',
    pagination: { type: 'page', param: 'page' },
    match: { '$.target': '{{ webhook.url }}' },
    store: { id: '$.id' },
  },
  renew: { request: { http: 'POST /hooks/{{ subscription.id }}/renew' }, ttl: '30d' },
  delete: { http: 'DELETE /hooks/{{ subscription.id }}' },
}

/** The same connector, which subscribes; `subscribe` replaces members of the block. */
export function subscribingText(subscribe: object = {}): string {
  return acmeText({
    verify: {
      sign: {
        alg: 'hmac_sha256',
        key: '{{ default subscription.secret credentials.webhook_secret webhook.secret }}',
        of: '{{ request.timestamp }}.{{ request.body }}',
        headers: { 'X-Signature': '{{ signature }}', 'X-Time': '{{ request.timestamp }}' },
      },
    },
    subscribe: { ...SUBSCRIBE, ...subscribe },
  })
}

/** The headers of a delivery. `atMs`: when it was signed. */
export function signedHeaders(
  body: string,
  secret: string,
  atMs: number = Date.now(),
): Record<string, string> {
  const time = String(Math.floor(atMs / 1000))
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return { 'content-type': 'application/json', 'x-time': time, 'x-signature': signature }
}
