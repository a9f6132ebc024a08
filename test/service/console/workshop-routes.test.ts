// What the console alone has: the workshop for manifests.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

const API = '/console/api/v1'
const OWN = { 'x-tenon-console': '1' }

let world: RunningService
let cookie: string

beforeAll(async () => {
  world = await runService({ publishOrganization: 'default' })
  const { clientId, clientSecret } = world.service.firstApplication ?? {}
  cookie = await signIn(world, clientId ?? '', clientSecret ?? '')
})
afterAll(() => world[Symbol.asyncDispose]())

async function signIn(service: RunningService, id: string, secret: string): Promise<string> {
  const answer = await service.call(
    'POST',
    `${API}/session`,
    { client_id: id, client_secret: secret },
    { as: null, headers: OWN },
  )
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

async function ask(method: string, path: string, body?: object, as = cookie): Promise<CallAnswer> {
  return await world.call(method, API + path, body, {
    as: null,
    headers: { ...OWN, cookie: as },
  })
}

const SMALL = `
manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.api_key }}" }
check: { entity: customers, action: list }
entities:
  customers:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        summary: List customers
        request: { http: GET /customers }
        response: { records: $.items }
        pagination: { type: none, reason: there are few }
`

test('the text of a served manifest is there, that of another is not', async () => {
  const found = await ask('GET', '/manifests/jira')
  expect([found.status, (found.body as { text: string }).text]).toEqual([
    200,
    expect.stringContaining('type: jira'),
  ])
  expect((await ask('GET', '/manifests/none')).status).toBe(404)
  expect((await ask('GET', '/manifests/..%2f..%2fpackage')).status).toBe(404)
})

test('a check has findings with their places, or what the manifest describes', async () => {
  const sound = await ask('POST', '/manifests/check', { text: SMALL })
  expect(sound.body).toEqual({
    problems: [],
    is_part: false,
    connector: {
      connector_type: 'acme',
      title: 'Acme',
      version: '1.0.0',
      operations: [{ entity: 'customers', action: 'list' }],
    },
    changes: null,
  })
  const faulty = await ask('POST', '/manifests/check', { text: `${SMALL}colour: red\n` })
  expect(faulty.body).toMatchObject({
    problems: [{ line: 19, column: 1, severity: 'error' }],
    is_part: true,
    connector: null,
    changes: null,
  })
})

test('a check compares with the served version', async () => {
  const { text } = (await ask('GET', '/manifests/gong')).body as { text: string }
  const changed = text.replace('title: Call analytics (Gong)', 'title: Calls')
  expect((await ask('POST', '/manifests/check', { text: changed })).body).toMatchObject({
    changes: {
      from: '1.0.0',
      to: '1.0.0',
      needed: 'patch',
      refused: false,
      changes: [{ class: 'cosmetic', path: 'connector title', change: expect.any(String) }],
    },
  })
})

test('a preview is the request as the third party would get it, of an example or of given params', async () => {
  const { text } = (await ask('GET', '/manifests/gong')).body as { text: string }
  const operation = { text, entity: 'calls', action: 'get' }
  const example = await ask('POST', '/manifests/preview', operation)
  const id: unknown = expect.stringMatching(/^\d{17,20}$/)
  expect(example.body).toEqual({
    params: { id },
    requests: [
      {
        curl: expect.stringMatching(
          /^curl https:\/\/api\.gong\.io\/v2\/calls\/\d+ .*'authorization: Basic \*\*\*'/,
        ),
        after: null,
      },
    ],
  })
  const given = await ask('POST', '/manifests/preview', { ...operation, params: { id: '7' } })
  expect(given.body).toMatchObject({
    params: { id: '7' },
    requests: [{ curl: expect.stringContaining('/v2/calls/7 ') }],
  })
  const wrong = await ask('POST', '/manifests/preview', { ...operation, params: { id: {} } })
  expect(wrong.body).toMatchObject({ code: 'params_invalid' })
})

test('types are made, and an operation runs against a vendor of the text', async () => {
  const types = await ask('POST', '/manifests/types', { text: SMALL })
  expect((types.body as { types: string }).types).toContain('export interface Acme')
  const run = await ask('POST', '/manifests/run', {
    text: SMALL,
    entity: 'customers',
    action: 'list',
  })
  expect(run.body).toEqual({
    answer: { data: expect.any(Array), meta: expect.any(Object) },
    exchanges: [
      {
        curl: expect.stringMatching(/^curl http.*\/customers .*'authorization: Bearer \*\*\*'/),
        status: 200,
        content_type: expect.stringContaining('json'),
        body: expect.stringContaining('"items"'),
        cut: false,
      },
    ],
  })
})

test('what cannot run says why', async () => {
  const unknown = { text: SMALL, entity: 'customers', action: 'get' }
  expect((await ask('POST', '/manifests/run', unknown)).body).toMatchObject({
    code: 'operation_unknown',
  })
  const faulty = { text: `${SMALL}colour: red\n` }
  expect((await ask('POST', '/manifests/types', faulty)).body).toMatchObject({
    code: 'request_malformed',
    errors: [{ pointer: '/text' }],
  })
})

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Acme CRM', version: '1' },
  servers: [{ url: 'https://api.acme.example/v1' }],
  paths: {
    '/customers': {
      get: {
        summary: 'List customers',
        responses: {
          200: {
            description: 'Customers',
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  items: { type: 'object', properties: { id: { type: 'string' } } },
                },
              },
            },
          },
        },
      },
    },
  },
}

test('a manifest is drafted from an OpenAPI document, with what a person must decide', async () => {
  const drafted = await ask('POST', '/manifests/draft', {
    text: JSON.stringify(OPENAPI),
    file: 'acme.json',
  })
  expect(drafted.body).toEqual({
    connector_type: 'acme-crm',
    text: expect.stringContaining('https://api.acme.example/v1'),
    report: {
      entities: 1,
      actions: 1,
      guessed: expect.any(Array),
      undecided: ['customers.list'],
      missing: expect.any(Array),
    },
  })
  const { text } = drafted.body as { readonly text: string }
  const check = await ask('POST', '/manifests/check', { text })
  expect(check.body).toMatchObject({ problems: [{ rule: 'pagination/missing' }] })
})

test.for([
  ['no document', 'hello', 'x.yaml is no OpenAPI document'],
  ['broken YAML', 'a: [', 'x.yaml is neither JSON nor YAML'],
  ['nothing to call', JSON.stringify({ ...OPENAPI, paths: {} }), 'no operation'],
])('a file with %s is refused with the reason', async ([, text, reason]) => {
  const answer = await ask('POST', '/manifests/draft', { text, file: 'x.yaml' })
  expect(answer).toMatchObject({ status: 400, body: { code: 'request_malformed' } })
  expect(answer.text).toContain(reason)
})

test('a draft with 1,000 entities leaves the service its thread: checked, typed, previewed, run, published', async () => {
  const entities = Array.from({ length: 1_000 }, (_, index) =>
    (SMALL.split('entities:\n')[1] ?? '').replaceAll('customers', `things_${index}`),
  )
  const text = `${SMALL.split('  customers:\n    record')[0]}${entities.join('')}`.replace(
    'entity: customers',
    'entity: things_0',
  )
  const operation = { text, entity: 'things_7', action: 'list' }
  const asked: readonly (readonly [path: string, body: object, has: string])[] = [
    ['/manifests/check', { text }, '"things_999"'],
    ['/manifests/types', { text }, 'Things999'],
    ['/manifests/preview', operation, 'https://api.acme.example/things_7'],
    ['/manifests/run', operation, '"id"'],
    ['/manifests', { text, dry_run: true }, '"dry_run":true'],
    ['/manifests', { text }, '"served":true'],
    ['/manifests/check', { text: `${text}\n` }, '"needed":"none"'],
  ]
  const found: string[] = []
  // Processor time: how long each holds up the others, on a busy machine as well.
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  for (const [path, body, has] of asked) {
    const answer = await ask('POST', path, body)
    if (answer.status > 201 || !answer.text.includes(has))
      found.push(`${path}: ${answer.text.slice(0, 200)}`)
  }
  const [ownUsed, allUsed] = [process.threadCpuUsage(own), process.cpuUsage(all)]
  expect(found).toEqual([])
  // It was more than a half before; now it is a tenth, most of it for what is published and served.
  expect(ownUsed.user + ownUsed.system).toBeLessThan((allUsed.user + allUsed.system) / 4)
})

test('in production there is no workshop', async () => {
  const production = await runService({ mode: 'production' })
  const { clientId, clientSecret } = production.service.firstApplication ?? {}
  const own = await signIn(production, clientId ?? '', clientSecret ?? '')
  const headers = { ...OWN, cookie: own }
  const path = `${API}/manifests/jira`
  expect((await production.call('GET', path, undefined, { as: null, headers })).status).toBe(404)
  await production[Symbol.asyncDispose]()
})

test('in production it is for those who may publish', async () => {
  const production = await runService({
    mode: 'production',
    connectors: ['gong'],
    publishOrganization: 'default',
  })
  const { clientId, clientSecret } = production.service.firstApplication ?? {}
  const cookieOf = async (id = '', secret = ''): Promise<string> => signIn(production, id, secret)
  const statusFor = async (own: string): Promise<number> => {
    const headers = { ...OWN, cookie: own }
    const path = `${API}/manifests/gong`
    return (await production.call('GET', path, undefined, { as: null, headers })).status
  }
  expect(await statusFor(await cookieOf(clientId, clientSecret))).toBe(200)
  const { store, clock } = production.service
  const other = await createApplication({ store, clock }, { name: 'other', redirectUrls: [] })
  expect(await statusFor(await cookieOf(other.clientId, other.clientSecret))).toBe(403)
  await production[Symbol.asyncDispose]()
})

test('X3 of tens of thousands of findings the first five hundred are told, and how many are left', async () => {
  const checked = await ask('POST', '/manifests/check', { text: '"\\q" : *x\n'.repeat(20_000) })
  const { problems } = checked.body as {
    readonly problems: readonly { readonly message: string }[]
  }
  expect([checked.status, problems.length]).toEqual([200, 501])
  expect(problems.at(-1)?.message).toMatch(/^and \d{5} more findings from here on/)
})
