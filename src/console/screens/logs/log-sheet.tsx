// One entry of the logs: what came of it, its requests as a waterfall, and what was said where that is kept.
import type { ReactNode } from 'react'
import type { Instance, LogDetail, LogEntry, LogPage } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { nextAttemptAt } from '../../../display/sync-times.ts'
import { type JsonObject, writeJson } from '../../api/json-text.ts'
import { useGet } from '../../api/use-answer.ts'
import { useRefusals } from '../../session.ts'
import { actorName } from '../../parts/audit-words.tsx'
import { AccountName } from '../../parts/account-name.tsx'
import { Loaded, OutcomeNote } from '../../parts/answer.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { ManifestChange } from '../../parts/manifest-change.tsx'
import { OthersLikeIt } from '../../parts/others-like-it.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { SheetSteps } from '../../parts/sheet-steps.tsx'
import { StatusLink, useStatusPage } from '../../parts/status-page.tsx'
import { keepTyped } from '../../parts/typed.ts'
import { Facts, Id, Time } from '../../parts/values.tsx'
import { whoActs } from '../../../display/who-acts.ts'
import { addressOf, Link, ROOT } from '../../place.tsx'
import { durationOf, factName, factWords, KINDS, subjectOf, titleOf } from './log-words.ts'
import { ResultBadge } from './result-badge.tsx'

export function LogSheet(props: {
  readonly id: string
  /** The entries of the list, in their order. */
  readonly among: readonly LogEntry[]
  /** Whether parameters and answers of new entries are kept. */
  readonly keepsContents: boolean
  readonly show: (id: string) => void
  readonly close: () => void
}): ReactNode {
  const { id, among } = props
  const answer = useGet<LogDetail>(`/logs/${encodeURIComponent(id)}`)
  const listed = among.find((each) => each.id === id)
  const known = answer.kind === 'ready' && answer.value.id === id ? answer.value : listed
  return (
    <Dialog title={known === undefined ? 'Log entry' : titleOf(known)} close={props.close} sheet>
      <div className="log-entry">
        <SheetSteps
          id={id}
          among={among.map((each) => each.id)}
          show={props.show}
          link={addressOf('/logs', { entry: id })}
          whole={answer.kind === 'ready' ? answer.value : null}
        />
        <Loaded of={answer}>
          {(value) => <Entry key={value.id} entry={value} keepsContents={props.keepsContents} />}
        </Loaded>
      </div>
    </Dialog>
  )
}

function Entry(props: { readonly entry: LogDetail; readonly keepsContents: boolean }): ReactNode {
  const { entry } = props
  const { connector_id: instance, detail, outcome, facts } = entry
  const { client_id: asker } = entry
  const { upstream_request_id: upstreamId, first_code: first } = facts
  const again = nextAttemptAt(entry)
  const status = useStatusPage(entry.connector_type, entry.code)
  return (
    <>
      <p>
        <ResultBadge of={entry} /> {detail && plainText(detail)}
      </p>
      <OutcomeNote outcome={outcome} steps={stepOutcomes(facts)} />
      <ChangeBefore entry={entry} />
      <Facts
        of={[
          ['Who acts', entry.code && whoActs(entry.code, isCalled(entry))],
          ['Is it up', status === null ? null : <StatusLink to={status} />],
          ['Kind', KINDS[entry.kind]],
          [
            'Request id',
            entry.request_id && <Id of={entry.request_id} label="Copy the request id" />,
          ],
          [
            'Account',
            instance === null ? (
              entry.connector_type
            ) : (
              <Link to={addressOf(`/instances/${instance}`)}>
                <AccountName id={instance} otherwise={`${entry.connector_type} ${instance}`} />
              </Link>
            ),
          ],
          ['User', entry.external_user_id && plainText(entry.external_user_id)],
          ['Asked by', asker && <Asker id={asker} name={entry.client_name} />],
          ['Ended', <Time at={entry.at} />],
          ['Duration', durationOf(entry.took_ms)],
          [
            entry.kind === 'delivery' ? 'Your app answered' : 'Third party answered',
            entry.upstream_status,
          ],
          ['Caller was answered', entry.code === null ? null : entry.status],
          [
            'Its request id',
            typeof upstreamId !== 'string' ? null : (
              <Id of={upstreamId} label="Copy the request id of the third party" />
            ),
          ],
          ['First error', typeof first === 'string' ? <ErrorCode of={first} /> : null],
          ['Next attempt, as planned then', again && <Time at={again} exact />],
          ...Object.entries(facts)
            .filter(([name]) => !TOLD.has(name))
            .map(([name, value]) => [factName(name), factWords(name, value)] as const),
        ]}
      />
      <OthersLikeIt words="All entries of" lists={listsLike(entry)} />
      <Waterfall entry={entry} />
      <Said entry={entry} keepsContents={props.keepsContents} />
      <ToExplorer entry={entry} />
      {entry.kind !== 'sync' || instance === null ? null : (
        <p>
          <Link to={addressOf('/sync', { instance })}>Sync of this account</Link>
        </p>
      )}
    </>
  )
}

/** Whether another version of the manifest began to serve since the same went well, for what asked a third party. */
function ChangeBefore({ entry }: { readonly entry: LogEntry }): ReactNode {
  const { connector_id: instance, connector_type: type, kind, entity, code } = entry
  if (instance === null || type === null || entity === null || code === null) return null
  return kind === 'sync' || isCalled(entry) ? (
    <Changed {...{ entry, instance, type, code }} />
  ) : null
}

function Changed(props: {
  readonly entry: LogEntry
  readonly instance: string
  readonly type: string
  readonly code: string
}): ReactNode {
  const { at: since, kind, entity, action } = props.entry
  const same = kind === 'sync' || action === null ? { kind } : { action }
  const before = { status: 'ok', to: since, limit: '1' }
  const query = { connector_id: props.instance, entity: entity ?? '', ...same, ...before }
  const well = useGet<LogPage>('/logs', query, { kept: true, isLive: false })
  const account = useGet<Instance>(instancePath(props.instance), {}, { kept: true, isLive: false })
  if (well.kind !== 'ready' || account.kind !== 'ready') return null
  const wellAt = well.value.data[0]?.at ?? null
  const { created_at: madeAt } = account.value
  const { type: connectorType, code } = props
  return <ManifestChange of={{ connectorType, version: null, code, since, wellAt, madeAt }} />
}

/** The application as the audit log has it, and what it did there for those who may read that. */
function Asker({ id, name }: { readonly id: string; readonly name: string | null }): ReactNode {
  const words = actorName(id, name)
  return (
    <>
      {useRefusals()('audit') === null ? (
        <Link to={addressOf('/settings', { part: 'audit', actor: id })}>{words}</Link>
      ) : (
        words
      )}
      {name === null ? null : (
        <>
          {' '}
          <small className="quiet">{plainText(id)}</small>
        </>
      )}
    </>
  )
}

/** Facts that are shown in a way of their own. */
const TOLD: ReadonlySet<string> = new Set([
  'first_code',
  'step_outcomes',
  'tried_again_in_s',
  'upstream_request_id',
])

type Step = LogDetail['steps'][number]

function Waterfall({ entry: { steps, took_ms: total } }: { readonly entry: LogDetail }): ReactNode {
  if (steps.length === 0) return null
  const part = (ms: number): string => `${Math.min(100, (100 * ms) / Math.max(total, 0.1))}%`
  return (
    <section aria-label="Requests to the third party">
      <h3>Requests to the third party</h3>
      <ol className="waterfall">
        {steps.map((step, index) => (
          <li key={index}>
            <p>
              <code>
                {step.method} {step.host}
                {step.path}
              </code>{' '}
              <span className={`badge ${isGood(step) ? 'good' : 'bad'}`}>
                {step.status ?? step.code ?? 'no answer'}
              </span>{' '}
              {step.attempt > 1 ? `attempt ${step.attempt}, ` : ''}
              {durationOf(step.took_ms ?? 0)}
              {step.wait_ms === undefined ? null : `, then ${durationOf(step.wait_ms)} of waiting`}
            </p>
            {/* What it shows stands in the words above it. */}
            <div className="lane" aria-hidden="true">
              <div
                className={isGood(step) ? '' : 'bad'}
                style={{ left: part(step.began_ms), width: part(step.took_ms ?? 0) }}
              />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function isGood({ status, code }: Step): boolean {
  return code === null && status !== null && status < 400
}

/** Lists of those that have a value in common with it. */
function listsLike(entry: LogEntry): Parameters<typeof OthersLikeIt>[0]['lists'] {
  const { connector_id: id, connector_type: type, external_user_id: user } = entry
  const { kind, entity, action, code } = entry
  const of = (filters: Readonly<Record<string, string | null>>): string | null => {
    const given = Object.entries(filters).filter(
      (each): each is [string, string] => each[1] !== null,
    )
    return given.length === 0 ? null : addressOf('/logs', Object.fromEntries(given))
  }
  return [
    ['this account', of({ instance: id })],
    ['this user', of({ external_user_id: user })],
    ['this connector', of({ connector_type: type })],
    [subjectOf(entry), of(entity === null ? { kind, action } : { entity, action: action ?? '' })],
    ['this code', of({ code })],
  ]
}

function Said(props: { readonly entry: LogDetail; readonly keepsContents: boolean }): ReactNode {
  const { said } = props.entry
  if (said === null)
    return !isOperation(props.entry) ? null : props.keepsContents ? (
      <p className="fine">
        Its parameters and answer are not kept any more, or not for your role: they are of the
        newest 200 operations of an account.
      </p>
    ) : (
      <p className="fine">
        Parameters and answers are not kept; an operator can switch that on with{' '}
        <a href={`${ROOT}/docs/logs`}>TENON_LOGS_CONTENT</a>.
      </p>
    )
  return (
    <>
      <details>
        <summary>Parameters</summary>
        {said.params === null ? (
          <p>They were too long to be kept.</p>
        ) : (
          <pre tabIndex={0}>{writeJson(said.params, 2)}</pre>
        )}
      </details>
      {said.answer === null ? null : (
        <details>
          <summary>Answer{said.cut ? ', its beginning' : ''}</summary>
          <pre tabIndex={0}>{said.answer}</pre>
        </details>
      )}
    </>
  )
}

function isCalled(entry: LogEntry): boolean {
  return isOperation(entry) || entry.kind === 'request'
}

function isOperation({ kind }: LogEntry): boolean {
  return kind === 'operation' || kind === 'mcp_call' || kind === 'draft'
}

function ToExplorer({ entry }: { readonly entry: LogDetail }): ReactNode {
  const { connector_id: instance, entity, action, said } = entry
  // What a draft has, the served manifest may not have.
  if (
    !isOperation(entry) ||
    entry.kind === 'draft' ||
    instance === null ||
    entity === null ||
    action === null
  )
    return null
  const params = said?.params ?? null
  return (
    <p>
      <Link
        to={addressOf('/explorer', { instance, entity, action })}
        before={() => {
          if (params !== null) keepTyped(`${instance} ${entity}.${action}`, params)
        }}
      >
        {params === null
          ? 'Open this operation in the explorer'
          : 'Open in the explorer with these parameters'}
      </Link>
    </p>
  )
}

/** Of operations that failed midway. */
function stepOutcomes(facts: JsonObject): readonly { name: string; outcome: string }[] | null {
  const known = facts['step_outcomes']
  // Written by the service with each of these entries.
  return Array.isArray(known) ? known : null
}
