// One operation: its parameters, running it, and what came back.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ActionDescription, EntityDescription, Envelope, Instance } from '../../api/answers.ts'
import { call, send } from '../../api/call.ts'
import { isObject, type JsonObject, mergePatch, writeJson } from '../../api/json-text.ts'
import { useTask } from '../../api/use-answer.ts'
import { type OpenWrites, writeOnce } from '../../api/write-once.ts'
import { fieldProblems, shownPointers } from '../../form/field-problems.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { propertiesOf, firstValue } from '../../form/schema-node.ts'
import { gives, kindOf } from '../../../language/manifest/actions.ts'
import { Button, TurnPages } from '../../parts/button.tsx'
import { Tick } from '../../parts/inputs.tsx'
import { leadTo, useEnded } from '../../parts/lead-to.ts'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { onSubmit, submitByKey } from '../../parts/submit.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { Working } from '../../parts/working.tsx'
import type { CalledOperation } from './call-code.ts'
import { CallCode } from './call-code-view.tsx'
import { DeleteQuestion } from './delete-question.tsx'
import { readFile, type SavedFile, SavedFileNotice } from './saved-file.tsx'
import { ParamsJson } from './params-json.tsx'
import { PreviewView } from './preview-view.tsx'
import { JsonView, RecordTable } from './records.tsx'
import { dropTyped, keepTyped, readTyped } from '../../parts/typed.ts'

const NONE_SHOWN: ReadonlySet<string> = new Set()

interface PageShown {
  readonly params: JsonObject
  readonly envelope: Envelope
  /** It is the answer to an earlier run of the same write. */
  readonly replayed: boolean
}

type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly file: SavedFile }
  | { readonly kind: 'pages'; readonly pages: readonly PageShown[]; readonly at: number }

export function Operation(props: {
  readonly instance: Instance
  readonly entity: EntityDescription
  readonly action: ActionDescription
}): ReactNode {
  const { instance, entity, action } = props
  const kept = `${instance.id} ${entity.entity}.${action.action}`
  const [params, setParams] = useState<JsonObject>(() => {
    const typed = readTyped(kept)
    return isObject(typed) ? typed : firstValue(action.params)
  })
  useEffect(() => keepTyped(kept, params), [kept, params])
  const [asJson, setAsJson] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' })
  const [tab, setTab] = useState('table')
  const [isDeleting, setDeleting] = useState(false)
  const { busy, problem, run, stop, clear } = useTask()
  const form = useRef<HTMLFormElement>(null)
  const result = useRef<HTMLElement>(null)
  const operation: CalledOperation = {
    origin: window.location.origin,
    connectorId: instance.id,
    connectorType: instance.connector_type,
    entity: entity.entity,
    action: action.action,
    params,
    paged: action.paged,
  }

  const bodyOf = (asked: JsonObject): JsonObject => {
    return { entity: entity.entity, action: action.action, params: asked }
  }
  const openWrites = openWritesOf(kept)
  /** Asks for the page behind those that are known. */
  const ask = async (
    asked: JsonObject,
    signal: AbortSignal,
    before: readonly PageShown[],
  ): Promise<void> => {
    const keep = (page: Omit<PageShown, 'params'>): void =>
      setOutcome({
        kind: 'pages',
        pages: [...before, { params: asked, ...page }],
        at: before.length,
      })
    const path = `/connectors/sources/${instance.id}/execute`
    const body = bodyOf(asked)
    if (gives(action.action, 'stream')) {
      const file = await readFile(await send('POST', path, { body, signal }))
      setOutcome({ kind: 'file', file })
    } else if (action.safe) {
      const envelope = await call<Envelope>('POST', path, { body, signal })
      keep({ envelope, replayed: false })
    } else {
      const answer = await writeOnce<Envelope>(path, body, openWrites, signal)
      keep({ envelope: answer.value, replayed: answer.replayed })
    }
    if (tab !== 'table' && tab !== 'json') setTab('table')
  }
  const start = (): void => {
    setDeleting(false)
    void run(async (signal) => {
      // What other parameters brought is no answer to these.
      setOutcome({ kind: 'none' })
      await ask(params, signal, [])
    })
  }
  const submit = (): void => {
    if (kindOf(action.action)?.effect !== 'removes') start()
    else if (!busy) setDeleting(true)
  }
  const at = outcome.kind === 'pages' ? outcome.at : 0
  useEnded(busy, () => {
    // The focus stays on the button that turns pages.
    if (at === 0 || problem !== null) leadTo(form.current, result.current)
  })
  const next = (): void => {
    if (outcome.kind !== 'pages') return
    const { pages } = outcome
    if (pages[at + 1] !== undefined) {
      setOutcome({ ...outcome, at: at + 1 })
      return
    }
    const page = pages[at]
    const patch = page?.envelope.meta['next']
    if (page === undefined || patch == null) return
    const asked = mergePatch(page.params, patch)
    if (isObject(asked)) void run((signal) => ask(asked, signal, pages))
  }
  const shown = outcome.kind === 'pages' ? outcome.pages[at] : undefined
  const nothingYet = (
    <p className="quiet">
      {busy
        ? 'Running …'
        : problem === null
          ? 'Run the operation to see what comes back.'
          : 'It failed; nothing came back.'}
    </p>
  )
  const hasNoAnswer = !busy && openWrites.read()?.body === writeJson(bodyOf(params))
  return (
    <div className="operation">
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
      <form ref={form} onSubmit={onSubmit(submit)} onKeyDown={submitByKey} className="params">
        <div className="params-head">
          <h3>Parameters</h3>
          <Tick words="as JSON" checked={asJson} change={setAsJson} />
        </div>
        {asJson ? (
          <ParamsJson value={params} change={setParams} />
        ) : propertiesOf(action.params).length === 0 ? (
          <p className="quiet">It takes none.</p>
        ) : (
          <SchemaForm
            schema={action.params}
            value={params}
            change={setParams}
            pointer="/params"
            problems={fieldProblems(problem)}
          />
        )}
        <div className="actions sticky">
          <button className="primary" disabled={busy}>
            {action.safe ? 'Run' : 'Run and change data'}
          </button>
          {busy ? (
            <Working words="Running" stop={stop} />
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
              <span className="fine">Ctrl + Enter runs it</span>
            </>
          )}
        </div>
      </form>
      <section aria-label="Result" className="result" ref={result} tabIndex={-1}>
        <ProblemNotice
          problem={problem}
          shown={asJson ? NONE_SHOWN : shownPointers(problem, '/params', action.params)}
        />
        {hasNoAnswer ? (
          <div className="notice">
            <p>
              <strong>No answer to this change has come.</strong> It may have been made. Run it
              again with the same parameters to get its answer: it is not made twice.
            </p>
          </div>
        ) : null}
        {shown === undefined ? null : (
          <Summary
            page={shown}
            at={at}
            busy={busy}
            back={
              outcome.kind === 'pages' && at > 0
                ? () => setOutcome({ ...outcome, at: at - 1 })
                : null
            }
            next={shown.envelope.meta['has_more'] === true ? next : null}
          />
        )}
        <Tabs
          label="Result"
          chosen={tab}
          choose={setTab}
          tabs={[
            {
              id: 'table',
              title: outcome.kind === 'file' ? 'File' : 'Table',
              content: () =>
                outcome.kind === 'file' ? (
                  <SavedFileNotice file={outcome.file} />
                ) : shown === undefined ? (
                  nothingYet
                ) : (
                  <RecordTable data={shown.envelope.data} paged={action.paged} />
                ),
            },
            {
              id: 'json',
              title: 'JSON',
              content: () =>
                shown === undefined ? nothingYet : <JsonView value={shown.envelope.data} />,
            },
            {
              id: 'request',
              title: 'Request',
              content: () => <PreviewView instance={instance} operation={operation} />,
            },
            { id: 'code', title: 'Code', content: () => <CallCode operation={operation} /> },
          ]}
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

/** Kept in this tab, with what was typed: a reload does not lose the key of a write whose answer has not come. */
function openWritesOf(kept: string): OpenWrites {
  const name = `${kept} open`
  return {
    read() {
      const open = readTyped(name)
      if (!isObject(open)) return null
      const { key, body } = open
      return typeof key === 'string' && typeof body === 'string' ? { key, body } : null
    },
    keep: (open) => (open === null ? dropTyped(name) : keepTyped(name, { ...open })),
  }
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
    <div className="summary">
      <p role="status">
        {isPaged ? `Page ${props.at + 1} · ` : ''}
        {total}
        {execution.took_ms} ms · {requests} upstream {requests === 1 ? 'request' : 'requests'}
        {typeof meta['filtered_out'] === 'number' && meta['filtered_out'] > 0
          ? ` · ${meta['filtered_out']} filtered out`
          : ''}
        {props.page.replayed ? ' · answered before, not sent again' : ''}{' '}
        <span className="fine">request {execution.request_id}</span>
      </p>
      {isPaged ? <TurnPages busy={props.busy} back={props.back} next={props.next} /> : null}
      {execution.warnings === undefined ? null : (
        <ul className="warnings">
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
