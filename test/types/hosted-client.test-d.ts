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
