// What came of an entry: what the caller was answered, and the code of a failure as a link to what it means.
import type { ReactNode } from 'react'
import type { LogEntry } from '../../api/answers.ts'
import { ErrorCode } from '../../parts/error-code.tsx'

export function ResultBadge(props: {
  readonly of: LogEntry
  /** Those that are looked for. */
  readonly words?: readonly string[]
}): ReactNode {
  const { code, first_code: first, status } = props.of
  // What nobody has called is answered to nobody.
  if (code === null) return <span className="badge good">{status ?? 'ok'}</span>
  return (
    <>
      <span className="badge bad">{status ?? 'failed'}</span>{' '}
      <ErrorCode of={code} marked={props.words} />
      {first === null || first === code ? null : (
        <span className="fine">
          {' '}
          since <ErrorCode of={first} marked={props.words} />
        </span>
      )}
    </>
  )
}
