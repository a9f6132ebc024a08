import { inspect } from 'node:util'

import { describe, expect, test } from 'vitest'

import { createCredentialKeeper } from '../../../src/engine/credentials/keeper.ts'
import { amendError, type ConnectorError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { exampleManifest, oauthMethod } from './example-manifest.ts'
import { call, CLIENT, codeOf, setUp, tokenOf } from './keeper-set-up.ts'
import { settled } from './stopped-clock.ts'

describe('one refresh', () => {
  test('200 concurrent calls without an access token cause one refresh and get the same token', async () => {
    const world = setUp({ credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }) })
    const lent = await Promise.all(
      Array.from({ length: 200 }, () => world.keeper.current(world.soon())),
    )
    expect(new Set(lent.map(tokenOf)).size).toBe(1)
    expect(world.provider.counters).toMatchObject({ requests: 1, refreshes: 1, replays: 0 })
    expect(world.saved).toHaveLength(1)
    expect(world.clock.sleeping()).toBe(0)
  })

  test('R6 a burst of 401s with the current generation causes one refresh', async () => {
    const world = setUp()
    const used = await world.keeper.current(world.soon())
    world.provider.endAccess()
    const lent = await Promise.all(
      Array.from({ length: 200 }, () => world.keeper.renew(used, world.soon())),
    )
    expect(new Set(lent.map(tokenOf)).size).toBe(1)
    expect(world.provider.counters.refreshes).toBe(1)
  })

  test('R6 a burst of 401s with an old generation causes none', async () => {
    const world = setUp()
    const old = await world.keeper.current(world.soon())
    const newer = await world.keeper.renew(old, world.soon())
    const lent = await Promise.all(
      Array.from({ length: 200 }, () => world.keeper.renew(old, world.soon())),
    )
    expect(new Set(lent.map(tokenOf))).toEqual(new Set([tokenOf(newer)]))
    expect(world.provider.counters.refreshes).toBe(1)
  })

  test('within the margin calls go on with the old token while the refresh runs beside them', async () => {
    const world = setUp({ credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }) })
    const first = tokenOf(await world.keeper.current(world.soon()))
    world.provider.fail({ kind: 'slow', ms: 5000 })
    await world.clock.advance(3_310_000)
    expect(tokenOf(await world.keeper.current(world.soon()))).toBe(first)
    expect(tokenOf(await world.keeper.current(world.soon()))).toBe(first)
    await world.clock.advance(5000)
    expect(tokenOf(await world.keeper.current(world.soon()))).not.toBe(first)
    expect(world.provider.counters).toMatchObject({ refreshes: 2, mostInFlight: 1 })
  })

  test('a caller whose deadline passes gets deadline_exceeded, the refresh goes on and is kept', async () => {
    const world = setUp({ credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }) })
    world.provider.fail({ kind: 'slow', ms: 100_000 })
    const impatient = codeOf(world.keeper.current(world.clock.monotonic() + 5000))
    const patient = codeOf(world.keeper.current(world.clock.monotonic() + 110_000))
    await world.clock.advance(5000)
    expect(await impatient).toBe('deadline_exceeded')
    expect(world.saved).toHaveLength(0)
    await world.clock.advance(95_000)
    expect(await patient).toBe('ok')
    expect(world.saved).toHaveLength(1)
    expect(world.provider.counters).toMatchObject({ requests: 1, replays: 0 })
  })

  test('a caller that aborts gets aborted with its reason, the refresh goes on', async () => {
    const world = setUp({ credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }) })
    world.provider.fail({ kind: 'slow', ms: 1000 })
    const controller = new AbortController()
    const reason = new Error('the user left')
    const waiting = world.keeper.current(world.soon(), controller.signal)
    const outcome = waiting.catch((error: unknown) => error)
    await settled()
    controller.abort(reason)
    expect(await outcome).toMatchObject({ code: 'aborted', cause: reason })
    await world.clock.advance(1000)
    expect(world.saved).toHaveLength(1)
  })

  test.for([
    { name: '120 s where refresh tokens rotate', rotates: true, want: 120_000 },
    { name: '20 s elsewhere', rotates: false, want: 20_000 },
  ])('a token request may take $name', async ({ rotates, want }) => {
    const world = setUp({ oauth2: { rotatesRefreshToken: rotates } })
    await world.keeper.renew(await world.keeper.current(world.soon()), world.soon())
    expect(world.transport.sent.map(({ timeoutMs }) => timeoutMs)).toEqual([want])
  })

  test('closing waits for a refresh under way, saving included', async () => {
    const world = setUp({ credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }) })
    world.provider.fail({ kind: 'slow', ms: 1000 })
    void codeOf(world.keeper.current(world.soon()))
    await settled()
    let closed = false
    void world.keeper.close().then(() => (closed = true))
    await settled()
    expect(closed).toBe(false)
    await world.clock.advance(1000)
    expect([closed, world.saved.length]).toEqual([true, 1])
  })
})

describe('onCredentials', () => {
  test('R10 a slow callback is awaited before the new token is used or shown to anybody', async () => {
    const order: string[] = []
    let finish = (): void => {}
    const world = setUp({
      credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }),
      onCredentials: () => {
        order.push('saving')
        return new Promise<void>((resolve) => {
          finish = () => {
            order.push('saved')
            resolve()
          }
        })
      },
    })
    const waiting = [1, 2, 3].map(() =>
      world.keeper.current(world.soon()).then(() => order.push('used')),
    )
    await settled()
    expect(order).toEqual(['saving'])
    finish()
    await Promise.all(waiting)
    expect(order).toEqual(['saving', 'saved', 'used', 'used', 'used'])
  })

  test('R10 it is called once for each refresh, with the next, the previous, the reason and the settings', async () => {
    const world = setUp()
    const lent = await world.keeper.renew(await world.keeper.current(world.soon()), world.soon())
    expect(world.saved).toEqual([
      {
        next: lent.credentials,
        previous: world.given,
        reason: 'refused',
        config: {},
      },
    ])
    expect(lent.credentials['refresh_token']).not.toBe(world.given['refresh_token'])
  })

  test('R10 a throwing callback fails every waiter, hands over the tokens and is called again first', async () => {
    let broken = true
    const tried: JsonObject[] = []
    const world = setUp({
      credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }),
      onCredentials: (next) => {
        tried.push(next)
        if (broken) throw new Error('the vault is away')
      },
    })
    const failed = await Promise.all(
      [1, 2, 3].map(() => world.keeper.current(world.soon()).catch((error: unknown) => error)),
    )
    expect(failed.map((error) => (error as { code: string }).code)).toEqual([
      'credentials_not_saved',
      'credentials_not_saved',
      'credentials_not_saved',
    ])
    expect((failed[0] as { credentials: JsonObject }).credentials).toEqual(tried[0])
    expect((failed[0] as { config: JsonObject }).config).toEqual({})

    expect(await codeOf(world.keeper.current(world.soon()))).toBe('credentials_not_saved')
    broken = false
    const lent = await world.keeper.current(world.soon())
    expect(lent.credentials).toEqual(tried[0])
    expect(tried).toEqual([tried[0], tried[0], tried[0]])
    expect(world.provider.counters).toMatchObject({ requests: 1, replays: 0 })
  })

  test('K5 the tokens on the error show in no print of it', async () => {
    const world = setUp({
      onCredentials: () => Promise.reject(new Error('the vault is away')),
    })
    const error: unknown = await world.keeper
      .renew(await world.keeper.current(world.soon()), world.soon())
      .catch((reason: unknown) => reason)
    const { credentials } = error as { credentials: JsonObject }
    const amended = amendError(error as ConnectorError, { outcome: 'uncertain' })
    expect(amended.credentials).toEqual(credentials)
    const shown = [
      inspect(amended, { showHidden: true, depth: 9 }),
      inspect(error),
      inspect(error, { showHidden: true, depth: 9 }),
      JSON.stringify(error),
      String(error),
      JSON.stringify({ ...(error as object) }),
      ...world.log,
    ].join('\n')
    for (const name of ['access_token', 'refresh_token', 'client_secret']) {
      expect(typeof credentials[name]).toBe('string')
      expect(shown).not.toContain(credentials[name])
    }
  })

  test('what the host does to the object it is given changes nothing here', async () => {
    const world = setUp({
      onCredentials: (next) => {
        Object.assign(next, { access_token: 'changed' })
      },
    })
    const lent = await world.keeper.renew(await world.keeper.current(world.soon()), world.soon())
    expect(world.provider.isLive(tokenOf(lent))).toBe(true)
  })

  test('without it a connector with single-use refresh tokens warns once', async () => {
    const world = setUp()
    const { onCredentials: _, ...others } = {
      manifest: exampleManifest({ methods: [oauthMethod()] }),
      credentials: world.given,
      onCredentials: undefined,
      transport: world.transport,
      clock: world.clock,
    }
    const warnings: string[] = []
    const keeper = createCredentialKeeper({
      ...others,
      log: {
        info: () => {},
        warn: (_facts, message) => void warnings.push(message),
        error: () => {},
      },
    })
    await keeper.renew(await keeper.current(world.soon()), world.soon())
    expect(warnings).toEqual([expect.stringContaining('work once')])
  })
})

describe('refusals', () => {
  test('invalid_grant ends it: every later call fails and nothing is sent', async () => {
    const world = setUp()
    const used = await world.keeper.current(world.soon())
    world.provider.revoke(tokenOf(used))
    const codes = [await codeOf(world.keeper.renew(used, world.soon()))]
    for (let again = 0; again < 50; again++) {
      await world.clock.advance(60_000)
      codes.push(await codeOf(world.keeper.current(world.soon())))
    }
    expect(new Set(codes)).toEqual(new Set(['reauthorization_required']))
    expect(world.provider.counters.requests).toBe(1)
  })

  test('without a client the access token cannot be renewed, and nothing is sent', async () => {
    const world = setUp({
      credentials: ({ access_token, refresh_token }) => ({ access_token, refresh_token }),
    })
    const used = await world.keeper.current(world.soon())
    expect(used.renewable).toBe(false)
    const error: unknown = await world.keeper
      .renew(used, world.soon())
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'credentials_refused',
      retryable: false,
      details: { reason: 'not_renewable', missing: ['client_id', 'client_secret'] },
    })
    expect(world.transport.sent).toEqual([])
  })

  test('a wrong client is not asked with again for five minutes', async () => {
    const world = setUp({
      credentials: (tokens) => ({
        ...tokens,
        client_id: 'client-1',
        client_secret: 'wrong-secret',
      }),
    })
    const used = await world.keeper.current(world.soon())
    world.provider.endAccess()
    const codes = [await codeOf(world.keeper.renew(used, world.soon()))]
    for (let minute = 0; minute < 4; minute++) {
      await world.clock.advance(60_000)
      codes.push(await codeOf(world.keeper.current(world.soon())))
    }
    expect(new Set(codes)).toEqual(new Set(['credentials_refused']))
    expect(world.provider.counters.refusedClients).toBe(1)
    await world.clock.advance(60_000)
    await codeOf(world.keeper.current(world.soon()))
    expect(world.provider.counters.refusedClients).toBe(2)
  })

  test('an unwell token endpoint fails the call, and a later one heals', async () => {
    const world = setUp()
    const used = await world.keeper.current(world.soon())
    world.provider.endAccess()
    world.provider.fail({
      kind: 'refusal',
      status: 503,
      body: 'down',
      headers: { 'retry-after': '7' },
    })
    const error: unknown = await world.keeper
      .renew(used, world.soon())
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'refresh_failed',
      retryable: true,
      retryAfterMs: 7000,
      details: { status: 503 },
    })
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('refresh_failed')
    await world.clock.advance(7000)
    expect(await call(world)).toBe('ok')
    expect(world.provider.counters.requests).toBe(2)
  })

  test('a token endpoint that cannot be reached costs nothing', async () => {
    const world = setUp()
    const used = await world.keeper.current(world.soon())
    world.transport.away = true
    expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('refresh_failed')
    world.transport.away = false
    await world.clock.advance(1000)
    expect(await call(world)).toBe('ok')
  })

  test('tokens that are refused as soon as they are received are not renewed for ever', async () => {
    const world = setUp()
    let refused = 0
    for (let turn = 0; turn < 20; turn++) {
      const used = await world.keeper.current(world.soon())
      if ((await codeOf(world.keeper.renew(used, world.soon()))) === 'credentials_refused')
        refused++
    }
    expect([world.provider.counters.refreshes, refused]).toEqual([3, 17])
  })

  test('tokens that are refused as soon as they are received give way to what a user connected meanwhile', async () => {
    let kept: JsonObject = {}
    const world = setUp({
      credentials: (first) => {
        kept = { ...first, ...CLIENT }
        return () => kept
      },
    })
    for (let turn = 0; turn < 4; turn++)
      await codeOf(world.keeper.renew(await world.keeper.current(world.soon()), world.soon()))
    const used = await world.keeper.current(world.soon())
    expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('credentials_refused')
    kept = { ...world.provider.connect(), ...CLIENT }
    const found = await world.keeper.renew(used, world.soon())
    expect(tokenOf(found)).toBe(kept['access_token'])
    // They may have ended before they were found, those that were renewed for a call have not.
    const renewed = await world.keeper.renew(found, world.soon())
    expect([used.isFound, found.isFound, renewed.isFound]).toEqual([false, true, false])
  })

  test('a revoked connection is not used any more', async () => {
    const world = setUp()
    world.keeper.revoke(await world.keeper.current(world.soon()))
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('reauthorization_required')
    expect(world.transport.sent).toEqual([])
  })
})

describe('an answer that was lost', () => {
  test('is visible once the old access token ends, and heals where the request never arrived', async () => {
    const world = setUp()
    const used = await world.keeper.current(world.soon())
    world.provider.endAccess()
    world.provider.fail({ kind: 'ignored' })
    const error: unknown = await world.keeper
      .renew(used, world.soon())
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'refresh_unknown', retryable: true, retryAfterMs: 30_000 })
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('refresh_unknown')
    expect(world.provider.counters.requests).toBe(1)
    await world.clock.advance(30_000)
    expect(await call(world)).toBe('ok')
    expect(world.provider.counters).toMatchObject({ requests: 2, refreshes: 1, replays: 0 })
  })

  test('costs one replay where it had rotated, and then says so', async () => {
    const world = setUp()
    const used = await world.keeper.current(world.soon())
    world.provider.endAccess()
    world.provider.fail({ kind: 'lost' })
    expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('refresh_unknown')
    await world.clock.advance(30_000)
    const error: unknown = await world.keeper
      .current(world.soon())
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'reauthorization_required',
      details: { reason: 'refresh_lost' },
    })
    for (let again = 0; again < 20; again++) {
      await world.clock.advance(3_600_000)
      await codeOf(world.keeper.current(world.soon()))
    }
    expect(world.provider.counters).toMatchObject({ requests: 2, replays: 1 })
  })

  test('presents nothing while the old access token works', async () => {
    const world = setUp({ credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }) })
    await world.keeper.current(world.soon())
    world.provider.fail({ kind: 'ignored' })
    await world.clock.advance(3_310_000)
    for (let turn = 0; turn < 28; turn++) {
      expect(await call(world)).toBe('ok')
      await world.clock.advance(10_000)
    }
    expect(world.provider.counters.requests).toBe(2)
    await world.clock.advance(20_000)
    expect(await call(world)).toBe('ok')
    expect(world.provider.counters).toMatchObject({ requests: 3, replays: 0 })
  })

  test('is presented again at once within a grace window', async () => {
    const world = setUp({ provider: { graceMs: 60_000 }, oauth2: { reuseGraceMs: 60_000 } })
    const used = await world.keeper.current(world.soon())
    world.provider.endAccess()
    world.provider.fail({ kind: 'lost' })
    expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('refresh_unknown')
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('ok')
    expect(world.provider.counters).toMatchObject({ requests: 2, refreshes: 1, replays: 0 })
  })
})

describe('credentials given as a function', () => {
  test('are read at the first use and again before each refresh', async () => {
    let reads = 0
    const world = setUp({
      credentials: (tokens) => () => {
        reads++
        return { ...tokens, ...CLIENT }
      },
    })
    expect(reads).toBe(0)
    const used = await world.keeper.current(world.soon())
    await world.keeper.current(world.soon())
    expect(reads).toBe(1)
    await world.keeper.renew(used, world.soon())
    expect([reads, world.provider.counters.refreshes]).toEqual([2, 1])
  })

  test('that are newer are used instead of a refresh', async () => {
    let stored: JsonObject | null = null
    const world = setUp({ credentials: (tokens) => () => (stored ??= { ...tokens, ...CLIENT }) })
    const used = await world.keeper.current(world.soon())
    const newer = world.provider.connect()
    stored = { ...newer, ...CLIENT }
    const lent = await world.keeper.renew(used, world.soon())
    expect([tokenOf(lent), lent.generation]).toEqual([newer.access_token, 2])
    expect(world.provider.counters.requests).toBe(0)
    expect(world.saved).toEqual([])
  })

  test('that are older than ours are not taken back', async () => {
    const world = setUp({ credentials: (tokens) => () => ({ ...tokens, ...CLIENT }) })
    const first = await world.keeper.renew(await world.keeper.current(world.soon()), world.soon())
    const second = await world.keeper.renew(first, world.soon())
    expect(world.provider.isLive(tokenOf(second))).toBe(true)
    expect(world.provider.counters).toMatchObject({ refreshes: 2, replays: 0 })
  })

  test('end a refusal when they change', async () => {
    let stored: JsonObject | null = null
    const world = setUp({ credentials: (tokens) => () => (stored ??= { ...tokens, ...CLIENT }) })
    const used = await world.keeper.current(world.soon())
    world.provider.revoke(tokenOf(used))
    expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('reauthorization_required')
    stored = { ...world.provider.connect(), ...CLIENT }
    expect(await call(world)).toBe('ok')
    expect(world.provider.counters.requests).toBe(1)
  })

  test('that cannot be read stop the refresh before anything is sent', async () => {
    let away = false
    const world = setUp({
      credentials: (tokens) => () => {
        if (away) throw new Error('the vault is away')
        return { ...tokens, ...CLIENT }
      },
    })
    const used = await world.keeper.current(world.soon())
    away = true
    expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('store_unavailable')
    expect(world.transport.sent).toEqual([])
  })

  test('of the wrong shape are refused at the first use', async () => {
    const world = setUp({
      credentials: () => () => ({ refresh_token: 7 }),
    })
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('credentials_invalid')
  })

  test('that keep changing without an access token never spin', async () => {
    let reads = 0
    const world = setUp({
      credentials: () => () => ({ refresh_token: `never-${reads++}`, ...CLIENT }),
    })
    expect(await codeOf(world.keeper.current(world.soon()))).toBe('reauthorization_required')
    expect(world.provider.counters.requests).toBe(1)
  })
})

describe('several processes', () => {
  /** A lock and a store that two processes share. */
  function shared(): {
    lock: (run: () => Promise<void>) => Promise<void>
    store: { value: JsonObject }
    mostAtOnce: () => number
  } {
    let last: Promise<unknown> = Promise.resolve()
    let inside = 0
    let most = 0
    return {
      store: { value: {} },
      mostAtOnce: () => most,
      lock(run) {
        const turn = (async () => {
          await last
          most = Math.max(most, ++inside)
          try {
            await run()
          } finally {
            inside--
          }
        })()
        last = turn.catch(() => {})
        return turn
      },
    }
  }

  test('with withRefreshLock and a shared store spend one refresh token once', async () => {
    const { lock, store, mostAtOnce } = shared()
    const world = setUp({
      credentials: (tokens) => {
        store.value = { ...tokens, ...CLIENT }
        return () => store.value
      },
      withRefreshLock: lock,
      onCredentials: (next) => {
        store.value = next
      },
    })
    const processes = [world.keeper, world.another(), world.another(), world.another()]
    for (let expiry = 0; expiry < 25; expiry++) {
      await Promise.all(processes.map((keeper) => call(world, keeper)))
      world.provider.endAccess()
      const results = await Promise.all(
        processes.flatMap((keeper) => [call(world, keeper), call(world, keeper)]),
      )
      expect(new Set(results)).toEqual(new Set(['ok']))
      await world.clock.advance(61_000)
    }
    expect(world.provider.counters).toMatchObject({ refreshes: 25, replays: 0, mostInFlight: 1 })
    expect(mostAtOnce()).toBe(1)
  })

  test('a lock that cannot be had stops the refresh before anything is sent', async () => {
    const world = setUp({ withRefreshLock: () => Promise.reject(new Error('no lock')) })
    const used = await world.keeper.current(world.soon())
    expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('refresh_failed')
    expect(world.transport.sent).toEqual([])
  })

  test('a lock that fails to be given back loses nothing', async () => {
    const world = setUp({
      withRefreshLock: async (run) => {
        await run()
        throw new Error('the lock had been lost')
      },
    })
    const used = await world.keeper.current(world.soon())
    expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('ok')
    expect(world.saved).toHaveLength(1)
  })

  test('a lock that runs the refresh twice gets one', async () => {
    const world = setUp({
      withRefreshLock: async (run) => {
        await Promise.all([run(), run()])
      },
    })
    await world.keeper.renew(await world.keeper.current(world.soon()), world.soon())
    expect(world.provider.counters.requests).toBe(1)
  })

  test('a lock that does not run the refresh is a mistake of the host', async () => {
    const world = setUp({ withRefreshLock: () => Promise.resolve() })
    const used = await world.keeper.current(world.soon())
    await expect(world.keeper.renew(used, world.soon())).rejects.toThrow(TypeError)
  })
})

describe('what is shown', () => {
  test('K5 K8 credentials on loan and the keeper show no secret when they are printed', async () => {
    const world = setUp()
    const lent = await world.keeper.renew(await world.keeper.current(world.soon()), world.soon())
    const shown = [
      inspect(lent, { showHidden: true, depth: 9 }),
      JSON.stringify(lent),
      inspect(world.keeper, { depth: 9 }),
      JSON.stringify(world.keeper),
      ...world.log,
    ].join('\n')
    for (const secret of [...world.keeper.secrets(), tokenOf(lent)])
      expect(shown).not.toContain(secret)
  })

  test('K5 its redactor knows the tokens of now and of before', async () => {
    const world = setUp()
    const used = await world.keeper.current(world.soon())
    const lent = await world.keeper.renew(used, world.soon())
    const { refresh_token } = world.provider.connect()
    expect(world.keeper.redact(refresh_token)).toBe(refresh_token)
    const own = lent.credentials['refresh_token'] as string
    const text = `${tokenOf(used)} ${tokenOf(lent)} ${own} client-secret-1`
    expect(world.keeper.redact(text)).toBe('[secret] [secret] [secret] [secret]')
  })

  test('K5 attempts to save that fail do not push the tokens in use out of its memory', async () => {
    const world = setUp({ onCredentials: () => Promise.reject(new Error('the vault is away')) })
    const used = await world.keeper.current(world.soon())
    for (let turn = 0; turn < 5; turn++) {
      expect(await codeOf(world.keeper.renew(used, world.soon()))).toBe('credentials_not_saved')
    }
    expect(world.keeper.redact(tokenOf(used))).toBe('[secret]')
  })

  test('a preview sends nothing and puts *** for what is not there yet', async () => {
    const world = setUp({ credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }) })
    const lent = await world.keeper.peek()
    expect(lent.applied).toEqual({ headers: { authorization: 'Bearer ***' }, query: [] })
    expect(world.transport.sent).toEqual([])
  })
})
