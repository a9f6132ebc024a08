// An operation of the manifest that is being written: its request as it is typed, and a local vendor's answer.
import { type ReactNode, useRef, useState } from 'react'
import type { ManifestCheck, ManifestPreview, ManifestRun } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { type JsonObject, writeJson } from '../../api/json-text.ts'
import { useAnswer, useSettled, useTask } from '../../api/use-answer.ts'
import { onSubmit, Select } from '../../parts/controls.tsx'
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
      <OfOperation key={nameOf(operation)} text={props.text} operation={operation} />
    </>
  )
}

function nameOf({ entity, action }: Named): string {
  return `${entity}.${action}`
}

const REST_MS = 300

function OfOperation(props: { readonly text: string; readonly operation: Named }): ReactNode {
  const { text, operation } = props
  /** Null: nobody has typed any; the example stands there. */
  const [typed, setTyped] = useState<JsonObject | null>(null)
  const [run, setRun] = useState<ManifestRun | null>(null)
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
  const preview = useAnswer(settled, (signal) =>
    call<ManifestPreview>('POST', '/manifests/preview', { body: asked, signal }),
  )
  const { last } = preview
  const params = typed ?? last?.params ?? null
  const start = (): Promise<void> =>
    task.run(async (signal) => {
      setRun(null)
      const body = { ...asked, params: params ?? {} }
      setRun(await call<ManifestRun>('POST', '/manifests/run', { body, signal }))
    })
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
          <Requests requests={last?.requests ?? []} />
        )}
        <div className="actions">
          <button className="primary" disabled={task.busy || params === null}>
            Run in the sandbox
          </button>
          {task.busy ? (
            <Working words="Running" stop={task.stop} />
          ) : (
            <p className="fine beside">
              A local vendor made of this text answers. Nothing leaves this machine.
            </p>
          )}
        </div>
      </form>
      <section className="result pile" aria-label="Answer" ref={answer} tabIndex={-1}>
        <ProblemNotice problem={task.problem} />
        {run === null ? null : (
          <>
            <h3>Answer</h3>
            <JsonView value={run.answer} />
          </>
        )}
      </section>
    </>
  )
}
