// The examples of the document, executed: every route answers its own one with success, in the shape that the document says.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly example?: string | number | boolean
}
interface Content {
  readonly schema?: object
  readonly example?: JsonObject
}
interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Content>> }>
  >
  readonly 'x-codeSamples': readonly { readonly source: string }[]
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

const REDIRECT = 'https://app.example.com/connected'

/** For vendors, who sign what they send: an unsigned request is refused, as the document says. */
const FOR_VENDORS = [
  'receiveVendorWebhook',
  'answerVendorWebhook',
  'receiveInstanceWebhook',
  'answerInstanceWebhook',
]
/** What ends things comes last. */
const LAST = ['deleteWebhook', 'deleteConnectorInstance', 'revokeToken']

let world: RunningService
let document: Document
/** What stands in the place of ids of examples. */
let known: Readonly<Record<string, string>>
/** What stands in the place of secrets in the bodies of examples. */
let secrets: Readonly<Record<string, object>>
const ajv = addFormats.default(new Ajv2020({ strict: false }))

beforeAll(async () => {
  world = await runService({ redirectUrls: [REDIRECT], jobs: true })
  const { body } = await world.call('GET', '/openapi.json')
  document = body as Document
  ajv.addSchema({ $id: 'document', ...document })
  const id = await world.connect('gong', { external_user_id: 'user-42' })
  const changes = `/v1/integrations/connectors/${id}/changes?entity=users`
  await eventually(async () => (await world.call('GET', changes)).status === 200)
  const made = await world.call('POST', '/v1/webhooks', { url: 'https://app.example.com/hooks' })
  const { id: webhook } = made.body as { readonly id: string }
  const events = (await world.call('GET', '/v1/events')).body as {
    readonly data: readonly [{ readonly id: string }]
  }
  known = { connector_id: id, webhook_id: webhook, event_id: events.data[0].id }
  const first = world.service.firstApplication
  await world.service.store.applications.update(first?.clientId ?? '', { allows: ['request'] })
  const { credentials } = world.vendor('gong').options()
  secrets = {
    mintApplicationToken: { client_id: first?.clientId, client_secret: first?.clientSecret },
    createConnectorInstance: { credentials },
  }
})
afterAll(() => world[Symbol.asyncDispose]())

test('every example is answered with success, in the shape that the document says', async () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method })),
  )
  const order = (name: string): number => LAST.indexOf(name)
  const found: unknown[] = []
  for (const each of operations.toSorted((a, b) => order(a.operationId) - order(b.operationId))) {
    const { operationId, parameters, requestBody, responses, method } = each
    const [sample] = each['x-codeSamples']
    const query = new URLSearchParams()
    let { path } = each
    for (const { name, in: place, example } of parameters) {
      if (example === undefined) continue
      const value = known[name] ?? String(example)
      if (place === 'path') path = path.replace(`{${name}}`, value)
      if (place === 'query') query.set(name, value)
      expect([operationId, sample?.source.includes(String(example))]).toEqual([operationId, true])
    }
    const example = requestBody?.content['application/json']?.example
    const body = example === undefined ? undefined : { ...example, ...secrets[operationId] }
    const answer = await world.call(
      method.toUpperCase(),
      `${path}${query.size === 0 ? '' : `?${query.toString()}`}`,
      body,
    )
    const { status, body: said, text } = answer
    if (FOR_VENDORS.includes(operationId)) {
      expect([operationId, status >= 400, String(status) in responses]).toEqual([
        operationId,
        true,
        true,
      ])
      continue
    }
    const schema = responses[String(status)]?.content?.['application/json']?.schema
    const isValid = ajv.compile(
      schema === undefined ? true : { ...schema, components: document.components },
    )
    const fits = schema === undefined || isValid(said)
    if (status >= 300 || !(String(status) in responses) || !fits)
      found.push([operationId, status, text.slice(0, 300), isValid.errors])
  }
  expect(found).toEqual([])
}, 120_000)

test('objects are closed, named or free, arrays have elements, and bodies have examples', () => {
  const found: string[] = []
  const look = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return
    const schema = value as Readonly<Record<string, unknown>>
    const types = [schema['type']].flat()
    if (types.includes('array') && schema['items'] === undefined) found.push(at)
    const isVague =
      schema['properties'] === undefined && schema['additionalProperties'] === undefined
    if (types.includes('object') && isVague) found.push(at)
    for (const [name, member] of Object.entries(value)) look(member, `${at}/${name}`)
  }
  look(document, '')
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { requestBody }] of Object.entries(item))
      if (
        requestBody !== undefined &&
        requestBody.content['application/json']?.example === undefined
      )
        found.push(`${method} ${path}`)
  expect(found).toEqual([])
})
