// What the copies of an account fail with: each cause once, with all that fail for it, who acts, and what comes next.
import type { ReactNode } from 'react'
import { STATES } from '../../../display/account-states.ts'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { StatusPage } from '../../parts/status-page.tsx'
import { Time } from '../../parts/values.tsx'
import { whoActs } from '../../parts/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'
import { isUnderWay } from './sync-states.ts'

type SyncError = NonNullable<SyncStatus['last_error']>

interface Failure {
  readonly status: SyncStatus
  /** With which it began. */
  readonly error: SyncError
}

/** Nothing where no copy fails. `children` lead on from there; `told`: why the account stands still, where that is said above. */
export function FailingCopies(props: {
  readonly instance: Instance
  readonly of: readonly SyncStatus[]
  readonly told?: Instance['state_reason']
  readonly children?: ReactNode
}): ReactNode {
  const { instance, of: copies, told = null, children } = props
  const failing = copies.filter(({ failures }) => failures > 0)
  if (failing.length === 0) return null
  const isSynchronized = STATES[instance.state].isSynchronized
  return (
    <section className="notice state bad" aria-label="Failing copies">
      <p>
        {isSynchronized
          ? `${failing.length} of ${copies.length} ${copies.length === 1 ? 'copy fails' : 'copies fail'}. `
          : `All are stopped; ${failing.length} had failed. `}
        {children}
      </p>
      {causesOf(failing).map((those) => (
        <Cause
          key={those[0].status.entity}
          instance={instance}
          of={those}
          isSynchronized={isSynchronized}
          toldCode={told?.code ?? null}
        />
      ))}
    </section>
  )
}

type Alike = readonly [oldest: Failure, ...Failure[]]

/** Those that fail with the same words, whatever was called; the oldest failure first. */
function causesOf(failing: readonly SyncStatus[]): readonly Alike[] {
  const failures = failing.flatMap((status): readonly Failure[] => {
    const error = status.first_error ?? status.last_error
    return error === null ? [] : [{ status, error }]
  })
  const ordered = failures.toSorted((a, b) => timeOf(a.error.at) - timeOf(b.error.at))
  const groups = Map.groupBy(ordered, ({ error }) => {
    const { code, detail } = error.cause ?? error
    return `${code} ${sameWords(detail)}`
  })
  return [...groups.values()].flatMap(([oldest, ...others]) =>
    oldest === undefined ? [] : [[oldest, ...others] as const],
  )
}

/** `: users.list ` of `Gong: users.list failed (status 500)`. */
const OPERATION = /: [\w-]+\.[\w-]+ /

/** The words of a failure without what was called: alike for all that fail for one reason. */
export function sameWords(detail: string): string {
  return detail.replace(OPERATION, ': ')
}

function Cause(props: {
  readonly instance: Instance
  readonly of: Alike
  readonly isSynchronized: boolean
  readonly toldCode: string | null
}): ReactNode {
  const { of } = props
  const own = of.filter(({ error }) => error.cause === null)
  const held = own.length === 0 ? [] : of.filter(({ error }) => error.cause !== null)
  const told = own[0] ?? of[0]
  const { code, detail } = told.error.cause ?? told.error
  if (code === props.toldCode)
    return (
      <p className="fine">
        For the reason above: <Entities of={of} />
      </p>
    )
  const acts = whoActs(code)
  return (
    <>
      <p>
        {plainText(detail)} <ErrorCode of={code} />, since <Time at={of[0].error.at} />
      </p>
      <p className="fine">
        {acts === null ? '' : `Who acts: ${acts}. `}
        {props.isSynchronized ? <Next of={of.map(({ status }) => status)} /> : null}
      </p>
      <p className="fine">
        Failing with it: <Entities of={own.length === 0 ? of : own} />
        {held.length === 0 ? null : (
          <>
            . Held back for the same reason: <Entities of={held} />
          </>
        )}
        {' · '}
        <Link
          to={addressOf('/logs', {
            instance: props.instance.id,
            kind: 'sync',
            entity: told.status.entity,
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

/** What happens without anybody. */
function Next({ of: copies }: { readonly of: readonly SyncStatus[] }): ReactNode {
  const until = latest(copies.map(({ last_error: error }) => error?.suspended_until ?? null))
  const isLeftAlone = until !== null && timeOf(until) > Date.now()
  const waiting = copies.filter((status) => !isUnderWay(status))
  const next = waiting.flatMap(({ next_run_at: at }) => at ?? []).toSorted()[0]
  return (
    <>
      {isLeftAlone ? (
        <>
          Nothing is sent to it until <Time at={until} exact />.{' '}
        </>
      ) : null}
      {waiting.length < copies.length ? (
        'It is being tried again now.'
      ) : next === undefined ? null : (
        <>
          The next attempt is <Time at={next} />.
        </>
      )}
    </>
  )
}

function Entities({ of: failures }: { readonly of: readonly Failure[] }): ReactNode {
  return <code>{failures.map(({ status }) => status.entity).join(', ')}</code>
}

function latest(times: readonly (string | null)[]): string | null {
  return times.flatMap((at) => at ?? []).toSorted((a, b) => timeOf(b) - timeOf(a))[0] ?? null
}

function timeOf(at: string): number {
  return Date.parse(at)
}
