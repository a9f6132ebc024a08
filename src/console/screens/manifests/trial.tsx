// An operation of the manifest that is being written: its request as it is typed, and the answer of a local vendor or of an
// account.
import { type ReactNode, useRef, useState } from 'react'
import type {
  Instance,
  InstancePage,
  ManifestCheck,
  ManifestPreview,
  ManifestRun,
} from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { type JsonObject, parseJson, writeJson } from '../../api/json-text.ts'
import { useAnswer, useSettled, useTask } from '../../api/use-answer.ts'
import { onSubmit, Select } from '../../parts/controls.tsx'
import { AccountBox } from '../../parts/account-box.tsx'
import { CodeView } from '../../parts/code-view.tsx'
import { useConnectorTypes } from '../../parts/connector-icon.tsx'
import { Question } from '../../parts/dialog.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'
import { useRefusals } from '../../session.ts'
import { problemOf } from '../../api/problem.ts'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { ProblemNotice, Working } from '../../parts/answer.tsx'
import { ParamsJson } from '../explorer/params-json.tsx'
import { Requests } from '../explorer/preview-view.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { ERRORS_FIRST } from './manifest-views.tsx'

type Connector = NonNullable<ManifestCheck['connector']>
type Named = Connector['operations'][number]

export function Trial(props: {
  readonly text: string
  readonly connector: ManifestCheck['connector']
}): ReactNode {
  const { connector } = props
  const [chosen, setChosen] = useState('')
  const [against, setAgainst] = useState<Against>(SANDBOX)
  if (connector === null) return ERRORS_FIRST
  const { operations } = connector
  const operation = operations.find((each) => nameOf(each) === chosen) ?? operations[0]
  if (operation === undefined) return <p className="quiet">There is no operation yet.</p>
  return (
    <>
      <Select
        label="Operation"
        value={nameOf(operation)}
        options={operations.map((each) => [nameOf(each), nameOf(each)])}
        choose={setChosen}
      />
      <OfOperation
        key={nameOf(operation)}
        text={props.text}
        type={connector.connector_type}
        operation={operation}
        against={against}
        choose={setAgainst}
      />
    </>
  )
}

/** Who answers: the sandbox, or an account, of which null is not chosen yet. */
type Against =
  { readonly kind: 'sandbox' } | { readonly kind: 'account'; readonly account: Instance | null }

const SANDBOX: Against = { kind: 'sandbox' }

function nameOf({ entity, action }: Named): string {
  return `${entity}.${action}`
}

const REST_MS = 300

function OfOperation(props: {
  readonly text: string
  readonly type: string
  readonly operation: Named
  readonly against: Against
  readonly choose: (against: Against) => void
}): ReactNode {
  const { text, operation, against } = props
  const account = against.kind === 'account' ? against.account : null
  const isUnchosen = against.kind === 'account' && account === null
  /** Null: nobody has typed any; the example stands there. */
  const [typed, setTyped] = useState<JsonObject | null>(null)
  const [run, setRun] = useState<(ManifestRun & { readonly isOfAccount: boolean }) | null>(null)
  const task = useTask()
  const answer = useRef<HTMLElement>(null)
  useEnded(task.busy, () => leadTo(null, answer.current))
  const asked = {
    text,
    entity: operation.entity,
    action: operation.action,
    ...(typed === null ? {} : { params: typed }),
  }
  const settled = useSettled(writeJson(asked), REST_MS)
  const of = account?.id ?? ''
  const preview = useAnswer(`${of} ${settled}`, async (signal) => {
    const [path, body] =
      account === null
        ? ['/manifests/preview', asked]
        : ['/manifests/try/preview', { ...asked, connector_id: of }]
    return { ...(await call<ManifestPreview>('POST', path, { body, signal })), of }
  })
  const { last } = preview
  /** Of another account is no preview of this one. */
  const requests = last?.of === of ? last.requests : null
  const params = typed ?? last?.params ?? null
  /** What waits for a yes: it may change data. */
  const [doubtful, setDoubtful] = useState<RunOnAccount | null>(null)
  const refusal = useRefusals()('trying')
  const isLacking = useLacking(against.kind === 'account' ? props.type : '')
  const start = (): Promise<void> =>
    task.run(async (signal) => {
      setRun(null)
      const body = { ...asked, params: params ?? {} }
      if (isUnchosen) return
      if (account === null) {
        const ran = await call<ManifestRun>('POST', '/manifests/run', { body, signal })
        setRun({ ...ran, isOfAccount: false })
        return
      }
      const onAccount = { ...body, connector_id: account.id }
      try {
        const ran = await call<ManifestRun>('POST', '/manifests/try', { body: onAccount, signal })
        setRun({ ...ran, isOfAccount: true })
      } catch (error) {
        // The service says what may change something: it is asked for first.
        if (!isUnconfirmed(error)) throw error
        setDoubtful({ body: onAccount, account })
      }
    })
  const confirm = ({ body }: RunOnAccount): void => {
    setDoubtful(null)
    void task.run(async (signal) => {
      const confirmed = { ...body, confirmed: true }
      const ran = await call<ManifestRun>('POST', '/manifests/try', { body: confirmed, signal })
      setRun({ ...ran, isOfAccount: true })
    })
  }
  return (
    <>
      <form className="stack" onSubmit={onSubmit(() => void start())}>
        <h3>Parameters</h3>
        {params === null ? (
          preview.kind === 'failed' ? null : (
            <p className="loading" role="status">
              Looking for an example …
            </p>
          )
        ) : (
          <ParamsJson value={params} change={setTyped} />
        )}
        <h3>Request</h3>
        {preview.kind === 'failed' ? (
          <ProblemNotice problem={preview.problem} />
        ) : (
          <>
            <p className="fine">
              {account === null
                ? 'Made with the demo values of the sandbox, not for an account. To make it, nothing was sent.'
                : `Made for ${plainText(account.name)}: its address and settings, its secrets masked. To make it, nothing was sent.`}
            </p>
            {requests === null ? (
              <p className="loading" role="status">
                Making the request …
              </p>
            ) : (
              <Requests requests={requests} />
            )}
          </>
        )}
        <WhoAnswers
          type={props.type}
          against={against}
          choose={props.choose}
          refusal={refusal}
          isLacking={isLacking}
        />
        <div className="actions">
          <button className="primary" disabled={task.busy || params === null || isUnchosen}>
            {against.kind === 'sandbox' ? 'Run in the sandbox' : 'Run on this account'}
          </button>
          {task.busy ? (
            <Working words="Running" stop={task.stop} />
          ) : (
            <p className="fine beside">
              {against.kind === 'sandbox'
                ? 'A local vendor made of this text answers. Nothing leaves this machine.'
                : isUnchosen
                  ? isLacking
                    ? 'There is no account to run it on.'
                    : 'Choose the account first.'
                  : 'The third party answers, with the credentials of this account; they go only where the served version sends them. Logs and audit log say that it was a draft.'}
            </p>
          )}
        </div>
      </form>
      {doubtful === null ? null : (
        <Question
          title={`Run ${nameOf(operation)} on ${plainText(doubtful.account.name)}?`}
          close={() => setDoubtful(null)}
          answers={[{ words: 'Run it', look: 'danger', act: () => confirm(doubtful) }]}
        >
          <p>It may change data of this account at the third party: the draft sends</p>
          <Requests requests={requests ?? []} />
        </Question>
      )}
      <section className="result pile" aria-label="Answer" ref={answer} tabIndex={-1}>
        <ProblemNotice problem={task.problem} />
        {run === null ? null : (
          <div className="both">
            <section aria-label="Records" className="pile">
              <h3>Records, as this text maps them</h3>
              <JsonView value={run.answer} />
            </section>
            <section aria-label="Requests and answers" className="pile">
              <h3>
                What was sent, and what {run.isOfAccount ? 'the third party' : 'the sandbox'}{' '}
                answered
              </h3>
              {run.exchanges.map((each, index) => (
                <Exchanged key={index} exchange={each} number={index + 1} />
              ))}
            </section>
          </div>
        )}
      </section>
    </>
  )
}

interface RunOnAccount {
  readonly body: JsonObject
  readonly account: Instance
}

function isUnconfirmed(error: unknown): boolean {
  return problemOf(error).body.errors.some(({ pointer }) => pointer === '/confirmed')
}

function WhoAnswers(props: {
  readonly type: string
  readonly against: Against
  readonly choose: (against: Against) => void
  /** Why it may not be an account; null: it may. */
  readonly refusal: string | null
  /** There is no account. */
  readonly isLacking: boolean
}): ReactNode {
  const { type, against, choose, refusal, isLacking } = props
  return (
    <div className="filters">
      <Select
        label="Run against"
        value={against.kind}
        options={
          refusal === null
            ? [
                ['sandbox', 'the sandbox'],
                ['account', 'an account'],
              ]
            : [['sandbox', 'the sandbox']]
        }
        choose={(value) => choose(value === 'account' ? { kind: value, account: null } : SANDBOX)}
      />
      {refusal === null ? null : <p className="fine">An account: {refusal}.</p>}
      {isLacking ? <NoAccount type={type} /> : null}
      {against.kind === 'account' && !isLacking ? (
        <AccountBox
          label="Account"
          type={type}
          chosen={against.account}
          required
          choose={(id) =>
            void call<Instance>('GET', instancePath(id)).then(
              (account) => choose({ kind: 'account', account }),
              () => {},
            )
          }
        />
      ) : null}
    </div>
  )
}

/** Whether it is known that a connector has no account; an empty type: nobody asks. */
function useLacking(type: string): boolean {
  const answer = useAnswer(type, (signal) => {
    const query = { connector_type: type, limit: '1' }
    return type === ''
      ? Promise.resolve(null)
      : call<InstancePage>('GET', '/integrations/connectors', { query, signal })
  })
  if (answer.kind !== 'ready' || answer.value === null) return false
  return answer.value.data.length === 0 && answer.value.meta.incomplete === undefined
}

function NoAccount({ type }: { readonly type: string }): ReactNode {
  const isServed = useConnectorTypes().some(({ connector_type: each }) => each === type)
  return (
    <p className="fine">
      No account of {type} is connected yet.{' '}
      {isServed ? (
        <Link to={addressOf('/instances/new', { connector: type })}>Connect one</Link>
      ) : (
        'Once this manifest is served, one can be connected.'
      )}
    </p>
  )
}

type Exchange = ManifestRun['exchanges'][number]

function Exchanged(props: { readonly exchange: Exchange; readonly number: number }): ReactNode {
  const { curl, status, body, cut } = props.exchange
  const type = props.exchange.content_type
  return (
    <div className="stack">
      <Requests requests={[{ curl, after: null }]} />
      <p className="fine">
        {status === null
          ? 'Nothing answered.'
          : `It answered ${status}${type === null ? '' : `, ${plainText(type)}`}${cut ? '; this is the beginning' : ''}.`}
      </p>
      {body === null ? null : (
        <CodeView text={inLines(body)} label={`what came back for request ${props.number}`} />
      )}
    </div>
  )
}

/** JSON with a line for each member; another text as it is. */
function inLines(text: string): string {
  try {
    return writeJson(parseJson(text), 2)
  } catch {
    return plainText(text)
  }
}
