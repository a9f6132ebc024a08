// The latest operations of the period that failed, by account: whose they are, what failed most, and with what.
import type { ReactNode } from 'react'
import type { LogEntry, LogPage } from '../../api/answers.ts'
import { useGet } from '../../api/use-answer.ts'
import { AccountName } from '../../parts/account-name.tsx'
import { Card } from '../../parts/card.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import { subjectOf } from '../logs/log-words.ts'
import { usePeriod } from './period.tsx'

const SHOWN = 5
/** What is counted, and what every number leads to. Failures of syncs are told as copies that fail. */
const FAILED = { kind: 'operation', status: 'failed' } as const
/** The page of entries that is looked at. */
const LOOKED_AT = 200

export function ByAccount(): ReactNode {
  const { from, minutes } = usePeriod()
  const query = { ...FAILED, from, limit: String(LOOKED_AT) }
  const answer = useGet<LogPage>('/logs', query, { kept: true })
  const page = answer.kind === 'ready' ? answer.value : answer.last
  if (page === null) return null
  const { data } = page
  const accounts = [...Map.groupBy(data, ({ connector_id: id }) => id)].flatMap(([id, those]) =>
    id === null ? [] : [{ id, those }],
  )
  if (accounts.length === 0) return null
  const ranked = accounts.toSorted((a, b) => b.those.length - a.those.length)
  const more = ranked.length - SHOWN
  return (
    <Card title="Failed operations by account">
      <ol className="home-list ranked">
        {ranked.slice(0, SHOWN).map(({ id, those }) => (
          <Account key={id} id={id} entries={those} isWhole={data.length < LOOKED_AT} />
        ))}
      </ol>
      <p className="quiet">
        {more <= 0 ? '' : more === 1 ? '1 more account. ' : `${more} more accounts. `}
        {data.length < LOOKED_AT ? '' : `Of the latest ${LOOKED_AT} that failed. `}
        <Link to={addressOf('/logs', { ...FAILED, minutes })}>All that failed</Link>
      </p>
    </Card>
  )
}

function Account(props: {
  readonly id: string
  readonly entries: readonly LogEntry[]
  /** Whether these are all of the period. */
  readonly isWhole: boolean
}): ReactNode {
  const { id, entries, isWhole } = props
  const { minutes } = usePeriod()
  const to = addressOf('/logs', { instance: id, ...FAILED, minutes })
  const first = entries.at(-1)
  const [latest] = entries
  const kinds = Map.groupBy(entries, (entry) => `${subjectOf(entry)} ${entry.code}`)
  const [most] = [...kinds.values()].toSorted((a, b) => b.length - a.length)
  const [example] = most ?? []
  if (latest === undefined || example === undefined) return null
  const { connector_type: type } = latest
  return (
    <li>
      <span className="with-icon">
        {type === null ? null : <ConnectorIcon type={type} />}
        <span>
          <Link to={to}>
            <AccountName id={id} otherwise={plainText(latest.external_user_id ?? id)} />
          </Link>{' '}
          <small className="quiet">
            {most?.length === entries.length ? '' : 'most: '}
            {subjectOf(example)} {example.code === null ? null : <ErrorCode of={example.code} />},{' '}
            {isWhole && first !== undefined && entries.length > 1 ? (
              <>
                first <Time at={first.at} />,{' '}
              </>
            ) : null}
            last <Time at={latest.at} />
          </small>
        </span>
      </span>
      <Link className="number" to={to}>
        {entries.length.toLocaleString('en')}
      </Link>
    </li>
  )
}
