// The hosted client against a scripted service: what it sends, and what it makes of the answers.
import { describe, expect, test } from 'vitest'
import { CLIENT_CLOSED } from '../../src/client/client.ts'
import * as web from '../../src/client/fetch/index.ts'
import * as node from '../../src/client/hosted.ts'
import type { HostedOptions } from '../../src/client/hosted.ts'
import { serviceClient as nodeServiceClient } from '../../src/client/service-client.ts'
import { loadPackaged } from '../../src/client/packaged.ts'
import { describeEntities } from '../../src/language/manifest/describe.ts'
import { createHastyClock } from '../../src/sandbox/testing/hasty-clock.ts'
import {
  type ScriptedExchange,
  scriptedUpstream,
} from '../../src/sandbox/testing/scripted-upstream.ts'

const ID = '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10'
const EXECUTE = `POST /api/v1/connectors/sources/${ID}/execute`
const EXECUTION = { request_id: 'r-1', connector_id: ID, upstream_requests: 1, took_ms: 3 }

type Platform = Pick<typeof web, 'connectHosted' | 'serviceClient'>

/** The global one, but for the catalogue, which scripts do not play: a client on fetch asks it first. */
async function scriptedFetch(url: string, init: RequestInit): Promise<Response> {
  const type = /\/v1\/connectors\/([a-z]+)$/.exec(url)?.[1]
  if (type === undefined) return await fetch(url, init)
  const entities = describeEntities(await loadPackaged(type)).map(
    ({ searchFields, searchPaths, cursorField, keyField, ...entity }) => ({
      ...entity,
      search_fields: searchFields,
      search_paths: searchPaths,
      cursor_field: cursorField,
      key_field: keyField,
    }),
  )
  return Response.json({ entities })
}

const PLATFORMS: readonly (readonly [name: string, Platform])[] = [
  ['Node', { connectHosted: node.connectHosted, serviceClient: nodeServiceClient }],
  [
    'fetch',
    {
      connectHosted: (type, options) =>
        web.connectHosted(type, { ...options, fetch: scriptedFetch }),
      serviceClient: (options) => web.serviceClient({ ...options, fetch: scriptedFetch }),
    },
  ],
]

describe.for(PLATFORMS)('over %s', ([, { connectHosted, serviceClient }]) => {
  async function hosted(
    exchanges: readonly ScriptedExchange[],
    options: Partial<Pick<HostedOptions, 'retries'>> & { getToken?: () => string } = {},
  ) {
    const service = await scriptedUpstream(exchanges)
    const { getToken, ...others } = options
    const client = await connectHosted('jira', {
      baseUrl: service.url,
      connectorId: ID,
      clock: createHastyClock(),
      ...(getToken === undefined ? { token: 'tenon_st_x' } : { getToken }),
      ...others,
    })
    return {
      client,
      service,
      async [Symbol.asyncDispose]() {
        await client.close()
        await service[Symbol.asyncDispose]()
      },
    }
  }

  /** What the service answers with an error. */
  function problem(body: {
    readonly status: number
    readonly code: string
    readonly outcome: string
  }) {
    return {
      status: body.status,
      headers: { 'content-type': 'application/problem+json' },
      text: JSON.stringify({ detail: 'refused', request_id: 'r', retryable: true, ...body }),
    }
  }

  test('an operation is one execute, answered with data, meta and execution', async () => {
    const answer = { data: { id: '1', key: 'A-1' }, meta: {}, execution: EXECUTION }
    await using world = await hosted([
      {
        expect: {
          send: EXECUTE,
          headers: {
            authorization: 'Bearer tenon_st_x',
            'content-type': 'application/json',
            prefer: 'wait=58',
            'x-request-id': 'mine',
          },
          body: { entity: 'issues', action: 'get', params: { issueIdOrKey: 'A-1' } },
        },
        answer: { body: answer },
      },
    ])
    const result = await world.client.issues.get({ issueIdOrKey: 'A-1' }, { requestId: 'mine' })
    expect(result).toEqual(answer)
  })

  test('a listing costs one execute per page, the next one with meta.next over the params', async () => {
    const page = (ids: string[], next: object | null): ScriptedExchange['answer'] => ({
      body: {
        data: ids.map((id) => ({ id })),
        meta: { has_more: next !== null, next },
        execution: EXECUTION,
      },
    })
    await using world = await hosted([
      { answer: page(['1', '2'], { nextPageToken: 'b' }) },
      {
        expect: {
          body: {
            entity: 'issues',
            action: 'api_search',
            params: { jql: 'x', nextPageToken: 'b' },
          },
        },
        answer: page(['3'], null),
      },
    ])
    const pages = await Array.fromAsync(world.client.issues.api_search({ jql: 'x' }).pages())
    expect(pages.flatMap(({ records }) => records.map(({ id }) => id))).toEqual(['1', '2', '3'])
    expect(JSON.parse(JSON.stringify(pages))).toEqual([
      {
        data: [{ id: '1' }, { id: '2' }],
        meta: { has_more: true, next: { nextPageToken: 'b' } },
        execution: EXECUTION,
      },
      { data: [{ id: '3' }], meta: { has_more: false, next: null }, execution: EXECUTION },
    ])
  })

  test('the records of a page object are its values', async () => {
    const data = { maxResults: 50, startAt: 0, total: 1, isLast: true, values: [{ id: 'summary' }] }
    await using world = await hosted([{ answer: { body: { data, meta: { next: null } } } }])
    const page = await world.client.issue_fields.api_search()
    expect(page.data).toEqual(data)
    expect(page.records).toEqual([{ id: 'summary' }])
  })

  test('digits beyond a double arrive as text', async () => {
    await using world = await hosted([
      {
        answer: {
          headers: { 'content-type': 'application/json' },
          text: '{"data":{"id":12345678901234567890},"meta":{}}',
        },
      },
    ])
    const { data } = await world.client.issues.get({ issueIdOrKey: 'A-1' })
    expect(data).toEqual({ id: '12345678901234567890' })
  })

  test('a write carries one key, also when a lost connection is repeated', async () => {
    await using world = await hosted([
      { expect: { send: EXECUTE }, answer: { reset: true } },
      { expect: { send: EXECUTE }, answer: { body: { data: null, meta: {} } } },
    ])
    await world.client.issues.delete({ issueIdOrKey: 'A-1' })
    const keys = world.service.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys).toEqual([keys[0], keys[0]])
  })

  test.for([
    {
      name: 'a refusal of the service says nothing about an attempt whose answer was lost',
      second: problem({ code: 'shutting_down', status: 503, outcome: 'not_applied' }),
      want: { code: 'shutting_down', outcome: 'uncertain', retryable: false },
    },
    {
      name: 'what the third party said is said of the key, and so of every attempt',
      second: problem({ code: 'upstream_rejected', status: 400, outcome: 'not_applied' }),
      want: { code: 'upstream_rejected', outcome: 'not_applied' },
    },
    {
      name: 'a success that cannot be read may be any',
      second: { status: 200, headers: { 'content-type': 'text/html' }, text: '<p>' },
      want: { code: 'service_malformed', outcome: 'uncertain', retryable: false },
    },
  ])('$name', async ({ second, want }) => {
    await using world = await hosted([{ answer: { reset: true } }, { answer: second }], {
      retries: 1,
    })
    await expect(world.client.issues.delete({ issueIdOrKey: 'A-1' })).rejects.toMatchObject(want)
  })

  test('a read carries no key', async () => {
    await using world = await hosted([{ answer: { body: { data: {}, meta: {} } } }])
    await world.client.issues.get({ issueIdOrKey: 'A-1' })
    expect(world.service.requests[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  describe('tokens', () => {
    const REFUSED = {
      status: 401,
      headers: { 'content-type': 'application/problem+json' },
      text: JSON.stringify({
        code: 'token_invalid',
        detail: 'wrong',
        status: 401,
        request_id: 'r',
      }),
    }

    test('getToken is asked once, and once more after a 401', async () => {
      let asked = 0
      await using world = await hosted(
        [
          { expect: { headers: { authorization: 'Bearer t1' } }, answer: REFUSED },
          {
            expect: { headers: { authorization: 'Bearer t2' } },
            answer: { body: { data: {}, meta: {} } },
          },
          {
            expect: { headers: { authorization: 'Bearer t2' } },
            answer: { body: { data: {}, meta: {} } },
          },
        ],
        { getToken: () => `t${++asked}` },
      )
      await world.client.issues.get({ issueIdOrKey: 'A-1' })
      await world.client.issues.get({ issueIdOrKey: 'A-1' })
      expect(asked).toBe(2)
    })

    test('a second 401 is the end', async () => {
      await using world = await hosted([{ answer: REFUSED }, { answer: REFUSED }], {
        getToken: () => 't',
      })
      await expect(world.client.issues.get({ issueIdOrKey: 'A-1' })).rejects.toMatchObject({
        code: 'token_invalid',
        origin: 'auth',
      })
    })

    test('one of token and getToken must be given', async () => {
      const base = { baseUrl: 'http://127.0.0.1:1', connectorId: ID }
      await expect(connectHosted('jira', base as HostedOptions)).rejects.toThrow(TypeError)
      await expect(
        connectHosted('jira', {
          ...base,
          token: 'a',
          getToken: () => 'b',
        } as unknown as HostedOptions),
      ).rejects.toThrow(TypeError)
    })
  })

  describe('problems become errors', () => {
    const problem = (members: object): ScriptedExchange['answer'] => ({
      status: 400,
      headers: { 'content-type': 'application/problem+json' },
      text: JSON.stringify({ request_id: 'r-9', errors: [], upstream: null, ...members }),
    })
    test.for<{ name: string; answer: ScriptedExchange['answer']; want: object }>([
      {
        name: 'with code, pointers and the id of the request',
        answer: problem({
          code: 'params_invalid',
          detail: 'issues.get: 1 problem',
          retryable: false,
          outcome: 'not_applied',
          errors: [{ pointer: '/params/x', code: 'unknown', detail: 'unknown parameter' }],
        }),
        want: {
          code: 'params_invalid',
          origin: 'request',
          status: 400,
          message: 'issues.get: 1 problem',
          requestId: 'r-9',
          errors: [{ pointer: '/params/x', code: 'unknown', detail: 'unknown parameter' }],
        },
      },
      {
        name: 'with what the third party answered',
        answer: problem({
          code: 'upstream_not_found',
          detail: 'no such issue',
          upstream: { status: 404, request_id: 'u-1', body: '{}' },
        }),
        want: {
          code: 'upstream_not_found',
          upstream: { status: 404, requestId: 'u-1', body: '{}' },
        },
      },
      {
        name: 'of a newer service as error_unknown',
        answer: problem({ code: 'moon_phase', detail: 'not tonight', retryable: false }),
        want: { code: 'error_unknown', details: { code: 'moon_phase', status: 400 } },
      },
      {
        name: 'and what is no answer of a service is service_malformed',
        answer: { text: '<html>', headers: { 'content-type': 'text/html' } },
        want: { code: 'service_malformed' },
      },
    ])('$name', async ({ answer, want }) => {
      await using world = await hosted([{ answer }], { retries: 0 })
      await expect(world.client.issues.get({ issueIdOrKey: 'A-1' })).rejects.toMatchObject(want)
    })

    test('a busy service is asked again after its wait', async () => {
      await using world = await hosted([
        {
          answer: {
            ...problem({ code: 'overloaded', retryable: true, retry_after_ms: 2000 }),
            status: 503,
          },
        },
        { answer: { body: { data: {}, meta: {} } } },
      ])
      expect(await world.client.issues.get({ issueIdOrKey: 'A-1' })).toEqual({ data: {}, meta: {} })
    })

    test('a service that is not there is service_unreachable', async () => {
      const client = await connectHosted('jira', {
        baseUrl: 'http://127.0.0.1:1',
        connectorId: ID,
        token: 't',
        retries: 0,
      })
      await expect(client.issues.get({ issueIdOrKey: 'A-1' })).rejects.toMatchObject({
        code: 'service_unreachable',
        origin: 'service',
        retryable: true,
      })
      await client.close()
    })
  })

  test('a search is a page of hits, iterable over all of them', async () => {
    const hit = (id: string) => ({ id, score: 1, data: { summary: id } })
    await using world = await hosted([
      { answer: { body: { hits: [hit('1')], next_cursor: 'c', took_ms: 1 } } },
      {
        expect: {
          body: { entity: 'issues', action: 'search', params: { query: {}, cursor: 'c' } },
        },
        answer: { body: { hits: [hit('2')], next_cursor: null, took_ms: 1 } },
      },
    ])
    const ids: string[] = []
    for await (const { id } of world.client.issues.search({ query: {} })) ids.push(id)
    expect(ids).toEqual(['1', '2'])
  })

  test('a download is a stream with its head', async () => {
    const service = await scriptedUpstream([
      {
        expect: { send: EXECUTE },
        answer: {
          status: 206,
          headers: { 'content-type': 'audio/mpeg', 'content-range': 'bytes 0-3/10' },
          text: 'abcd',
        },
      },
    ])
    await using _ = service
    await using gong = await connectHosted('gong', {
      baseUrl: service.url,
      connectorId: ID,
      token: 't',
    })
    const file = await gong.call_audio.download({
      filter: { callIds: ['1'] },
      contentSelector: { exposedFields: { media: true } },
    })
    expect(file).toMatchObject({
      status: 206,
      contentType: 'audio/mpeg',
      contentRange: { start: 0, end: 3, size: 10 },
    })
    expect(Buffer.from(await file.toBytes({ maxBytes: 10 })).toString()).toBe('abcd')
  })

  test('preview and check are routes of the instance', async () => {
    await using world = await hosted([
      {
        expect: {
          send: `POST /v1/integrations/connectors/${ID}/preview`,
          body: { entity: 'issues', action: 'get', params: { issueIdOrKey: 'A-1' } },
        },
        answer: { body: { requests: [{ method: 'GET' }] } },
      },
      {
        expect: { send: `POST /v1/integrations/connectors/${ID}/check` },
        answer: { body: { result: 'ok', state: 'active', took_ms: 5, error: null } },
      },
    ])
    const { requests } = await world.client.preview('issues', 'get', { issueIdOrKey: 'A-1' })
    expect(requests).toEqual([{ method: 'GET' }])
    expect(await world.client.check()).toEqual({ result: 'ok', tookMs: 5, error: null })
  })

  test('a check that fails says why, as in direct mode', async () => {
    const problem = {
      code: 'upstream_unreachable',
      status: 502,
      detail: 'jira: nobody answers',
      retryable: true,
      outcome: 'not_applied',
      errors: [],
      request_id: 'r-9',
    }
    await using world = await hosted([
      { answer: { body: { result: 'inconclusive', state: 'active', took_ms: 5, error: problem } } },
    ])
    expect(await world.client.check()).toEqual({
      result: 'inconclusive',
      tookMs: 5,
      error: expect.objectContaining({
        code: 'upstream_unreachable',
        message: 'jira: nobody answers',
        retryable: true,
        requestId: 'r-9',
      }),
    })
  })

  test('a call on a closed client says so', async () => {
    await using world = await hosted([])
    await world.client.close()
    await expect(
      world.client.execute('issues', 'get', { issueIdOrKey: 'A-1' }),
    ).rejects.toMatchObject({
      code: 'aborted',
      message: expect.stringContaining(CLIENT_CLOSED),
    })
  })

  describe('the client of an application', () => {
    const TOKEN = { body: { access_token: 'at', token_type: 'bearer', expires_in: 900 } }

    test('mints one token for many calls', async () => {
      const service = await scriptedUpstream([
        {
          expect: {
            send: 'POST /api/v1/account/applications/token',
            body: { client_id: 'app', client_secret: 'shh' },
          },
          answer: TOKEN,
        },
        { expect: { headers: { authorization: 'Bearer at' } }, answer: { body: { data: [] } } },
        { expect: { headers: { authorization: 'Bearer at' } }, answer: { body: { data: [] } } },
      ])
      await using _ = service
      await using tenon = serviceClient({
        baseUrl: service.url,
        clientId: 'app',
        clientSecret: 'shh',
      })
      expect(await Promise.all([tenon.catalogue.list(), tenon.catalogue.list()])).toHaveLength(2)
    })

    test('creates with a key, lists by pages, connects with a token of its own', async () => {
      const service = await scriptedUpstream([
        { answer: TOKEN },
        {
          expect: {
            send: 'POST /v1/integrations/connectors',
            body: { external_user_id: 'u', connector_type: 'gong', name: 'G', credentials: {} },
          },
          answer: { status: 201, body: { id: ID } },
        },
        {
          expect: { send: 'GET /v1/integrations/connectors?limit=1' },
          answer: { body: { data: [{ id: '1' }], meta: { has_more: true, next_cursor: 'c' } } },
        },
        {
          expect: { send: 'GET /v1/integrations/connectors?limit=1&cursor=c' },
          answer: { body: { data: [{ id: '2' }], meta: { has_more: false, next_cursor: null } } },
        },
        {
          expect: {
            send: 'POST /api/v1/account/applications/scoped-token',
            body: { external_user_id: 'u', connector_ids: [ID], manage: false },
          },
          answer: { body: { token: 'st', expires_in: 1200 } },
        },
        {
          expect: { send: EXECUTE, headers: { authorization: 'Bearer st' } },
          answer: { body: { data: [], meta: { next: null } } },
        },
        { expect: { send: `DELETE /v1/integrations/connectors/${ID}` }, answer: { status: 204 } },
      ])
      await using _ = service
      await using tenon = serviceClient({
        baseUrl: service.url,
        clientId: 'app',
        clientSecret: 'shh',
      })
      const { id } = await tenon.instances.create({
        external_user_id: 'u',
        connector_type: 'gong',
        name: 'G',
        credentials: {},
      })
      expect(service.requests[1]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
      const found = await tenon.instances.list({ limit: 1 }).toArray({ limit: 10 })
      expect(found.map((one) => one.id)).toEqual(['1', '2'])
      const gong = await tenon.connect('gong', { connectorId: id, externalUserId: 'u' })
      expect((await gong.users.list()).records).toEqual([])
      await tenon.instances.delete(id)
      await gong.close()
    })

    test('tells of the access of an account, confirms a suspicious listing, undoes a run', async () => {
      const at = `/v1/integrations/connectors/${ID}`
      const service = await scriptedUpstream([
        { answer: TOKEN },
        { expect: { send: `GET ${at}/access` }, answer: { body: { renewal: 'automatic' } } },
        {
          expect: { send: `POST ${at}/sync/confirm`, body: { entity: 'calls' } },
          answer: { body: { entity: 'calls', confirmed: true, missing: 3 } },
        },
        {
          expect: { send: `POST ${at}/sync/undo`, body: { run_id: 'run-1' } },
          answer: { body: { run_id: 'run-1', restored: 3 } },
        },
      ])
      await using tenon = serviceClient({
        baseUrl: service.url,
        clientId: 'app',
        clientSecret: 'shh',
      })
      expect([
        (await tenon.instances.access(ID)).renewal,
        await tenon.sync.confirm(ID, 'calls'),
        await tenon.sync.undo(ID, 'run-1'),
      ]).toEqual([
        'automatic',
        { entity: 'calls', confirmed: true, missing: 3 },
        { run_id: 'run-1', restored: 3 },
      ])
    })

    test('clients of one account share a token until it is refused, others have their own', async () => {
      const listing = { body: { data: [], meta: { next: null } } }
      const minting = (user: string, token: string): ScriptedExchange => ({
        expect: {
          send: 'POST /api/v1/account/applications/scoped-token',
          body: { external_user_id: user, connector_ids: [ID], manage: false },
        },
        answer: { body: { token, expires_in: 1200 } },
      })
      const listed = (token: string): ScriptedExchange => ({
        expect: { send: EXECUTE, headers: { authorization: `Bearer ${token}` } },
        answer: listing,
      })
      const refused = (token: string): ScriptedExchange => ({
        ...listed(token),
        answer: {
          status: 401,
          body: { code: 'token_invalid', status: 401, detail: 'revoked', request_id: 'r-1' },
        },
      })
      await using service = await scriptedUpstream([
        { answer: TOKEN },
        minting('u', 'st-1'),
        listed('st-1'),
        listed('st-1'),
        minting('v', 'st-v'),
        listed('st-v'),
        // Revoked: the first to hear of it mints the next one, which the other one gets.
        refused('st-1'),
        minting('u', 'st-2'),
        listed('st-2'),
        refused('st-1'),
        listed('st-2'),
      ])
      await using tenon = serviceClient({
        baseUrl: service.url,
        clientId: 'app',
        clientSecret: 'shh',
      })
      const of = (externalUserId: string) =>
        tenon.connect('gong', { connectorId: ID, externalUserId })
      await using first = await of('u')
      await first.users.list()
      await using second = await of('u')
      await second.users.list()
      await using other = await of('v')
      await other.users.list()
      await first.users.list()
      await second.users.list()
      expect(service.requests).toHaveLength(11)
    })

    test('a token of an account is not used to the last second of its life', async () => {
      let now = 0
      const clock = { ...createHastyClock(), monotonic: () => now }
      const minted = (token: string): ScriptedExchange => ({
        answer: { body: { token, expires_in: 100 } },
      })
      const listed = (token: string): ScriptedExchange => ({
        expect: { send: EXECUTE, headers: { authorization: `Bearer ${token}` } },
        answer: { body: { data: [], meta: { next: null } } },
      })
      await using service = await scriptedUpstream([
        { answer: TOKEN },
        minted('st-1'),
        listed('st-1'),
        listed('st-1'),
        minted('st-2'),
        listed('st-2'),
      ])
      await using tenon = serviceClient({
        baseUrl: service.url,
        clientId: 'app',
        clientSecret: 'shh',
        clock,
      })
      for (now of [0, 89_000, 91_000]) {
        await using gong = await tenon.connect('gong', { connectorId: ID, externalUserId: 'u' })
        await gong.users.list()
      }
      expect(service.requests).toHaveLength(6)
    })
  })
})
