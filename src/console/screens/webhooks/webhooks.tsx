// The endpoints that events are delivered to.
import type { ReactNode } from 'react'
import type { All, Webhook } from '../../api/answers.ts'
import { Empty, Fetched } from '../../parts/answer.tsx'
import { addressOf, Link } from '../../place.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import './webhooks.css'

export function WebhooksScreen(): ReactNode {
  return (
    <Screen
      title="Webhooks"
      lead="What happens to accounts and their copies, delivered to your app and signed."
      actions={
        <Link className="button primary" needs="webhooks" to={addressOf('/webhooks/new')}>
          Add an endpoint
        </Link>
      }
    >
      <Fetched<All<Webhook>> path="/webhooks">
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title="No endpoint yet"
              action={{
                words: 'Add the first endpoint',
                to: addressOf('/webhooks/new'),
                needs: 'webhooks',
              }}
            >
              Your app hears at once that a user has to connect again or that records changed. It
              can also read the same events itself: GET /v1/events.
            </Empty>
          ) : (
            <Table
              label="Endpoints"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Address',
                  kind: 'name',
                  className: 'address',
                  cell: ({ id, url }) => <Link to={addressOf(`/webhooks/${id}`)}>{url}</Link>,
                },
                { title: 'State', cell: (webhook) => <WebhookBadge webhook={webhook} /> },
                {
                  title: 'Events',
                  cell: ({ event_types: types }) => (types === null ? 'all' : types.join(', ')),
                },
                { title: 'Description', cell: ({ description }) => description },
                { title: 'Created', cell: (webhook) => <Time at={webhook.created_at} /> },
              ]}
            />
          )
        }
      </Fetched>
    </Screen>
  )
}

export function WebhookBadge({ webhook }: { readonly webhook: Webhook }): ReactNode {
  if (webhook.enabled) return <span className="badge good">Enabled</span>
  return webhook.disabled_reason === 'gone' ? (
    <span className="badge bad">Gone</span>
  ) : (
    <span className="badge off">Disabled</span>
  )
}
