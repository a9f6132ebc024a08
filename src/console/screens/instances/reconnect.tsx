// New credentials for an instance that stays the same: id and copied data are kept.
import type { ReactNode } from 'react'
import type { ConnectorDetail, Instance } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Loaded } from '../../parts/answer.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf, goTo, type ScreenProps } from '../../place.tsx'
import { ConnectForm, useConnecting } from './connect-form.tsx'
import { leaveForConsent } from './consent.ts'

export function ReconnectScreen({ id }: ScreenProps): ReactNode {
  const loaded = useAnswer(id, async (signal) => {
    const instance = await call<Instance>('GET', instancePath(id), { signal })
    const path = `/connectors/${encodeURIComponent(instance.connector_type)}`
    return { instance, connector: await call<ConnectorDetail>('GET', path, { signal }) }
  })
  const name = loaded.kind === 'ready' ? loaded.value.instance.name : 'Account'
  return (
    <Screen
      title="Re-authenticate"
      lead="The new credentials replace the old ones; id, settings and copied data stay."
      crumbs={[
        ['Accounts', '/instances'],
        [name, `/instances/${id}`],
      ]}
    >
      <Loaded of={loaded}>{(value) => <Form {...value} />}</Loaded>
    </Screen>
  )
}

function Form(props: {
  readonly instance: Instance
  readonly connector: ConnectorDetail
}): ReactNode {
  const { instance, connector } = props
  const connecting = useConnecting(connector, ({ method }) => method === instance.auth_method)
  const { task, way, credentials } = connecting
  if (way === undefined) return <p>This connector has no authentication method.</p>
  const submit = (): Promise<void> =>
    task.run(async () => {
      if (way.by === 'consent') {
        await leaveForConsent({
          externalUserId: instance.external_user_id,
          connectorType: instance.connector_type,
          connectorVersion: instance.connector_version,
          config: null,
          purpose: { kind: 'reconnect', id: instance.id, name: instance.name },
        })
        return
      }
      const body = { credentials, auth_method: way.method }
      await call('PATCH', instancePath(instance.id), { body })
      goTo(addressOf(`/instances/${instance.id}`, { done: 'reconnected' }), { replace: true })
    })
  return (
    <ConnectForm
      {...connecting}
      way={way}
      submit={() => void submit()}
      words="Replace the credentials"
      cancel={{ to: addressOf(`/instances/${instance.id}`) }}
      afterProblem="The old credentials are still in place."
    />
  )
}
