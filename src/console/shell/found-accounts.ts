// The accounts that words in the palette mean: by what they begin with, by a word for a state, and those of one user.
import { type AccountKind, FAILING, kindIn } from '../../display/account-states.ts'
import type { All, Instance, InstancePage, LastSync } from '../api/answers.ts'
import { call } from '../api/call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { OFFERED, useAccounts } from '../parts/account-box.tsx'
import { failsWhileActive } from '../parts/state-badge.tsx'

/** All accounts of a user, or all that begin with words, that are of the kind that was asked for. */
export interface AccountList {
  /** The user, or null: these are all that begin with `rest`. */
  readonly user: string | null
  readonly rest: string
  readonly kind: AccountKind | null
  readonly total: number
  /** Of a user: how many of them are of the kind; without one, how many fail. */
  readonly those: number
}

export interface FoundAccounts {
  readonly accounts: readonly Instance[]
  readonly failing: ReadonlySet<string>
  /** Whether there is a word for a state, and the accounts that were found by it. */
  readonly hasKind: boolean
  readonly ofKind: ReadonlySet<string>
  readonly lists: readonly AccountList[]
  /** All of this is of the words before. */
  readonly isLooking: boolean
}

const LIST = '/integrations/connectors'
/** Users that are counted; more are no answer to the name of one. */
const MAX_USERS = 3
/** Accounts of which it is asked whether their syncs fail. */
const MAX_ASKED = 50

/** `known` are accounts that are offered in any case. */
export function useFoundAccounts(words: string, known: readonly Instance[]): FoundAccounts {
  const meant = kindIn(words)
  const plain = useAccounts(words)
  const ofKind = useAnswer(`kind ${words}`, async (signal) =>
    meant === null ? null : await pageOf(meant.rest, meant.kind, signal),
  )
  const kindFound = meant === null ? [] : (ofKind.last?.data ?? [])
  const found = [...plain.accounts, ...kindFound]
  const isLooking = plain.isLooking || ofKind.kind === 'loading'
  const rest = meant?.rest ?? words
  const users = isLooking || rest === '' ? [] : usersOf(found, rest)
  const counted = useAnswer(JSON.stringify([words, users]), (signal) =>
    Promise.all(users.map((user) => countsOf(user, meant?.kind ?? null, rest, signal))),
  )
  const asked = [...new Set([...found, ...known].map(({ id }) => id))].slice(0, MAX_ASKED).join(',')
  const syncs = useAnswer(asked, async (signal) =>
    asked === ''
      ? []
      : (
          await call<All<LastSync>>('GET', '/last-syncs', {
            query: { connector_ids: asked },
            signal,
          })
        ).data,
  )
  const states = new Map((syncs.last ?? []).map((each) => [each.connector_id, each]))
  const total = ofKind.last?.meta.total ?? 0
  const ofUsers = counted.kind === 'ready' ? counted.value.filter((each) => each.total > 1) : []
  // All of them may be those of one user, which are told.
  const hasAll =
    meant !== null &&
    !isLooking &&
    meant.rest !== '' &&
    total > 1 &&
    !ofUsers.some(({ those }) => those === total)
  return {
    accounts: found,
    hasKind: meant !== null,
    ofKind: new Set(kindFound.map(({ id }) => id)),
    failing: new Set([
      ...(meant?.kind.label === FAILING.label ? kindFound.map(({ id }) => id) : []),
      ...[...found, ...known].flatMap(({ id, state }) =>
        failsWhileActive(state, states.get(id)) ? [id] : [],
      ),
    ]),
    lists: [
      ...ofUsers,
      ...(hasAll ? [{ user: null, rest: meant.rest, kind: meant.kind, total, those: total }] : []),
    ],
    isLooking,
  }
}

function pageOf(startsWith: string, kind: AccountKind, signal: AbortSignal): Promise<InstancePage> {
  const query = {
    starts_with: startsWith,
    sort: '-created_at',
    limit: OFFERED,
    counts: 'true',
    ...kind.filter,
  }
  return call<InstancePage>('GET', LIST, { query, signal })
}

/** Whose accounts were found; of many users only those that are called so, and the one that may be behind the page. */
function usersOf(found: readonly Instance[], typed: string): readonly string[] {
  const all = [...new Set(found.map(({ external_user_id: user }) => user))]
  const isWhole = found.length < Number(OFFERED)
  if (isWhole && all.length <= MAX_USERS) return all
  const called = all.filter((user) => user.toLowerCase().startsWith(typed.toLowerCase()))
  return [...new Set([...(isWhole ? [] : [typed]), ...called])].slice(0, MAX_USERS)
}

async function countsOf(
  user: string,
  kind: AccountKind | null,
  rest: string,
  signal: AbortSignal,
): Promise<AccountList> {
  const query = { external_user_id: user, counts: 'true', limit: '1' }
  const { meta } = await call<InstancePage>('GET', LIST, { query, signal })
  const [name, value] = Object.entries(kind?.filter ?? { sync: 'failing' })[0] ?? []
  const counts = name === 'state' ? meta.facets?.state : meta.facets?.sync
  const those = counts?.find((each) => each.value === value)?.count ?? 0
  return { user, rest, kind, total: meta.total ?? 0, those }
}
