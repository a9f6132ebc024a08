// The state of a refresh as rows tell it, and the rows that tell a state. Pure: times and rows in, values out.
//
// An intent without `notBefore` is one whose request may be under way; once its outcome is known it either goes or gets
// a mark of what is in doubt and a `notBefore`. Its mark also tells the doubts of attempts before it.
import {
  type Failure,
  givenState,
  type RefreshRules,
  type RefusedReason,
  type RefreshState,
  settle,
} from '../../engine/credentials/refresh-state.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { IntentInput, IntentRow } from '../store/credentials.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { OpenCredentials } from './sealed-credentials.ts'

/** Turns times of the rows (since 1970) into those of states (monotonic) and back. */
export interface Times {
  toState(at: number): number
  toRow(at: number): number
}

export function timesOf(clock: Clock): Times {
  const offset = clock.now() - clock.monotonic()
  return { toState: (at) => at - offset, toRow: (at) => Math.round(at + offset) }
}

/** The state of credentials that were just read; `hasAccess`: calls can be made with them. */
export function stateOfRow(row: OpenCredentials, hasAccess: boolean, times: Times): RefreshState {
  const { generation, receivedAt, expiresAt, marginMs } = row
  const given = givenState(generation, hasAccess)
  if (expiresAt === null) {
    return receivedAt === null ? given : { ...given, receivedAt: times.toState(receivedAt) }
  }
  // Given by hand with an end: as if received now, so that the end is right.
  const from = receivedAt ?? times.toRow(0)
  return { ...given, receivedAt: times.toState(from), lifeMs: expiresAt - from, marginMs }
}

/** Reasons of `auth_error` for which a refresh token must not be presented any more. */
const FINAL: readonly RefusedReason[] = ['grant_refused', 'refresh_lost', 'revoked_upstream']

/** The state with what the instance's row says: credentials that were refused for good stay refused. */
export function withInstance(
  state: RefreshState,
  { state: name, stateReason }: InstanceRow,
): RefreshState {
  const reason = FINAL.find((each) => each === stateReason?.code)
  if (name !== 'auth_error' || reason === undefined) return state
  return { ...state, standing: { kind: 'refused', reason } }
}

/**
 * The state with what an intent tells.
 *
 * `holdsLease`: nobody else can be at it, so that an intent without an outcome is one whose process ended before it could
 * tell: the request may have been sent, and counts as lost. `random` is from 0 up to 1.
 */
export function withIntent(
  state: RefreshState,
  intent: IntentRow | null,
  rules: RefreshRules,
  at: { readonly times: Times; readonly holdsLease: boolean; readonly random: number },
): RefreshState {
  if (intent === null || intent.generation !== state.generation) {
    // The process that knew the outcome has settled it.
    return state.standing.kind === 'unknown' ? { ...state, standing: { kind: 'ready' } } : state
  }
  const told = withMark(state, intent, at.times)
  if (intent.notBefore !== null || !at.holdsLease) return told
  const lost = { kind: 'lost', status: null, problem: ENDED, cause: null } as const
  return settle(told, rules, lost, { now: at.times.toState(intent.createdAt), random: at.random })
}

const ENDED = 'the process that asked ended before the answer'

/** The members of the intent to be stored before a request that is made in this state. */
export function intentBefore(
  state: RefreshState,
  times: Times,
): Pick<IntentInput, 'kind' | 'attempts' | 'mark' | 'notBefore'> {
  const kept = intentAfter(state, times)
  return kept === null
    ? { kind: 'normal', attempts: 0, mark: null, notBefore: null }
    : { ...kept, notBefore: null }
}

/** What the intent becomes once the outcome has led to this state; null: it goes. */
export function intentAfter(
  { standing, doubtful, unknowns, failures }: RefreshState,
  times: Times,
): Pick<IntentInput, 'kind' | 'attempts' | 'mark' | 'notBefore'> | null {
  switch (standing.kind) {
    case 'unknown':
      return {
        kind: 'recovery',
        attempts: unknowns,
        mark: `lost ${times.toRow(standing.since)}`,
        notBefore: times.toRow(standing.until),
      }
    case 'backing_off': {
      const status = standing.failure.kind === 'busy' ? standing.failure.status : 0
      if (!doubtful && status === 0) return null
      return {
        kind: 'normal',
        attempts: failures,
        mark: `${doubtful ? 'unwell' : 'busy'} ${status}`,
        notBefore: times.toRow(standing.until),
      }
    }
    case 'ready':
      return doubtful
        ? { kind: 'normal', attempts: failures, mark: 'unwell 0', notBefore: times.toRow(0) }
        : null
    case 'refused':
      return null
  }
}

/** When the refresh ahead of need is tried next; null: never. */
export function nextRefreshAt(state: RefreshState, times: Times): number | null {
  const { standing, receivedAt, lifeMs, marginMs } = state
  if (standing.kind === 'refused') return null
  const endsAt = receivedAt === null || lifeMs === null ? null : receivedAt + lifeMs
  // While the outcome is unknown nothing is presented before the old token has ended.
  if (standing.kind === 'unknown') return times.toRow(Math.max(standing.until, endsAt ?? 0))
  if (standing.kind === 'backing_off') return times.toRow(standing.until)
  return endsAt === null ? null : times.toRow(endsAt - marginMs)
}

function withMark(
  state: RefreshState,
  { mark, attempts, notBefore, createdAt }: IntentRow,
  times: Times,
): RefreshState {
  const [, word, number] = /^(lost|unwell|busy) (\d+)$/.exec(mark ?? '') ?? []
  if (word === undefined) return state
  const until = times.toState(notBefore ?? createdAt)
  if (word === 'lost') {
    const standing = { kind: 'unknown', since: times.toState(Number(number)), until } as const
    return { ...state, doubtful: true, unknowns: attempts, standing }
  }
  const status = Number(number)
  const failure: Failure = status === 0 ? { kind: 'unreachable' } : { kind: 'busy', status }
  const standing = { kind: 'backing_off', until, failure } as const
  return { ...state, doubtful: word === 'unwell', failures: attempts, standing }
}
