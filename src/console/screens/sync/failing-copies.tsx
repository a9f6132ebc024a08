// What the copies of an account fail with: each cause once, with all that fail for it, who acts, and what comes next.
import type { ReactNode } from 'react'
import { type SharedFailure, sharedFailures } from '../../../display/sync-failures.ts'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { STATES } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/values.tsx'
import { whoActs } from '../../parts/who-acts.ts'
import { addressOf, Link } from '../../place.tsx'
import { isUnderWay } from './sync-states.ts'

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
      {sharedFailures(failing).map((those) => (
        <Cause
          key={those.all[0]?.entity}
          instance={instance.id}
          of={those}
          isSynchronized={isSynchronized}
          toldCode={told?.code ?? null}
        />
      ))}
    </section>
  )
}

function Cause(props: {
  readonly instance: string
  readonly of: SharedFailure<SyncStatus>
  readonly isSynchronized: boolean
  readonly toldCode: string | null
}): ReactNode {
  const { cause, since, all, failing, held } = props.of
  const { code, detail } = cause
  if (code === props.toldCode)
    return (
      <p className="fine">
        For the reason above: <Entities of={all} />
      </p>
    )
  const acts = whoActs(code)
  return (
    <>
      <p>
        {plainText(detail)} <ErrorCode of={code} />, since <Time at={since} />
      </p>
      <p className="fine">
        {acts === null ? '' : `Who acts: ${acts}. `}
        {props.isSynchronized ? <Next of={props.of} /> : null}
      </p>
      <p className="fine">
        Failing with it: <Entities of={failing} />
        {held.length === 0 ? null : (
          <>
            . Held back for the same reason: <Entities of={held} />
          </>
        )}
        {' · '}
        <Link
          to={addressOf('/logs', {
            instance: props.instance,
            kind: 'sync',
            entity: failing[0]?.entity ?? '',
            status: 'failed',
          })}
        >
          What failed, in the logs
        </Link>
      </p>
    </>
  )
}

/** What happens without anybody. */
function Next({ of: shared }: { readonly of: SharedFailure<SyncStatus> }): ReactNode {
  const { all: copies, suspendedUntil: until } = shared
  const isLeftAlone = until !== null && Date.parse(until) > Date.now()
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

function Entities({ of: copies }: { readonly of: readonly SyncStatus[] }): ReactNode {
  return <code>{copies.map(({ entity }) => entity).join(', ')}</code>
}
