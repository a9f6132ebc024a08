// Explorer: any operation on any account, by a form made of its parameter schema.
import { type ReactNode, useState } from 'react'
import type { Described, EntityDescription, Instance } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { Empty, Fetched } from '../../parts/answer.tsx'
import { hasWords, wordsOf } from '../../parts/marked-words.ts'
import { useNarrow } from '../../parts/narrow.ts'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, Link, type ScreenProps } from '../../place.tsx'
import { AccountScreen } from '../instances/account-screen.tsx'
import { CallsView } from './calls-view.tsx'
import { ChooseAccount } from './choose-account.tsx'
import './explorer.css'
import { Operation } from './operation.tsx'

export function ExplorerScreen({ query }: ScreenProps): ReactNode {
  const type = query.get('connector') ?? ''
  if (type !== '' && (query.get('instance') ?? '') === '') {
    const [entity, action] = [query.get('entity') ?? '', query.get('action') ?? '']
    return <ChooseAccount type={type} entity={entity} action={action} />
  }
  return (
    <AccountScreen
      id={query.get('instance') ?? ''}
      view="explorer"
      lead="Run any operation of a connected account, see its records, and copy the call into your code."
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
      {(described) => {
        const { entities } = described
        const entity = entities.find((each) => each.entity === props.entity)
        const action = entity?.actions.find((each) => each.action === props.action)
        return (
          <div className="split">
            <Folded chosen={action === undefined ? null : `${props.entity}.${props.action}`}>
              <Operations
                instance={instance}
                entities={entities}
                current={`${props.entity}.${props.action}`}
              />
            </Folded>
            {entity === undefined || action === undefined ? (
              <div className="operation stack">
                <Empty title={unknownIn(entities, props) ?? 'Choose an operation'}>
                  The list has everything that this account can do.
                </Empty>
                <CallsView instance={instance.id} present={null} />
              </div>
            ) : (
              <Operation
                key={`${instance.id} ${props.entity}.${props.action}`}
                instance={instance}
                described={described}
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

/** What the address names and the account does not have; null: it names none. */
function unknownIn(
  entities: readonly EntityDescription[],
  { entity, action }: { readonly entity: string; readonly action: string },
): string | null {
  const isKnown = entities.some((each) => each.entity === entity)
  if (entity !== '' && !isKnown) return `There is no entity “${plainText(entity)}”`
  return action === '' ? null : `There is no operation “${plainText(`${entity}.${action}`)}”`
}

/** On a phone the list gives way to what was chosen of it. */
function Folded(props: {
  readonly chosen: string | null
  readonly children: ReactNode
}): ReactNode {
  const isNarrow = useNarrow()
  if (!isNarrow || props.chosen === null) return props.children
  return (
    <details key={props.chosen} className="box others">
      <summary>Choose another operation</summary>
      {props.children}
    </details>
  )
}

function Operations(props: {
  readonly instance: Instance
  readonly entities: readonly EntityDescription[]
  readonly current: string
}): ReactNode {
  const [text, setText] = useState('')
  const wanted = wordsOf(text)
  const found = props.entities.flatMap((entity) => {
    const title = entity.title ?? entity.entity
    const actions = entity.actions.filter(({ action, summary }) =>
      hasWords(wanted, `${entity.entity}.${action} ${title} ${summary ?? ''}`),
    )
    return actions.length === 0 ? [] : [{ entity: entity.entity, title, actions }]
  })
  return (
    <nav className="entities side-list" aria-label="Operations">
      <input
        type="search"
        aria-label="Filter the operations"
        placeholder="Filter"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {props.entities.some(({ actions }) => actions.some(({ safe }) => !safe)) ? (
        <p className="fine">
          <span className="writes" aria-hidden="true" /> changes data
        </p>
      ) : null}
      {found.length === 0 ? <p className="quiet">No operation has these words.</p> : null}
      {found.map(({ entity, title, actions }) => (
        <section key={entity}>
          <h2>{title}</h2>
          <ul>
            {actions.map(({ action, safe }) => (
              <li key={action} className="mono">
                <Link
                  to={addressOf('/explorer', { instance: props.instance.id, entity, action })}
                  current={`${entity}.${action}` === props.current}
                >
                  {entity}.<wbr />
                  {action}
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
  )
}
