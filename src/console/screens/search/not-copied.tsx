// In the place of hits where nothing of the records was copied yet: what is done about that, and when.
import type { ReactNode } from 'react'
import type { All, Instance, SyncStatus } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { useGet } from '../../api/use-answer.ts'
import { Empty } from '../../parts/answer.tsx'
import { NextAttempt } from '../../parts/next-attempt.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf } from '../../place.tsx'
import { isFailing, isUnderWay } from '../sync/sync-states.ts'
import { WhyStill } from './why-still.tsx'

export function NotCopied(props: {
  readonly instance: Instance
  readonly entity: string
}): ReactNode {
  const { instance, entity } = props
  const path = `${instancePath(instance.id)}/sync`
  const answer = useGet<All<SyncStatus>>(path, {}, { kept: true })
  const all = answer.kind === 'ready' ? answer.value.data : []
  const status = all.find((each) => each.entity === entity)
  return (
    <Empty
      title="Nothing is copied yet"
      action={{
        words: 'See how far the synchronization is',
        to: addressOf('/sync', { instance: instance.id }),
      }}
    >
      {status === undefined ? null : <Reading of={status} instance={instance} />}
      Hits appear here as soon as the first records are there.
    </Empty>
  )
}

function Reading(props: { readonly of: SyncStatus; readonly instance: Instance }): ReactNode {
  const { instance } = props
  const { entity, state, next_run_at: next, last_error: last, waits_for: on } = props.of
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
  return next === null ? null : (
    <>
      They are read next <Time at={next} isNext />.{' '}
    </>
  )
}
