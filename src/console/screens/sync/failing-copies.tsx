// What the copies of an account fail with: each cause once, with all that fail for it, who acts, and what comes next.
import { Fragment, type ReactNode } from 'react'
import { STATES } from '../../../display/account-states.ts'
import {
  byBeginning,
  failsSince,
  isHeldBack,
  type SharedFailure,
  sharedFailures,
  waitedFor,
} from '../../../display/sync-failures.ts'
import { nextSentAt } from '../../../display/sync-times.ts'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { useDue } from '../../api/fresh.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { ManifestChange } from '../../parts/manifest-change.tsx'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { StatusPage } from '../../parts/status-page.tsx'
import { Lasting, Time } from '../../parts/values.tsx'
import { ACTS, whoActs } from '../../../display/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'
import { isFailing, isJustChecked, isLimited, isUnderWay, nextRunOf } from './sync-states.ts'

/** Nothing where no copy fails. `children` lead on from there; `told`: why the account stands still, where that is said above. */
export function FailingCopies(props: {
  readonly instance: Instance
  readonly of: readonly SyncStatus[]
  readonly told?: Instance['state_reason']
  readonly children?: ReactNode
}): ReactNode {
  const { instance, of: copies, told = null, children } = props
  const failing = copies.filter(isFailing)
  const failed = copies.filter((status) => status.failures > 0 && !isFailing(status))
  const waiting = copies.filter(({ state }) => state === 'waiting')
  if (failing.length + failed.length + waiting.length === 0) return null
  const isSynchronized = STATES[instance.state].isSynchronized
  // The account goes on already, and these answers are from before that.
  if (failing.length + waiting.length === 0 && isSynchronized && isJustChecked(instance, failed))
    return null
  const held = failing.filter(isHeldBack).length
  const count = {
    failing: failing.length - held,
    held,
    waiting: waiting.length,
    limited: copies.filter(
      (status) => isLimited(status) && !isFailing(status) && status.state !== 'waiting',
    ).length,
    of: copies.length,
  }
  const tones: readonly (readonly [boolean, string])[] = [
    [failing.length > 0 || !isSynchronized, 'bad'],
    [waiting.length > 0, 'wait'],
  ]
  return (
    <section
      className={`notice state ${tones.find(([holds]) => holds)?.[1] ?? 'off'}`}
      aria-label="Failing copies"
    >
      <p>
        {countsInWords(count)}
        {failed.length === 0
          ? ''
          : isSynchronized
            ? pausedInWords(failed.length, copies.length)
            : `All are stopped; ${stoppedInWords(failed)}. `}
        {children}
      </p>
      {[failing, failed].map((some) =>
        sharedFailures(some).map((those) => (
          <Cause
            key={those.all[0]?.entity}
            instance={instance}
            of={those}
            isTried={some === failing}
            isKnown={isSynchronized && !isJustChecked(instance, those.all)}
            wellSince={readSince(copies, those.all)}
            toldCode={told?.code ?? null}
          />
        )),
      )}
      <Waiting of={waiting} />
    </section>
  )
}

/** How many other copies were read well after the last failure of these. */
function readSince(copies: readonly SyncStatus[], failing: readonly SyncStatus[]): number {
  const times = failing.flatMap(({ last_error: last }) => last?.at ?? [])
  const lastMs = Math.max(...times.map((at) => Date.parse(at)))
  return copies.filter(
    ({ failures, last_synced_at: at }) => failures === 0 && at !== null && Date.parse(at) > lastMs,
  ).length
}

/** `1 had failed, and 3 were held back`. */
function stoppedInWords(failed: readonly SyncStatus[]): string {
  const held = failed.filter(isHeldBack).length
  const own = failed.length - held
  const parts = [
    ...(own === 0 ? [] : [`${own} had failed`]),
    ...(held === 0 ? [] : [`${held} ${held === 1 ? 'was' : 'were'} held back`]),
  ]
  return parts.join(', and ')
}

/** `1 of 6 copies failed before it was paused; nothing is tried until it is resumed. ` */
function pausedInWords(failed: number, of: number): string {
  const [was, it, is] = failed === 1 ? ['was', 'it', 'is'] : ['were', 'they', 'are']
  return `${failed} of ${of} ${of === 1 ? 'copy' : 'copies'} failed before ${it} ${was} paused; nothing is tried until ${it} ${is} resumed. `
}

/** `1 of 6 copies fails, and 5 wait. ` */
function countsInWords(count: {
  readonly failing: number
  readonly held: number
  readonly waiting: number
  readonly limited: number
  readonly of: number
}): string {
  const { failing, held, waiting, limited, of } = count
  const copies = `of ${of} ${of === 1 ? 'copy' : 'copies'}`
  const parts = [
    [failing, of === 1 ? 'fails' : 'fail'],
    [held, held === 1 ? 'is held back' : 'are held back'],
    [waiting, waiting === 1 ? 'waits' : 'wait'],
    // They are told with what fails.
    [failing + held + waiting === 0 ? 0 : limited, limited === 1 ? 'is limited' : 'are limited'],
  ] as const
  const said = parts.filter(([some]) => some > 0)
  if (said.length === 0) return ''
  const words = said.map(([some, verb], at) => `${some} ${at === 0 ? `${copies} ` : ''}${verb}`)
  const last = words.pop() ?? ''
  return words.length === 0 ? `${last}. ` : `${words.join(', ')}, and ${last}. `
}

/** What is read below an entity that fails or is paused, each of those once. */
function Waiting({ of: copies }: { readonly of: readonly SyncStatus[] }): ReactNode {
  const groups = Map.groupBy(copies, ({ waits_for: on }) => on?.entity ?? '')
  return [...groups].map(([entity, those]) => {
    const on = those[0]?.waits_for
    if (on == null) return null
    return (
      <p className="fine" key={entity}>
        <Entities of={those} /> {those.length === 1 ? 'waits' : 'wait'} for {waitedFor(on)}
        {on.since === null ? null : (
          <>
            {' '}
            <Lasting since={on.since} />
          </>
        )}
        : not known to be up to date.
      </p>
    )
  })
}

function Cause(props: {
  readonly instance: Instance
  readonly of: SharedFailure<SyncStatus>
  readonly isTried: boolean
  /** Whether it is known what comes next: it is not while the account and its copies are of two moments. */
  readonly isKnown: boolean
  /** Other copies, read after the last failure of these. */
  readonly wellSince: number
  readonly toldCode: string | null
}): ReactNode {
  const { cause, since, all, failing, held, isHeld, suspendedUntil: until } = props.of
  const isLeftAlone = (until !== null && Date.parse(until) > Date.now()) || all.some(isLimited)
  const { code, detail } = cause
  const isTogether = byBeginning(all, failsSince).length === 1
  if (code === props.toldCode)
    return (
      <p className="fine">
        For the reason above: <Entities of={all} />
      </p>
    )
  const acts = whoActs(code)
  // Nobody has refused those that it has now: then it would wait for its user.
  const isOfEarlier = props.instance.state === 'pending' && acts === ACTS.connector
  return (
    <>
      <p>
        {isOfEarlier ? 'With its earlier credentials: ' : ''}
        {plainText(detail)} <ErrorCode of={code} />, {isTogether ? '' : 'the first '}
        <Lasting since={since} />
      </p>
      {props.isTried && props.isKnown ? (
        <p className="fine">
          {acts === null || isOfEarlier ? '' : `Who acts: ${acts}. `}
          <Next of={props.of} />
          {props.wellSince === 0 || isLeftAlone
            ? ''
            : ` ${props.wellSince === 1 ? 'One other copy was' : `${props.wellSince} other copies were`} read well since the last failure: Synchronize now tries again before that.`}
        </p>
      ) : null}
      <ManifestChange
        of={{
          connectorType: props.instance.connector_type,
          version: props.instance.connector_version,
          code,
          since,
          wellAt: lastWell(all),
          madeAt: props.instance.created_at,
        }}
      />
      <p className="fine">
        {isHeld
          ? `${props.isTried ? 'Held' : 'Was held'} back for it`
          : `${props.isTried ? 'Failing' : 'Failed'} with it`}
        : <Since of={failing} isTogether={isTogether} />
        {held.length === 0 ? null : (
          <>
            . Held back for the same reason: <Since of={held} isTogether={isTogether} />
          </>
        )}
        {' · '}
        <Link
          to={addressOf('/logs', {
            instance: props.instance.id,
            kind: 'sync',
            entity: failing[0]?.entity ?? '',
            status: 'failed',
          })}
        >
          What failed, in the logs
        </Link>
        <StatusPage type={props.instance.connector_type} code={code} before=" · " />
      </p>
    </>
  )
}

/** When one of them was last read well; null: none was. */
export function lastWell(copies: readonly SyncStatus[]): string | null {
  const times = copies.flatMap(({ last_synced_at: at }) => at ?? [])
  return times.toSorted().at(-1) ?? null
}

/** What happens without anybody. */
function Next({ of: shared }: { readonly of: SharedFailure<SyncStatus> }): ReactNode {
  const { all: copies, suspendedUntil: until } = shared
  useDue(until)
  const isLeftAlone = until !== null && Date.parse(until) > Date.now()
  const waiting = copies.filter((status) => !isUnderWay(status))
  const due = nextRunOf(waiting)
  // What is due earlier, or under way, sends nothing.
  const next = nextSentAt(Date.now(), due, until)
  const isTried = !isLeftAlone && waiting.length < copies.length
  return (
    <>
      {isLeftAlone ? (
        <>
          Nothing is sent to it until <Time at={until} exact />.{' '}
        </>
      ) : null}
      {!isTried && next === null ? null : (
        <>
          <NextAttempt at={isTried ? null : next} as="whole" />.
        </>
      )}
    </>
  )
}

/** With when each of them began, where they did not begin together. */
function Since(props: {
  readonly of: readonly SyncStatus[]
  readonly isTogether: boolean
}): ReactNode {
  if (props.isTogether) return <Entities of={props.of} />
  return byBeginning(props.of, failsSince).map(({ since, those }, index) => (
    <Fragment key={since}>
      {index === 0 ? '' : '; '}
      <Entities of={those} /> <Lasting since={since} />
    </Fragment>
  ))
}

function Entities({ of: copies }: { readonly of: readonly SyncStatus[] }): ReactNode {
  return <code>{copies.map(({ entity }) => entity).join(', ')}</code>
}
