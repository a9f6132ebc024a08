// One endpoint: its state, what can be done with it, its deliveries.
import { type ReactNode, useState } from 'react'
import type { Webhook, WebhookTest, WebhookWithSecret } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useAnswer, useDeed } from '../../api/use-answer.ts'
import { CopyButton } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Time } from '../../parts/time.tsx'
import { addressOf, goTo } from '../../place.ts'
import type { ScreenProps } from '../screen-entry.ts'
import { answerInWords, Deliveries } from './deliveries.tsx'
import { SecretOnce } from './secret-once.tsx'
import { WebhookBadge } from './webhook-badge.tsx'
import { WebhookForm } from './webhook-form.tsx'

export function WebhookScreen({ parts }: ScreenProps): ReactNode {
  const id = parts['id'] ?? ''
  const webhook = useAnswer(id, (signal) => call<Webhook>('GET', `/webhooks/${id}`, { signal }))
  return (
    <Screen
      title={webhook.kind === 'ready' ? webhook.value.url : 'Endpoint'}
      above={
        <p className="crumbs">
          <Link to={addressOf('/webhooks')}>Webhooks</Link>
        </p>
      }
    >
      <Loaded of={webhook}>{(value) => <Detail webhook={value} reload={webhook.reload} />}</Loaded>
    </Screen>
  )
}

type Asking = 'change' | 'rotate' | 'delete' | null

function Detail(props: { readonly webhook: Webhook; readonly reload: () => void }): ReactNode {
  const { webhook } = props
  const path = `/webhooks/${webhook.id}`
  const { busy, problem, run } = useDeed()
  const [asking, setAsking] = useState<Asking>(null)
  const [trial, setTrial] = useState<WebhookTest | null>(null)
  const [secret, setSecret] = useState<string | null>(null)

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
      <section className={`notice state ${webhook.enabled ? 'good' : 'wait'}`} aria-label="State">
        <p>
          <WebhookBadge webhook={webhook} /> {stateInWords(webhook)}
        </p>
      </section>
      <div className="actions">
        <button type="button" className="primary" disabled={busy} onClick={() => void test()}>
          {busy ? 'Working …' : 'Send a test'}
        </button>
        <button type="button" disabled={busy} onClick={() => setAsking('change')}>
          Change
        </button>
        <button type="button" disabled={busy} onClick={() => setAsking('rotate')}>
          New secret
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={() => void change({ enabled: !webhook.enabled })}
        >
          {webhook.enabled ? 'Disable' : 'Enable'}
        </button>
        <button
          type="button"
          className="danger"
          disabled={busy}
          onClick={() => setAsking('delete')}
        >
          Delete
        </button>
      </div>
      <div aria-live="polite" className="news">
        {trial === null ? null : <Trial trial={trial} />}
      </div>
      {asking === null ? <ProblemNotice problem={problem} /> : null}
      {secret === null ? null : <SecretOnce secret={secret} />}
      <Facts webhook={webhook} />
      <Deliveries webhook={webhook} />
      {asking === 'change' ? (
        <Dialog title="Change the endpoint" wide close={close}>
          <WebhookForm
            before={webhook}
            deed="Save"
            busy={busy}
            problem={problem}
            save={(body) => void change(body)}
            cancel={
              <button type="button" onClick={close}>
                Cancel
              </button>
            }
          />
        </Dialog>
      ) : null}
      {asking === 'rotate' ? (
        <Rotate busy={busy} close={close} rotate={(keepSeconds) => void rotate(keepSeconds)}>
          <ProblemNotice problem={problem} />
        </Rotate>
      ) : null}
      {asking === 'delete' ? (
        <Dialog title={`Delete ${webhook.url}?`} close={close}>
          <p>Nothing is delivered there any more; what waits for it is dropped.</p>
          <ProblemNotice problem={problem} />
          <div className="actions">
            <button type="button" onClick={close}>
              Keep it
            </button>
            <button type="button" className="danger" disabled={busy} onClick={() => void remove()}>
              Delete the endpoint
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

const DAY_SECONDS = 86_400

function Rotate(props: {
  readonly busy: boolean
  readonly close: () => void
  readonly rotate: (keepSeconds: number) => void
  readonly children: ReactNode
}): ReactNode {
  return (
    <Dialog title="Make a new secret?" close={props.close}>
      <p>
        For a day both secrets sign, so that your app can change over. Where the old one has leaked,
        end it at once: deliveries fail until your app knows the new one, and are tried again.
      </p>
      {props.children}
      <div className="actions">
        <button type="button" onClick={props.close}>
          Cancel
        </button>
        <button
          type="button"
          className="danger"
          disabled={props.busy}
          onClick={() => props.rotate(0)}
        >
          End the old one at once
        </button>
        <button
          type="button"
          className="primary"
          disabled={props.busy}
          onClick={() => props.rotate(DAY_SECONDS)}
        >
          Make a new secret
        </button>
      </div>
    </Dialog>
  )
}

function Trial({ trial }: { readonly trial: WebhookTest }): ReactNode {
  return (
    <div className={trial.delivered ? 'notice state good' : 'notice bad'}>
      <p>
        {trial.delivered ? (
          <>
            <strong>The address took the test event</strong> in {trial.took_ms} ms, with status{' '}
            {trial.status}.
          </>
        ) : (
          <>
            <strong>The test event was not taken.</strong>{' '}
            {trial.status === null
              ? `${answerInWords(null, trial.error)}. Is your app running, and is the address right?`
              : `The address answered ${trial.status}; it must answer with a status from 200 to 299.`}
          </>
        )}
      </p>
    </div>
  )
}

function Facts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  return (
    <dl className="facts">
      <dt>Id</dt>
      <dd>
        <code>{webhook.id}</code> <CopyButton text={webhook.id} label="Copy the id" />
      </dd>
      {webhook.description === '' ? null : (
        <>
          <dt>Description</dt>
          <dd>{webhook.description}</dd>
        </>
      )}
      <dt>Events</dt>
      <dd>
        {webhook.event_types === null
          ? 'all, also types that later versions add'
          : webhook.event_types.join(', ')}
      </dd>
      {webhook.previous_secret_ends_at === null ? null : (
        <>
          <dt>Old secret signs until</dt>
          <dd>
            <Time at={webhook.previous_secret_ends_at} />
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Time at={webhook.created_at} />
      </dd>
    </dl>
  )
}

function stateInWords({ enabled, disabled_reason: reason }: Webhook): string {
  if (enabled) return 'Events are delivered as they happen.'
  return reason === 'gone'
    ? 'The address answered 410, which means that nobody is there any more. Enable it when it is back.'
    : 'Switched off here. What happens meanwhile is not delivered later; GET /v1/events still has it.'
}
