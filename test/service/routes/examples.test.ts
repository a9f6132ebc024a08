// The examples of the document, executed: every route answers its own one with success, in the shape that the document says.
import { writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { format, resolveConfig } from 'prettier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/language/json/json.ts'
import { EXAMPLE_ANSWERS, type ExampleAnswer } from '../../../src/service/routes/example-answers.ts'
import { eventually } from '../../faults/resources.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { shortAnswer } from '../../fixtures/short-answer.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly example?: string | number | boolean
}
interface Content {
  readonly schema?: object
  readonly example?: JsonObject
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: Json }>>
}
interface Answer {
  readonly content?: Readonly<Record<string, Content>>
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
}
interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Answer>>
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
/** What ends things comes last, and the list of what another one makes. */
const LAST = [
  'listOAuthClients',
  'deleteOAuthClient',
  'unpublishManifest',
  'deleteWebhook',
  'deleteConnectorInstance',
  'revokeToken',
  'eraseUser',
]

/** A search next to the action that is the example of the body. */
const SEARCH = {
  entity: 'calls',
  action: 'search',
  params: { query: { filter: { eq: { direction: 'Inbound' } } }, limit: 1 },
}

/** What answers are by the reference, as this run got them. */
const recorded: Record<string, readonly ExampleAnswer[]> = {}

let world: RunningService
let document: Document
/** What stands in the place of ids of examples. */
let known: Readonly<Record<string, string>>
/** What stands in the place of secrets in the bodies of examples. */
let secrets: Readonly<Record<string, object>>
const ajv = addFormats.default(new Ajv2020({ strict: false }))

beforeAll(async () => {
  world = await runService({
    redirectUrls: [REDIRECT],
    jobs: true,
    publishOrganization: 'default',
  })
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
  let log: string | undefined
  await eventually(async () => {
    const logs = (await world.call('GET', '/v1/logs')).body as {
      readonly data: readonly { readonly id: string }[]
    }
    return (log = logs.data[0]?.id) !== undefined
  })
  const text = (await world.service.workshop?.textOf('gong')) ?? ''
  for (const version of ['1.0.1', '1.0.2']) {
    const raised = text.replace('version: 1.0.0', `version: ${version}`)
    expect((await world.call('POST', '/v1/manifests', { text: raised })).status).toBe(201)
  }
  known = {
    connector_id: id,
    webhook_id: webhook,
    event_id: events.data[0].id,
    log_id: log ?? '',
  }
  const first = world.service.firstApplication
  await world.service.store.applications.update(first?.clientId ?? '', { allows: ['request'] })
  const { credentials } = world.vendor('gong').options()
  secrets = {
    mintApplicationToken: { client_id: first?.clientId, client_secret: first?.clientSecret },
    createConnectorInstance: { credentials },
  }
})
afterAll(() => world[Symbol.asyncDispose]())

/** What every answer of an HTTP service may have: RFC 9110 and 9112, and what keeps browsers from harm. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
])

/** Header fields that an answer has and its description lacks, and those that it lacks though it always has them. */
function headersAmiss(described: Answer | undefined, given: Headers): readonly string[] {
  const known = new Map(
    Object.entries(described?.headers ?? {}).map(([name, field]) => [name.toLowerCase(), field]),
  )
  return [
    ...[...given.keys()].filter((name) => !known.has(name) && !OF_HTTP.has(name)),
    ...[...known].flatMap(([name, { required }]) =>
      required === true && !given.has(name) ? [`${name} is missing`] : [],
    ),
  ]
}

// Before those that end things.
test('header fields of errors, of downloads and of what was answered before are described', async () => {
  const gong = String(known['connector_id'])
  const execute = `/api/v1/connectors/sources/{connector_id}/execute`
  const key = { 'idempotency-key': 'twice', prefer: 'wait=30' }
  const create = { external_user_id: 'user-7', connector_type: 'gong', name: 'again' }
  const { credentials } = world.vendor('gong').options()
  const params = world.vendor('gong').example('call_audio.download')
  const file = { entity: 'call_audio', action: 'download', params }
  const asked: readonly (readonly [
    method: 'get' | 'post' | 'patch',
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
    status: number,
    has: readonly string[],
  ])[] = [
    [
      'get',
      '/v1/connectors',
      undefined,
      { authorization: 'Bearer none' },
      401,
      ['www-authenticate'],
    ],
    [
      'post',
      '/v1/integrations/connectors',
      { ...create, credentials },
      key,
      201,
      ['etag', 'location'],
    ],
    [
      'post',
      '/v1/integrations/connectors',
      { ...create, credentials },
      key,
      201,
      ['idempotent-replayed'],
    ],
    ['post', execute, file, {}, 200, ['content-disposition']],
    [
      'post',
      execute,
      file,
      { range: 'bytes=0-9', prefer: 'wait=9' },
      206,
      ['content-range', 'preference-applied'],
    ],
    ['post', execute, file, { range: 'bytes=999999999-' }, 416, ['content-range']],
    [
      'patch',
      '/v1/integrations/connectors/{connector_id}',
      { name: 'x' },
      { 'if-match': '"old"' },
      412,
      [],
    ],
  ]
  const found: unknown[] = []
  for (const [method, path, body, headers, , has] of asked) {
    const answer = await world.call(
      method.toUpperCase(),
      path.replace('{connector_id}', gong),
      body,
      { headers },
    )
    const described = document.paths[path]?.[method]?.responses[String(answer.status)]
    found.push([
      answer.status,
      headersAmiss(described, answer.headers),
      has.filter((name) => !answer.headers.has(name)),
    ])
  }
  expect(found).toEqual(asked.map(([, , , , status]) => [status, [], []]))
})

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
    const about = headersAmiss(responses[String(status)], answer.headers)
    if (about.length > 0) found.push([operationId, status, about])
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
    if (schema === undefined || said === undefined) continue
    const first = { status, summary: '', value: short(said) }
    recorded[operationId] = [first]
    if (operationId !== 'execute') continue
    const { body: hits } = await world.call('POST', path, SEARCH)
    recorded[operationId] = [
      { ...first, summary: 'Result of an action: calls.list' },
      { status, summary: 'Hits of a search: calls.search', value: short(hits) },
    ]
  }
  expect(found).toEqual([])
}, 300_000)

/** With the ids of the example of the request. */
function short(body: unknown): Json {
  const stands = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ parameters }) => parameters)
    .flatMap(({ name, example }) => {
      const id = known[name]
      return id === undefined || example === undefined ? [] : [[id, String(example)] as const]
    })
  return shortAnswer(body as Json, { known: new Map(stands), origin: world.url })
}

// With TENON_WRITE_EXAMPLES=1 they are written: npm run generate:examples.
test('the answers in the document are what the service answers', async () => {
  if (process.env['TENON_WRITE_EXAMPLES'] === '1') return await writeExamples()
  const found = Object.entries(document.paths).flatMap(([, item]) =>
    Object.values(item).flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content }) => {
        const { schema, example, examples = {} } = content?.['application/json'] ?? {}
        const values = [example, ...Object.values(examples).map(({ value }) => value)]
        const isValid = ajv.compile({ ...schema, components: document.components })
        return values
          .filter((value) => value !== undefined)
          .flatMap((value, at) => {
            const lacks = namesIn(value).filter(
              (name) => !namesIn(recorded[operationId]?.[at]?.value).includes(name),
            )
            return isValid(value) && lacks.length === 0
              ? []
              : [[operationId, lacks, isValid.errors]]
          })
      }),
    ),
  )
  expect(found).toEqual([])
  expect(Object.keys(EXAMPLE_ANSWERS).toSorted()).toEqual(Object.keys(recorded).toSorted())
})

function namesIn(value: Json | undefined): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

async function writeExamples(): Promise<void> {
  const text = `// What the service answers to the examples of requests, by operation. Do not edit: npm run generate:examples.
import type { Json } from '../../language/json/json.ts'

export interface ExampleAnswer {
  readonly status: number
  /** Which of several it is; empty where there is one. */
  readonly summary: string
  readonly value: Json
}

export const EXAMPLE_ANSWERS: Readonly<Record<string, readonly ExampleAnswer[]>> = ${JSON.stringify(recorded)}
`
  const file = 'src/service/routes/example-answers.ts'
  const config = await resolveConfig(file)
  writeFileSync(file, await format(text, { ...config, filepath: file }))
}

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
