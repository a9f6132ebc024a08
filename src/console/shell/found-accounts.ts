// The accounts that words in the palette mean: by what they begin with, by a word for a state, and those of one user.
import { type AccountKind, FAILING, kindIn, kindsMeant } from '../../display/account-states.ts'
import type { All, Instance, InstancePage, LastSync } from '../api/answers.ts'
import { call } from '../api/call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { OFFERED, useAccounts } from '../parts/account-box.tsx'
import { MIN_WITHIN, named } from '../parts/named-accounts.ts'
import { failsThoughKeptUp } from '../parts/state-badge.tsx'

/** All accounts of a user, or all that begin with words, that are of the kind that was asked for. */
export interface AccountList {
  /** The user, or null: these are all that begin with `rest`. */
  readonly user: string | null
  readonly rest: string
  readonly kind: AccountKind | null
  readonly total: number
  /** How many of them are of the kind; without one, how many fail. */
  readonly those: number
  /** How many of them wait for their user. */
  readonly needy: number
}

export interface FoundAccounts {
  readonly accounts: readonly Instance[]
  readonly failing: ReadonlySet<string>
  /** Whether there is a word for a state, and the accounts that were found by it. */
  readonly hasKind: boolean
  readonly ofKind: ReadonlySet<string>
  readonly lists: readonly AccountList[]
  /** When the newest account changed last that was found by its beginning alone; null: words were looked for anywhere in all. */
  readonly lookedTo: string | null
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
  const kinds = meant === null ? [] : kindsMeant(meant.kind)
  const rest = meant?.rest ?? words
  const ofKinds = useAnswer(`kind ${words}`, (signal) =>
    Promise.all(kinds.map(async (kind) => ({ kind, page: await pageOf(rest, kind, signal) }))),
  )
  const within = useAnswer(`within ${rest}`, async (signal) =>
    rest.length < MIN_WITHIN
      ? null
      : await named(rest, 'contains', { sort: '-updated_at', limit: OFFERED }, signal),
  )
  const pages = meant === null ? [] : (ofKinds.last ?? [])
  const kindFound = pages.flatMap(({ page }) => page.data)
  const begun = [...plain.accounts, ...kindFound]
  const found = [...begun, ...(within.last?.data ?? [])]
  const isLooking = [plain.isLooking, ofKinds.kind === 'loading', within.kind === 'loading'].some(
    Boolean,
  )
  const users = isLooking || rest === '' ? [] : usersOf(begun, rest)
  const counted = useAnswer(JSON.stringify([words, users]), (signal) =>
    Promise.all(users.map((user) => countsOf(user, kinds, rest, signal))),
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
  const ofUsers =
    counted.kind === 'ready' ? counted.value.flat().filter((each) => each.total > 1) : []
  const ofAll = pages.flatMap(({ kind, page }): readonly AccountList[] => {
    const { total = 0 } = page.meta
    // All of them may be those of one user, which are told.
    const isTold = ofUsers.some((each) => each.kind === kind && each.those === total)
    if (isLooking || rest === '' || total < 2 || isTold) return []
    return [{ user: null, rest, kind, total, those: total, needy: 0 }]
  })
  return {
    accounts: found,
    hasKind: meant !== null,
    ofKind: new Set(kindFound.map(({ id }) => id)),
    failing: new Set([
      ...pages.flatMap(({ kind, page }) =>
        kind.label === FAILING.label ? page.data.map(({ id }) => id) : [],
      ),
      ...[...found, ...known].flatMap(({ id, state }) =>
        failsThoughKeptUp(state, states.get(id)) ? [id] : [],
      ),
    ]),
    lists: [...ofUsers, ...ofAll],
    lookedTo: within.last?.meta.searched_to ?? null,
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

/** A list for each of the kinds that there are accounts of; without a kind, one. */
async function countsOf(
  user: string,
  kinds: readonly AccountKind[],
  rest: string,
  signal: AbortSignal,
): Promise<readonly AccountList[]> {
  const query = { external_user_id: user, counts: 'true', limit: '1' }
  const { meta } = await call<InstancePage>('GET', LIST, { query, signal })
  const { total = 0, facets } = meta
  const countOf = (kind: AccountKind['filter']): number => {
    const [facet, value] = 'sync' in kind ? [facets?.sync, kind.sync] : [facets?.state, kind.state]
    return facet?.find((each) => each.value === value)?.count ?? 0
  }
  const about = { user, rest, total, needy: countOf({ state: 'auth_error' }) }
  const lists = kinds.map((kind) => ({ ...about, kind, those: countOf(kind.filter) }))
  if (lists.length === 0) return [{ ...about, kind: null, those: countOf({ sync: 'failing' }) }]
  const some = lists.filter(({ those }) => those > 0)
  return some.length === 0 ? lists.slice(0, 1) : some
}
