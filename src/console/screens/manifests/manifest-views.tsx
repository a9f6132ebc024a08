// What the text of a manifest gives: findings and types.
import type { ReactNode } from 'react'
import type { ManifestFinding } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Button } from '../../parts/controls.tsx'
import { CodeView } from '../../parts/code-view.tsx'
import { Loaded } from '../../parts/answer.tsx'

export const ERRORS_FIRST = (
  <p className="quiet">Correct the errors first; they are in the list of findings.</p>
)

export function Findings(props: {
  readonly findings: readonly ManifestFinding[]
  /** Errors kept some checks from looking. */
  readonly isPart: boolean
  readonly go: (finding: ManifestFinding) => void
}): ReactNode {
  if (props.findings.length === 0) return <p className="quiet">The linter finds nothing.</p>
  return (
    <>
      {props.isPart ? <p className="fine">More is checked once these are mended.</p> : null}
      <ul className="findings">
        {props.findings.map((finding) => (
          <li key={`${finding.line} ${finding.column} ${finding.rule} ${finding.message}`}>
            <Button className="small" onClick={() => props.go(finding)}>
              {finding.line}:{finding.column}
            </Button>
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
    </>
  )
}

export function Types({ text }: { readonly text: string }): ReactNode {
  const types = useAnswer(text, (signal) =>
    call<{ readonly types: string }>('POST', '/manifests/types', { body: { text }, signal }),
  )
  return <Loaded of={types}>{(value) => <CodeView text={value.types} label="TypeScript" />}</Loaded>
}
