// Which account a screen is about.
import type { ReactNode } from 'react'
import type { Instance, InstancePage } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { addressOf, goTo } from '../../place.ts'

/** Shows `children` for the chosen instance; `path` is the screen's, whose query gets `instance`. */
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
      : [
          await call<Instance>(
            'GET',
            `/integrations/connectors/${encodeURIComponent(props.chosen)}`,
            { signal },
          ),
          ...found.data,
        ]
  })
  return (
    <Loaded of={page}>
      {(instances) => {
        const instance = instances.find(({ id }) => id === props.chosen)
        if (instances.length === 0) return <NoInstances />
        return (
          <>
            <div className="filters">
              <label>
                Account
                <select
                  value={props.chosen}
                  onChange={(event) =>
                    goTo(addressOf(props.path, { instance: event.target.value }))
                  }
                >
                  <option value="">choose an account</option>
                  {instances.map((each) => (
                    <option key={each.id} value={each.id}>
                      {each.name} · {each.external_user_id}
                    </option>
                  ))}
                </select>
              </label>
              {instance === undefined ? null : (
                <p className="beside">
                  <StateBadge state={instance.state} />{' '}
                  <Link to={addressOf(`/instances/${instance.id}`)}>Details</Link>
                </p>
              )}
            </div>
            {instance === undefined ? (
              <Empty title="Choose an account">
                {instances.length === 1
                  ? 'There is one above.'
                  : `There are ${instances.length} above.`}
              </Empty>
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
      action={
        <Link className="button primary" to={addressOf('/instances/new')}>
          Connect the first account
        </Link>
      }
    >
      Its data can be seen here as soon as there is one.
    </Empty>
  )
}
