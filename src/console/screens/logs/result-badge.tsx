// What came of an entry: a status, and the code of a failure as a link to what it means.
import type { ReactNode } from 'react'
import type { LogEntry } from '../../api/answers.ts'
import { ErrorCode } from '../../parts/error-code.tsx'

export function ResultBadge({ of: entry }: { readonly of: LogEntry }): ReactNode {
  const { code, status, upstream_status: upstream } = entry
  // What succeeded without an answer to a caller is one word.
  if (code === null) return <span className="badge good">{status ?? 'ok'}</span>
  return (
    <span className="badge bad result-badge">
      {status ?? upstream} <ErrorCode of={code} />
    </span>
  )
}
