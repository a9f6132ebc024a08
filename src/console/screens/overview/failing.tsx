// The copies that fail, by account: with what, and since when.
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { illOfVendor, isOfVendor } from '../../../display/ill-together.ts'
import { timesInWords } from '../../../display/sync-failures.ts'
import { isOfVendorsService } from '../../../display/vendor-failures.ts'
import type { FailingSyncs, InstancePage } from '../../api/answers.ts'
import { tellChange, useRate } from '../../api/fresh.ts'
import { WRONG } from '../../api/pace.ts'
import { useGet } from '../../api/use-answer.ts'
import { Loaded } from '../../parts/answer.tsx'
import { Card } from '../../parts/card.tsx'
import { ConnectorIcon } from '../../parts/connector-icon.tsx'
import { ManifestChange } from '../../parts/manifest-change.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { StatusLink, StatusPage, useStatusPage } from '../../parts/status-page.tsx'
import { Time } from '../../parts/values.tsx'
import { whoActs } from '../../../display/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'
import type { AccountSync } from '../sync/account-syncs.ts'
import {
  AccountLines,
  causesOf,
  CauseWords,
  CopiesOf,
  Held,
  Limited,
  type OfAccount,
  type SyncsOf,
  Waiting,
} from './account-lines.tsx'
import { countOf, countOfState, Names, someOf, troubleIn, UserIcon, WhoseOf } from './together.tsx'

const LIST = '/integrations/connectors'
const SHOWN = 5
/** Accounts that an outage is told with: it is a matter of none of them. */
const NAMED = 3

type Failure = FailingSyncs['data'][number]
type Cause = FailingSyncs['causes'][number]
type OfUser = FailingSyncs['users'][number]

export function Failing(props: {
  readonly meta: InstancePage['meta']
  readonly syncs: readonly AccountSync[]
}): ReactNode {
  const { meta, syncs } = props
  const syncsOf: SyncsOf = new Map(syncs.map(({ instance: { id }, sync }) => [id, sync]))
  const answer = useGet<FailingSyncs>('/failing-syncs', {}, { kept: true })
  // By connector, of all that fail; the accounts of each are counted with the screen.
  const counts = useGet<InstancePage>(
    LIST,
    { sync: 'failing', counts: 'true', limit: '1' },
    { kept: true },
  )
  const failing = counts.kind === 'ready' ? counts.value.meta : null
  const total = troubleIn(meta, 'failing')
  // The accounts and what fails of them are two answers: one of them may know first that it is over, or has begun.
  const isAnyTold = answer.kind === 'ready' && answer.value.data.length > 0
  useRate(total > 0 || isAnyTold ? WRONG : null)
  const areApart = answer.kind === 'ready' && isAnyTold !== total > 0
  useEffect(() => {
    if (areApart) tellChange()
  }, [areApart])
  return (
    <Card title="Failing syncs">
      <Loaded of={answer}>
        {({ data: all, causes, users, counted }) => {
          const outages = causes.filter(isOfVendor)
          const isToldBelow = ({ connector_type: type, copies: [first] }: Failure): boolean =>
            !outages.some(({ connector_type: of, code }) => of === type && code === first?.code)
          const data = all.filter(
            (each) =>
              isToldBelow(each) &&
              !users.some(({ external_user_id: user }) => user === each.external_user_id),
          )
          if (data.length + outages.length + users.length === 0)
            return total > 0 ? (
              <p className="quiet">What failed may be over: it is looked at again.</p>
            ) : (
              <NoneFails still={countOfState(meta, 'auth_error')} />
            )
          return (
            <>
              <ul className="home-list">
                {outages.slice(0, SHOWN).map((cause) => (
                  <Outage
                    key={`${cause.connector_type} ${cause.code}`}
                    cause={cause}
                    isWhole={total <= counted}
                    failing={countOf(failing, cause.connector_type)}
                    total={countOf(meta, cause.connector_type)}
                    syncs={syncsOf}
                  />
                ))}
                {users.slice(0, SHOWN).map((each) => (
                  <OneUser
                    key={each.external_user_id}
                    of={each}
                    isWhole={total <= counted}
                    syncs={syncsOf}
                  />
                ))}
                {data.slice(0, SHOWN).map((account) => (
                  <Account
                    key={account.connector_id}
                    account={account}
                    sync={syncsOf.get(account.connector_id)}
                  />
                ))}
              </ul>
              <p className="quiet">
                {outages.length + users.length === 0 || total <= counted
                  ? ''
                  : `Counted among the ${counted} that changed last. `}
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

/** Accounts whose credentials are refused do not fail, as nothing is tried: not all is well with them. */
function NoneFails({ still }: { readonly still: number }): ReactNode {
  if (still === 0) return <AllWell>No sync fails.</AllWell>
  const isOne = still === 1
  return (
    <p>
      No sync fails, but{' '}
      <Link to={addressOf('/instances', { state: 'auth_error' })}>
        {isOne ? 'one account' : `${still.toLocaleString('en')} accounts`}
      </Link>{' '}
      {isOne ? 'stands' : 'stand'} still, as {isOne ? 'its' : 'their'} credentials are refused:
      nothing of {isOne ? 'it' : 'them'} is read until{' '}
      {isOne ? 'its user connects' : 'their users connect'} again.
    </p>
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

/** Of several third parties each is named. */
function StatusOf(props: { readonly type: string; readonly codes: readonly string[] }): ReactNode {
  const address = useStatusPage(props.type, codeOfVendor(props.codes))
  return address === null ? null : (
    <p className="fine">
      {props.type}: <StatusLink to={address} />
    </p>
  )
}

/** Many accounts of one connector that fail in the same way. */
function Outage(props: {
  readonly cause: Cause
  /** Whether all that fail were looked at. */
  readonly isWhole: boolean
  readonly failing: number | null
  readonly total: number | null
  readonly syncs: SyncsOf
}): ReactNode {
  const { connector_type: type, code, accounts, last_at: last, first } = props.cause
  const acts = whoActs(code)
  const ill = illOfVendor({
    ...props.cause,
    isWhole: props.isWhole,
    failing: props.failing ?? 0,
    total: props.total ?? Infinity,
  })
  const list = addressOf('/instances', { sync: 'failing', connector_type: type })
  return (
    <li>
      <ConnectorIcon type={type} />
      <div>
        <Link to={list}>
          {someOf({ ...props, some: accounts })} accounts of {type}
        </Link>
        <AccountLines of={first.slice(0, NAMED)} syncs={props.syncs} />
        <LastOfAll at={last} more={accounts - Math.min(first.length, NAMED)} list={list} />
        {acts === null ? null : (
          <p className="fine">
            Who acts: {acts}. <StatusPage type={type} code={code} />
          </p>
        )}
        <ReadSince of={first} last={last} syncs={props.syncs} />
        <Changes of={first} code={code} syncs={props.syncs} />
        {ill === null ? null : (
          <p className="fine">
            Looks like the third party: {ill.toLocaleString('en')} of{' '}
            {props.total?.toLocaleString('en')} accounts of it fail.
          </p>
        )}
      </div>
    </li>
  )
}

/** Several accounts of one user, for whatever reasons. */
function OneUser(props: {
  readonly of: OfUser
  readonly isWhole: boolean
  readonly syncs: SyncsOf
}): ReactNode {
  const { external_user_id: user, accounts, last_at: last, first } = props.of
  const acts = [...new Set(first.flatMap(codesOf).map((code) => whoActs(code)))].filter(
    (each) => each !== null,
  )
  const list = addressOf('/instances', { external_user_id: user, sync: 'failing' })
  return (
    <li>
      <UserIcon />
      <div>
        <Link to={list}>
          {someOf({ isWhole: props.isWhole, some: accounts, total: null })} accounts of{' '}
          {plainText(user)}
        </Link>
        <AccountLines of={first} syncs={props.syncs} />
        <LastOfAll at={last} more={accounts - first.length} list={list} />
        <ReadSince of={first} last={last} syncs={props.syncs} />
        {acts.map((each) => (
          <p className="fine" key={each}>
            Who acts: {each}.
          </p>
        ))}
        <Changes of={first} syncs={props.syncs} />
        {[...new Set(first.map(({ connector_type: type }) => type))].map((type) => (
          <StatusOf
            key={type}
            type={type}
            codes={first.flatMap((one) => (one.connector_type === type ? codesOf(one) : []))}
          />
        ))}
      </div>
    </li>
  )
}

function codesOf({ copies }: OfAccount): readonly string[] {
  return causesOf(copies).map(({ cause }) => cause.code)
}

/** Below the accounts that are told: how many more there are, and when one of all failed last. */
function LastOfAll(props: {
  readonly at: string
  readonly more: number
  readonly list: string
}): ReactNode {
  return (
    <p className="fine">
      {props.more > 0 ? (
        <>
          <Link to={props.list}>and {props.more.toLocaleString('en')} more</Link>.{' '}
        </>
      ) : null}
      Last failure <Time at={props.at} />.
    </p>
  )
}

function Account(props: {
  readonly account: Failure
  readonly sync: AccountSync['sync'] | undefined
}): ReactNode {
  const { account, sync } = props
  const { connector_id: instance, connector_type: type, name, copies } = account
  const { external_user_id: user } = account
  const causes = causesOf(copies)
  return (
    <li>
      <ConnectorIcon type={type} />
      <div>
        <Link to={addressOf('/sync', { instance })}>{plainText(name)}</Link>{' '}
        <WhoseOf type={type} user={user} />
        {causes.map((cause) => (
          <p className="fine" key={cause.all[0]?.entity}>
            <CopiesOf
              cause={cause}
              among={cause.failing}
              sync={sync}
              more={(those) => (
                <>
                  , {timesInWords(those)}, last <Time at={lastOf(those)} />
                </>
              )}
            />
            : <CauseWords of={cause.failing} />
            <Held of={cause} />
          </p>
        ))}
        {account.waiting.length === 0 ? null : (
          <p className="fine">
            <Waiting of={account.waiting} />
          </p>
        )}
        <Limited of={sync} isLine />
        {isReadSince(sync, lastOf(copies)) ? (
          <p className="fine">Copies of it were read well since the last failure.</p>
        ) : null}
        {[...Map.groupBy(causes, ({ cause }) => whoActs(cause.code))].map(([acts, those]) =>
          acts === null ? null : (
            <p className="fine" key={acts}>
              Who acts: {acts}.{' '}
              <StatusPage type={type} code={codeOfVendor(those.map(({ cause }) => cause.code))} />
            </p>
          ),
        )}
        <Changes of={[account]} syncs={new Map(sync === undefined ? [] : [[instance, sync]])} />
      </div>
    </li>
  )
}

/** Of each connector, what was changed before the first of these accounts began to fail. `code`: with that alone. */
function Changes(props: {
  readonly of: readonly OfAccount[]
  readonly code?: string
  readonly syncs: SyncsOf
}): ReactNode {
  const { code, syncs } = props
  return [...Map.groupBy(props.of, ({ connector_type: type }) => type)].map(([type, accounts]) => {
    const copies = accounts.flatMap(({ copies: those, connector_id: id, created_at: madeAt }) =>
      those.map((copy) => ({ ...copy, madeAt, wellAt: wellAtOf(syncs.get(id), copy.entity) })),
    )
    const [first] = causesOf(copies).filter(
      ({ cause }) => code === undefined || cause.code === code,
    )
    const [oldest] = first?.all ?? []
    if (first === undefined || oldest === undefined) return null
    const known = first.all.flatMap(({ wellAt }) => (wellAt === undefined ? [] : [wellAt]))
    // Of a copy that was not looked at it is not known what it was read well with.
    if (known.length < first.all.length) return null
    const [wellAt = null] = known
      .flatMap((at) => at ?? [])
      .toSorted()
      .toReversed()
    const { cause, since } = first
    const { madeAt } = oldest
    const of = { connectorType: type, version: null, code: cause.code, since, wellAt, madeAt }
    return <ManifestChange key={type} of={of} />
  })
}

/** When a copy that fails was last read well; null: it never was; undefined: that is not known. */
function wellAtOf(
  sync: AccountSync['sync'] | undefined,
  entity: string,
): string | null | undefined {
  return sync?.failing.find((each) => each.entity === entity)?.last_synced_at
}

/** What was read as a whole later than anything failed is a copy that does not fail. */
function isReadSince(sync: AccountSync['sync'] | undefined, last: string | null): boolean {
  return Date.parse(sync?.last_synced_at ?? '') > Date.parse(last ?? '')
}

/** Which of these accounts have copies that were read after the last failure of all of them. */
function ReadSince(props: {
  readonly of: readonly { readonly connector_id: string; readonly name: string }[]
  readonly last: string
  readonly syncs: SyncsOf
}): ReactNode {
  const since = props.of.filter(({ connector_id: id }) =>
    isReadSince(props.syncs.get(id), props.last),
  )
  return since.length === 0 ? null : (
    <p className="fine">
      Copies of <Names of={since} total={since.length} /> were read well since the last failure.
    </p>
  )
}

/** The first of which the vendor's own page may tell more; the first where there is none. */
function codeOfVendor(codes: readonly string[]): string {
  return codes.find(isOfVendorsService) ?? codes[0] ?? ''
}

function lastOf(copies: readonly Failure['copies'][number][]): string | null {
  return (
    copies
      .map(({ failed_at: at }) => at)
      .toSorted()
      .at(-1) ?? null
  )
}
