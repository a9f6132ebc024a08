// Explorer: any operation on any account, by a form made of its parameter schema.
import type { ReactNode } from 'react'
import type { Described, Instance } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { Empty, Fetched } from '../../parts/answer.tsx'
import { addressOf, Link, type ScreenProps } from '../../place.tsx'
import { AccountScreen } from './account-screen.tsx'
import { Operation } from './operation.tsx'

export function ExplorerScreen({ query }: ScreenProps): ReactNode {
  return (
    <AccountScreen
      title="Explorer"
      lead="Run any operation of a connected account, see its records, and copy the call into your code."
      path="/explorer"
      query={query}
    >
      {(instance) => (
        <Actions
          instance={instance}
          entity={query.get('entity') ?? ''}
          action={query.get('action') ?? ''}
        />
      )}
    </AccountScreen>
  )
}

function Actions(props: {
  readonly instance: Instance
  readonly entity: string
  readonly action: string
}): ReactNode {
  const { instance } = props
  return (
    <Fetched<Described> path={`${instancePath(instance.id)}/describe`}>
      {({ entities }) => {
        const entity = entities.find((each) => each.entity === props.entity)
        const action = entity?.actions.find((each) => each.action === props.action)
        return (
          <div className="split">
            <nav className="entities" aria-label="Operations">
              <p className="fine">
                <span className="writes" aria-hidden="true" /> changes data
              </p>
              {entities.map((each) => (
                <section key={each.entity}>
                  <h2>{each.title ?? each.entity}</h2>
                  <ul>
                    {each.actions.map(({ action: name, safe }) => (
                      <li key={name}>
                        <Link
                          to={addressOf('/explorer', {
                            instance: instance.id,
                            entity: each.entity,
                            action: name,
                          })}
                          current={each.entity === props.entity && name === props.action}
                        >
                          {each.entity}.<wbr />
                          {name}
                        </Link>
                        {safe ? null : (
                          <span className="writes" title="changes data at the third party">
                            <span className="unseen">changes data</span>
                          </span>
                        )}
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </nav>
            {entity === undefined || action === undefined ? (
              <Empty title="Choose an operation">
                The list has everything that this account can do.
              </Empty>
            ) : (
              <Operation
                key={`${instance.id} ${props.entity}.${props.action}`}
                instance={instance}
                entity={entity}
                action={action}
              />
            )}
          </div>
        )
      }}
    </Fetched>
  )
}
