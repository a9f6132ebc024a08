// What must compile with the client on fetch, and what must not.
import type { Connectors } from 'tenon'
import { connectHosted, serviceClient, verifyWebhook } from '../../src/client/fetch/index.ts'
import type { Acme } from './generated/acme.ts'

declare const baseUrl: string
declare const connectorId: string
declare const request: Request

export async function connecting(): Promise<void> {
  const jira: Connectors['jira'] = await connectHosted('jira', {
    baseUrl,
    connectorId,
    getToken: async () => 't',
    fetch: (url, init) => fetch(url, init),
  })
  for await (const issue of jira.issues.api_search({ jql: 'x' })) console.log(issue.key)
  const acme: Acme = await connectHosted('acme', { baseUrl, connectorId, token: 't' })
  await acme.customers.list({ limit: 3 })
  const gong = await connectHosted('gong', { baseUrl, connectorId, token: 't' })
  const file = await gong.call_audio.download({
    filter: { callIds: ['1'] },
    contentSelector: { exposedFields: { media: true } },
  })
  const stream: ReadableStream<Uint8Array> = file.toWebStream()
  console.log(new Response(stream))
  // @ts-expect-error the runtime makes the connections
  await connectHosted('jira', { baseUrl, connectorId, token: 't', proxy: 'http://proxy.example' })
  // @ts-expect-error neither a token nor a function that gives one
  await connectHosted('jira', { baseUrl, connectorId })
  // @ts-expect-error no such connector in this program
  await connectHosted('salesforce', { baseUrl, connectorId, token: 't' })
}

export async function application(): Promise<void> {
  const tenon = serviceClient({ baseUrl, clientId: 'app', clientSecret: 'shh' })
  const gong: Connectors['gong'] = await tenon.connect('gong', {
    connectorId,
    externalUserId: 'user-42',
  })
  await gong.close()
  const { type } = await verifyWebhook(request.headers, await request.text(), 'whsec_…')
  console.log(type)
}
