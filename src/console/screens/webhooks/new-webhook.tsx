// A new endpoint, and its secret, once.
import { type ReactNode, useState } from 'react'
import type { WebhookWithSecret } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useTask } from '../../api/use-answer.ts'
import { addressOf, Link } from '../../place.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SecretOnce } from './secret-once.tsx'
import { WebhookForm } from './webhook-form.tsx'

const NOTHING_YET = { url: '', description: '', event_types: null } as const

export function NewWebhookScreen(): ReactNode {
  const [made, setMade] = useState<WebhookWithSecret | null>(null)
  const task = useTask()
  return (
    <Screen
      title={made === null ? 'Add an endpoint' : 'The endpoint is ready'}
      crumbs={[['Webhooks', '/webhooks']]}
    >
      {made === null ? (
        <WebhookForm
          before={NOTHING_YET}
          words="Add the endpoint"
          task={task}
          save={(body) =>
            void task.run(async () => {
              setMade(await call<WebhookWithSecret>('POST', '/webhooks', { body }))
            })
          }
          cancel={
            <Link className="button" to={addressOf('/webhooks')}>
              Cancel
            </Link>
          }
        />
      ) : (
        <>
          <SecretOnce secret={made.secret} />
          <div className="actions">
            <Link className="button primary" to={addressOf(`/webhooks/${made.id}`)}>
              I have kept it
            </Link>
          </div>
        </>
      )}
    </Screen>
  )
}
