// The accounts whose calls failed in the period, of the latest entries: to each operation those it failed for.
import { Fragment, type ReactNode } from 'react'
import type { LogEntry, LogPage } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { AccountName } from '../../parts/account-name.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { addressOf, Link } from '../../place.tsx'
import { usePeriod } from './period.tsx'

/** Named with an operation. */
const SHOWN = 3
/** The page of entries that is looked at. */
const LOOKED_AT = 200

type Operation = Pick<LogEntry, 'kind' | 'connector_type' | 'entity' | 'action'>

/** `failures`: how often the operation failed in the period, which may be more than the entries that are looked at. */
export function OfAccounts(props: {
  readonly of: Operation
  readonly failures: number
}): ReactNode {
  const { of: operation, failures } = props
  const { from, minutes } = usePeriod()
  const query = { status: 'failed', kind: operation.kind, from, limit: String(LOOKED_AT) }
  const answer = useGet<LogPage>('/logs', query, { kept: true })
  const page = answer.kind === 'ready' ? answer.value : answer.last
  const entries = (page?.data ?? []).filter((entry) => isOf(operation, entry))
  const accounts = [...Map.groupBy(entries, ({ connector_id: id }) => id)]
    .flatMap(([id, those]) => (id === null ? [] : [{ id, those }]))
    .toSorted((a, b) => b.those.length - a.those.length)
  if (accounts.length === 0) return null
  const more = accounts.length - SHOWN
  return (
    <p className="fine">
      {entries.length < failures ? `Of the latest ${entries.length}: ` : ''}
      {accounts.slice(0, SHOWN).map(({ id, those }, index) => (
        <Fragment key={id}>
          {index === 0 ? '' : ', '}
          <Link
            to={addressOf('/logs', {
              instance: id,
              status: 'failed',
              kind: operation.kind,
              entity: operation.entity ?? '',
              action: operation.action ?? '',
              minutes,
            })}
          >
            <AccountName id={id} otherwise={plainText(those[0]?.external_user_id ?? id)} />
          </Link>
          {accounts.length === 1 ? '' : ` ${those.length.toLocaleString('en')}`}
        </Fragment>
      ))}
      {more <= 0 ? '' : more === 1 ? ' and 1 more account' : ` and ${more} more accounts`}
    </p>
  )
}

function isOf(operation: Operation, entry: LogEntry): boolean {
  return (['kind', 'connector_type', 'entity', 'action'] as const).every(
    (name) => operation[name] === entry[name],
  )
}
