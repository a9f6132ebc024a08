// Which account a screen is about.
import { type ReactNode, useEffect } from 'react'
import type { Instance, InstancePage } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { Select } from '../../parts/controls.tsx'
import { addressOf, goTo, Link } from '../../place.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'

/**
 * Shows `children` for the chosen instance; `path` is the screen's, whose query gets `instance`. Where the query names
 * none it is the one that was looked at last, or the only one there is.
 */
export function InstanceChoice(props: {
  readonly path: string
  readonly chosen: string
  readonly children: (instance: Instance) => ReactNode
}): ReactNode {
  const page = useAnswer(props.chosen, async (signal) => {
    const found = await call<InstancePage>('GET', '/integrations/connectors', {
      query: { limit: '200' },
      signal,
    })
    const isListed = props.chosen === '' || found.data.some(({ id }) => id === props.chosen)
    // Of more than the list shows, the one asked for must be there.
    return isListed
      ? found.data
      : [await call<Instance>('GET', instancePath(props.chosen), { signal }), ...found.data]
  })
  const loaded = page.kind === 'ready' ? page.value : null
  useEffect(() => {
    if (loaded === null) return
    if (props.chosen !== '') {
      if (loaded.some(({ id }) => id === props.chosen)) rememberAccount(props.chosen)
      return
    }
    const last = lastAccount()
    const found =
      loaded.find(({ id }) => id === last) ?? (loaded.length === 1 ? loaded[0] : undefined)
    if (found !== undefined) goTo(addressOf(props.path, { instance: found.id }), { replace: true })
  }, [loaded, props.chosen, props.path])
  return (
    <Loaded of={page}>
      {(instances) => {
        const instance = instances.find(({ id }) => id === props.chosen)
        if (instances.length === 0) return <NoInstances />
        return (
          <>
            <div className="filters">
              <Select
                label="Account"
                value={props.chosen}
                options={[
                  ...(instance === undefined ? [['', 'choose an account'] as const] : []),
                  ...instances.map(
                    ({ id, name, external_user_id: user }) => [id, `${name} · ${user}`] as const,
                  ),
                ]}
                choose={(id) => goTo(addressOf(props.path, { instance: id }))}
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
  )
}

function NoInstances(): ReactNode {
  return (
    <Empty
      title="No account is connected yet"
      action={{ words: 'Connect the first account', to: addressOf('/instances/new') }}
    >
      Its data can be seen here as soon as there is one.
    </Empty>
  )
}

const KEY = 'tenon.account'

/** Explorer, search and sync open with it from now on. */
export function rememberAccount(id: string): void {
  window.localStorage.setItem(KEY, id)
}

/** Its id; null: none was looked at in this browser. It may be gone by now. */
export function lastAccount(): string | null {
  return window.localStorage.getItem(KEY)
}
