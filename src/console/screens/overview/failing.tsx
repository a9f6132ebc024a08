// The copies that fail, by account: with what, and since when.
import { CircleCheck } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { byBeginning, sameWords, timesInWords } from '../../../display/sync-failures.ts'
import type { FailingSyncs, InstancePage } from '../../api/answers.ts'
import { useEvery, useGet } from '../../api/use-answer.ts'
import { Loaded } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { whoActs } from '../../parts/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'

const SHOWN = 5
/** So many accounts that fail with one cause are told together. */
const MANY = 3
const LOOKED_AT_MS = 30_000

type Failure = FailingSyncs['data'][number]
type Cause = FailingSyncs['causes'][number]

export function Failing({ meta }: { readonly meta: InstancePage['meta'] }): ReactNode {
  const answer = useGet<FailingSyncs>('/failing-syncs', {}, { kept: true })
  useEvery(LOOKED_AT_MS, answer.reload)
  const total = meta.facets?.sync[0]?.count ?? 0
  return (
    <Card title="Failing syncs">
      <Loaded of={answer}>
        {({ data: all, causes, counted }) => {
          const outages = causes.filter(({ accounts }) => accounts >= MANY)
          const isToldBelow = ({ connector_type: type, copies: [first] }: Failure): boolean =>
            !outages.some(({ connector_type: of, code }) => of === type && code === first?.code)
          // Those that wait for their user are told once, next to this.
          const data = all.filter((each) => each.state !== 'auth_error' && isToldBelow(each))
          const waiting = all.filter(({ state }) => state === 'auth_error').length
          if (data.length + outages.length === 0)
            return (
              <AllWell>
                {all.length === 0
                  ? 'No sync fails.'
                  : 'Only those of accounts that need a person fail.'}
              </AllWell>
            )
          return (
            <>
              <ul className="home-list">
                {outages.slice(0, SHOWN).map((cause) => (
                  <Outage key={`${cause.connector_type} ${cause.code}`} cause={cause} />
                ))}
                {data.slice(0, SHOWN).map((account) => (
                  <Account key={account.connector_id} account={account} />
                ))}
              </ul>
              <p className="quiet">
                {outages.length === 0 || total <= counted
                  ? ''
                  : `Counted among the ${counted} that changed last. `}
                {waiting === 0 ? null : (
                  <>
                    <Link to={addressOf('/instances', { state: 'auth_error', sync: 'failing' })}>
                      {waiting === 1
                        ? 'One more needs its user'
                        : `${waiting.toLocaleString('en')} more need their users`}
                    </Link>
                    .{' '}
                  </>
                )}
                <Link to={addressOf('/instances', { sync: 'failing' })}>
                  {total > 1
                    ? `All ${total.toLocaleString('en')} accounts with failing syncs`
                    : 'In the list of accounts'}
                </Link>
              </p>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

/** In the place of a list of what needs somebody. */
export function AllWell({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p className="quiet all-well">
      <CircleCheck size={16} aria-hidden />
      {children}
    </p>
  )
}

/** Many accounts of one connector that fail in the same way. */
function Outage({ cause }: { readonly cause: Cause }): ReactNode {
  const { connector_type: type, code, accounts, since, last_at: last, detail, first } = cause
  const acts = whoActs(code)
  const rest = accounts - first.length
  return (
    <li>
      <ConnectorIcon type={type} />
      <div>
        <Link to={addressOf('/instances', { sync: 'failing', connector_type: type })}>
          {accounts.toLocaleString('en')} accounts of {type}
        </Link>
        <p className="fine">
          {first.map(({ connector_id: instance, name }, index) => (
            <Fragment key={instance}>
              {index === 0 ? '' : ', '}
              <Link to={addressOf('/sync', { instance })}>{plainText(name)}</Link>
            </Fragment>
          ))}
          {rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''}, the first since{' '}
          <Time at={since} />, last <Time at={last} />: {plainText(detail)} <ErrorCode of={code} />
        </p>
        {acts === null ? null : <p className="fine">Who acts: {acts}.</p>}
      </div>
    </li>
  )
}

function Account({ account }: { readonly account: Failure }): ReactNode {
  const { connector_id: instance, connector_type: type, name, copies } = account
  const causes = causesOf(copies)
  return (
    <li>
      <ConnectorIcon type={type} />
      <div>
        <Link to={addressOf('/sync', { instance })}>{plainText(name)}</Link>{' '}
        <small className="quiet">{type}</small>
        {causes.map(({ cause, those }) => (
          <p className="fine" key={`${cause.code} ${cause.detail}`}>
            {byBeginning(those, ({ since }) => since).map((group, index) => (
              <Fragment key={group.since}>
                {index === 0 ? '' : '; '}
                <code>{group.those.map(({ entity }) => entity).join(', ')}</code> since{' '}
                <Time at={group.since} />, {timesInWords(group.those)}, last{' '}
                <Time at={lastOf(group.those)} />
              </Fragment>
            ))}
            : {plainText(cause.detail)} <ErrorCode of={cause.code} />
          </p>
        ))}
        {[...Map.groupBy(causes, ({ cause }) => whoActs(cause.code)).keys()].map((acts) =>
          acts === null ? null : (
            <p className="fine" key={acts}>
              Who acts: {acts}.
            </p>
          ),
        )}
      </div>
    </li>
  )
}

/** Each reason once, with all that fail for it, the oldest failure first: one code may stand for several. */
function causesOf(copies: Failure['copies']) {
  const groups = Map.groupBy(copies, (copy) => {
    // One that is held back quotes another one, which says the same in fewer words.
    const quoted = copies.find((other) => other.code === copy.code && quotes(copy.detail, other))
    const { code, detail } = quoted ?? copy
    return `${code} ${sameWords(detail)}`
  })
  return [...groups.values()].flatMap((those) => {
    const cause = those.find(({ detail }) => !those.some((other) => quotes(detail, other)))
    return cause === undefined ? [] : [{ cause, those }]
  })
}

function lastOf(copies: readonly Failure['copies'][number][]): string | null {
  return (
    copies
      .map(({ failed_at: at }) => at)
      .toSorted()
      .at(-1) ?? null
  )
}

function quotes(detail: string, other: { readonly detail: string }): boolean {
  return detail !== other.detail && detail.endsWith(other.detail)
}
