// What was delivered to an endpoint and what waits; any of it can be sent once more.
import { type ReactNode, useEffect, useState } from 'react'
import type { DeliveryPage, Webhook, WebhookDelivery } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer, useDeed } from '../../api/use-answer.ts'
import { CopyButton } from '../../parts/code-block.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Time } from '../../parts/time.tsx'

const EVERY_MS = 3000
const STATES: Readonly<
  Record<WebhookDelivery['state'], { readonly label: string; readonly tone: string }>
> = {
  pending: { label: 'Waiting', tone: 'wait' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Given up', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'off' },
}

export function Deliveries({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const cursor = cursors.at(-1) ?? ''
  const path = `/webhooks/${webhook.id}/deliveries`
  const page = useAnswer(cursor, (signal) =>
    call<DeliveryPage>('GET', path, { query: { cursor }, signal }),
  )
  const { reload } = page
  const { busy, problem, run } = useDeed()
  const [news, setNews] = useState('')
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, EVERY_MS)
    return () => window.clearInterval(timer)
  }, [reload])
  const redeliver = (delivery: WebhookDelivery): Promise<void> =>
    run(async () => {
      setNews('')
      const body = { webhook_id: webhook.id }
      await call('POST', `/events/${delivery.event_id}/redeliver`, { body })
      setNews(`${delivery.type} is on its way once more, with the same id.`)
      reload()
    })
  return (
    <section className="result" aria-label="Deliveries">
      <div className="summary">
        <h2>Deliveries</h2>
        <p role="status" className="fine">
          {news}
        </p>
      </div>
      <ProblemNotice problem={problem} />
      <Loaded of={page}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="quiet">
              None yet. They appear here as soon as something happens, for example when an account
              is checked for the first time. Test events are answered above and not listed.
            </p>
          ) : (
            <>
              <div className="table-box" tabIndex={0} role="region" aria-label="Latest deliveries">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Event</th>
                      <th scope="col">State</th>
                      <th scope="col">Answer</th>
                      <th scope="col" className="number">
                        Attempts
                      </th>
                      <th scope="col">Last attempt</th>
                      <th scope="col">
                        <span className="unseen">What can be done</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.map((delivery) => (
                      <Row
                        key={delivery.event_id}
                        delivery={delivery}
                        canSend={webhook.enabled && !busy}
                        again={() => void redeliver(delivery)}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
              {cursors.length === 0 && !meta.has_more ? null : (
                <div className="actions">
                  <button
                    type="button"
                    className="small"
                    disabled={cursors.length === 0}
                    onClick={() => setCursors(cursors.slice(0, -1))}
                  >
                    Newer
                  </button>
                  <button
                    type="button"
                    className="small"
                    disabled={!meta.has_more}
                    onClick={() => setCursors([...cursors, meta.next_cursor ?? ''])}
                  >
                    Older
                  </button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Row(props: {
  readonly delivery: WebhookDelivery
  readonly canSend: boolean
  readonly again: () => void
}): ReactNode {
  const { delivery } = props
  const { label, tone } = STATES[delivery.state]
  return (
    <tr>
      <td>
        <code>{delivery.type}</code>{' '}
        <CopyButton text={delivery.event_id} label={`Copy the id of ${delivery.type}`} />
      </td>
      <td>
        <span className={`badge ${tone}`}>{label}</span>
      </td>
      <td>
        {answerInWords(delivery.last_status, delivery.last_error)}
        {delivery.next_attempt_at === null || delivery.attempts === 0 ? null : (
          <span className="fine">
            {' '}
            · again <Time at={delivery.next_attempt_at} />
          </span>
        )}
      </td>
      <td className="number">{delivery.attempts}</td>
      <td>
        <Time at={delivery.last_attempt_at} none="not yet" />
      </td>
      <td>
        <button
          type="button"
          className="small"
          disabled={!props.canSend}
          onClick={props.again}
          aria-label={`Deliver again: ${delivery.type}`}
        >
          Deliver again
        </button>
      </td>
    </tr>
  )
}

const ERRORS: Readonly<Record<string, string>> = {
  upstream_unreachable: 'could not be reached',
  upstream_timeout: 'took too long',
  destination_refused: 'is an address that events may not be sent to',
}

/** What an address answered. */
export function answerInWords(status: number | null, error: string | null): string {
  if (status !== null) return String(status)
  if (error === null) return ''
  const words = ERRORS[error]
  return words === undefined ? error : `The address ${words}`
}
