// What the packaged manifests make of webhooks, against what the vendors document.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { createUndiciTransport } from '../../../src/engine/adapters/undici-transport.ts'
import { compileApply } from '../../../src/engine/credentials/apply.ts'
import { compileSubscription } from '../../../src/engine/credentials/subscription.ts'
import { webhooksOf, type WebhookScope } from '../../../src/engine/webhooks/webhooks.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { carriedBy } from '../../../src/language/manifest/credential-places/places.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'

const github = webhooksOf(requireManifest(await loadManifestFile('manifests/github.yaml')))
const repository = { id: 7, name: 'app', full_name: 'tallow/app', owner: { login: 'tallow' } }
const where = { owner: 'tallow', repo: 'app' }

function deliver(event: string, body: JsonObject, secrets: WebhookScope, key = 'shared') {
  const text = JSON.stringify(body)
  const received = github?.receive(
    {
      method: 'POST',
      url: 'https://app.example/v1/vendor-webhooks/github',
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(text).digest('hex')}`,
      },
      query: {},
      body: Buffer.from(text),
    },
    secrets,
    0,
  )
  if (received?.kind !== 'events') throw new Error('no events')
  const [first] = received.events
  return { id: first?.id, type: first?.type, route: first?.route, change: first?.changeFor({}) }
}

const SHARED = { config: {}, webhook: { secret: 'shared' } }

test.for<readonly [event: string, body: JsonObject, change: JsonObject | null]>([
  [
    'issues',
    { action: 'edited', issue: { id: 1, number: 2, title: 'It stops' }, repository },
    {
      entity: 'issues',
      kind: 'record',
      record: { id: 1, number: 2, title: 'It stops' },
      params: where,
    },
  ],
  [
    'issues',
    { action: 'deleted', issue: { id: 1 }, repository },
    { entity: 'issues', kind: 'removed', key: '1' },
  ],
  [
    'issues',
    { action: 'transferred', issue: { id: 1 }, repository },
    { entity: 'issues', kind: 'removed', key: '1' },
  ],
  [
    'issue_comment',
    { action: 'created', comment: { id: 3 }, issue: { id: 1 }, repository },
    { entity: 'issue_comments', kind: 'record', record: { id: 3 }, params: where },
  ],
  [
    'pull_request',
    { action: 'closed', pull_request: { id: 4, merged: true }, repository },
    { entity: 'pull_requests', kind: 'record', record: { id: 4, merged: true }, params: where },
  ],
  [
    'milestone',
    { action: 'deleted', milestone: { id: 5 }, repository },
    { entity: 'milestones', kind: 'removed', key: '5' },
  ],
  [
    'release',
    { action: 'published', release: { id: 6 }, repository },
    { entity: 'releases', kind: 'record', record: { id: 6 }, params: where },
  ],
  [
    'repository',
    { action: 'renamed', repository },
    { entity: 'repositories', kind: 'read', params: where },
  ],
  [
    'repository',
    { action: 'deleted', repository },
    { entity: 'repositories', kind: 'removed', key: '7' },
  ],
  ['ping', { zen: 'Keep it simple.', hook_id: 1 }, null],
])('GitHub tells of %s: %j', ([event, body, change]) => {
  expect(deliver(event, body, SHARED)).toEqual({
    id: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    type: event,
    route: null,
    change,
  })
})

test('a delivery to a GitHub App is for the instances of its installation', () => {
  const { route } = deliver('push', { installation: { id: 42 }, repository }, SHARED)
  expect(route).toBe(github?.routeOf({ installation_id: '42' }))
  expect(route).not.toBe(github?.routeOf({ installation_id: '43' }))
  expect(github?.routeOf({})).toBe(null)
})

test('the secret of an instance comes before the one that all share', () => {
  const own = { ...SHARED, credentials: { webhook_secret: 'own' } }
  expect(deliver('push', { repository }, own, 'own').type).toBe('push')
  expect(() => deliver('push', { repository }, own, 'shared')).toThrow(/webhook/)
})

const slack = webhooksOf(requireManifest(await loadManifestFile('manifests/slack.yaml')))

function tellSlack(body: JsonObject, key = 'shared') {
  const text = JSON.stringify(body)
  const signed = createHmac('sha256', key).update(`v0:1531420618:${text}`).digest('hex')
  return slack?.receive(
    {
      method: 'POST',
      url: 'https://app.example/v1/vendor-webhooks/slack',
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': '1531420618',
        'x-slack-signature': `v0=${signed}`,
      },
      query: {},
      body: Buffer.from(text),
    },
    SHARED,
    1_531_420_618_000,
  )
}

test.for<readonly [event: JsonObject, change: JsonObject | null]>([
  [
    { type: 'message', channel: 'C1', user: 'U1', text: 'Hello', ts: '1355517523.000005' },
    { entity: 'messages', kind: 'read', params: { channel: 'C1', ts: '1355517523.000005' } },
  ],
  [
    {
      type: 'message',
      subtype: 'message_changed',
      channel: 'C1',
      ts: '1358878755.000001',
      message: { ts: '1355517523.000005' },
    },
    { entity: 'messages', kind: 'read', params: { channel: 'C1', ts: '1355517523.000005' } },
  ],
  [
    { type: 'message', subtype: 'message_deleted', channel: 'C1', ts: '2.0', deleted_ts: '1.0' },
    { entity: 'messages', kind: 'removed', key: '["C1","1.0"]' },
  ],
  [
    { type: 'message', subtype: 'file_share', channel: 'C1', user: 'U1', ts: '3.0' },
    { entity: 'messages', kind: 'read', params: { channel: 'C1', ts: '3.0' } },
  ],
  // Of a reply the first message of its thread is read, but for one that is shown in the conversation as well.
  [
    { type: 'message', channel: 'C1', user: 'U1', ts: '3.0', thread_ts: '1.0' },
    { entity: 'messages', kind: 'read', params: { channel: 'C1', ts: '1.0' } },
  ],
  [
    { type: 'message', subtype: 'thread_broadcast', channel: 'C1', ts: '3.0', thread_ts: '1.0' },
    { entity: 'messages', kind: 'read', params: { channel: 'C1', ts: '3.0' } },
  ],
  [
    {
      type: 'reaction_added',
      reaction: 'wave',
      item: { type: 'message', channel: 'C1', ts: '1.0' },
    },
    { entity: 'messages', kind: 'read', params: { channel: 'C1', ts: '1.0' } },
  ],
  [
    { type: 'member_joined_channel', user: 'U1', channel: 'C1', team: 'T1' },
    { entity: 'conversations', kind: 'read', params: { channel: 'C1' } },
  ],
  [
    { type: 'group_deleted', channel: 'G1' },
    { entity: 'conversations', kind: 'removed', key: 'G1' },
  ],
  [
    { type: 'subteam_updated', subteam: { id: 'S1', name: 'Sales' } },
    { entity: 'usergroups', kind: 'record', record: { id: 'S1', name: 'Sales' }, params: {} },
  ],
  [
    { type: 'subteam_members_changed', subteam_id: 'S1' },
    { entity: 'usergroups', kind: 'unclear' },
  ],
  [
    { type: 'emoji_changed', subtype: 'add', name: 'a' },
    { entity: 'emoji', kind: 'unclear' },
  ],
  [
    { type: 'user_change', user: { id: 'U1', name: 'ada' } },
    { entity: 'users', kind: 'read', params: { user: 'U1' } },
  ],
  [
    { type: 'channel_archive', channel: 'C1' },
    { entity: 'conversations', kind: 'read', params: { channel: 'C1' } },
  ],
  [
    { type: 'file_deleted', file_id: 'F1' },
    { entity: 'files', kind: 'removed', key: 'F1' },
  ],
  [{ type: 'app_mention', channel: 'C1', ts: '1.0' }, null],
])('Slack tells of %j', ([event, change]) => {
  const received = tellSlack({ type: 'event_callback', event_id: 'Ev1', team_id: 'T1', event })
  if (received?.kind !== 'events') throw new Error('no events')
  const [first] = received.events
  expect([first?.id, first?.type, first?.route, first?.changeFor({})]).toEqual([
    'Ev1',
    event['type'],
    slack?.routeOf({ team_id: 'T1' }),
    change,
  ])
})

test('Slack is answered its challenge, and refused with another secret', () => {
  expect(tellSlack({ type: 'url_verification', challenge: '3eZbrw1aB' })).toMatchObject({
    kind: 'challenge',
  })
  expect(() => tellSlack({ type: 'event_callback' }, 'other')).toThrow(/webhook/)
})

const stripe = webhooksOf(requireManifest(await loadManifestFile('manifests/stripe.yaml')))

function tellStripe(body: JsonObject, { key = 'whsec_shared', at = 1_700_000_000 } = {}) {
  const text = JSON.stringify(body)
  const signed = createHmac('sha256', key).update(`${at}.${text}`).digest('hex')
  return stripe?.receive(
    {
      method: 'POST',
      url: 'https://app.example/v1/vendor-webhooks/stripe',
      headers: {
        'content-type': 'application/json',
        // While a secret is replaced there is one signature of each; v0 is of test events.
        'stripe-signature': `t=${at},v1=${'0'.repeat(64)},v1=${signed},v0=${'1'.repeat(64)}`,
      },
      query: {},
      body: Buffer.from(text),
    },
    { config: {}, webhook: { secret: 'whsec_shared' } },
    1_700_000_000_000,
  )
}

test.for<readonly [type: string, object: JsonObject, change: JsonObject | null]>([
  [
    'customer.updated',
    { id: 'cus_1', object: 'customer' },
    { entity: 'customers', kind: 'read', params: { customer: 'cus_1' } },
  ],
  [
    'customer.deleted',
    { id: 'cus_1', object: 'customer' },
    { entity: 'customers', kind: 'removed', key: 'cus_1' },
  ],
  [
    'customer.subscription.deleted',
    { id: 'sub_1', object: 'subscription' },
    { entity: 'subscriptions', kind: 'read', params: { subscription: 'sub_1' } },
  ],
  [
    'invoice.paid',
    { id: 'in_1', object: 'invoice' },
    { entity: 'invoices', kind: 'read', params: { invoice: 'in_1' } },
  ],
  ['invoice.upcoming', { object: 'invoice' }, null],
  [
    'charge.refunded',
    { id: 'ch_1', object: 'charge' },
    { entity: 'charges', kind: 'read', params: { charge: 'ch_1' } },
  ],
  [
    'charge.refund.updated',
    { id: 're_1', object: 'refund' },
    { entity: 'refunds', kind: 'read', params: { refund: 're_1' } },
  ],
  [
    'refund.created',
    { id: 're_1', object: 'refund' },
    { entity: 'refunds', kind: 'read', params: { refund: 're_1' } },
  ],
  [
    'charge.dispute.created',
    { id: 'dp_1', object: 'dispute' },
    { entity: 'disputes', kind: 'read', params: { dispute: 'dp_1' } },
  ],
  [
    'payout.paid',
    { id: 'po_1', object: 'payout' },
    { entity: 'payouts', kind: 'read', params: { payout: 'po_1' } },
  ],
  [
    'payment_intent.succeeded',
    { id: 'pi_1', object: 'payment_intent' },
    { entity: 'payment_intents', kind: 'read', params: { payment_intent: 'pi_1' } },
  ],
  ['tax_rate.created', { id: 'txr_1', object: 'tax_rate' }, null],
])('Stripe tells of %s: %j', ([type, object, change]) => {
  const received = tellStripe({ id: 'evt_1', type, account: 'acct_1', data: { object } })
  if (received?.kind !== 'events') throw new Error('no events')
  const [first] = received.events
  expect([first?.id, first?.type, first?.route, first?.changeFor({})]).toEqual([
    'evt_1',
    type,
    stripe?.routeOf({ stripe_account: 'acct_1' }),
    change,
  ])
})

test.for([
  { name: 'with another secret', key: 'whsec_other' },
  { name: 'an hour old', at: 1_700_000_000 - 3600 },
])('Stripe is refused $name', (how) => {
  expect(() => tellStripe({ id: 'evt_1', type: 'customer.updated' }, how)).toThrow(/webhook/)
})

test.for([
  [
    'github',
    { webhook_repository: 'tallow/app' },
    'POST /repos/tallow/app/hooks',
    (secret: string, url: string) => ({
      name: 'web',
      active: true,
      events: ['issues', 'issue_comment', 'pull_request', 'milestone', 'release', 'repository'],
      config: { url, content_type: 'json', secret },
    }),
  ],
  [
    'stripe',
    { webhook_endpoint: true },
    'POST /v1/webhook_endpoints',
    (_secret: string, url: string) =>
      new URLSearchParams({ url, 'enabled_events[0]': '*', description: 'Tenon' }).toString(),
  ],
] as const)(
  '%s is subscribed to as its vendor documents it, found and ended',
  async ([type, config, line, body]) => {
    const manifest = requireManifest(await loadManifestFile(`manifests/${type}.yaml`))
    await using vendor = await sandbox(`manifests/${type}.yaml`)
    const [method = null] = manifest.auth
    const { credentials } = vendor.options()
    const transport = createUndiciTransport({ allowHosts: [new URL(vendor.url).host] })
    const clock = createSystemClock()
    const compiled = compileSubscription(manifest, method, {
      transport,
      clock,
      serverUrl: vendor.url,
      client: null,
    })
    if (compiled === null || method === null) throw new Error('there is no subscription')
    const url = `https://app.example/v1/vendor-webhooks/${type}/1`
    const scope = {
      config: { ...vendor.options().config, ...config },
      credentials,
      webhook: { url },
    }
    const subscriber = { scope, applied: compileApply(carriedBy(method.apply))(scope) }
    expect([compiled.isWanted(scope), compiled.isWanted({ ...scope, config: {} })]).toEqual([
      true,
      false,
    ])
    const { values, lastsMs } = await compiled.create(subscriber, 'a-new-secret')
    const [sent] = vendor.requests('webhooks.create')
    const text = sent?.body.toString() ?? ''
    expect(`${sent?.method} ${sent?.target}`).toBe(line)
    const wanted = body('a-new-secret', url)
    const isForm = typeof wanted === 'string'
    expect(isForm ? new URLSearchParams(text).toString() : JSON.parse(text)).toEqual(wanted)
    expect([vendor.subscriptions()[0]?.values, lastsMs]).toEqual([values, null])
    const found = await compiled.find(subscriber)
    expect(found).toEqual([{ id: values['id'] }])
    for (const each of found) await compiled.remove(subscriber, each)
    // One that is gone has ended.
    await compiled.remove(subscriber, values)
    expect(vendor.subscriptions()).toEqual([])
    await transport.close()
  },
)
