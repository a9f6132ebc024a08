// What came of an entry: what the caller was answered, or who said what went wrong, and the code of a failure as a link to what it means.
import type { ReactNode } from 'react'
import { afterWords, failureInWords } from '../../../display/answered.ts'
import type { LogEntry } from '../../api/answers.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { Marked } from '../../parts/marked.tsx'

export function ResultBadge(props: {
  readonly of: LogEntry
  /** Those that are looked for. */
  readonly words?: readonly string[]
  /** A click means the entry, which has the code as a link. */
  readonly inList?: boolean
}): ReactNode {
  const { code, first_code: first, status } = props.of
  const shown = (of: string): ReactNode =>
    props.inList === true ? (
      <code>
        <Marked words={props.words ?? []} text={of} />
      </code>
    ) : (
      <ErrorCode of={of} marked={props.words} />
    )
  // What nobody has called is answered to nobody.
  if (code === null) return <span className="badge good">{status ?? 'ok'}</span>
  return (
    <>
      <span className="badge bad">{failureInWords(props.of)}</span>{' '}
      <span className="log-codes">
        {shown(code)}
        {first === null || first === code ? null : (
          <span className="fine">
            , {afterWords(code)} {shown(first)}
          </span>
        )}
      </span>
    </>
  )
}
