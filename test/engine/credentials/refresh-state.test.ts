import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  adopt,
  decide,
  failureIn,
  givenState,
  marginOf,
  noteRefusal,
  noteRevocation,
  type RefreshRules,
  type RefreshState,
  settle,
} from '../../../src/engine/credentials/refresh-state.ts'
import type { TokenOutcome } from '../../../src/engine/credentials/token-answer.ts'

const ROTATING: RefreshRules = { renewable: true, rotates: true, graceMs: null }
const GRACEFUL: RefreshRules = { renewable: true, rotates: true, graceMs: 60_000 }
const STEADY: RefreshRules = { renewable: true, rotates: false, graceMs: null }
const FIXED: RefreshRules = { renewable: false, rotates: false, graceMs: null }

const TOKENS: TokenOutcome = {
  kind: 'tokens',
  accessToken: 'at',
  refreshToken: 'rt',
  lifeMs: 600_000,
  tokenType: 'bearer',
  body: {},
}
const LOST: TokenOutcome = { kind: 'lost', status: null, problem: 'upstream_timeout', cause: null }
const REFUSED: TokenOutcome = { kind: 'invalid_grant', status: 400 }
const at = (now: number): { now: number; random: number } => ({ now, random: 0.5 })

/** Received at 0, lives 600 s, renewed in the last 60 s. */
const fresh = settle(givenState(1, false), ROTATING, TOKENS, at(0))

describe('what a call does', () => {
  test.for<{
    name: string
    state: RefreshState
    rules?: RefreshRules
    now: number
    gapMs?: number
    want: unknown
  }>([
    {
      name: 'a token of unknown age is used until it is refused',
      state: givenState(1, true),
      now: 1e9,
      want: { kind: 'use', refresh: null },
    },
    {
      name: 'without an access token the first thing is a refresh',
      state: givenState(1, false),
      now: 0,
      want: { kind: 'refresh', reason: 'missing' },
    },
    {
      name: 'without an access token and anything to renew there is nothing to do',
      state: givenState(1, false),
      rules: FIXED,
      now: 0,
      want: { kind: 'fail', failure: { kind: 'not_renewable' }, retryAfterMs: null },
    },
    {
      name: 'R5 step 1: with more life than the margin nothing is needed',
      state: fresh,
      now: 539_000,
      want: { kind: 'use', refresh: null },
    },
    {
      name: 'R5 step 1: within the margin the call goes on and a refresh starts beside it',
      state: fresh,
      now: 541_000,
      want: { kind: 'use', refresh: 'expiring' },
    },
    {
      name: 'R5 step 1: a token in its last seconds is not used any more',
      state: fresh,
      now: 596_000,
      want: { kind: 'refresh', reason: 'expiring' },
    },
    {
      name: 'who calls once a minute has the refresh before the call that would find the token dead',
      state: fresh,
      now: 530_000,
      gapMs: 60_000,
      want: { kind: 'use', refresh: 'expiring' },
    },
    {
      name: 'who calls once an hour does not refresh more than two margins early',
      state: fresh,
      now: 479_000,
      gapMs: 3_600_000,
      want: { kind: 'use', refresh: null },
    },
    {
      name: 'what cannot be renewed is used to its end',
      state: fresh,
      rules: FIXED,
      now: 541_000,
      want: { kind: 'use', refresh: null },
    },
  ])('$name', ({ state, rules = ROTATING, now, gapMs = 0, want }) =>
    expect(decide(state, rules, now, gapMs)).toEqual(want),
  )
})

describe('step 7, each outcome', () => {
  const dead = noteRefusal(fresh, fresh.generation, 100_000)

  test.for<{
    name: string
    outcome: TokenOutcome
    rules?: RefreshRules
    standing: unknown
    after: unknown
  }>([
    {
      name: 'R5 not sent: back off for a second, the credentials are as they were',
      outcome: { kind: 'not_sent', cause: null },
      standing: { kind: 'backing_off', until: 100_900, failure: { kind: 'unreachable' } },
      after: { kind: 'fail', failure: { kind: 'unreachable' }, retryAfterMs: 900 },
    },
    {
      name: 'R5 invalid_grant: refused for good',
      outcome: REFUSED,
      standing: { kind: 'refused', reason: 'grant_refused' },
      after: {
        kind: 'fail',
        failure: { kind: 'reauthorize', reason: 'grant_refused' },
        retryAfterMs: null,
      },
    },
    {
      name: 'R5 another OAuth error: back off for five minutes',
      outcome: { kind: 'refused', status: 401, error: 'invalid_client' },
      standing: {
        kind: 'backing_off',
        until: 400_000,
        failure: { kind: 'refused', status: 401, error: 'invalid_client' },
      },
      after: {
        kind: 'fail',
        failure: { kind: 'refused', status: 401, error: 'invalid_client' },
        retryAfterMs: 300_000,
      },
    },
    {
      name: 'R5 503 with Retry-After: back off as long as asked',
      outcome: { kind: 'busy', status: 503, retryAfterMs: 20_000 },
      standing: { kind: 'backing_off', until: 120_000, failure: { kind: 'busy', status: 503 } },
      after: { kind: 'fail', failure: { kind: 'busy', status: 503 }, retryAfterMs: 20_000 },
    },
    {
      name: 'R5 429 without Retry-After: back off for a second',
      outcome: { kind: 'busy', status: 429, retryAfterMs: null },
      standing: { kind: 'backing_off', until: 100_900, failure: { kind: 'busy', status: 429 } },
      after: { kind: 'fail', failure: { kind: 'busy', status: 429 }, retryAfterMs: 900 },
    },
    {
      name: 'R5 answer lost: unknown, nothing is presented for 30 seconds',
      outcome: LOST,
      standing: { kind: 'unknown', since: 100_000, until: 130_000 },
      after: { kind: 'fail', failure: { kind: 'unknown' }, retryAfterMs: 30_000 },
    },
    {
      name: 'R5 answer lost within a grace window: presented at once',
      outcome: LOST,
      rules: GRACEFUL,
      standing: { kind: 'unknown', since: 100_000, until: 100_000 },
      after: { kind: 'refresh', reason: 'recovery' },
    },
    {
      name: 'R5 answer lost where nothing rotates: simply repeated after a second',
      outcome: LOST,
      rules: STEADY,
      standing: {
        kind: 'backing_off',
        until: 100_900,
        failure: { kind: 'lost', problem: 'upstream_timeout' },
      },
      after: {
        kind: 'fail',
        failure: { kind: 'lost', problem: 'upstream_timeout' },
        retryAfterMs: 900,
      },
    },
    {
      name: 'R5 valid tokens: the next generation',
      outcome: TOKENS,
      standing: { kind: 'ready' },
      after: { kind: 'use', refresh: null },
    },
    {
      name: 'tokens of another type: kept, not used, asked for again after five minutes',
      outcome: { ...TOKENS, accessToken: null },
      standing: { kind: 'backing_off', until: 400_000, failure: { kind: 'unusable' } },
      after: { kind: 'fail', failure: { kind: 'unusable' }, retryAfterMs: 300_000 },
    },
  ])('$name', ({ outcome, rules = ROTATING, standing, after }) => {
    if (dead === null) throw new Error('the first refusal counts')
    const state = settle(dead, rules, outcome, at(100_000))
    expect(state.standing).toEqual(standing)
    expect(decide(state, rules, 100_000, 0)).toEqual(after)
    expect(state.generation).toBe(outcome.kind === 'tokens' ? 3 : 2)
  })

  test('failures in a row double the wait up to five minutes', () => {
    let state = givenState(1, false)
    const waits = Array.from({ length: 11 }, () => {
      state = settle(
        state,
        STEADY,
        { kind: 'busy', status: 500, retryAfterMs: null },
        { now: 0, random: 0 },
      )
      return failureIn(state, 0)?.retryAfterMs
    })
    expect(waits).toEqual([
      1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
    ])
  })
})

describe('the unknown outcome', () => {
  const lost = settle(fresh, ROTATING, LOST, at(545_000))

  test('R5 while the old access token works nothing is presented', () => {
    expect(decide(lost, ROTATING, 590_000, 0)).toEqual({ kind: 'use', refresh: null })
  })

  test('R5 when it stops working there is one presentation', () => {
    expect(decide(lost, ROTATING, 600_000, 0)).toEqual({ kind: 'refresh', reason: 'recovery' })
  })

  test('R5 a 401 ends the old access token too', () => {
    const refused = noteRefusal(lost, lost.generation, 580_000)
    expect(refused === null ? null : decide(refused, ROTATING, 580_000, 0)).toEqual({
      kind: 'refresh',
      reason: 'recovery',
    })
  })

  test('R5 unknown again and again: the wait doubles from 30 s to an hour, never a loop', () => {
    let state = givenState(1, false)
    const waits = Array.from({ length: 9 }, () => {
      state = settle(state, ROTATING, LOST, at(0))
      return failureIn(state, 0)?.retryAfterMs
    })
    expect(waits).toEqual([
      30_000, 60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000,
    ])
  })

  test('R5 a recovery that could not be sent leaves the outcome unknown', () => {
    const state = settle(lost, ROTATING, { kind: 'not_sent', cause: null }, at(600_000))
    expect(failureIn(state, 600_000)).toEqual({
      kind: 'fail',
      failure: { kind: 'unknown' },
      retryAfterMs: 900,
    })
  })

  test.for([
    { name: 'refused in a recovery', before: LOST },
    {
      name: 'refused after a 500',
      before: { kind: 'busy', status: 500, retryAfterMs: null } as const,
    },
  ])('R5 invalid_grant $name: the connection was lost on the way', ({ before }) => {
    const state = settle(settle(fresh, ROTATING, before, at(0)), ROTATING, REFUSED, at(60_000))
    expect(state.standing).toEqual({ kind: 'refused', reason: 'refresh_lost' })
  })

  test('R5 a recovery that is accepted heals everything', () => {
    const state = settle(lost, ROTATING, TOKENS, at(600_000))
    expect(state).toEqual({ ...fresh, generation: 3, receivedAt: 600_000 })
  })

  test('within grace the second loss waits like any other', () => {
    const again = settle(settle(fresh, GRACEFUL, LOST, at(0)), GRACEFUL, LOST, at(10))
    expect(again.standing).toEqual({ kind: 'unknown', since: 0, until: 60_010 })
  })
})

describe('the crash table, for a process that finds the intent of a process that died', () => {
  /** An intent without its outcome is an answer that was lost. */
  const found = settle({ ...fresh, access: 'refused' }, ROTATING, LOST, at(100_000))

  test('R5 before the intent: an ordinary refresh', () => {
    expect(decide({ ...fresh, access: 'refused' }, ROTATING, 100_000, 0)).toEqual({
      kind: 'refresh',
      reason: 'refused',
    })
  })

  test('R5 intent written, never sent: one recovery heals', () => {
    expect(decide(found, ROTATING, 130_000, 0)).toEqual({ kind: 'refresh', reason: 'recovery' })
    expect(settle(found, ROTATING, TOKENS, at(130_000))).toEqual({
      ...fresh,
      generation: 3,
      receivedAt: 130_000,
    })
  })

  test('R5 sent, and the vendor had rotated: lost, and visibly so', () => {
    expect(settle(found, ROTATING, REFUSED, at(130_000)).standing).toEqual({
      kind: 'refused',
      reason: 'refresh_lost',
    })
  })

  test('R5 after the commit: the next generation, nothing is lost', () => {
    const next = settle({ ...fresh, access: 'refused' }, ROTATING, TOKENS, at(100_000))
    expect(decide(next, ROTATING, 100_000, 0)).toEqual({ kind: 'use', refresh: null })
  })
})

describe('refusals by the API', () => {
  test('R6 a 401 of an older generation says nothing about the current one', () => {
    expect(noteRefusal(fresh, 1, 10)).toBe(fresh)
  })

  test('R6 a burst of 401s of the current generation counts once', () => {
    const once = noteRefusal(fresh, 2, 10)
    expect(once).toEqual({ ...fresh, access: 'refused', refusedYoung: 1 })
    expect(once === null ? null : noteRefusal(once, 2, 10)).toBe(once)
  })

  test.for([1e17, 2 ** 53, Number.MAX_VALUE])('a life of %s ms is ten years', (lifeMs) => {
    const state = settle(givenState(1, false), ROTATING, { ...TOKENS, lifeMs }, at(0))
    expect(state.lifeMs).toBe(315_360_000_000)
  })

  test('tokens that are refused as soon as they are received stop being renewed', () => {
    let state: RefreshState | null = fresh
    let renewals = 0
    for (let call = 0; call < 20 && state !== null; call++) {
      state = noteRefusal(state, state.generation, 1000)
      if (state !== null) {
        renewals++
        state = settle(state, ROTATING, TOKENS, at(1000))
      }
    }
    expect(renewals).toBe(2)
  })

  test('a token of seconds that is refused at its end is refused for its age', () => {
    const short = { ...fresh, receivedAt: 0, lifeMs: 2_000, marginMs: 200, refusedYoung: 2 }
    expect(noteRefusal(short, 2, 1_000)).toBeNull()
    expect(noteRefusal(short, 2, 1_900)).toEqual({ ...short, access: 'refused', refusedYoung: 0 })
  })

  test('a token that lived for a minute is renewed again after a refusal', () => {
    const tired = { ...fresh, refusedYoung: 2 }
    expect(noteRefusal(tired, 2, 60_000)).toEqual({ ...tired, access: 'refused', refusedYoung: 0 })
  })

  test('a revoked connection fails until its credentials change', () => {
    const revoked = noteRevocation(fresh, 2)
    expect(decide(revoked, ROTATING, 10, 0)).toEqual({
      kind: 'fail',
      failure: { kind: 'reauthorize', reason: 'revoked_upstream' },
      retryAfterMs: null,
    })
    expect(noteRevocation(fresh, 1)).toBe(fresh)
  })
})

describe('credentials found elsewhere', () => {
  test('are the next generation, of unknown age', () => {
    const refused = settle(fresh, ROTATING, REFUSED, at(0))
    expect(adopt(refused, { hasAccess: true, sameAccess: false })).toEqual(givenState(3, true))
  })

  test('a refused access token stays refused beside a new refresh token', () => {
    const refused = noteRefusal(fresh, 2, 0) ?? fresh
    const next = adopt(refused, { hasAccess: true, sameAccess: true })
    expect(decide(next, ROTATING, 0, 0)).toEqual({ kind: 'refresh', reason: 'refused' })
  })
})

test('O8 the margin is at most 5 minutes or a tenth of the life, give or take a tenth', () => {
  expect([0, 0.5, 0.999999].map((random) => Math.round(marginOf(600_000, random)))).toEqual([
    54_000, 60_000, 66_000,
  ])
  expect(marginOf(86_400_000, 0.5)).toBe(300_000)
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 1e12, noNaN: true }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (life, random) => {
        expect(marginOf(life, random)).toBeLessThan(life)
      },
    ),
  )
})
