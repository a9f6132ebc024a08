import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Tokens } from '../../faults/oauth-provider.ts'
import { call, CLIENT, setUp, type SetUp, tokenOf } from './keeper-set-up.ts'
import { settled } from './stopped-clock.ts'

const REFRESH_ONLY = ({ refresh_token }: Tokens): JsonObject => ({ refresh_token, ...CLIENT })
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** One call; `isLate` says whether the moment has passed in which a call that need not wait is served. */
async function oneCall(
  world: SetUp,
  isLate: () => boolean,
): Promise<'served' | 'waited' | 'refused'> {
  const lent = await world.keeper.current(world.soon())
  if (isLate()) return 'waited'
  return world.provider.isLive(tokenOf(lent)) ? 'served' : 'refused'
}

describe('a day of calls', () => {
  test.for([
    { name: 'one by one', latencyMs: 0, burst: 1, random: 0.5 },
    { name: 'with the smallest margin', latencyMs: 0, burst: 1, random: 0 },
    { name: 'with the largest margin', latencyMs: 0, burst: 1, random: 0.999 },
    { name: 'three at a time', latencyMs: 0, burst: 3, random: 0.5 },
    { name: 'with a slow token endpoint', latencyMs: 20_000, burst: 1, random: 0.5 },
  ])(
    'R9 tokens of 10 minutes, a call a minute, $name: at most 170 refreshes, no call waits',
    async ({ latencyMs, burst, random }) => {
      const world = setUp({ credentials: REFRESH_ONLY, provider: { lifeSeconds: 600 }, random })
      await world.keeper.current(world.soon())
      const heard = { served: 0, waited: 0, refused: 0 }
      for (let minute = 0; minute < 24 * 60; minute++) {
        world.provider.fail({ kind: 'slow', ms: latencyMs })
        let late = false
        const outcomes = Array.from({ length: burst }, () => oneCall(world, () => late))
        await settled()
        late = true
        await world.clock.advance(MINUTE)
        for (const outcome of await Promise.all(outcomes)) heard[outcome]++
      }
      expect(heard).toEqual({ served: 24 * 60 * burst, waited: 0, refused: 0 })
      expect(world.provider.counters.refreshes).toBeLessThanOrEqual(170)
      expect(world.provider.counters.refreshes).toBeGreaterThan(140)
      expect(world.provider.counters).toMatchObject({ replays: 0, mostInFlight: 1 })
    },
  )

  test.for([1, 5, 60, 600])(
    'tokens of %i s never cause more than one refresh per token',
    async (lifeSeconds) => {
      const world = setUp({ credentials: REFRESH_ONLY, provider: { lifeSeconds } })
      const step = (lifeSeconds * 1000) / 20
      for (let turn = 0; turn < 200; turn++) {
        expect(await call(world)).toBe('ok')
        await world.clock.advance(step)
      }
      // Ten lives passed; each token is renewed in the last tenth of its own.
      expect(world.provider.counters.refreshes).toBeLessThanOrEqual(13)
    },
  )
})

describe('clocks that differ', () => {
  test.for([
    { name: 'ours jumps ahead by a day', ours: 24 * HOUR, theirs: 0 },
    { name: 'ours jumps back by a day', ours: -24 * HOUR, theirs: 0 },
    { name: "the vendor's is an hour ahead", ours: 0, theirs: HOUR },
    { name: "the vendor's is an hour behind", ours: 0, theirs: -HOUR },
  ])('O8 $name: no refresh storm, no use of a dead token', async ({ ours, theirs }) => {
    let refused = 0
    const world = setUp({ credentials: REFRESH_ONLY, aheadMs: theirs })
    for (let minute = 0; minute < 240; minute++) {
      if (minute === 100) world.clock.setForward(ours)
      const lent = await world.keeper.current(world.soon())
      if (!world.provider.isLive(tokenOf(lent))) refused++
      await world.clock.advance(MINUTE)
    }
    expect(refused).toBe(0)
    expect(world.provider.counters.refreshes).toBeLessThanOrEqual(6)
  })

  test('O8 a vendor that lies about the life costs one 401 per token', async () => {
    const world = setUp({
      credentials: REFRESH_ONLY,
      provider: { lifeSeconds: 600, extra: { expires_in: 86_400 } },
    })
    const outcomes = new Set<string>()
    for (let minute = 0; minute < 60; minute++) {
      outcomes.add(await call(world))
      await world.clock.advance(MINUTE)
    }
    expect([...outcomes]).toEqual(['ok'])
    expect(world.provider.counters.refreshes).toBe(6)
  })

  test('O7 without expires_in there is a refresh on 401 only', async () => {
    const world = setUp({
      credentials: REFRESH_ONLY,
      provider: { lifeSeconds: 3600, extra: { expires_in: undefined } },
    })
    for (let minute = 0; minute < 59; minute++) {
      expect(await call(world)).toBe('ok')
      await world.clock.advance(MINUTE)
    }
    expect(world.provider.counters.refreshes).toBe(1)
    await world.clock.advance(MINUTE)
    expect(await call(world)).toBe('ok')
    expect(world.provider.counters.refreshes).toBe(2)
  })
})

describe('odd answers of the token endpoint', () => {
  test.for<{ name: string; change: (answer: Record<string, unknown>) => unknown; type?: string }>([
    { name: 'HTML', change: () => '<html>', type: 'text/html' },
    { name: 'an array', change: (answer) => [answer] },
    { name: 'nothing', change: () => '' },
    { name: 'no access token', change: (answer) => ({ ...answer, access_token: undefined }) },
    { name: 'more than 1 MiB', change: (answer) => ({ ...answer, filler: 'x'.repeat(1 << 20) }) },
  ])(
    'O7 $name: the outcome is unknown, and the refresh token is not presented in a loop',
    async ({ change, type = 'application/json' }) => {
      const world = setUp()
      world.provider.endAccess()
      world.provider.fail({ kind: 'odd', change, type })
      const codes: string[] = []
      for (let turn = 0; turn < 30; turn++) {
        codes.push(await call(world).catch((error: unknown) => (error as { code: string }).code))
        await world.clock.advance(1000)
      }
      expect(new Set(codes)).toEqual(new Set(['refresh_unknown']))
      expect(world.provider.counters.requests).toBe(1)
    },
  )

  test('O7 a label that is wrong does not cost the tokens', async () => {
    const world = setUp()
    world.provider.endAccess()
    world.provider.fail({ kind: 'odd', change: (answer) => answer, type: 'text/html' })
    expect(await call(world)).toBe('ok')
  })

  test('O7 no new refresh token: the old one is kept and works again', async () => {
    const world = setUp({ provider: { rotates: false, extra: { refresh_token: undefined } } })
    for (let turn = 0; turn < 3; turn++) {
      world.provider.endAccess()
      expect(await call(world)).toBe('ok')
      await world.clock.advance(61_000)
    }
    expect(world.saved.map(({ next }) => next['refresh_token'])).toEqual([
      world.given['refresh_token'],
      world.given['refresh_token'],
      world.given['refresh_token'],
    ])
  })

  test('O7 another token type: the new refresh token is saved, the access token not used', async () => {
    const world = setUp()
    world.provider.endAccess()
    world.provider.fail({ kind: 'odd', change: (answer) => ({ ...answer, token_type: 'mac' }) })
    const error: unknown = await call(world).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'refresh_failed',
      retryAfterMs: 300_000,
      details: { reason: 'unusable' },
    })
    expect(world.saved.map(({ next }) => Object.keys(next).toSorted())).toEqual([
      ['client_id', 'client_secret', 'refresh_token'],
    ])
    await world.clock.advance(300_000)
    expect(await call(world)).toBe('ok')
    expect(world.provider.counters.replays).toBe(0)
  })
})
