// /vendor-webhooks: where vendors send their webhooks to. No token: what arrives proves its sender itself.
import { type Handler, type Route, routes } from '../route.ts'
import { WEBHOOK_PATH } from '../vendor-webhooks/address.ts'
import type { VendorWebhooks } from '../vendor-webhooks/vendor-webhooks.ts'
import * as s from './schemas.ts'

/** More than vendors send, but for exports that nobody waits for. */
const RAW = { limitBytes: 1024 ** 2, atOnce: 64 }

const ALL = `${WEBHOOK_PATH}/{connector_type}`
const ONE = `${ALL}/{connector_id}`

export function vendorWebhookRoutes(webhooks: VendorWebhooks): readonly Route[] {
  const ofConnector: Handler<VendorWebhooks> = (all, request) =>
    all.receive(request.path['connector_type'] ?? '', request)
  const ofInstance: Handler<VendorWebhooks> = (all, request) => {
    const { connector_type: type = '', connector_id: id = '' } = request.path
    return all.receiveFor(type, id, request)
  }
  const errors = [
    'webhook_unverified',
    'webhook_expired',
    'instance_unknown',
    'overloaded',
  ] as const
  const common = {
    raw: RAW,
    query: s.open({}),
    success: s.answers(
      200,
      'The webhook was accepted, or this is the response that it asks for.',
      s.open({}),
    ),
  }
  return routes('none', [
    {
      name: 'receiveVendorWebhook',
      at: `POST ${ALL}`,
      summary: 'Receive a vendor webhook for any instance of its app',
      ...common,
      errors,
      handle: (request) => ofConnector(webhooks, request),
    },
    {
      name: 'answerVendorWebhook',
      at: `GET ${ALL}`,
      summary: 'Respond to a vendor that verifies the address',
      ...common,
      errors,
      handle: (request) => ofConnector(webhooks, request),
    },
    {
      name: 'receiveInstanceWebhook',
      at: `POST ${ONE}`,
      summary: 'Receive a vendor webhook for one instance',
      ...common,
      errors: [...errors, 'instance_disabled'],
      handle: (request) => ofInstance(webhooks, request),
    },
    {
      name: 'answerInstanceWebhook',
      at: `GET ${ONE}`,
      summary: 'Respond to a vendor that verifies the address',
      ...common,
      errors,
      handle: (request) => ofInstance(webhooks, request),
    },
  ])
}
