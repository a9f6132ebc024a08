import { describe, expect, test } from 'vitest'

import { exampleManifest, type ExampleMethod, OAUTH_CREDENTIALS } from './example-manifest.ts'
import { call, codeOf, CLIENT, setUp, tokenOf } from './keeper-set-up.ts'

const OPTIONAL = { properties: OAUTH_CREDENTIALS.properties }

describe('client credentials', () => {
  const method: ExampleMethod = {
    credentials: OPTIONAL,
    bearer: '{{ credentials.access_token }}',
    oauth2: { grant: 'client_credentials' },
  }
  const options = { manifest: exampleManifest({ methods: [method] }), credentials: () => CLIENT }

  test('get a token at the first call and another one after a 401', async () => {
    const world = setUp(options)
    expect(await call(world)).toBe('ok')
    world.provider.endAccess()
    expect(await call(world)).toBe('ok')
    expect(world.provider.seen).toEqual([
      { grant_type: 'client_credentials' },
      { grant_type: 'client_credentials' },
    ])
  })

  test('a lost answer is simply asked for again', async () => {
    const world = setUp(options)
    world.provider.fail({ kind: 'lost' })
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('refresh_failed')
    await world.clock.advance(1000)
    expect(await call(world)).toBe('ok')
  })

  test('that are refused as a grant are credentials_refused, nobody can connect again', async () => {
    const world = setUp(options)
    world.provider.fail({ kind: 'refusal', status: 400, body: { error: 'invalid_grant' } })
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('credentials_refused')
    await world.clock.advance(3_600_000)
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('credentials_refused')
    expect(world.provider.counters.requests).toBe(1)
  })
})

describe('a password', () => {
  const method: ExampleMethod = {
    credentials: {
      required: ['username', 'password'],
      properties: {
        ...OAUTH_CREDENTIALS.properties,
        username: { type: 'string' },
        password: { type: 'string', writeOnly: true },
      },
    },
    bearer: '{{ credentials.access_token }}',
    oauth2: { grant: 'password', rotatesRefreshToken: true },
  }
  const manifest = exampleManifest({ methods: [method] })
  const given = (password: string) => () => ({ username: 'ada', password, ...CLIENT })

  test('gets a token, then the refresh token renews it', async () => {
    const world = setUp({ manifest, credentials: given('right') })
    expect(await call(world)).toBe('ok')
    world.provider.endAccess()
    expect(await call(world)).toBe('ok')
    expect(world.provider.seen.map(({ grant_type }) => grant_type)).toEqual([
      'password',
      'refresh_token',
    ])
  })

  test('is presented again when the refresh token is refused', async () => {
    const world = setUp({ manifest, credentials: given('right') })
    const lent = await world.keeper.current(world.soon())
    world.provider.revoke(tokenOf(lent))
    expect(await call(world)).toBe('ok')
    expect(world.provider.seen.map(({ grant_type }) => grant_type)).toEqual([
      'password',
      'refresh_token',
      'password',
    ])
  })

  test('that is wrong is refused once, not again and again', async () => {
    const world = setUp({ manifest, credentials: given('wrong') })
    for (let turn = 0; turn < 5; turn++) {
      expect(await codeOf(world.keeper.current(world.soon()))).toBe('credentials_refused')
    }
    expect(world.provider.counters.requests).toBe(1)
  })
})

describe('methods that cannot renew', () => {
  const key: ExampleMethod = {
    credentials: { required: ['key'], properties: { key: { type: 'string', writeOnly: true } } },
    headers: { 'X-Key': '{{ credentials.key }}' },
  }

  test('a 401 is the last word, and the next call is made all the same', async () => {
    const world = setUp({
      manifest: exampleManifest({ methods: [key] }),
      credentials: () => ({ key: 'abcdef' }),
    })
    const lent = await world.keeper.current(world.soon())
    expect([lent.renewable, lent.applied.headers]).toEqual([false, { 'x-key': 'abcdef' }])
    expect(await codeOf(world.keeper.renew(lent, world.soon()))).toBe('credentials_refused')
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('ok')
    expect(world.transport.sent).toEqual([])
  })

  test('a key that the host replaced is taken over after a 401', async () => {
    let stored = { key: 'old-key' }
    const world = setUp({
      manifest: exampleManifest({ methods: [key] }),
      credentials: () => () => stored,
    })
    const lent = await world.keeper.current(world.soon())
    expect(lent.renewable).toBe(true)
    stored = { key: 'new-key' }
    expect((await world.keeper.renew(lent, world.soon())).applied.headers).toEqual({
      'x-key': 'new-key',
    })
  })

  test('many calls refused at once look once for other credentials', async () => {
    let reads = 0
    const world = setUp({
      manifest: exampleManifest({ methods: [key] }),
      credentials: () => () => ({ key: `key-${Math.min(++reads, 2)}` }),
    })
    const lent = await world.keeper.current(world.soon())
    await Promise.all(Array.from({ length: 50 }, () => world.keeper.renew(lent, world.soon())))
    expect(reads).toBe(2)
  })

  test('a public API needs no credentials', async () => {
    const world = setUp({ manifest: exampleManifest({ methods: [] }), credentials: () => ({}) })
    expect((await world.keeper.current(world.soon())).applied).toEqual({ headers: {}, query: [] })
  })

  test('a token of a vendor without refresh is used until it is refused', async () => {
    const world = setUp({
      manifest: exampleManifest({
        methods: [
          {
            credentials: OPTIONAL,
            bearer: '{{ credentials.access_token }}',
            oauth2: { refresh: null },
          },
        ],
      }),
      credentials: ({ access_token }) => ({ access_token, ...CLIENT }),
    })
    const lent = await world.keeper.current(world.soon())
    const error: unknown = await world.keeper
      .renew(lent, world.soon())
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'credentials_refused', details: { missing: [] } })
    expect(world.transport.sent).toEqual([])
  })
})
