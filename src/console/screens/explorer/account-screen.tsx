// A screen about one account, which is chosen on it.
import { type ReactNode, useEffect } from 'react'
import type { All, Instance, InstancePage, LastSync } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { problemOf } from '../../api/problem.ts'
import { useAnswer, useEvery, useGet } from '../../api/use-answer.ts'
import { AccountBox } from '../../parts/account-box.tsx'
import { AccountNav, type AccountView } from '../../parts/account-nav.tsx'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { forgetAccount, recentAccounts, rememberAccount } from '../../parts/recent-accounts.ts'
import { Screen } from '../../parts/screen.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { addressOf, goTo, Link, type ScreenProps } from '../../place.tsx'
import './explorer.css'

interface AccountScreenProps extends Pick<ScreenProps, 'query'> {
  readonly title: string
  readonly lead: string
  readonly path: `/${AccountView}`
  readonly children: (instance: Instance) => ReactNode
}

/**
 * Shows `children` for the instance that the query names; `path` is the screen's. Where it names none it is the one that
 * was looked at last, or the only one there is.
 */
export function AccountScreen(props: AccountScreenProps): ReactNode {
  const chosen = props.query.get('instance') ?? ''
  return (
    <Screen title={props.title} lead={props.lead}>
      {chosen === '' ? <Choose path={props.path} /> : <Chosen {...props} id={chosen} />}
    </Screen>
  )
}

function Chosen({ id, path, children }: AccountScreenProps & { readonly id: string }): ReactNode {
  const answer = useGet<Instance>(instancePath(id))
  const isThere = answer.kind === 'ready'
  useEffect(() => {
    if (isThere) rememberAccount(id)
  }, [isThere, id])
  return (
    <Loaded of={answer}>
      {(instance) => (
        <>
          <AccountHead instance={instance} path={path} />
          {children(instance)}
        </>
      )}
    </Loaded>
  )
}

/** Which account a screen is about, its state, and its other screens. */
export function AccountHead(props: {
  readonly instance: Instance
  readonly path: AccountScreenProps['path']
}): ReactNode {
  const { instance, path } = props
  return (
    <>
      <div className="filters">
        <Box chosen={instance} path={path} />
        <p className="beside">
          <StateBadge state={instance.state} /> <FailingBadge id={instance.id} />
        </p>
      </div>
      {/* The path of such a screen is its view. */}
      <AccountNav id={instance.id} current={path.slice(1) as AccountView} />
    </>
  )
}

const LOOKED_AT_MS = 15_000

/** Where syncs fail, the state of the credentials alone would tell that all is well. */
function FailingBadge({ id }: { readonly id: string }): ReactNode {
  const answer = useGet<All<LastSync>>('/last-syncs', { connector_ids: id }, { kept: true })
  useEvery(LOOKED_AT_MS, answer.reload)
  if (answer.kind !== 'ready' || answer.value.data[0]?.state !== 'error') return null
  return (
    <Link className="badge bad" to={addressOf('/sync', { instance: id })}>
      Failing
    </Link>
  )
}

function Box(props: { readonly chosen: Instance | null; readonly path: string }): ReactNode {
  return (
    <AccountBox
      label="Account"
      chosen={props.chosen}
      choose={(id) => goTo(addressOf(props.path, { instance: id }))}
    />
  )
}

function Choose({ path }: { readonly path: string }): ReactNode {
  const answer = useAnswer(path, firstAccounts)
  const only = answer.kind === 'ready' && answer.value.isFound ? answer.value.first : undefined
  useEffect(() => {
    if (only !== undefined) goTo(addressOf(path, { instance: only.id }), { replace: true })
  }, [only, path])
  return (
    <Loaded of={answer}>
      {({ first }) =>
        first === undefined ? (
          <Empty
            title="No account is connected yet"
            action={{ words: 'Connect the first account', to: addressOf('/instances/new') }}
          >
            Its data can be seen here as soon as there is one.
          </Empty>
        ) : (
          <>
            <div className="filters">
              <Box chosen={null} path={path} />
            </div>
            <Empty title="Choose an account">By its name, its user or its id.</Empty>
          </>
        )
      }
    </Loaded>
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
