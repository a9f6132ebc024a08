// The state of an instance, in a word and in a sentence.
import type { ReactNode } from 'react'
import type { Instance } from '../api/answers.ts'

interface StateText {
  readonly label: string
  /** Whether its copies are kept up to date in this state; a paused entity is a matter of its own. */
  readonly isSynchronized: boolean
  readonly tone: 'good' | 'wait' | 'bad' | 'off'
  readonly words: string
}

export const STATES: Readonly<Record<Instance['state'], StateText>> = {
  active: {
    label: 'Active',
    isSynchronized: true,
    tone: 'good',
    words: 'The third party has accepted the credentials.',
  },
  pending: {
    label: 'Pending',
    isSynchronized: true,
    tone: 'wait',
    words: 'The credentials are kept and not proved yet. The next call or a check decides.',
  },
  refresh_unknown: {
    label: 'Recovering its token',
    isSynchronized: true,
    tone: 'wait',
    words:
      'The answer to a token refresh was lost. One attempt to recover follows; until then the old token is used while it lives.',
  },
  auth_error: {
    label: 'Needs re-authentication',
    isSynchronized: false,
    tone: 'bad',
    words:
      'Nothing is sent on its own until the user connects again. If the third party has only had a bad hour, Check tries the credentials once.',
  },
  disabled: {
    label: 'Disabled',
    isSynchronized: false,
    tone: 'off',
    words: 'Switched off here. Nothing is sent until it is enabled.',
  },
}

const REASONS: Readonly<Record<string, string>> = {
  credentials_refused: 'The third party refuses the credentials.',
  grant_refused: 'The third party refuses the refresh token: the consent is over.',
  revoked_upstream: 'The access was revoked at the third party.',
  refresh_lost: 'The answer to a token refresh was lost, and the token could not be recovered.',
}

export function StateBadge(props: { readonly state: Instance['state'] }): ReactNode {
  const { label, tone } = STATES[props.state]
  return <span className={`badge ${tone}`}>{label}</span>
}

export function stateInWords({ state, state_reason: reason }: Instance): string {
  const { words } = STATES[state]
  if (reason === null) return words
  const because = REASONS[reason.code] ?? `${reason.detail}.`
  return `${because} ${words}`
}
