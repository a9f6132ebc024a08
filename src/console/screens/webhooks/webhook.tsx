// One endpoint: its state, what can be done with it, its deliveries.
import { type ReactNode, useState } from 'react'
import type { Webhook, WebhookTest, WebhookWithSecret } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useGet, useTask } from '../../api/use-answer.ts'
import { Button } from '../../parts/controls.tsx'
import { ExactTimes, Facts, Id, Time } from '../../parts/values.tsx'
import { Dialog, Question } from '../../parts/dialog.tsx'
import { Loaded, ProblemNotice } from '../../parts/answer.tsx'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { Screen } from '../../parts/screen.tsx'
import { addressOf, goTo, type ScreenProps } from '../../place.tsx'
import { answerInWords, Deliveries } from './deliveries.tsx'
import { notTakenInWords } from './not-taken.ts'
import { SecretOnce } from './secret-once.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { useFailing, WebhookBadge } from './webhooks.tsx'

export function WebhookScreen({ id }: ScreenProps): ReactNode {
  const webhook = useGet<Webhook>(`/webhooks/${id}`)
  return (
    <Screen
      title={webhook.kind === 'ready' ? webhook.value.url : 'Endpoint'}
      crumbs={[['Webhooks', '/webhooks']]}
    >
      <Loaded of={webhook}>{(value) => <Detail webhook={value} reload={webhook.reload} />}</Loaded>
    </Screen>
  )
}

function Detail(props: { readonly webhook: Webhook; readonly reload: () => void }): ReactNode {
  const { webhook } = props
  const path = `/webhooks/${webhook.id}`
  const task = useTask()
  const { busy, problem, run } = task
  const [asking, setAsking] = useState<'change' | 'rotate' | 'delete' | null>(null)
  const [trial, setTrial] = useState<WebhookTest | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [isDelivering, setDelivering] = useState(false)

  const test = (): Promise<void> =>
    run(async () => {
      setTrial(null)
      setTrial(await call<WebhookTest>('POST', `${path}/test`))
    })
  const change = (body: JsonObject): Promise<void> =>
    run(async () => {
      await call('PATCH', path, { body })
      setAsking(null)
      props.reload()
    })
  const rotate = (keepSeconds: number): Promise<void> =>
    run(async () => {
      const body = { keep_seconds: keepSeconds }
      const made = await call<WebhookWithSecret>('POST', `${path}/rotate-secret`, { body })
      setAsking(null)
      setSecret(made.secret)
      props.reload()
    })
  const remove = (): Promise<void> =>
    run(async () => {
      await call('DELETE', path)
      goTo(addressOf('/webhooks'), { replace: true })
    })
  const close = (): void => setAsking(null)
  return (
    <>
      <State webhook={webhook} />
      <div className="actions">
        <Button className="primary" needs="delivering" disabled={busy} onClick={() => void test()}>
          {busy ? 'Working …' : 'Send a test'}
        </Button>
        <Button needs="webhooks" disabled={busy} onClick={() => setAsking('change')}>
          Change
        </Button>
        <Button needs="webhooks" disabled={busy} onClick={() => setAsking('rotate')}>
          New secret
        </Button>
        <Button
          needs="webhooks"
          disabled={busy}
          onClick={() => void change({ enabled: !webhook.enabled })}
        >
          {webhook.enabled ? 'Disable' : 'Enable'}
        </Button>
        <Button
          className="danger"
          needs="webhooks"
          disabled={busy}
          onClick={() => setAsking('delete')}
        >
          Delete
        </Button>
        <p className="fine beside">A test is answered here; it is no event and is not kept.</p>
      </div>
      <div aria-live="polite" className="news">
        {trial === null ? null : (
          <Trial trial={trial} webhook={webhook} deliver={() => setDelivering(true)} />
        )}
      </div>
      {asking === null ? <ProblemNotice problem={problem} /> : null}
      {secret === null ? null : <SecretOnce secret={secret} />}
      <WebhookFacts webhook={webhook} />
      <Deliveries webhook={webhook} isAsking={isDelivering} setAsking={setDelivering} />
      {asking === 'change' ? (
        <Dialog title="Change the endpoint" wide close={close}>
          <WebhookForm
            before={webhook}
            words="Save"
            task={task}
            save={(body) => void change(body)}
            cancel={<Button onClick={close}>Cancel</Button>}
          />
        </Dialog>
      ) : null}
      {asking === 'rotate' ? (
        <Question
          title="Make a new secret?"
          close={close}
          task={task}
          answers={[
            { words: 'End the old one at once', look: 'danger', act: () => void rotate(0) },
            { words: 'Make a new secret', look: 'primary', act: () => void rotate(DAY_SECONDS) },
          ]}
        >
          <p>
            For a day both secrets sign, so that your app can change over. Where the old one has
            leaked, end it at once: deliveries fail until your app knows the new one, and are tried
            again.
          </p>
        </Question>
      ) : null}
      {asking === 'delete' ? (
        <Question
          title={`Delete ${webhook.url}?`}
          close={close}
          keep="Keep it"
          task={task}
          answers={[{ words: 'Delete the endpoint', look: 'danger', act: () => void remove() }]}
        >
          <p>Nothing is delivered there any more; what waits for it is dropped.</p>
        </Question>
      ) : null}
    </>
  )
}

const DAY_SECONDS = 86_400

function State({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { failing, events, waiting, takenAt, nextAt } = useFailing(webhook)
  const [last] = failing
  const look = last !== undefined ? 'bad' : webhook.enabled ? 'good' : 'wait'
  return (
    <section className={`notice state ${look}`} aria-label="State">
      <p>
        <WebhookBadge webhook={webhook} />{' '}
        {last === undefined
          ? `${stateInWords(webhook)}${waitingInWords(waiting)}`
          : `Your app ${notTakenInWords({ events })}: ${answerInWords(last.last_status, last.last_error)}. What waits is tried again after longer and longer pauses; “Deliver again” does so at once.`}
      </p>
      {last === undefined ? null : (
        <ExactTimes>
          <p className="fine">
            {takenAt === null ? (
              <>None of the latest events was taken; the last try was </>
            ) : (
              <>
                The last one that it took was sent <Time at={takenAt} />; the last try was{' '}
              </>
            )}
            <Time at={last.last_attempt_at} />.{' '}
            {nextAt === null ? (
              'None waits for a further attempt.'
            ) : (
              <>
                <NextAttempt at={nextAt} as="whole" />.
              </>
            )}
          </p>
        </ExactTimes>
      )}
    </section>
  )
}

function Trial(props: {
  readonly trial: WebhookTest
  readonly webhook: Webhook
  /** Asks whether what was not taken is delivered at once. */
  readonly deliver: () => void
}): ReactNode {
  const { trial, webhook, deliver } = props
  const { waiting } = useFailing(webhook)
  return (
    <div className={trial.delivered ? 'notice state good' : 'notice bad'}>
      <p>
        {trial.delivered ? (
          <>
            <strong>The address accepted the test event</strong> in {trial.took_ms} ms, with status{' '}
            {trial.status}.
          </>
        ) : (
          <>
            <strong>The test event was not accepted.</strong>{' '}
            {trial.status === null
              ? `${answerInWords(null, trial.error)}. Is your app running, and is the address right?`
              : `The address answered ${trial.status}; it must answer with a status from 200 to 299.`}
          </>
        )}
      </p>
      {trial.delivered && waiting > 0 ? (
        <div className="actions">
          <Button className="small" needs="delivering" onClick={deliver}>
            {waiting === 1 ? 'Deliver the event that waits' : `Deliver the ${waiting} that wait`}
          </Button>
          <p className="fine beside">
            They are sent at once, and not only with their next attempt.
          </p>
        </div>
      ) : null}
    </div>
  )
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { id, description, event_types: types, previous_secret_ends_at: ends } = webhook
  return (
    <Facts
      of={[
        ['Id', <Id of={id} label="Copy the id" />],
        ['Description', description === '' ? null : description],
        ['Events', types === null ? 'all, also types that later versions add' : types.join(', ')],
        ['Old secret signs until', ends === null ? null : <Time at={ends} />],
        ['Created', <Time at={webhook.created_at} />],
      ]}
    />
  )
}

/** Of the latest deliveries. */
function waitingInWords(waiting: number): string {
  if (waiting === 0) return ''
  const words = waiting === 1 ? 'One event from before waits' : `${waiting} events from before wait`
  return ` ${words} for the next attempt; “Deliver again” does so at once.`
}

function stateInWords({ enabled, disabled_reason: reason }: Webhook): string {
  if (enabled) return 'Events are delivered as they happen.'
  return reason === 'gone'
    ? 'The address answered 410, which means that nobody is there any more. Enable it when it is back.'
    : 'Switched off here. What happens meanwhile is not delivered later; GET /v1/events still has it.'
}
