// The endpoints that events are delivered to.
import type { ReactNode } from 'react'
import type { Webhook } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Time } from '../../parts/time.tsx'
import { addressOf } from '../../place.ts'
import { WebhookBadge } from './webhook-badge.tsx'

export function WebhooksScreen(): ReactNode {
  const webhooks = useAnswer('webhooks', (signal) =>
    call<{ readonly data: readonly Webhook[] }>('GET', '/webhooks', { signal }),
  )
  return (
    <Screen
      title="Webhooks"
      lead="What happens to accounts and their copies, delivered to your app and signed."
      actions={
        <Link className="button primary" to={addressOf('/webhooks/new')}>
          Add an endpoint
        </Link>
      }
    >
      <Loaded of={webhooks}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title="No endpoint yet"
              action={
                <Link className="button primary" to={addressOf('/webhooks/new')}>
                  Add the first endpoint
                </Link>
              }
            >
              Your app hears at once that a user has to connect again or that records changed. It
              can also read the same events itself: GET /v1/events.
            </Empty>
          ) : (
            <Table webhooks={data} />
          )
        }
      </Loaded>
    </Screen>
  )
}

function Table({ webhooks }: { readonly webhooks: readonly Webhook[] }): ReactNode {
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label="Endpoints">
      <table>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">State</th>
            <th scope="col">Events</th>
            <th scope="col">Description</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row" className="address">
                <Link to={addressOf(`/webhooks/${webhook.id}`)}>{webhook.url}</Link>
              </th>
              <td>
                <WebhookBadge webhook={webhook} />
              </td>
              <td>{webhook.event_types === null ? 'all' : webhook.event_types.join(', ')}</td>
              <td>{webhook.description}</td>
              <td>
                <Time at={webhook.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
