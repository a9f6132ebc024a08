// Explorer: any operation on any account, by a form made of its parameter schema.
import type { ReactNode } from 'react'
import type {
  ActionDescription,
  Described,
  EntityDescription,
  Instance,
} from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf } from '../../place.ts'
import type { ScreenProps } from '../screen-entry.ts'
import { InstanceChoice } from './instance-choice.tsx'
import { Operation } from './operation.tsx'

export function ExplorerScreen({ query }: ScreenProps): ReactNode {
  return (
    <Screen
      title="Explorer"
      lead="Run any operation of a connected account, see its records, and copy the call into your code."
    >
      <InstanceChoice path="/explorer" chosen={query.get('instance') ?? ''}>
        {(instance) => (
          <Actions
            instance={instance}
            entity={query.get('entity') ?? ''}
            action={query.get('action') ?? ''}
          />
        )}
      </InstanceChoice>
    </Screen>
  )
}

function Actions(props: {
  readonly instance: Instance
  readonly entity: string
  readonly action: string
}): ReactNode {
  const { instance } = props
  const described = useAnswer(instance.id, (signal) =>
    call<Described>('GET', `/integrations/connectors/${instance.id}/describe`, { signal }),
  )
  return (
    <Loaded of={described}>
      {({ entities }) => {
        const chosen = find(entities, props.entity, props.action)
        return (
          <div className="split">
            <nav className="entities" aria-label="Operations">
              <p className="fine">
                <span className="writes" aria-hidden="true" /> changes data
              </p>
              {entities.map((entity) => (
                <section key={entity.entity}>
                  <h2>{entity.title ?? entity.entity}</h2>
                  <ul>
                    {entity.actions.map((action) => (
                      <li key={action.action}>
                        <Link
                          to={addressOf('/explorer', {
                            instance: instance.id,
                            entity: entity.entity,
                            action: action.action,
                          })}
                          current={entity.entity === props.entity && action.action === props.action}
                        >
                          {entity.entity}.<wbr />
                          {action.action}
                        </Link>
                        {action.safe ? null : (
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
            {chosen === null ? (
              <Empty title="Choose an operation">
                The list has everything that this account can do.
              </Empty>
            ) : (
              <Operation
                key={`${instance.id} ${props.entity}.${props.action}`}
                instance={instance}
                entity={chosen.entity}
                action={chosen.action}
              />
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

function find(
  entities: readonly EntityDescription[],
  entityName: string,
  actionName: string,
): { readonly entity: EntityDescription; readonly action: ActionDescription } | null {
  const entity = entities.find((each) => each.entity === entityName)
  const action = entity?.actions.find((each) => each.action === actionName)
  return entity === undefined || action === undefined ? null : { entity, action }
}
