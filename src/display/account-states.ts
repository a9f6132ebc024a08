// The states of accounts: a word and a sentence for each, and what people call them who look for accounts in one.

export type AccountState = 'active' | 'pending' | 'refresh_unknown' | 'auth_error' | 'disabled'

export interface StateText {
  readonly label: string
  /** Whether its copies are kept up to date in this state; a paused entity is a matter of its own. */
  readonly isSynchronized: boolean
  /** Whether somebody waits for it to be over; what somebody has disabled stays so. */
  readonly isPassing: boolean
  readonly tone: 'good' | 'wait' | 'bad' | 'off'
  readonly words: string
  /** Further words that it is found by. */
  readonly found: string
}

export const STATES: Readonly<Record<AccountState, StateText>> = {
  active: {
    label: 'Active',
    isSynchronized: true,
    isPassing: false,
    tone: 'good',
    words: 'The third party has accepted the credentials.',
    found: 'healthy working connected',
  },
  pending: {
    label: 'Pending',
    isSynchronized: true,
    isPassing: true,
    tone: 'wait',
    words: 'The credentials are kept and not proved yet. The next call or a check decides.',
    found: 'unproved',
  },
  refresh_unknown: {
    label: 'Recovering its token',
    isSynchronized: true,
    isPassing: true,
    tone: 'wait',
    words:
      'The answer to a token refresh was lost. One attempt to recover follows; until then the old token is used while it lives.',
    found: 'refresh',
  },
  auth_error: {
    label: 'Needs re-authentication',
    isSynchronized: false,
    isPassing: true,
    tone: 'bad',
    words:
      'Nothing is sent on its own until the user connects again. If the third party has only had a bad hour, Check tries the credentials once.',
    found: 'reauthentication reauthenticate reconnect refused revoked expired',
  },
  disabled: {
    label: 'Disabled',
    isSynchronized: false,
    isPassing: false,
    tone: 'off',
    words: 'Switched off here. Nothing is sent until it is enabled.',
    found: 'off',
  },
}

/** What is wrong with an account whose credentials may be good: one of its syncs fails. */
export const FAILING = {
  label: 'Failing',
  tone: 'bad',
  found: 'fails failed failures broken errors',
} as const

/** Of which a copy was not read when it was to be, whether it fails or not. */
export const LATE = { label: 'Late' } as const

/** What fails, and what stands still until its user connects again: the whole work of somebody on call. */
export const ATTENTION = { label: 'Needs attention' } as const

/**
 * What keeps copies from being kept up, other than somebody's will. `failing`: a copy fails that is kept up, so nothing
 * that stands still is among them. `attention`: those, and all that need re-authentication. `late`: those that fail, and
 * those with a copy that is kept up and was not read when it was due, an interval of it ago and more.
 */
export const SYNC_TROUBLES = ['failing', 'attention', 'late'] as const

/** What a list of accounts is narrowed to, with the filter of the API that does it. */
export interface AccountKind {
  readonly label: string
  readonly filter: { readonly sync: 'failing' } | { readonly state: AccountState }
}

interface KindText extends AccountKind {
  readonly found: string
}

const KINDS: readonly KindText[] = [
  { label: FAILING.label, found: FAILING.found, filter: { sync: 'failing' } },
  ...Object.entries(STATES).map(([state, { label, found }]): KindText => ({
    label,
    found,
    // The keys of the table are states.
    filter: { state: state as AccountState },
  })),
]

const NEEDS_USER: AccountKind = {
  label: STATES.auth_error.label,
  filter: { state: 'auth_error' },
}

/** Who asks for what fails asks as well for what stands still until its user acts: no sync of it goes well either. */
export function kindsMeant(kind: AccountKind): readonly AccountKind[] {
  return kind.label === FAILING.label ? [kind, NEEDS_USER] : [kind]
}

/** Of so many accounts: `2 failing, 1 needs re-authentication`; '' where there are none. */
export function illInWords(failing: number, needy: number): string {
  const needs = needy === 1 ? 'needs' : 'need'
  return [
    ...(failing === 0 ? [] : [`${failing.toLocaleString('en')} failing`]),
    ...(needy === 0 ? [] : [`${needy.toLocaleString('en')} ${needs} re-authentication`]),
  ].join(', ')
}

/** Words that stand with those for a kind, and mean none: "needs the user", "failing syncs". */
const FILLING: ReadonlySet<string> = new Set(['the', 'its', 'user', 'sync', 'syncs', 'accounts'])

/** The beginning of a word that is meant: shorter ones begin too many. */
const MIN_LETTERS = 4

/**
 * "contoso failing" is what fails of `contoso`: the words for a kind stand at the end or at the beginning. Null: there
 * are none.
 */
export function kindIn(
  typed: string,
): { readonly rest: string; readonly kind: AccountKind } | null {
  const words = typed.split(/\s+/).filter((word) => word !== '')
  for (let count = words.length; count > 0; count--)
    for (const [those, rest] of [
      [words.slice(-count), words.slice(0, -count)],
      [words.slice(0, count), words.slice(count)],
    ] as const) {
      const meant = those.filter((word) => !FILLING.has(word.toLowerCase()))
      if (meant.length === 0) continue
      const kind = KINDS.find((each) => meant.every((word) => isOf(each, word)))
      if (kind !== undefined) return { rest: rest.join(' '), kind }
    }
  return null
}

function isOf({ label, found }: KindText, typed: string): boolean {
  const word = typed.toLowerCase()
  return `${label} ${found}`
    .toLowerCase()
    .split(' ')
    .some((each) => each === word || (word.length >= MIN_LETTERS && each.startsWith(word)))
}
