// A screen about one account, which is chosen on it.
import { type ReactNode, useEffect } from 'react'
import type { Instance, InstancePage } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { Select } from '../../parts/controls.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf, goTo, Link } from '../../place.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import './explorer.css'

/**
 * Shows `children` for the instance that the query names; `path` is the screen's. Where it names none it is the one that
 * was looked at last, or the only one there is.
 */
export function AccountScreen(props: {
  readonly title: string
  readonly lead: string
  readonly path: string
  readonly query: URLSearchParams
  readonly children: (instance: Instance) => ReactNode
}): ReactNode {
  const { title, lead, path, query } = props
  const chosen = query.get('instance') ?? ''
  const page = useAnswer(chosen, async (signal) => {
    const most = { limit: '200' }
    const { data } = await call<InstancePage>('GET', LIST, { query: most, signal })
    // Of more than the list shows, the one asked for must be there.
    return chosen === '' || data.some(({ id }) => id === chosen)
      ? data
      : [await call<Instance>('GET', instancePath(chosen), { signal }), ...data]
  })
  const loaded = page.kind === 'ready' ? page.value : null
  useEffect(() => {
    if (loaded === null) return
    if (chosen !== '') {
      if (loaded.some(({ id }) => id === chosen)) rememberAccount(chosen)
      return
    }
    // It may be gone by now.
    const last = window.localStorage.getItem(KEY)
    const found =
      loaded.find(({ id }) => id === last) ?? (loaded.length === 1 ? loaded[0] : undefined)
    if (found !== undefined) goTo(addressOf(path, { instance: found.id }), { replace: true })
  }, [loaded, chosen, path])
  return (
    <Screen title={title} lead={lead}>
      <Loaded of={page}>
        {(instances) => {
          if (instances.length === 0) return NO_INSTANCES
          const instance = instances.find(({ id }) => id === chosen)
          const named = instances.map(
            ({ id, name, external_user_id: user }) => [id, `${name} · ${user}`] as const,
          )
          return (
            <>
              <div className="filters">
                <Select
                  label="Account"
                  value={chosen}
                  options={instance === undefined ? [['', 'choose an account'], ...named] : named}
                  choose={(id) => goTo(addressOf(path, { instance: id }))}
                />
                {instance === undefined ? null : (
                  <p className="beside">
                    <StateBadge state={instance.state} />{' '}
                    <Link to={addressOf(`/instances/${instance.id}`)}>Details</Link>
                  </p>
                )}
              </div>
              {instance === undefined ? (
                <Empty title="Choose an account">There are {instances.length} above.</Empty>
              ) : (
                props.children(instance)
              )}
            </>
          )
        }}
      </Loaded>
    </Screen>
  )
}

const LIST = '/integrations/connectors'
const NO_INSTANCES = (
  <Empty
    title="No account is connected yet"
    action={{ words: 'Connect the first account', to: addressOf('/instances/new') }}
  >
    Its data can be seen here as soon as there is one.
  </Empty>
)

const KEY = 'tenon.account'

/** Explorer, search and sync open with it from now on. */
export function rememberAccount(id: string): void {
  window.localStorage.setItem(KEY, id)
}
