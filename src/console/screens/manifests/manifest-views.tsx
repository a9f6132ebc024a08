// What the text of a manifest gives: findings, a run against a local vendor, types, changes.
import { type FormEvent, type ReactNode, useState } from 'react'
import type { ManifestCheck, ManifestFinding, ManifestRun } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { useAnswer, useDeed } from '../../api/use-answer.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { curlLines } from '../explorer/curl-lines.ts'
import { ParamsJson } from '../explorer/params-json.tsx'
import { JsonView } from '../explorer/records.tsx'

const ERRORS_FIRST = 'Mend the errors first; they are in the list of findings.'

export function Findings(props: {
  readonly findings: readonly ManifestFinding[]
  readonly go: (finding: ManifestFinding) => void
}): ReactNode {
  if (props.findings.length === 0) return <p className="quiet">The linter finds nothing.</p>
  return (
    <ul className="findings">
      {props.findings.map((finding) => (
        <li key={`${finding.line} ${finding.column} ${finding.rule} ${finding.message}`}>
          <button type="button" className="small" onClick={() => props.go(finding)}>
            {finding.line}:{finding.column}
          </button>
          <div>
            <span className={`badge ${finding.severity === 'error' ? 'bad' : 'wait'}`}>
              {finding.severity}
            </span>{' '}
            {finding.message}
            {finding.hint === null ? null : <p className="quiet">{finding.hint}</p>}
            <p className="fine">
              <code>{finding.rule}</code>
              {finding.path === '' ? null : <> · {finding.path}</>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

export function Run(props: {
  readonly text: string
  readonly connector: ManifestCheck['connector']
}): ReactNode {
  const { connector } = props
  const [chosen, setChosen] = useState(0)
  const [params, setParams] = useState<JsonObject>({})
  const [run, setRun] = useState<ManifestRun | null>(null)
  const deed = useDeed()
  if (connector === null) return <p className="quiet">{ERRORS_FIRST}</p>
  const operation = connector.operations[chosen] ?? connector.operations[0]
  if (operation === undefined) return <p className="quiet">There is no operation yet.</p>
  const start = (event: FormEvent): void => {
    event.preventDefault()
    void deed.run(async () => {
      setRun(null)
      const body = { text: props.text, ...operation, params }
      setRun(await call<ManifestRun>('POST', '/manifests/run', { body }))
    })
  }
  return (
    <>
      <form className="stack" onSubmit={start}>
        <p className="quiet">
          Against a local vendor that is made of this text. Nothing leaves this machine.
        </p>
        <label>
          Operation
          <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {connector.operations.map(({ entity, action }, index) => (
              <option key={`${entity}.${action}`} value={index}>
                {entity}.{action}
              </option>
            ))}
          </select>
        </label>
        <h3>Parameters</h3>
        <ParamsJson value={params} change={setParams} />
        <div className="actions">
          <button className="primary" disabled={deed.busy}>
            {deed.busy ? 'Running …' : 'Run'}
          </button>
        </div>
      </form>
      <ProblemNotice problem={deed.problem} />
      {run === null ? null : (
        <>
          <h3>Request</h3>
          {run.requests.map(({ curl, after }) => (
            <div key={curl}>
              {after === null ? null : <p className="fine">{after}</p>}
              <CodeBlock text={curlLines(curl)} label="curl" />
            </div>
          ))}
          <h3>Answer</h3>
          <JsonView value={run.answer} />
        </>
      )}
    </>
  )
}

export function Types(props: { readonly text: string; readonly sound: boolean }): ReactNode {
  return props.sound ? <SoundTypes text={props.text} /> : <p className="quiet">{ERRORS_FIRST}</p>
}

function SoundTypes(props: { readonly text: string }): ReactNode {
  const types = useAnswer(props.text, (signal) =>
    call<{ readonly types: string }>('POST', '/manifests/types', {
      body: { text: props.text },
      signal,
    }),
  )
  return (
    <Loaded of={types}>{(value) => <CodeBlock text={value.types} label="TypeScript" />}</Loaded>
  )
}

const TONES = { breaking: 'bad', additive: 'good', cosmetic: 'off' } as const

export function Changes(props: { readonly of: ManifestCheck }): ReactNode {
  const { changes, connector } = props.of
  if (connector === null) return <p className="quiet">{ERRORS_FIRST}</p>
  if (changes === null)
    return <p className="quiet">The service serves no connector of this type to compare with.</p>
  if (changes.changes.length === 0)
    return <p className="quiet">Nothing differs from the served version.</p>
  return (
    <>
      <p>
        {changes.refused
          ? `${changes.from} → ${changes.to} does not say that something breaks; it needs a major step.`
          : `${changes.from} → ${changes.to}; the changes ask for ${changes.needed === 'none' ? 'no step' : `a ${changes.needed} step`}.`}
      </p>
      <ul className="findings">
        {changes.changes.map((each) => (
          <li key={`${each.path} ${each.change}`}>
            <span className={`badge ${TONES[each.class]}`}>{each.class}</span>
            <div>
              <code>{each.path}</code> {each.change}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
