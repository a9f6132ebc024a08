// What must compile with the hosted client, and what must not.
import { connectHosted, serviceClient } from 'tenon'
import type { Connectors } from 'tenon'
import type { Acme } from './generated/acme.ts'

declare const baseUrl: string
declare const connectorId: string
declare function scopedTokenFor(user: string): Promise<string>

export async function connecting(): Promise<void> {
  const jira: Connectors['jira'] = await connectHosted('jira', {
    baseUrl,
    connectorId,
    getToken: () => scopedTokenFor('user-42'),
  })
  for await (const issue of jira.issues.api_search({ jql: 'x' })) console.log(issue.key)
  const acme: Acme = await connectHosted('acme', { baseUrl, connectorId, token: 'tenon_st_…' })
  await acme.customers.list({ limit: 3 })
  // @ts-expect-error both token and getToken
  await connectHosted('jira', { baseUrl, connectorId, token: 't', getToken: () => 't' })
  // @ts-expect-error neither of them
  await connectHosted('jira', { baseUrl, connectorId })
  // @ts-expect-error no such connector in this program
  await connectHosted('salesforce', { baseUrl, connectorId, token: 't' })
  // @ts-expect-error credentials are the service's
  await connectHosted('jira', { baseUrl, connectorId, token: 't', credentials: {} })
}

export async function application(): Promise<void> {
  const tenon = serviceClient({ baseUrl, clientId: 'app', clientSecret: 'shh' })
  const instance = await tenon.instances.create({
    external_user_id: 'user-42',
    connector_type: 'gong',
    name: 'Gong',
    credentials: { access_key: 'a', access_key_secret: 's' },
  })
  const { consent_url: consent } = await tenon.oauth.initiate({
    external_user_id: 'user-42',
    connector_type: 'jira',
    redirect_url: 'https://app.example.com/connected',
  })
  console.log(consent, instance.state)
  const gong = await tenon.connect('gong', {
    connectorId: instance.id,
    externalUserId: 'user-42',
  })
  await gong.users.list()
  for await (const one of tenon.instances.list({ state: 'active' })) console.log(one.name)
  // @ts-expect-error one of the two forms
  await tenon.instances.create({ external_user_id: 'u', connector_type: 'gong', name: 'G' })
  // @ts-expect-error no such state
  await tenon.instances.list({ state: 'happy' })
}

export async function syncing(): Promise<void> {
  const tenon = serviceClient({ baseUrl, clientId: 'a', clientSecret: 'b' })
  const { missing } = await tenon.sync.confirm(connectorId, 'calls')
  const { restored } = await tenon.sync.undo(connectorId, 'run')
  const { missing_scopes: scopes } = await tenon.instances.access(connectorId)
  console.log(
    missing ?? 0,
    restored + 1,
    scopes.flatMap(({ operations }) => operations),
  )
  // @ts-expect-error the entity whose listing is confirmed
  await tenon.sync.confirm(connectorId)
}

export async function searching(): Promise<void> {
  const gong = await connectHosted('gong', { baseUrl, connectorId, token: 't' })
  const jira = await connectHosted('jira', { baseUrl, connectorId, token: 't' })
  const { hits, replica } = await jira.issues.search({
    query: {
      filter: {
        and: [
          { eq: { 'fields.status.name': 'Done', key: 'OPS-1', projectId: null } },
          { in: { 'fields.priority.name': ['High', 'Highest'] } },
          { keyword: { fields: 'hinge', 'fields.summary': 'oil' } },
          { not: { fuzzy: { fields: 'delivry' } } },
          { gte: { created: '2026-01-01', 'fields.votes.votes': 3 } },
        ],
      },
      sort: ['-updated', { key: 'asc' }, { 'fields.status.name': 'desc' }],
    },
    fields: ['key', 'fields.summary'],
  })
  console.log(hits[0]?.data.key, replica?.records)
  const { hits: calls } = await gong.calls_extensive.search({
    query: { filter: { eq: { id: '7782342274025937895' }, keyword: { parties: 'Ada' } } },
  })
  // @ts-expect-error an id of 19 digits comes as its digits
  const id: number = calls[0]?.data.id ?? 0
  console.log(id)
  await gong.calls_extensive.search({
    query: { filter: { gt: { id: 5n }, like: { parties: '%a%', 'parties.name': 'A%' } } },
  })
  // @ts-expect-error a path below a text
  await gong.calls.search({ query: { filter: { eq: { 'title.name': 'x' } } } })
  // @ts-expect-error words of a number
  await gong.calls.search({ query: { filter: { fuzzy: { duration: 'x' } } } })
  // @ts-expect-error the whole text of an object
  await gong.calls_extensive.search({ query: { filter: { like: { content: '%x%' } } } })
  // @ts-expect-error an object has no order
  await gong.calls_extensive.search({ query: { filter: { gt: { content: 'x' } } } })
  // @ts-expect-error neither has a truth
  await gong.calls.search({ query: { filter: { lt: { isPrivate: true } } } })
  // @ts-expect-error a number that is none
  await gong.calls.search({ query: { filter: { eq: { duration: 'long' } } } })
  // @ts-expect-error one value where there are several
  await gong.calls.search({ query: { filter: { in: { title: 'x' } } } })
  // @ts-expect-error nothing is sorted by an object
  await gong.calls_extensive.search({ query: { sort: ['content'] } })
  // @ts-expect-error no such field
  await gong.calls.search({ query: {}, fields: ['titel'] })
  const tenon = serviceClient({ baseUrl, token: 't' })
  // Of fields that are not known every name is taken.
  const anything = { filter: { like: { x: '%y%' }, gt: { 'a.b': 3 } }, sort: ['-x'] }
  for await (const hit of tenon.search('id', 'users', { query: anything }))
    console.log(hit.data['x'])
}

export async function eventsAndWebhooks(): Promise<void> {
  const tenon = serviceClient({ baseUrl, token: 't' })
  const page = await tenon.events.list({ cursor: 'place', limit: 20 })
  const place: string = page.meta.next_cursor
  for await (const { records, meta } of tenon.events.follow({ cursor: place }))
    console.log(meta.next_cursor, records[0]?.data['connector_id'])
  const { secret, id } = await tenon.webhooks.create({
    url: 'https://app.example.com/hooks',
    event_types: ['sync.failed'],
  })
  // @ts-expect-error no such type of event
  await tenon.webhooks.create({ url: secret, event_types: ['sync.faild'] })
  // @ts-expect-error the secret is shown by creation and rotation only
  console.log((await tenon.webhooks.get(id)).secret)
  for await (const { state } of tenon.webhooks.deliveries(id)) if (state === 'failed') return
}
