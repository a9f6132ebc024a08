// One entry of the logs: what came of it, its requests as a waterfall, and what was said where that is kept.
import type { ReactNode } from 'react'
import type { LogDetail } from '../../api/answers.ts'
import { type JsonObject, writeJson } from '../../api/json-text.ts'
import { useGet } from '../../api/use-answer.ts'
import { AccountName } from '../../parts/account-name.tsx'
import { Loaded, OutcomeNote } from '../../parts/answer.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { keepTyped } from '../../parts/typed.ts'
import { Facts, Id, Time } from '../../parts/values.tsx'
import { whoActs } from '../../parts/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'
import { durationOf, FACT_WORDS, factWords, KINDS, subjectOf } from './log-words.ts'
import { ResultBadge } from './result-badge.tsx'

export function LogSheet(props: { readonly id: string; readonly close: () => void }): ReactNode {
  const entry = useGet<LogDetail>(`/logs/${encodeURIComponent(props.id)}`)
  const title = entry.kind === 'ready' ? subjectOf(entry.value) : 'Log entry'
  return (
    <Dialog title={title} close={props.close} sheet>
      <div className="log-entry">
        <Loaded of={entry}>{(value) => <Entry entry={value} />}</Loaded>
      </div>
    </Dialog>
  )
}

function Entry({ entry }: { readonly entry: LogDetail }): ReactNode {
  const { connector_id: instance, detail, outcome, facts } = entry
  const { upstream_request_id: upstreamId } = facts
  return (
    <>
      <p>
        <ResultBadge of={entry} /> {detail && plainText(detail)}
      </p>
      <OutcomeNote outcome={outcome} steps={stepOutcomes(facts)} />
      <Facts
        of={[
          ['Who acts', entry.code && whoActs(entry.code)],
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
          ['Asked by', entry.client_id],
          ['Ended', <Time at={entry.at} />],
          ['Duration', durationOf(entry.took_ms)],
          ['Third party answered', entry.upstream_status],
          [
            'Its request id',
            typeof upstreamId !== 'string' ? null : (
              <Id of={upstreamId} label="Copy the request id of the third party" />
            ),
          ],
          ...Object.entries(facts)
            .filter(([name]) => !isLeftOut(name, entry))
            .map(
              ([name, value]) =>
                [FACT_WORDS[name] ?? name.replaceAll('_', ' '), factWords(name, value)] as const,
            ),
        ]}
      />
      <Waterfall entry={entry} />
      <Said entry={entry} />
      <ToExplorer entry={entry} />
    </>
  )
}

/** What is shown elsewhere, and when a sync would be tried that waits for its user. */
function isLeftOut(name: string, { code }: LogDetail): boolean {
  if (name === 'tried_again_in_s') return code === 'credentials_refused'
  return name === 'step_outcomes' || name === 'upstream_request_id'
}

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

function Said({ entry: { said } }: { readonly entry: LogDetail }): ReactNode {
  if (said === null) return null
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

function ToExplorer({ entry }: { readonly entry: LogDetail }): ReactNode {
  const { connector_id: instance, entity, action, said } = entry
  const isOperation = entry.kind === 'operation' || entry.kind === 'mcp_call'
  if (!isOperation || instance === null || entity === null || action === null) return null
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
