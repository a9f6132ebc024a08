// One operation: its parameters, running it, and what came back.
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type {
  ActionDescription,
  Described,
  EntityDescription,
  Instance,
} from '../../api/answers.ts'
import { isObject } from '../../api/json-text.ts'
import type { Files } from '../../api/send-form.ts'
import { FilesContext, SuggestContext } from '../../form/around.ts'
import { fieldProblems, firstValue, propertiesOf, shownPointers } from '../../form/schema-node.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { hasSecret } from '../../form/secrets.ts'
import { kindOf } from '../../../language/manifest/actions.ts'
import { COMMAND_KEY } from '../../parts/command-key.ts'
import { Button, onSubmit, Tick, TurnPages, useSubmitKey } from '../../parts/controls.tsx'
import { addressOf, Link } from '../../place.tsx'
import { readHash, useHash } from '../../parts/in-address.ts'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { ProblemNotice, Working } from '../../parts/answer.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { CopyButton } from '../../parts/values.tsx'
import type { CalledOperation } from './call-code.ts'
import { CallCode } from './call-code-view.tsx'
import { keepCall } from './calls.ts'
import { CallsView } from './calls-view.tsx'
import { DeleteQuestion } from './delete-question.tsx'
import { ExampleButton } from './example-button.tsx'
import { FileProgress, SavedFileNotice } from './saved-file.tsx'
import { NotRead } from '../../parts/not-there.tsx'
import { ParamsJson } from './params-json.tsx'
import { PreviewView } from './preview-view.tsx'
import { useRecordNames } from '../../parts/record-names.ts'
import { RecordTable } from './records.tsx'
import { keepTyped, useKept } from '../../parts/typed.ts'
import { useOwner, useRefusals } from '../../session.ts'
import { useSuggestions } from './suggestions.ts'
import { type PageShown, useRun } from './use-run.ts'

const NONE_SHOWN: ReadonlySet<string> = new Set()

export function Operation(props: {
  readonly instance: Instance
  readonly described: Described
  readonly entity: EntityDescription
  readonly action: ActionDescription
}): ReactNode {
  const { instance, described, entity, action } = props
  const owner = useOwner()
  const kept = `${instance.id} ${entity.entity}.${action.action}`
  useMemo(() => {
    // What the address says comes first.
    const given = readHash('params')
    if (isObject(given)) keepTyped(kept, given)
  }, [kept])
  const [params, setParams] = useKept(kept, () => firstValue(action.params))
  const isSecret = hasSecret(params, action.params, action.params)
  useHash('params', isSecret || Object.keys(params).length === 0 ? null : params, (given) => {
    if (isObject(given)) setParams(given)
  })
  const [files, setFiles] = useState<Files>({})
  const choosing = useMemo(
    () => ({
      choose: (param: string, file: File | null) =>
        setFiles((before) =>
          Object.fromEntries(
            Object.entries({ ...before, [param]: file }).flatMap(([name, each]) =>
              each === null ? [] : [[name, each]],
            ),
          ),
        ),
    }),
    [],
  )
  const suggest = useSuggestions(
    instance,
    described.entities,
    described.named_records[`${entity.entity}.${action.action}`],
  )
  const [asJson, setAsJson] = useState(false)
  const [tab, setTab] = useState('table')
  const [isDeleting, setDeleting] = useState(false)
  const run = useRun({ instance, entity: entity.entity, action, kept }, () => {
    if (tab !== 'table' && tab !== 'json') setTab('table')
  })
  const { busy, problem, stop, clear, shown, at, file } = run
  const schemas = useMemo(() => [action.result, entity.record], [action, entity])
  const names = useRecordNames({
    instance: instance.id,
    entities: described.entities,
    schemas,
    value: shown?.envelope.data ?? null,
  })
  const refusal = useRefusals()('operations')
  const form = useRef<HTMLFormElement>(null)
  const result = useRef<HTMLElement>(null)
  useSubmitKey(form)
  const called = { instance: instance.id, entity: entity.entity, action: action.action, params }
  const operation: CalledOperation = {
    ...called,
    origin: window.location.origin,
    connectorId: instance.id,
    connectorType: instance.connector_type,
    paged: action.paged,
  }
  const start = (): void => {
    setDeleting(false)
    void run.start(params, files)
  }
  const submit = (): void => {
    // The keys send the form as well.
    if (refusal !== null) return
    if (kindOf(action.action)?.effect !== 'removes') start()
    else if (!busy) setDeleting(true)
  }
  useEnded(busy, () => {
    if (at === 0 && !isSecret) {
      const took = shown === undefined ? '' : ` · ${shown.envelope.execution.took_ms} ms`
      const words = problem === null ? `done${took}` : problem.body.code
      keepCall('runs', owner, { ...called, words, at: new Date().toISOString() })
    }
    // The focus stays on the button that turns pages.
    if (at === 0 || problem !== null) leadTo(form.current, result.current)
  })
  const nothingYet = (
    <p className="quiet">
      {busy
        ? 'Running …'
        : problem === null
          ? 'Run the operation to see what comes back.'
          : 'It failed: there are no records to show.'}
    </p>
  )
  return (
    <div className="operation stack">
      <header>
        <h2>
          <code>
            {entity.entity}.{action.action}
          </code>{' '}
          {action.safe ? null : <span className="badge wait">changes data</span>}
          {action.deprecated === false ? null : <span className="badge bad">deprecated</span>}
        </h2>
        {action.summary === null ? null : <p>{action.summary}</p>}
        {action.description === null ? null : <p className="quiet">{action.description}</p>}
        {typeof action.deprecated === 'string' ? <p>{action.deprecated}</p> : null}
      </header>
      <NotRead name="params" what="parameters" shown="the form has what was there before" />
      <form ref={form} onSubmit={onSubmit(submit)} className="box params">
        <div className="params-head">
          <h3 className="grow">Parameters</h3>
          <ExampleButton
            instance={instance}
            described={described}
            operation={`${entity.entity}.${action.action}`}
            schema={action.params}
            value={params}
            change={setParams}
          />
          <Tick words="as JSON" checked={asJson} change={setAsJson} />
        </div>
        {asJson ? (
          <ParamsJson value={params} change={setParams} />
        ) : propertiesOf(action.params).length === 0 ? (
          <p className="quiet">It takes none.</p>
        ) : (
          <FilesContext value={choosing}>
            <SuggestContext value={refusal === null ? suggest : NO_SUGGESTIONS}>
              <SchemaForm
                schema={action.params}
                value={params}
                change={setParams}
                pointer="/params"
                problems={fieldProblems(problem)}
              />
            </SuggestContext>
          </FilesContext>
        )}
        <div className="actions sticky">
          <Button type="submit" className="primary" needs="operations" disabled={busy}>
            {action.safe ? 'Run' : 'Run and change data'}
          </Button>
          {busy ? (
            <>
              <Working words="Running" stop={stop} />
              {run.progress === null ? null : <FileProgress of={run.progress} />}
            </>
          ) : (
            <>
              <Button
                onClick={() => {
                  clear()
                  setParams(firstValue(action.params))
                }}
              >
                Clear
              </Button>
              <span className={refusal === null ? 'fine of-keys' : 'fine'}>
                {refusal ?? `${COMMAND_KEY} + Enter runs it`}
              </span>
            </>
          )}
        </div>
      </form>
      <section aria-label="Result" className="result pile" ref={result} tabIndex={-1}>
        <ProblemNotice
          problem={problem}
          shown={asJson ? NONE_SHOWN : shownPointers(problem, '/params', action.params)}
        />
        {problem === null || problem.body.request_id === '' ? null : (
          <p className="fine">
            <Link to={inLogs(problem.body.request_id)}>This call in the logs</Link>
          </p>
        )}
        {problem !== null && run.isUnkeyed ? (
          <div className="notice">
            <p>
              This upload had no Idempotency-Key: its files are larger than 64 MiB together, or this
              page is read over http. Where no answer came, look at the third party before you run
              it again: it would be made twice.
            </p>
          </div>
        ) : null}
        {run.hasNoAnswer(params) ? (
          <div className="notice">
            <p>
              <strong>No answer to this change has come.</strong> It may have been made. Run it
              again with the same parameters to get its answer: it is not made twice.
            </p>
          </div>
        ) : null}
        {shown === undefined ? null : (
          <Summary page={shown} at={at} busy={busy} back={run.back} next={run.next} />
        )}
        <Tabs
          label="Result"
          chosen={tab}
          choose={setTab}
          tabs={{
            table: [
              file === null ? 'Table' : 'File',
              () =>
                file !== null ? (
                  <SavedFileNotice file={file} />
                ) : shown === undefined ? (
                  nothingYet
                ) : (
                  <RecordTable
                    data={shown.envelope.data}
                    paged={action.paged}
                    schema={entity.record}
                    name={entity.entity}
                    names={names}
                  />
                ),
            ],
            json: [
              'JSON',
              () =>
                shown === undefined ? (
                  nothingYet
                ) : (
                  <JsonView value={shown.envelope.data} schemas={schemas} names={names} />
                ),
            ],
            request: ['Request', () => <PreviewView instance={instance} operation={operation} />],
            code: ['Code', () => <CallCode operation={operation} />],
            history: [
              'History',
              () => <CallsView instance={instance.id} present={isSecret ? null : called} />,
            ],
          }}
        />
      </section>
      {isDeleting ? (
        <DeleteQuestion
          instance={instance}
          operation={operation}
          schema={action.params}
          close={() => setDeleting(false)}
          confirm={start}
        />
      ) : null}
    </div>
  )
}

function Summary(props: {
  readonly page: PageShown
  readonly at: number
  readonly busy: boolean
  readonly back: (() => void) | null
  readonly next: (() => void) | null
}): ReactNode {
  const { data, execution, meta } = props.page.envelope
  const requests = execution.upstream_requests
  const isPaged = props.back !== null || props.next !== null
  const total = Array.isArray(data) ? `${data.length} records · ` : ''
  return (
    <div className="line summary">
      <p role="status">
        {isPaged ? `Page ${props.at + 1} · ` : ''}
        {total}
        {execution.took_ms} ms · {requests} upstream {requests === 1 ? 'request' : 'requests'}
        {typeof meta['filtered_out'] === 'number' && meta['filtered_out'] > 0
          ? ` · ${meta['filtered_out']} filtered out`
          : ''}
        {props.page.replayed ? ' · answered before, not sent again' : ''}
      </p>
      <p className="fine whole-id grow">
        request <Link to={inLogs(execution.request_id)}>{execution.request_id}</Link>{' '}
        <CopyButton text={execution.request_id} label="Copy the request id" />
      </p>
      <TurnPages busy={props.busy} back={props.back} next={props.next} />
      {execution.warnings === undefined ? null : (
        <ul>
          {execution.warnings.map((warning) => (
            <li key={warning.pointer}>
              <code>{warning.pointer}</code> {warning.detail}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function inLogs(requestId: string): string {
  return addressOf('/logs', { request_id: requestId })
}

const NO_SUGGESTIONS = (): null => null
