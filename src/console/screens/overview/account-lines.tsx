// What fails of accounts, a line for each: which copies, of what was called, since when, and when they are tried next.
import { Fragment, type ReactNode } from 'react'
import {
  byAttempts,
  calledIn,
  firstCause,
  groupedFailures,
  type SharedFailure,
  sameWords,
  wordsOfAll,
} from '../../../display/sync-failures.ts'
import type { FailingSyncs } from '../../api/answers.ts'
import { useDue } from '../../api/fresh.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Lasting, Time } from '../../parts/values.tsx'
import { addressOf, Link } from '../../place.tsx'
import type { AccountSync } from '../sync/account-syncs.ts'

export type OfAccount = FailingSyncs['causes'][number]['first'][number]
export type FailedCopy = OfAccount['copies'][number]
export type CauseOf = SharedFailure<FailedCopy>

/** How the copies of an account do; absent where it was not looked at. */
type Sync = AccountSync['sync'] | undefined

/** By the ids of accounts. */
export type SyncsOf = ReadonlyMap<string, AccountSync['sync']>

/** Told of one account before the others are counted. */
const SHOWN = 3

/** Each reason once, with all that fail for it, the oldest failure first. */
export function causesOf<C extends FailedCopy>(copies: readonly C[]): readonly SharedFailure<C>[] {
  return groupedFailures(copies, ({ code, detail, since, held }) => ({
    code,
    detail,
    since,
    suspendedUntil: null,
    isHeld: held,
  }))
}

/** Every account in a line of its own, below what it fails with first; what else fails of it stands in that line. */
export function AccountLines(props: {
  readonly of: readonly OfAccount[]
  readonly syncs: SyncsOf
}): ReactNode {
  const told = props.of.flatMap((account) => {
    const causes = causesOf(account.copies)
    const first = firstCause(causes)
    return first === undefined
      ? []
      : [{ account, first, others: causes.filter((each) => each !== first) }]
  })
  const alike = Map.groupBy(told, ({ account, first }) =>
    [account.connector_type, first.cause.code, sameWords(first.all[0]?.detail ?? '')].join(' '),
  )
  return [...alike].map(([key, those]) => {
    const all = those.flatMap(({ first }) => first.all)
    const isOne = those.length === 1
    const sync = ({ account }: (typeof those)[number]): Sync =>
      props.syncs.get(account.connector_id)
    return (
      <Fragment key={key}>
        {isOne ? null : (
          <p className="fine">
            <CauseWords of={all} />
          </p>
        )}
        {those.map((each) => (
          <p className={isOne ? 'fine' : 'fine of-cause'} key={each.account.connector_id}>
            <Link to={addressOf('/sync', { instance: each.account.connector_id })}>
              {plainText(each.account.name)}
            </Link>
            : <CopiesOf cause={each.first} among={all} sync={sync(each)} />
            {isOne ? (
              <>
                : <CauseWords of={all} />
              </>
            ) : null}
            <Held of={each.first} />
            {each.others.length === 0 ? null : (
              <>
                . Also <Others of={each.others} sync={sync(each)} />
              </>
            )}
            {each.account.waiting.length === 0 ? null : (
              <>
                . <Waiting of={each.account.waiting} />
              </>
            )}
            <Limited of={sync(each)} />
          </p>
        ))}
      </Fragment>
    )
  })
}

/** What they all fail with, as one sentence. */
export function CauseWords({ of: copies }: { readonly of: readonly FailedCopy[] }): ReactNode {
  const [first] = copies
  if (first === undefined) return null
  return (
    <>
      {plainText(wordsOfAll(copies.map(({ detail }) => detail)))} <ErrorCode of={first.code} />
    </>
  )
}

/** The copies that fail for one reason, those that are tried together next to each other. `among`: all that are told with it. */
export function CopiesOf(props: {
  readonly cause: CauseOf
  readonly among: readonly FailedCopy[]
  readonly sync: Sync
  /** What else is to be said of those that stand together. */
  readonly more?: (those: readonly FailedCopy[]) => ReactNode
}): ReactNode {
  const { cause, sync, more = () => null } = props
  const isCalled = !areOfOneCall(props.among)
  const groups = byAttempts(cause.failing, ({ entity, since }) => ({
    since,
    next: nextOf(sync, entity),
  }))
  const rest = groups.slice(SHOWN).flatMap(({ those }) => those).length
  return (
    <>
      {groups.slice(0, SHOWN).map(({ since, next, those }, index) => (
        <Fragment key={those[0]?.entity}>
          {index === 0 ? '' : '; '}
          <Entities of={those} isCalled={isCalled && !cause.isHeld} />{' '}
          {cause.isHeld ? 'held back ' : ''}
          <Lasting since={since} />
          {more(those)}
          {next === undefined ? null : (
            <>
              , <NextAttempt at={next} as="fact" />
            </>
          )}
        </Fragment>
      ))}
      {rest === 0 ? '' : `; and ${rest} more`}
    </>
  )
}

/** Those that only wait for what fails. */
export function Held({ of: { held } }: { readonly of: CauseOf }): ReactNode {
  return held.length === 0 ? null : (
    <>
      . Held back: <Entities of={held} isCalled={false} />
    </>
  )
}

/** What is read below copies that fail. */
export function Waiting({ of: entities }: { readonly of: readonly string[] }): ReactNode {
  return (
    <>
      Waiting for what fails: <code>{entities.join(', ')}</code>
    </>
  )
}

/** Those that do not fail, but wait until the third party may be asked again. `isLine`: in a line of their own. */
export function Limited(props: { readonly of: Sync; readonly isLine?: boolean }): ReactNode {
  const limited = props.of?.limited ?? []
  const [last = null] = limited.map(({ until }) => until).toSorted((a, b) => b.localeCompare(a))
  useDue(last)
  if (last === null || Date.parse(last) <= Date.now()) return null
  const words = (
    <>
      Limited by the third party, nothing is sent until <Time at={last} exact />:{' '}
      <code>{limited.map(({ entity }) => entity).join(', ')}</code>
    </>
  )
  return props.isLine === true ? <p className="fine">{words}</p> : <>. {words}</>
}

/** In few words what other copies of the account fail with. */
function Others(props: { readonly of: readonly CauseOf[]; readonly sync: Sync }): ReactNode {
  return props.of.map((cause, index) => (
    <Fragment key={cause.all[0]?.entity}>
      {index === 0 ? '' : '; '}
      <CopiesOf cause={cause} among={[]} sync={props.sync} />: <ErrorCode of={cause.cause.code} />
    </Fragment>
  ))
}

/** `isCalled`: with what was called, where that is of another entity. */
function Entities(props: {
  readonly of: readonly FailedCopy[]
  readonly isCalled: boolean
}): ReactNode {
  const names = props.of.map(({ entity, detail }) => {
    const called = props.isCalled ? calledIn(detail) : null
    return called === null || called.startsWith(`${entity}.`) ? entity : `${entity} (${called})`
  })
  return <code>{names.join(', ')}</code>
}

function areOfOneCall(copies: readonly FailedCopy[]): boolean {
  return new Set(copies.map(({ detail }) => calledIn(detail))).size <= 1
}

/** Undefined: it is not known, as the two answers are of two moments. */
function nextOf(sync: Sync, entity: string): string | null | undefined {
  return sync?.failing.find((each) => each.entity === entity)?.next_attempt_at
}
