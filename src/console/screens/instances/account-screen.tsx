// A screen about one account, with the head that all of them have: whose it is, how it does, what can be done with it.
import { type ReactNode, useEffect } from 'react'
import { STATES } from '../../../display/account-states.ts'
import type { All, Instance, InstancePage, LastSync } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useRate } from '../../api/fresh.ts'
import { WRONG } from '../../api/pace.ts'
import { problemOf } from '../../api/problem.ts'
import { useAnswer, useGet } from '../../api/use-answer.ts'
import { AccountBox } from '../../parts/account-box.tsx'
import { AccountNav, type AccountView, VIEWS } from '../../parts/account-nav.tsx'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { forgetAccount, recentAccounts, rememberAccount } from '../../parts/recent-accounts.ts'
import { Screen } from '../../parts/screen.tsx'
import { FailingBadge, PausedBadge, StateBadge } from '../../parts/state-badge.tsx'
import { addressOf, goTo } from '../../place.tsx'
import { useAccountActions } from './account-actions.tsx'
import './account-screen.css'

interface OneAccountProps {
  readonly id: string
  readonly view: AccountView
  readonly children: (instance: Instance, reload: () => void) => ReactNode
  /** What is shown of an account that is gone. */
  readonly gone?: ReactNode
}

/** Shows `children` for the account `id`. Where that is empty, it is the one that was looked at last, or the only one. */
export function AccountScreen(
  props: OneAccountProps & {
    /** What the screen is for, as long as no account is chosen. */
    readonly lead: string
  },
): ReactNode {
  const { id, view, lead } = props
  if (id !== '') return <OneAccount key={id} {...props} />
  return (
    <Screen title={VIEWS[view][0]} lead={lead}>
      <Choose view={view} />
    </Screen>
  )
}

export function OneAccount({ id, view, children, gone }: OneAccountProps): ReactNode {
  // It is kept, so that the head stands still while somebody goes from tab to tab.
  const answer = useGet<Instance>(instancePath(id), {}, { kept: true })
  const { reload } = answer
  const account = answer.kind === 'ready' ? answer.value : null
  const actions = useAccountActions(id, account, reload)
  const isThere = account !== null
  useRate(account !== null && STATES[account.state].isPassing ? WRONG : null)
  useEffect(() => {
    if (isThere) rememberAccount(id)
  }, [isThere, id])
  const isGone = answer.kind === 'failed' && answer.problem.body.code === 'instance_unknown'
  const [words, to] = VIEWS[view]
  const name = account === null ? 'Account' : plainText(account.name)
  return (
    <Screen
      title={name}
      windowTitle={account === null ? words : `${name} · ${words}`}
      crumbs={[['Accounts', '/instances']]}
      crumbsEnd={
        <AccountBox
          label="Another account"
          placeholder="Switch account"
          chosen={null}
          choose={(other) => goTo(to(other))}
        />
      }
      {...(account === null
        ? {}
        : { icon: <ConnectorIcon type={account.connector_type} />, lead: <Whose of={account} /> })}
      actions={actions.buttons}
      className="account-screen"
    >
      {answer.kind === 'failed' ? null : <AccountNav id={id} current={view} />}
      {actions.notes}
      {isGone && gone !== undefined ? (
        gone
      ) : (
        <Loaded of={answer}>{(instance) => children(instance, reload)}</Loaded>
      )}
    </Screen>
  )
}

/** How an account does, what it is connected to, and whose it is. */
function Whose({ of: account }: { readonly of: Instance }): ReactNode {
  const user = plainText(account.external_user_id)
  return (
    <>
      <StateBadge state={account.state} /> <Syncs of={account} />
      <span>{account.connector_type}</span>
      <span className="unseen">, user </span>
      <span className="cut" title={user}>
        {user}
      </span>
    </>
  )
}

/** Where syncs fail or are paused, the state of the credentials alone would tell that all is well. */
function Syncs({ of: { id, state } }: { readonly of: Instance }): ReactNode {
  const answer = useGet<All<LastSync>>('/last-syncs', { connector_ids: id }, { kept: true })
  const [last] = answer.kind === 'ready' ? answer.value.data : []
  useRate(last?.state === 'error' ? WRONG : null)
  if (last?.state === 'error') return <FailingBadge id={id} />
  // Of another moment than the account, the two together would tell what never was.
  const isPaused = last?.state === 'paused' && last.account_state === state
  return isPaused && STATES[state].isSynchronized ? <PausedBadge id={id} /> : null
}

function Choose({ view }: { readonly view: AccountView }): ReactNode {
  const answer = useAnswer(view, firstAccounts)
  const only = answer.kind === 'ready' && answer.value.isFound ? answer.value.first : undefined
  const [, to] = VIEWS[view]
  useEffect(() => {
    if (only !== undefined) goTo(to(only.id), { replace: true })
  }, [only, to])
  return (
    <Loaded of={answer}>
      {({ first }) =>
        first === undefined ? (
          <NoAccount />
        ) : (
          <>
            <div className="filters">
              <AccountBox label="Account" chosen={null} choose={(id) => goTo(to(id))} />
            </div>
            <Empty title="Choose an account">By its name, its user or its id.</Empty>
          </>
        )
      }
    </Loaded>
  )
}

/** In the place of what is told of accounts. */
export function NoAccount(): ReactNode {
  return (
    <Empty
      title="No account is connected yet"
      action={{ words: 'Connect the first account', to: addressOf('/instances/new') }}
    >
      Its data can be seen here as soon as there is one.
    </Empty>
  )
}

interface First {
  readonly first: Instance | undefined
  /** It is the one to go on with. */
  readonly isFound: boolean
}

async function firstAccounts(signal: AbortSignal): Promise<First> {
  for (const id of recentAccounts()) {
    try {
      const first = await call<Instance>('GET', instancePath(id), { signal })
      return { first, isFound: true }
    } catch (error) {
      if (problemOf(error).body.code !== 'instance_unknown') throw error
      forgetAccount(id)
    }
  }
  const query = { limit: '2' }
  const { data } = await call<InstancePage>('GET', '/integrations/connectors', { query, signal })
  return { first: data[0], isFound: data.length === 1 }
}
