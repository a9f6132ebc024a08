// The state of an instance, in a word and in a sentence, and that its syncs fail.
import type { ReactNode } from 'react'
import { FAILING, STATES } from '../../display/account-states.ts'
import { beginning, ended } from '../../display/sentence.ts'
import type { Instance, LastSync } from '../api/answers.ts'
import { addressOf, Link } from '../place.tsx'

const REASONS: Readonly<Record<string, string>> = {
  credentials_refused: 'The third party refuses the credentials.',
  grant_refused: 'The third party refuses the refresh token: the consent is over.',
  revoked_upstream: 'The access was revoked at the third party.',
  refresh_lost: 'The answer to a token refresh was lost, and the token could not be recovered.',
}

/** Another version may have had others. */
export function isStateName(text: string): text is Instance['state'] {
  return Object.hasOwn(STATES, text)
}

export function StateBadge(props: { readonly state: Instance['state'] }): ReactNode {
  const { label, tone } = STATES[props.state]
  return <span className={`badge ${tone}`}>{label}</span>
}

/** Of an account that is kept up, and yet not all is well. */
export function FailingBadge({ id }: { readonly id: string }): ReactNode {
  return (
    <Link className={`badge ${FAILING.tone}`} to={addressOf('/sync', { instance: id })}>
      {FAILING.label}
    </Link>
  )
}

/** Somebody has paused all of its copies. */
export function PausedBadge({ id }: { readonly id: string }): ReactNode {
  return (
    <Link className="badge off" to={addressOf('/sync', { instance: id })}>
      Paused
    </Link>
  )
}

/** Where an entry leads somewhere as a whole; what works is not told: it is most of them. */
export function AccountMark(props: {
  readonly state: Instance['state']
  readonly isFailing: boolean
}): ReactNode {
  const { state, isFailing } = props
  return (
    <>
      {state === 'active' ? null : <StateBadge state={state} />}
      {isFailing ? <span className={`badge ${FAILING.tone}`}>{FAILING.label}</span> : null}
    </>
  )
}

/** Of an account that is kept up: its state alone would not tell it. */
export function failsThoughKeptUp(
  state: Instance['state'],
  last: Pick<LastSync, 'state' | 'account_state'> | undefined,
): boolean {
  return STATES[state].isSynchronized && last?.account_state === state && last.state === 'error'
}

export function stateInWords({ state, state_reason: reason }: Instance): string {
  const { words } = STATES[state]
  if (reason === null) return words
  const because = REASONS[reason.code] ?? ended(beginning(reason.detail))
  return `${because} ${words}`
}
