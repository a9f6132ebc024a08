// An operation of a connector that was found before an account: on which one it runs.
import { type ReactNode, useEffect } from 'react'
import type { InstancePage } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { AccountBox } from '../../parts/account-box.tsx'
import { Empty, Loaded } from '../../parts/answer.tsx'
import { useConnectorTypes } from '../../parts/connector-icon.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf, goTo } from '../../place.tsx'

export function ChooseAccount(props: {
  readonly type: string
  readonly entity: string
  readonly action: string
}): ReactNode {
  const { type, entity, action } = props
  const { title = type } =
    useConnectorTypes().find(({ connector_type: each }) => each === type) ?? {}
  const answer = useAnswer(type, (signal) => {
    const query = { connector_type: type, limit: '2' }
    return call<InstancePage>('GET', '/integrations/connectors', { query, signal })
  })
  const to = (instance: string): string => addressOf('/explorer', { instance, entity, action })
  const all = answer.kind === 'ready' ? answer.value.data : []
  const only = all.length === 1 ? all[0]?.id : undefined
  useEffect(() => {
    if (only !== undefined) goTo(to(only), { replace: true })
  }, [only])
  return (
    <Screen title={`${entity}.${action}`} lead={`An operation of ${title}.`}>
      <Loaded of={answer}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title={`No account of ${title} is connected yet`}
              action={{
                words: 'Connect an account',
                to: addressOf('/instances/new', { connector: type }),
              }}
            >
              The operation can be run here as soon as there is one.
            </Empty>
          ) : (
            <>
              <div className="filters">
                <AccountBox
                  label="Account"
                  type={type}
                  chosen={null}
                  choose={(id) => goTo(to(id))}
                />
              </div>
              <Empty title="Choose an account">
                The operation runs on it. By its name, its user or its id.
              </Empty>
            </>
          )
        }
      </Loaded>
    </Screen>
  )
}
