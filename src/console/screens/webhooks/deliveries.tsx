// What was delivered to an endpoint and what waits; any of it can be sent once more.
import { type ReactNode, useState } from 'react'
import type { DeliveryPage, Webhook, WebhookDelivery } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { writeJson } from '../../api/json-text.ts'
import { useRate } from '../../api/fresh.ts'
import { useNews } from '../../api/use-news.ts'
import { useGet, useTask } from '../../api/use-answer.ts'
import { AccountName } from '../../parts/account-name.tsx'
import { Button, TurnPages } from '../../parts/controls.tsx'
import { useCursors } from '../../parts/cursors.ts'
import { Dialog, Question } from '../../parts/dialog.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { CopyButton, Time } from '../../parts/values.tsx'
import { Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { addressOf, Link } from '../../place.tsx'
import { notTakenYet, subjectOf } from './not-taken.ts'

const EVERY_MS = 3000
const STATES: Readonly<
  Record<WebhookDelivery['state'], { readonly label: string; readonly tone: string }>
> = {
  pending: { label: 'Waiting', tone: 'wait' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Given up', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'off' },
}

export function Deliveries(props: {
  readonly webhook: Webhook
  /** Whether it is asked if all that was not taken is delivered again. */
  readonly isAsking: boolean
  readonly setAsking: (isAsking: boolean) => void
}): ReactNode {
  const { webhook, isAsking, setAsking } = props
  const { cursor = '', turns } = useCursors()
  const page = useGet<DeliveryPage>(`/webhooks/${webhook.id}/deliveries`, { cursor })
  const { reload } = page
  const { busy, problem, run } = useTask()
  const [news, setNews] = useNews<Again | null>(null)
  const [open, setOpen] = useState<WebhookDelivery | null>(null)
  useRate(EVERY_MS)
  const redeliver = (delivery: WebhookDelivery): Promise<void> =>
    run(async () => {
      setNews(null)
      const body = { webhook_id: webhook.id }
      await call('POST', `/events/${delivery.event_id}/redeliver`, { body })
      setNews({ delivery })
      reload()
    })
  const redeliverAll = (): Promise<void> =>
    run(async (signal) => {
      setAsking(false)
      setNews(null)
      const query = { limit: String(LOOKED_AT) }
      const path = `/webhooks/${webhook.id}/deliveries`
      const latest = await call<DeliveryPage>('GET', path, { query, signal })
      const body = { webhook_id: webhook.id }
      let sent = 0
      try {
        for (const { event_id: id } of notTakenYet(latest.data)) {
          await call('POST', `/events/${id}/redeliver`, { body, signal })
          sent += 1
        }
      } finally {
        setNews({ sent, isAll: !latest.meta.has_more })
        reload()
      }
    })
  const failed = notTakenYet(page.last?.data ?? []).length
  return (
    <section className="pile" aria-label="Deliveries">
      <div className="line summary">
        <h2>Deliveries</h2>
        <p role="status" className="fine">
          {news === null ? '' : againInWords(news, page.last?.data ?? [])}
        </p>
        {failed === 0 ? null : (
          <Button
            className="small"
            needs="delivering"
            disabled={busy || !webhook.enabled}
            onClick={() => setAsking(true)}
          >
            Deliver again all that was not taken
          </Button>
        )}
      </div>
      <ProblemNotice problem={problem} />
      <Loaded of={page}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="quiet">
              None yet. They appear here as soon as something happens, for example when an account
              is checked for the first time.
            </p>
          ) : (
            <>
              <Table
                label="Latest deliveries"
                className="deliveries two-lines"
                rows={data}
                keyOf={(delivery) => delivery.event_id}
                columns={columnsWith(setOpen, (delivery) => (
                  <Button
                    className="small"
                    needs="delivering"
                    disabled={busy || !webhook.enabled}
                    onClick={() => void redeliver(delivery)}
                    aria-label={`Deliver again: ${delivery.type}`}
                  >
                    Deliver again
                  </Button>
                ))}
              />
              <p className="fine">
                Attempts are counted since the event happened, or since somebody pressed Deliver
                again.
              </p>
              <TurnPages words={['Newer', 'Older']} {...turns(meta.next_cursor)} />
            </>
          )
        }
      </Loaded>
      {isAsking ? (
        <Question
          title="Deliver again what was not taken?"
          close={() => setAsking(false)}
          answers={[
            { words: 'Deliver them again', look: 'primary', act: () => void redeliverAll() },
          ]}
        >
          <p>
            Each of the latest {LOOKED_AT} events that the address has not taken is sent once more,
            with the same id, and begins to count its attempts again.
          </p>
        </Question>
      ) : null}
      {open === null ? null : <Sent delivery={open} close={() => setOpen(null)} />}
    </section>
  )
}

/** So many are looked at where all that was not taken is delivered again: the service answers no more at once. */
const LOOKED_AT = 200

/** A delivery that was asked for once more, as it was before, or how many were. */
type Again =
  { readonly delivery: WebhookDelivery } | { readonly sent: number; readonly isAll: boolean }

/** What has become of it: the row below says the same. */
function againInWords(again: Again, rows: readonly WebhookDelivery[]): string {
  if ('sent' in again) {
    const { sent, isAll } = again
    const events = `${sent} ${sent === 1 ? 'event is' : 'events are'}`
    const rest = isAll ? '' : ` Events before the latest ${LOOKED_AT} were not looked at.`
    return `${events} on the way once more, with the same ids.${rest}`
  }
  const { type, event_id: id, last_attempt_at: before } = again.delivery
  const now = rows.find((row) => row.event_id === id)
  // Until a new attempt ends, the row may be the one from before.
  const isOver = now !== undefined && now.state !== 'pending' && now.last_attempt_at !== before
  if (!isOver) return `${type} is on its way once more, with the same id.`
  return `${type} was sent once more, with the same id: ${STATES[now.state].label.toLowerCase()}.`
}

/** What the endpoint gets, as it stands in the body. */
function Sent(props: {
  readonly delivery: WebhookDelivery
  readonly close: () => void
}): ReactNode {
  const { event_id: id, type, state, last_status: status, last_error: error } = props.delivery
  // Any JSON, as the API's document says it.
  const body = props.delivery.body as Parameters<typeof writeJson>[0]
  const answer = answerInWords(status, error)
  return (
    <Dialog title={type} close={props.close}>
      <p>
        {STATES[state].label}
        {answer === '' ? '' : `. The last answer: ${answer}`}. The body of every attempt, with{' '}
        <code>webhook-id: {id}</code> among its headers:
      </p>
      <pre className="sent-body" tabIndex={0}>
        {writeJson(body, 2)}
      </pre>
      <div className="actions">
        <CopyButton text={writeJson(body)} label="Copy the body" words="Copy the body" />
        <CopyButton text={id} label={`Copy the id of ${type}`} words="Copy the id" />
      </div>
    </Dialog>
  )
}

/** Which account an event is of, and what of it. */
function Subject({ delivery }: { readonly delivery: WebhookDelivery }): ReactNode {
  const { id, name, entity, isGone } = subjectOf(delivery)
  if (id === null) return null
  return (
    <>
      {isGone ? (
        plainText(name)
      ) : (
        <Link to={addressOf(`/instances/${id}`)}>
          <AccountName id={id} otherwise={name} />
        </Link>
      )}
      {entity === null ? null : <small className="quiet"> {plainText(entity)}</small>}
    </>
  )
}

function columnsWith(
  open: (delivery: WebhookDelivery) => void,
  again: (delivery: WebhookDelivery) => ReactNode,
): readonly Column<WebhookDelivery>[] {
  return [
    {
      title: 'Event',
      className: 'row-name',
      cell: (delivery) => (
        <Button className="plain mono" onClick={() => open(delivery)}>
          {delivery.type}
        </Button>
      ),
    },
    { title: 'Account', cell: (delivery) => <Subject delivery={delivery} /> },
    {
      title: 'State',
      className: 'row-result',
      cell: ({ state }) => (
        <span className={`badge ${STATES[state].tone}`}>{STATES[state].label}</span>
      ),
    },
    {
      title: 'Answer',
      className: 'answer',
      cell: ({ last_status: status, last_error: error, next_attempt_at: next, attempts }) => (
        <>
          {attempts === 0 && (status !== null || error !== null) ? 'Before: ' : null}
          {answerInWords(status, error)}
          {next === null || attempts === 0 ? null : (
            <span className="fine">
              {' '}
              · again <Time at={next} isNext />
            </span>
          )}
        </>
      ),
    },
    {
      title: 'Attempts',
      kind: 'number',
      className: 'row-left-out',
      // What is delivered again begins to count again.
      cell: ({ attempts, last_attempt_at: last }) =>
        attempts === 0 && last !== null ? 'none since' : attempts,
    },
    {
      title: 'Last attempt',
      cell: (delivery) => <Time at={delivery.last_attempt_at} none="not yet" />,
    },
    { title: 'What can be done', kind: 'unseen', cell: again },
  ]
}

const ERRORS: Readonly<Record<string, string>> = {
  upstream_unreachable: 'could not be reached',
  upstream_timeout: 'took too long',
  destination_refused: 'is an address that events may not be sent to',
}

export function answerInWords(status: number | null, error: string | null): string {
  if (status !== null) return String(status)
  if (error === null) return ''
  const words = ERRORS[error]
  return words === undefined ? error : `The address ${words}`
}
