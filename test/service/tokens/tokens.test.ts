// Tokens: minted, narrowed, revoked, forged.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectorError } from '../../../src/errors.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService
let gong: string

beforeAll(async () => {
  world = await runService()
  gong = await world.connect('gong')
})
afterAll(() => world[Symbol.asyncDispose]())

const TOKEN = '/api/v1/account/applications/token'
const SCOPED = '/api/v1/account/applications/scoped-token'
const REVOKE = '/api/v1/account/applications/revoke'
const LIST = '/v1/integrations/connectors'

const INVALID = {
  type: 'urn:tenon:problem:token_invalid',
  title: 'Token is not valid',
  status: 401,
  detail: 'the bearer token is missing, wrong, expired or revoked; mint a new one',
  code: 'token_invalid',
  origin: 'auth',
  retryable: false,
  retry_after_ms: null,
  outcome: 'not_applied',
  errors: [],
  upstream: null,
  request_id: expect.any(String),
}

test('client id and secret give an application token of 15 minutes', async () => {
  const { clientId, clientSecret } = world.service.firstApplication ?? {}
  const answer = await world.call(
    'POST',
    TOKEN,
    { client_id: clientId, client_secret: clientSecret },
    { as: null },
  )
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^tenon_at_[0-9A-Za-z]{49}$/),
      token_type: 'bearer',
      expires_in: 900,
      organization_id: 'default',
    },
  ])
})

test('a scoped token says what it may do, under both spellings', async () => {
  for (const path of [SCOPED, '/v1/embedded/scoped-token']) {
    const answer = await world.call('POST', path, {
      external_user_id: 'user-42',
      connector_types: ['gong'],
      actions: ['*.list', 'calls.get'],
      ttl_seconds: 60,
    })
    const { token, ...rest } = answer.body as { token: string }
    expect([answer.status, token, rest]).toEqual([
      200,
      expect.stringMatching(/^tenon_st_[0-9A-Za-z]{49}$/),
      {
        access_token: token,
        token_type: 'bearer',
        expires_in: 60,
        scope: {
          external_user_id: 'user-42',
          connector_types: ['gong'],
          connector_ids: null,
          actions: ['*.list', 'calls.get'],
          manage: true,
        },
      },
    ])
  }
})

describe('narrowing', () => {
  test('T3 a scoped token mints nothing', async () => {
    const token = await world.scoped({ external_user_id: 'user-1' })
    const answer = await world.call('POST', SCOPED, { external_user_id: 'user-1' }, { as: token })
    expect([answer.status, answer.body]).toEqual([
      403,
      expect.objectContaining({ code: 'scope_denied' }),
    ])
  })

  test('T3 actions hold on execute and preview', async () => {
    const token = await world.scoped({ external_user_id: 'user-1', actions: ['users.list'] })
    const run = (path: string, entity: string) =>
      world.call('POST', path, { entity, action: 'list' }, { as: token })
    const execute = `/api/v1/connectors/sources/${gong}/execute`
    const preview = `/v1/integrations/connectors/${gong}/preview`
    const statuses = [
      (await run(execute, 'users')).status,
      (await run(execute, 'calls')).status,
      (await run(preview, 'users')).status,
      (await run(preview, 'calls')).status,
    ]
    expect(statuses).toEqual([200, 403, 200, 403])
  })

  test('T3 manage: false takes create, change, delete, OAuth and starting a sync away', async () => {
    const as = await world.scoped({ external_user_id: 'user-1', manage: false })
    const { credentials } = world.vendor('gong').options()
    const answers = [
      await world.call(
        'POST',
        LIST,
        { external_user_id: 'user-1', connector_type: 'gong', name: 'x', credentials },
        { as },
      ),
      await world.call('PATCH', `${LIST}/${gong}`, { name: 'x' }, { as }),
      await world.call('DELETE', `${LIST}/${gong}`, undefined, { as }),
      await world.call(
        'POST',
        `${LIST}/oauth/initiate`,
        {
          external_user_id: 'user-1',
          connector_type: 'gong',
          redirect_url: 'http://localhost:3000/connected',
        },
        { as },
      ),
      await world.call('POST', `${LIST}/${gong}/sync`, {}, { as }),
      await world.call('GET', `${LIST}/${gong}/sync`, undefined, { as }),
      await world.call('GET', `${LIST}/${gong}`, undefined, { as }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 200, 200])
  })

  test('T3 a token of certain instances makes no other one, and leaves none behind', async () => {
    const as = await world.scoped({ external_user_id: 'user-1', connector_ids: [gong] })
    const { credentials } = world.vendor('gong').options()
    const before = await world.call('GET', LIST)
    const create = (query: string) =>
      world.call(
        'POST',
        LIST + query,
        { external_user_id: 'user-1', connector_type: 'gong', name: 'another', credentials },
        { as },
      )
    const denied = [403, expect.objectContaining({ code: 'scope_denied' })]
    const answers = [await create(''), await create('?check=false')]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([denied, denied])
    const patched = await world.call('PATCH', `${LIST}/${gong}`, { name: 'its own' }, { as })
    expect(patched.status).toBe(200)
    const after = await world.call('GET', LIST)
    const ids = ({ body }: typeof after) =>
      (body as { data: readonly { id: string }[] }).data.map(({ id }) => id)
    expect(ids(after)).toEqual(ids(before))
  })

  test('another user in a body is denied on create and initiate', async () => {
    const as = await world.scoped({ external_user_id: 'user-1' })
    const { credentials } = world.vendor('gong').options()
    const create = await world.call(
      'POST',
      LIST,
      { external_user_id: 'user-2', connector_type: 'gong', name: 'x', credentials },
      { as },
    )
    const initiate = await world.call(
      'POST',
      `${LIST}/oauth/initiate`,
      {
        external_user_id: 'user-2',
        connector_type: 'gong',
        redirect_url: 'http://localhost:3000/connected',
      },
      { as },
    )
    expect([create.status, initiate.status]).toEqual([403, 403])
  })
})

describe('revocation', () => {
  test('T2 a revoked token ends, and revoking an unknown one is no error', async () => {
    const token = await world.scoped({ external_user_id: 'user-1' })
    const before = await world.call('GET', LIST, undefined, { as: token })
    const revoked = await world.call('POST', REVOKE, { token })
    const after = await world.call('GET', LIST, undefined, { as: token })
    const again = await world.call('POST', REVOKE, { token: 'tenon_st_unknown' })
    expect([before.status, revoked.status, after.status, again.status]).toEqual([
      200, 204, 401, 204,
    ])
  })

  test('T2 all tokens of a user end at once, those of others go on', async () => {
    const mine = await world.scoped({ external_user_id: 'user-gone' })
    const other = await world.scoped({ external_user_id: 'user-stays' })
    await world.call('POST', REVOKE, { external_user_id: 'user-gone' })
    const statuses = [
      (await world.call('GET', LIST, undefined, { as: mine })).status,
      (await world.call('GET', LIST, undefined, { as: other })).status,
    ]
    expect(statuses).toEqual([401, 200])
  })
})

describe('T1 what is no token', () => {
  test('every fault has one answer', async () => {
    const token = await world.scoped({ external_user_id: 'user-1' })
    const faults: (string | null)[] = [
      null,
      '',
      'x',
      token.slice(0, -1),
      `${token}x`,
      token.replace('tenon_st_', 'tenon_at_'),
      token.replace('tenon_st_', 'tenon_os_'),
      `tenon_st_${'0'.repeat(49)}`,
    ]
    const bodies = []
    for (const as of faults) {
      const answer = await world.call('GET', LIST, undefined, { as })
      bodies.push([answer.status, answer.headers.get('www-authenticate'), answer.body])
    }
    expect(bodies).toEqual(faults.map(() => [401, 'Bearer', INVALID]))
  })

  test('every change of one character is refused', async () => {
    const token = await world.scoped({ external_user_id: 'user-1' })
    const changed = Array.from(
      token,
      (letter, at) => token.slice(0, at) + (letter === 'x' ? 'y' : 'x') + token.slice(at + 1),
    )
    for (const as of changed) {
      await expect(world.service.tokens.authenticate(`Bearer ${as}`)).rejects.toMatchObject({
        code: 'token_invalid',
      })
    }
  })
})

describe('T7 wrong client secrets', () => {
  test('T7 are counted before anything is awaited, and the right one is accepted among them and behind them', async () => {
    await using own = await runService()
    const { clientId = '', clientSecret = '' } = own.service.firstApplication ?? {}
    const attempt = async (secret: string) =>
      await own.call('POST', TOKEN, { client_id: clientId, client_secret: secret }, { as: null })
    const [right, ...wrong] = await Promise.all([
      attempt(clientSecret),
      ...Array.from({ length: 40 }, (_, index) => attempt(`wrong ${index}`)),
    ])
    // The right one may stand among the ten until it is known to be right.
    const refused = wrong.filter(({ status }) => status === 401).length
    expect([9, 10]).toContain(refused)
    const limited = wrong.filter(({ status }) => status === 429)
    expect([limited.length, limited[0]?.headers.get('retry-after')]).toEqual([
      40 - refused,
      expect.stringMatching(/^\d+$/),
    ])
    const behind = await attempt(clientSecret)
    expect([right?.status, behind.status]).toEqual([200, 200])
    // The place that the right one held among the ten is free again.
    if (refused === 9) expect((await attempt('wrong')).status).toBe(401)
    expect((await attempt('wrong')).status).toBe(429)
  })

  test.for([
    { name: 'a proxy that is believed tells callers apart', trustProxy: true, want: 401 },
    { name: 'what callers say of themselves tells nothing', trustProxy: false, want: 429 },
  ])('T7 $name', async ({ trustProxy, want }) => {
    await using own = await runService({ trustProxy })
    const guess = async (forwarded: string): Promise<number> =>
      (
        await own.call(
          'POST',
          TOKEN,
          { client_id: 'default', client_secret: 'wrong' },
          { as: null, headers: { 'x-forwarded-for': forwarded } },
        )
      ).status
    for (let index = 0; index < 10; index++)
      expect(await guess(`198.51.100.${index}, 192.0.2.1`)).toBe(401)
    expect(await guess('203.0.113.7, 192.0.2.1')).toBe(429)
    expect(await guess('192.0.2.1, 192.0.2.2')).toBe(want)
  })

  test('T7 of one address limit nobody else', async () => {
    await using own = await runService()
    const { tokens, firstApplication } = own.service
    const { clientId = '' } = firstApplication ?? {}
    const guess = async (id: string, address: string): Promise<string> =>
      await tokens.verifyClient(id, 'wrong', { address }).then(
        () => 'right',
        (error: ConnectorError) => error.code,
      )
    const many = await Promise.all(Array.from({ length: 12 }, () => guess(clientId, '192.0.2.1')))
    expect(many).toEqual([
      ...Array.from({ length: 10 }, () => 'client_invalid'),
      'rate_limited',
      'rate_limited',
    ])
    const others = [
      { id: clientId, address: '192.0.2.2', want: 'client_invalid' },
      { id: 'another-client', address: '192.0.2.1', want: 'client_invalid' },
      { id: clientId, address: '::ffff:192.0.2.1', want: 'rate_limited' },
    ]
    for (const { id, address, want } of others) expect(await guess(id, address)).toBe(want)
    // A caller with IPv6 has a whole network to guess from.
    const network = Array.from({ length: 11 }, (_, index) => guess('a', `2001:db8::${index + 1}`))
    expect((await Promise.all(network)).at(-1)).toBe('rate_limited')
    expect(await guess('a', '2001:db8:0:1::1')).toBe('client_invalid')
  })
})

test('minting is limited to ten a second and application', async () => {
  await using own = await runService()
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => own.call('POST', SCOPED, { external_user_id: 'u' })),
  )
  const limited = answers.filter(({ status }) => status === 429)
  expect(limited.length).toBeGreaterThanOrEqual(4)
  expect(limited[0]?.headers.get('retry-after')).toBe('1')
})

test('a development token acts as an application token', async () => {
  await using own = await runService({ devToken: 'dev-token-1' })
  const answer = await own.call('GET', LIST, undefined, { as: 'dev-token-1' })
  expect(answer.status).toBe(200)
})
