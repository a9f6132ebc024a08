// Drafts of manifests on accounts: what runs, what is refused before anything leaves, and what is told of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

const API = '/console/api/v1'
const OWN = { 'x-tenon-console': '1' }

let world: RunningService
let cookie: string
let gong: string
let jira: string
let text: string

beforeAll(async () => {
  world = await runService()
  const { clientId, clientSecret } = world.service.firstApplication ?? {}
  const body = { client_id: clientId, client_secret: clientSecret }
  const answer = await world.call('POST', `${API}/session`, body, { as: null, headers: OWN })
  cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  gong = await world.connect('gong')
  jira = await world.connect('jira')
  text = ((await ask('GET', '/manifests/gong')).body as { readonly text: string }).text
})
afterAll(() => world[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: object): Promise<CallAnswer> {
  const headers = { ...OWN, cookie }
  return await world.call(method, API + path, body, { as: null, headers })
}

async function tryDraft(more: object = {}): Promise<CallAnswer> {
  const body = { text, entity: 'users', action: 'list', connector_id: gong, ...more }
  return await ask('POST', '/manifests/try', body)
}

async function audited(): Promise<readonly object[]> {
  const answer = await world.call('GET', '/v1/audit?action=execute.draft')
  return (answer.body as { readonly data: readonly object[] }).data
}

async function logged(requestId: string): Promise<object> {
  await world.service.logs.flush()
  const list = await world.call('GET', `/v1/logs?request_id=${requestId}`)
  const [entry] = (list.body as { readonly data: readonly { readonly id: string }[] }).data
  return (await world.call('GET', `/v1/logs/${entry?.id}`)).body as object
}

test('a draft runs on an account: its records, what the third party sent, and what is told of it', async () => {
  const answer = await tryDraft()
  expect(answer.body).toMatchObject({
    answer: { data: expect.any(Array), meta: expect.any(Object) },
    exchanges: [
      {
        curl: expect.stringMatching(/^curl http.*\/v2\/users .*'authorization: Basic \*\*\*'/),
        status: 200,
        content_type: expect.stringContaining('application/json'),
        body: expect.stringContaining('emailAddress'),
        cut: false,
      },
    ],
  })
  const requestId = answer.headers.get('x-request-id') ?? ''
  expect((await audited())[0]).toMatchObject({
    action: 'execute.draft',
    target: 'users.list',
    outcome: 'done',
    connector_id: gong,
  })
  expect(await logged(requestId)).toMatchObject({
    kind: 'draft',
    connector_id: gong,
    entity: 'users',
    action: 'list',
    code: null,
    steps: [{ status: 200 }],
  })
})

test('its preview for an account is made with its server and settings, masked, and sends nothing', async () => {
  const before = await audited()
  const operation = { text, entity: 'users', action: 'list' }
  const preview = (more: object): Promise<CallAnswer> =>
    ask('POST', '/manifests/try/preview', { ...operation, ...more })
  const shown = await preview({ connector_id: gong, params: { cursor: 'abc' } })
  expect(shown.body).toMatchObject({
    params: { cursor: 'abc' },
    requests: [{ curl: expect.stringMatching(/cursor=abc.*'authorization: Basic \*\*\*'/s) }],
  })
  // Where the run goes, and nowhere else.
  const ran = await tryDraft()
  const address = (answer: unknown): string =>
    /curl (?:-\S+ )*'?(https?:\/\/[^/]+)/.exec(JSON.stringify(answer))?.[1] ?? ''
  expect(address(shown.body)).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect(address(shown.body)).toBe(address((ran.body as { readonly exchanges: object }).exchanges))
  // Of the sandbox it is another one; without parameters both have its example.
  const example = await ask('POST', '/manifests/preview', operation)
  expect(address(example.body)).not.toBe(address(shown.body))
  const same = await preview({ connector_id: gong })
  expect(same.body).toMatchObject({
    params: (example.body as { readonly params: object }).params,
  })
  expect((await preview({ connector_id: jira })).body).toMatchObject({ code: 'request_malformed' })
  expect((await audited()).length).toBe(before.length + 1)
})

test.for<readonly [what: string, change: (draft: string) => string, code: string, says: RegExp]>([
  [
    'another host',
    (draft) => draft.replace('hosts: [api.gong.io', 'hosts: [evil.example, api.gong.io'),
    'request_malformed',
    /changes server.*undo that/,
  ],
  [
    'another base URL',
    (draft) =>
      draft.replace('url: "{{ config.api_base_url }}"', 'url: "{{ config.api_base_url }}/v9"'),
    'request_malformed',
    /changes server/,
  ],
  [
    'another place of the credentials',
    (draft) =>
      draft.replace(
        'apply: { bearer: "{{ credentials.access_token }}" }',
        'apply: { query: { seen: "{{ credentials.access_token }}" } }',
      ),
    'request_malformed',
    /changes auth/,
  ],
  [
    'a request elsewhere',
    (draft) =>
      draft.replace('http: GET /v2/users,', 'http: GET https://evil.example/v2/users, auth: none,'),
    'destination_refused',
    /https:\/\/evil\.example, where the served version 1\.0\.0 sends none/,
  ],
  [
    'credentials in a request',
    (draft) =>
      draft.replace('http: GET /v2/users,', 'http: "GET /v2/{{ credentials.access_key }}",'),
    'request_malformed',
    /has errors/,
  ],
  [
    'another connector',
    (draft) => draft.replace('type: gong', 'type: gongs'),
    'request_malformed',
    /manifest of gongs, and the account is one of gong/,
  ],
])('a draft with %s is refused before anything leaves', async ([, change, code, says]) => {
  const changed = change(text)
  expect(changed).not.toBe(text)
  const before = await audited()
  const answer = await tryDraft({ text: changed, confirmed: true })
  expect(answer.body).toMatchObject({ code, detail: expect.stringMatching(says) })
  expect((answer.body as { readonly exchanges?: unknown }).exchanges).toBeUndefined()
  expect(await audited()).toEqual(before)
})

test('what may change data runs once it is confirmed, whatever the draft calls it', async () => {
  const draft = text.replace('http: GET /v2/users,', 'http: POST /v2/users,')
  for (const unconfirmed of [{}, { confirmed: false }])
    expect((await tryDraft({ text: draft, ...unconfirmed })).body).toMatchObject({
      code: 'request_malformed',
      errors: [{ pointer: '/confirmed' }],
    })
  const before = (await audited()).length
  const answer = await tryDraft({ text: draft, confirmed: true })
  expect((answer.body as { readonly code?: string }).code).toMatch(/^upstream_/)
  const events = await audited()
  expect(events.length).toBe(before + 1)
  expect(events[0]).toMatchObject({ outcome: expect.stringMatching(/^upstream_/) })
  // A draft says nothing about the account.
  const account = await world.call('GET', `/v1/integrations/connectors/${gong}`)
  expect(account.body).toMatchObject({ state: 'active' })
})

test.for([
  ['an account of another connector', () => ({ connector_id: jira }), 'request_malformed'],
  ['an account that is not there', () => ({ connector_id: 'nobody' }), 'instance_unknown'],
  ['an operation that is not there', () => ({ action: 'guess' }), 'operation_unknown'],
  ['wrong parameters', () => ({ params: { colour: 'red' } }), 'params_invalid'],
] as const)('%s is refused', async ([, more, code]) => {
  expect((await tryDraft(more())).body).toMatchObject({ code })
})

test('a search at the console in a copy that has nothing yet is no entry of the logs, but one of an app is', async () => {
  const body = { entity: 'calls', action: 'search', params: {} }
  const path = `/connectors/sources/${gong}/execute`
  const asked = await ask('POST', path, body)
  const called = await world.call('POST', `/v1${path}`, body)
  for (const { body } of [asked, called]) expect(body).toMatchObject({ code: 'search_not_ready' })
  await world.service.logs.flush()
  const list = await world.call('GET', '/v1/logs?code=search_not_ready')
  expect((list.body as { readonly data: object }).data).toMatchObject([
    { kind: 'operation', request_id: called.headers.get('x-request-id') },
  ])
})
