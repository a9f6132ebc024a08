// In the place of hits where nothing of the records was copied yet: what is done about that, and when.
import type { ReactNode } from 'react'
import type { Instance, SyncStatus } from '../../api/answers.ts'
import { Empty } from '../../parts/answer.tsx'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { plainText } from '../../../display/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf } from '../../place.tsx'
import { isFailing, isUnderWay } from '../sync/sync-states.ts'
import { WhyStill } from './why-still.tsx'

export function NotCopied(props: {
  readonly instance: Instance
  /** Null: not known. */
  readonly copy: SyncStatus | null
}): ReactNode {
  const { instance, copy } = props
  return (
    <Empty
      title="Nothing is copied yet"
      action={{
        words: 'See how far the synchronization is',
        to: addressOf('/sync', { instance: instance.id }),
      }}
    >
      {copy === null ? null : <Reading of={copy} instance={instance} />}
      Hits appear here as soon as the first records are there.
    </Empty>
  )
}

function Reading(props: { readonly of: SyncStatus; readonly instance: Instance }): ReactNode {
  const { instance } = props
  const { entity, state, parent, next_run_at: next, last_error: last, waits_for: on } = props.of
  const { last_synced_at: readAt } = props.of
  const error = last?.cause ?? last
  if (state === 'paused')
    return (
      <>
        {entity} are not read at present: <WhyStill of={instance} />
      </>
    )
  if (isUnderWay(props.of)) return <>{entity} are being read now. </>
  if (isFailing(props.of) && error !== null)
    return (
      <>
        {plainText(error.detail)}. <NextAttempt at={next} as="whole" />.{' '}
      </>
    )
  if (on !== null) return <>They are read below {on.entity}, and wait for that. </>
  // The search that finds them is on its way.
  if (readAt !== null)
    return (
      <>
        They were read <Time at={readAt} />.{' '}
      </>
    )
  if (next === null && parent !== null) return <>They are read as soon as {parent} were. </>
  return next === null ? (
    'They are being read now. '
  ) : (
    <>
      They are read next <Time at={next} isNext />.{' '}
    </>
  )
}
