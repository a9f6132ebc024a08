// The endpoints that events are delivered to.
import { Fragment, type ReactNode } from 'react'
import type { All, DeliveryPage, Webhook } from '../../api/answers.ts'
import { useRate } from '../../api/fresh.ts'
import { WRONG } from '../../api/pace.ts'
import { useGet } from '../../api/use-answer.ts'
import { Empty, Fetched } from '../../parts/answer.tsx'
import { addressOf, Link } from '../../place.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { type NotTaken, notTaken } from './not-taken.ts'
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
              className="two-lines"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'Address',
                  kind: 'name',
                  className: 'address row-name',
                  cell: ({ id, url }) => (
                    <Link to={addressOf(`/webhooks/${id}`)}>
                      {partsOf(url).map((part, at) => (
                        <Fragment key={at}>
                          {part}
                          <wbr />
                        </Fragment>
                      ))}
                    </Link>
                  ),
                },
                {
                  title: 'State',
                  className: 'row-result',
                  cell: (webhook) => <WebhookBadge webhook={webhook} />,
                },
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

/** Of an address, which is broken between them: the host by its names, the path by its folders. */
function partsOf(url: string): readonly string[] {
  return url.match(/\w+:\/\/[^./?]*|[./?&][^./?&]*/g) ?? [url]
}

export function useFailing({ id, enabled }: Webhook): NotTaken {
  // As the list of them asks, which is looked at again and again.
  const query = { cursor: '' }
  const page = useGet<DeliveryPage>(`/webhooks/${id}/deliveries`, query, { kept: true })
  const known = notTaken(
    enabled && page.kind === 'ready' ? page.value.data : [],
    page.kind === 'ready' && page.value.meta.has_more,
  )
  // As long as it fails somebody waits for it to be over.
  useRate(known.failing.length > 0 ? WRONG : null)
  return known
}

export function WebhookBadge({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { failing } = useFailing(webhook)
  if (failing.length > 0) return <span className="badge bad">Failing</span>
  if (webhook.enabled) return <span className="badge good">Enabled</span>
  return webhook.disabled_reason === 'gone' ? (
    <span className="badge bad">Gone</span>
  ) : (
    <span className="badge off">Disabled</span>
  )
}
