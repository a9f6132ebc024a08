// The last check of an account, where it met nothing that says whether the credentials are good.
import type { ReactNode } from 'react'
import { metInWords } from '../../../display/check-words.ts'
import { ERRORS, refusesCredentials } from '../../../errors.ts'
import type { Instance, LogEntry, LogPage } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'

/** What a check met that says nothing of the credentials, and its code. */
export interface Unanswered {
  readonly check: LogEntry
  readonly code: string
}

/** Null: the last one was answered, or there is no telling, as a service may keep no logs. */
export function useUnansweredCheck({ id, last_checked_at: at }: Instance): Unanswered | null {
  const query = { connector_id: id, kind: 'check', limit: '1' }
  const answer = useGet<LogPage>('/logs', query, { kept: true })
  const check = answer.kind === 'ready' ? answer.value.data[0] : undefined
  if (check?.code == null || refusesCredentials(check.code)) return null
  // The account is changed a moment after the entry is written.
  const isOlder = at !== null && Date.parse(check.at) <= Date.parse(at)
  return isOlder ? null : { check, code: check.code }
}

export function LastCheck(props: {
  readonly instance: string
  readonly of: Unanswered
}): ReactNode {
  const { check, code } = props.of
  return (
    <p className="fine">
      The last check, <Time at={check.at} />, {metInWords(check)}:{' '}
      {plainText(check.detail ?? titleOfCode(code))} <ErrorCode of={code} />
      {' · '}
      <Link to={addressOf('/logs', { instance: props.instance, entry: check.id })}>
        {check.upstream_requests === 0 ? 'In the logs' : 'What was sent, in the logs'}
      </Link>
    </p>
  )
}

function titleOfCode(code: string): string {
  const rules: Readonly<Record<string, { readonly title: string } | undefined>> = ERRORS
  return rules[code]?.title ?? code
}
