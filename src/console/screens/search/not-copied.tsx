// In the place of hits where nothing of the records was copied yet: what is done about that, and when.
import type { ReactNode } from 'react'
import type { All, SyncStatus } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import { useGet } from '../../api/use-answer.ts'
import { Empty } from '../../parts/answer.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Time } from '../../parts/values.tsx'
import { addressOf } from '../../place.tsx'
import { isFailing, isUnderWay } from '../sync/sync-states.ts'

export function NotCopied(props: {
  readonly instance: string
  readonly entity: string
}): ReactNode {
  const { instance, entity } = props
  const answer = useGet<All<SyncStatus>>(`${instancePath(instance)}/sync`, {}, { kept: true })
  const all = answer.kind === 'ready' ? answer.value.data : []
  const status = all.find((each) => each.entity === entity)
  return (
    <Empty
      title="Nothing is copied yet"
      action={{
        words: 'See how far the synchronization is',
        to: addressOf('/sync', { instance }),
      }}
    >
      {status === undefined ? null : <Reading of={status} />}
      Hits appear here as soon as the first records are there.
    </Empty>
  )
}

function Reading({ of: status }: { readonly of: SyncStatus }): ReactNode {
  const { entity, state, next_run_at: next, last_error: last, waits_for: on } = status
  const error = last?.cause ?? last
  const planned =
    next === null ? null : (
      <>
        {isFailing(status) ? 'The next attempt is' : 'They are read next'} <Time at={next} isNext />
        .{' '}
      </>
    )
  if (state === 'paused') return <>{entity} are not read at present. </>
  if (isUnderWay(status)) return <>{entity} are being read now. </>
  if (isFailing(status) && error !== null)
    return (
      <>
        {plainText(error.detail)}. {planned}
      </>
    )
  if (on !== null) return <>They are read below {on.entity}, and wait for that. </>
  return planned
}
