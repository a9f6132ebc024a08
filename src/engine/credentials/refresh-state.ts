// What to do next about one set of credentials: decisions and their consequences, as pure functions of state and time.
// It holds no secret and does nothing itself, so that one process in memory and many processes over a store can both
// follow it. Why it is as careful as it is: docs/security.md, "Single-use refresh tokens".
import type { TokenOutcome } from './token-answer.ts'

/** What the vendor's tokens are like. */
export interface RefreshRules {
  /** There is something to renew with: a refresh token and its client, or a login. */
  readonly renewable: boolean
  /** Presenting a refresh token kills it, so an unknown outcome must not simply be repeated. */
  readonly rotates: boolean
  /** How long a spent refresh token still works; null: not at all. */
  readonly graceMs: number | null
}

/** All times are milliseconds of one clock that never jumps: monotonic in one process, the store's over several. */
export interface RefreshState {
  /** Counts the credentials of one instance: each set that calls may use has its own number. */
  readonly generation: number
  /** `refused`: the third party answered 401 to this generation. */
  readonly access: 'missing' | 'usable' | 'refused'
  /** When the access token was received; null: it was given to us, its age is unknown. */
  readonly receivedAt: number | null
  /** null: the vendor did not say, so only a 401 tells that it is over. */
  readonly lifeMs: number | null
  /** How long before the end of its life the token is renewed, jitter included. */
  readonly marginMs: number
  readonly standing: Standing
  /** An earlier presentation of the refresh token ended with 5xx or without an answer. */
  readonly doubtful: boolean
  /** Failed attempts in a row. */
  readonly failures: number
  /** Lost answers in a row. */
  readonly unknowns: number
  /** Generations in a row that were refused right after they had been received. */
  readonly refusedYoung: number
}

export type Standing =
  | { readonly kind: 'ready' }
  | { readonly kind: 'backing_off'; readonly until: number; readonly failure: Failure }
  /** A refresh was sent at `since` and its answer lost: the refresh token may be spent. Nothing is sent before `until`. */
  | { readonly kind: 'unknown'; readonly since: number; readonly until: number }
  /** Only new credentials help. */
  | { readonly kind: 'refused'; readonly reason: RefusedReason }

/** `refresh_lost`: refused, but an answer that was lost before may have held its successor. */
export type RefusedReason = 'grant_refused' | 'refresh_lost' | 'revoked_upstream'

/** Why there are no usable credentials now. */
export type Failure =
  | { readonly kind: 'not_renewable' }
  | { readonly kind: 'reauthorize'; readonly reason: RefusedReason }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'busy'; readonly status: number }
  | { readonly kind: 'lost'; readonly problem: string }
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  /** Tokens came, but no access token that calls can use. */
  | { readonly kind: 'unusable' }

/** Why credentials are renewed. */
export type RefreshReason = 'missing' | 'expiring' | 'refused' | 'recovery'

export type Decision =
  /** `refresh`: renew while the call goes on, which need not wait; null: nothing to do. */
  | { readonly kind: 'use'; readonly refresh: RefreshReason | null }
  | { readonly kind: 'refresh'; readonly reason: RefreshReason }
  | { readonly kind: 'fail'; readonly failure: Failure; readonly retryAfterMs: number | null }

const MAX_MARGIN_MS = 5 * 60_000
const MARGIN_SHARE = 0.1
const JITTER = 0.1
/** A token with less life than this left may be dead when the request arrives. */
const LAST_MOMENT_MS = 5_000

const FIRST_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 5 * 60_000
const REFUSED_BACKOFF_MS = 5 * 60_000
const FIRST_UNKNOWN_MS = 30_000
const MAX_UNKNOWN_MS = 60 * 60_000

/** A token refused within this time after it was received was not refused for its age. */
const YOUNG_MS = 60_000
const MAX_REFUSED_YOUNG = 2

/** The state of credentials as they were given. */
export function givenState(generation: number, hasAccess: boolean): RefreshState {
  return {
    generation,
    access: hasAccess ? 'usable' : 'missing',
    receivedAt: null,
    lifeMs: null,
    marginMs: 0,
    standing: { kind: 'ready' },
    doubtful: false,
    failures: 0,
    unknowns: 0,
    refusedYoung: 0,
  }
}

/** How long before its end a token of this life is renewed: min(5 min, 10 % of its life) ± 10 %. `random` is from 0 up to 1. */
export function marginOf(lifeMs: number, random: number): number {
  const margin = Math.min(MAX_MARGIN_MS, lifeMs * MARGIN_SHARE)
  return margin * (1 - JITTER + 2 * JITTER * random)
}

/**
 * What a call has to do before it can use the credentials.
 *
 * `gapMs` is the time since the call before, 0 for the first: a caller that calls less than once per margin would meet a
 * dead token each time, so the renewal is due when the next call of that rhythm would, at most two margins early.
 */
export function decide(
  state: RefreshState,
  rules: RefreshRules,
  now: number,
  gapMs: number,
): Decision {
  const { standing } = state
  if (standing.kind === 'refused')
    return fail({ kind: 'reauthorize', reason: standing.reason }, null)
  const mayPresent = standing.kind === 'ready' || now >= standing.until
  if (standing.kind !== 'unknown' && mayPresent) return renewIfDue(state, rules, now, gapMs)
  if (isAlive(state, now)) {
    // While the old access token works nothing is presented: a spent refresh token may revoke the whole family.
    const { graceMs } = rules
    const inGrace =
      standing.kind === 'unknown' && graceMs !== null && now < standing.since + graceMs
    return { kind: 'use', refresh: inGrace && mayPresent ? 'recovery' : null }
  }
  if (mayPresent) return { kind: 'refresh', reason: 'recovery' }
  const failure: Failure = standing.kind === 'unknown' ? { kind: 'unknown' } : standing.failure
  return fail(failure, standing.until - now)
}

function renewIfDue(
  state: RefreshState,
  rules: RefreshRules,
  now: number,
  gapMs: number,
): Decision {
  if (!isAlive(state, now)) {
    if (!rules.renewable) return fail({ kind: 'not_renewable' }, null)
    return { kind: 'refresh', reason: state.access === 'usable' ? 'expiring' : state.access }
  }
  const reach = Math.min(Math.max(state.marginMs, gapMs * 1.5), state.marginMs * 2)
  const due = rules.renewable && lifeLeft(state, now) <= reach
  return { kind: 'use', refresh: due ? 'expiring' : null }
}

/** Why a decision wants a renewal, at once or while the call goes on; null: it wants none. */
export function reasonIn(decision: Decision): RefreshReason | null {
  if (decision.kind === 'refresh') return decision.reason
  return decision.kind === 'use' ? decision.refresh : null
}

/** The failure that a state stands for, or null when nothing is wrong: what to tell the calls that waited for a presentation. */
export function failureIn(
  { standing }: RefreshState,
  now: number,
): (Decision & { readonly kind: 'fail' }) | null {
  switch (standing.kind) {
    case 'ready':
      return null
    case 'refused':
      return fail({ kind: 'reauthorize', reason: standing.reason }, null)
    case 'unknown':
      return fail({ kind: 'unknown' }, standing.until - now)
    case 'backing_off':
      return fail(standing.failure, standing.until - now)
  }
}

/** Whether a call may still use the access token. */
function isAlive(state: RefreshState, now: number): boolean {
  const lastMoment = Math.min(LAST_MOMENT_MS, state.marginMs / 2)
  return state.access === 'usable' && lifeLeft(state, now) > lastMoment
}

function lifeLeft({ receivedAt, lifeMs }: RefreshState, now: number): number {
  return receivedAt === null || lifeMs === null ? Infinity : receivedAt + lifeMs - now
}

/**
 * The state after a call of `generation` was answered 401, or null when a renewal cannot help.
 *
 * An older generation says nothing about the current one. Tokens that are refused again and again as soon as they are
 * received are refused for another reason than their age (Gong answers 401 for a missing scope); after the second one
 * in a row nothing more is renewed for a minute.
 */
export function noteRefusal(
  state: RefreshState,
  generation: number,
  now: number,
): RefreshState | null {
  if (generation !== state.generation || state.access !== 'usable') return state
  // A token of seconds may end on the way to the third party: near its end it is refused for its age after all.
  const young =
    state.receivedAt !== null &&
    now - state.receivedAt < YOUNG_MS &&
    lifeLeft(state, now) > state.marginMs
  if (young && state.refusedYoung >= MAX_REFUSED_YOUNG) return null
  return { ...state, access: 'refused', refusedYoung: young ? state.refusedYoung + 1 : 0 }
}

/** The state after the third party said that the user has to connect again. */
export function noteRevocation(state: RefreshState, generation: number): RefreshState {
  if (generation !== state.generation) return state
  return { ...state, standing: { kind: 'refused', reason: 'revoked_upstream' } }
}

/**
 * The state after other credentials than ours were found where the host keeps them: another process renewed them, or
 * a user connected again. `sameAccess`: they still hold the access token we know.
 */
export function adopt(
  state: RefreshState,
  found: { readonly hasAccess: boolean; readonly sameAccess: boolean },
): RefreshState {
  const fresh = givenState(state.generation + 1, found.hasAccess)
  if (!found.sameAccess) return fresh
  const { access, receivedAt, lifeMs, marginMs } = state
  return { ...fresh, access, receivedAt, lifeMs, marginMs }
}

/**
 * The state after a presentation. With `tokens` it belongs to the next generation and holds from when that is saved.
 *
 * `random` is from 0 up to 1. A process that finds the intent of one that died settles it as `lost`.
 */
export function settle(
  state: RefreshState,
  rules: RefreshRules,
  outcome: TokenOutcome,
  at: { readonly now: number; readonly random: number },
): RefreshState {
  switch (outcome.kind) {
    case 'tokens':
      return received(state, outcome, at)
    case 'invalid_grant': {
      const reason = state.doubtful ? 'refresh_lost' : 'grant_refused'
      return { ...state, standing: { kind: 'refused', reason } }
    }
    case 'not_sent':
      return backOff(state, at, 0, { kind: 'unreachable' })
    case 'refused': {
      const { status, error } = outcome
      return waitUntil(state, at.now + REFUSED_BACKOFF_MS, { kind: 'refused', status, error })
    }
    case 'busy': {
      const { status, retryAfterMs } = outcome
      const doubtful = state.doubtful || status >= 500
      const asked = Math.min(retryAfterMs ?? 0, MAX_UNKNOWN_MS)
      return { ...backOff(state, at, asked, { kind: 'busy', status }), doubtful }
    }
    case 'lost': {
      if (!rules.rotates) return backOff(state, at, 0, { kind: 'lost', problem: outcome.problem })
      // Within a grace window the same refresh token still works, so the first recovery need not wait.
      const wait =
        rules.graceMs !== null && state.unknowns === 0
          ? 0
          : Math.min(FIRST_UNKNOWN_MS * 2 ** state.unknowns, MAX_UNKNOWN_MS)
      const since = state.standing.kind === 'unknown' ? state.standing.since : at.now
      return {
        ...state,
        doubtful: true,
        unknowns: state.unknowns + 1,
        standing: { kind: 'unknown', since, until: at.now + wait },
      }
    }
  }
}

/** Ten years. A vendor that means "never" may say any number, and the end of a token is stored. */
const MAX_LIFE_MS = 10 * 365 * 86_400_000

function received(
  state: RefreshState,
  { accessToken, lifeMs: told }: TokenOutcome & { readonly kind: 'tokens' },
  { now, random }: { readonly now: number; readonly random: number },
): RefreshState {
  const lifeMs = told === null ? null : Math.min(told, MAX_LIFE_MS)
  const next: RefreshState = {
    ...givenState(state.generation + 1, accessToken !== null),
    receivedAt: now,
    lifeMs,
    marginMs: lifeMs === null ? 0 : marginOf(lifeMs, random),
    refusedYoung: state.refusedYoung,
  }
  return accessToken === null
    ? waitUntil(next, now + REFUSED_BACKOFF_MS, { kind: 'unusable' })
    : next
}

/** Waits 1 s, 2 s, … 5 min, less up to a fifth of chance, and no less than what was asked for. */
function backOff(
  state: RefreshState,
  { now, random }: { readonly now: number; readonly random: number },
  askedMs: number,
  failure: Failure,
): RefreshState {
  const ownMs = Math.min(FIRST_BACKOFF_MS * 2 ** state.failures, MAX_BACKOFF_MS) * (1 - random / 5)
  const waiting = waitUntil(state, now + Math.max(ownMs, askedMs), failure)
  return { ...waiting, failures: state.failures + 1 }
}

/** A failed recovery leaves the outcome before it as unknown as it was. */
function waitUntil(state: RefreshState, until: number, failure: Failure): RefreshState {
  const { standing } = state
  if (standing.kind === 'unknown') return { ...state, standing: { ...standing, until } }
  return { ...state, standing: { kind: 'backing_off', until, failure } }
}

function fail(failure: Failure, retryAfterMs: number | null): Decision & { readonly kind: 'fail' } {
  return {
    kind: 'fail',
    failure,
    retryAfterMs: retryAfterMs === null ? null : Math.max(1, Math.ceil(retryAfterMs)),
  }
}
