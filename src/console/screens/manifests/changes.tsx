// What the text changes against the version that is served: what it means for callers, and line by line.
import type { ReactNode } from 'react'
import { CHANGE_WORDS } from '../../../display/change-classes.ts'
import type { All, ConnectorSummary, ManifestCheck } from '../../api/answers.ts'
import { Fetched } from '../../parts/answer.tsx'
import { diffLines, type DiffPart } from '../../../tools/authoring/diff-lines.ts'

const TONES = { breaking: 'bad', additive: 'good', cosmetic: 'off' } as const

/**
 * `type`: of the text as it is now. `begun`: the served type that the text began with, null for a draft: a draft is
 * compared with what is served under its name, if anything is.
 */
export function Changes(props: {
  readonly of: ManifestCheck
  readonly type: string
  readonly begun: { readonly type: string; readonly text: string } | null
  readonly text: string
}): ReactNode {
  const { type, begun, text } = props
  if (begun?.type === type) return <Compared of={props.of} served={begun.text} text={text} />
  return (
    <Fetched<All<ConnectorSummary>> path="/connectors">
      {({ data }) =>
        data.some(({ connector_type: served }) => served === type) ? (
          <Fetched<{ readonly text: string }> path={`/manifests/${encodeURIComponent(type)}`}>
            {({ text: served }) => <Compared of={props.of} served={served} text={text} />}
          </Fetched>
        ) : (
          <>
            <p className="quiet">{type} is not served yet: there is no version to compare with.</p>
            {begun === null ? null : (
              <>
                <h3>Lines that differ from {begun.type}, where this text began</h3>
                <Lines parts={diffLines(begun.text, text)} />
              </>
            )}
          </>
        )
      }
    </Fetched>
  )
}

function Compared(props: {
  readonly of: ManifestCheck
  readonly served: string
  readonly text: string
}): ReactNode {
  const parts = diffLines(props.served, props.text)
  if (parts.length === 0) return <p className="quiet">Nothing differs from the served version.</p>
  return (
    <>
      <OfCheck of={props.of} />
      <h3>Lines</h3>
      <Lines parts={parts} />
    </>
  )
}

function OfCheck(props: { readonly of: ManifestCheck }): ReactNode {
  const { changes, connector } = props.of
  if (connector === null)
    return (
      <p className="quiet">What they mean for callers is shown once the errors are corrected.</p>
    )
  if (changes === null)
    return <p className="quiet">The service serves no connector of this type to compare with.</p>
  return <Meaning changes={changes} />
}

/** What callers notice, and which step of the version that asks for. */
export function Meaning(props: {
  readonly changes: NonNullable<ManifestCheck['changes']>
}): ReactNode {
  const { changes } = props
  if (changes.changes.length === 0) return <p className="quiet">Nothing differs for callers.</p>
  return (
    <>
      <p>
        {changes.refused
          ? `${changes.from} → ${changes.to} does not say that something breaks; it needs a major step.`
          : `${changes.made === 'backwards' ? 'Back: ' : ''}${changes.from} → ${changes.to}; the changes ask for ${changes.needed === 'none' ? 'no step' : `a ${changes.needed} step`}.`}
      </p>
      <ul className="findings">
        {changes.changes.map((each) => (
          <li key={`${each.path} ${each.change}`}>
            <span className={`badge ${TONES[each.class]}`}>{CHANGE_WORDS[each.class]}</span>
            <div>
              <code>{each.path}</code> {each.change}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const

function Lines({ parts }: { readonly parts: readonly DiffPart[] }): ReactNode {
  return (
    <div className="box diff mono" tabIndex={0} role="region" aria-label="Changed lines">
      {parts.map((part) => (
        <div key={part.from}>
          <p className="fine">from line {part.from}</p>
          {part.lines.map(({ kind, text }, index) => (
            <div key={index} className={kind}>
              <span className="unseen">{WORDS[kind]}</span>
              <span aria-hidden="true">{SIGNS[kind]} </span>
              {text}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
