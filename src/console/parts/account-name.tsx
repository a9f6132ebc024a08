// The name of an account of which only the id is known.
import type { ReactNode } from 'react'
import type { Instance } from '../api/answers.ts'
import { instancePath } from '../api/call.ts'
import { useGet } from '../api/use-answer.ts'
import { plainText, withoutMiddle } from '../../display/plain-text.ts'

/** For so long a name is not asked for again: lists name the same few accounts many times. */
const FRESH_MS = 60_000

/**
 * `otherwise`: what is shown until the name is there, and where the account is gone. `most`: of a longer name the middle is
 * left out, but for those who point at it or have it read to them.
 */
export function AccountName(props: {
  readonly id: string
  readonly otherwise: string
  readonly most?: number
}): ReactNode {
  const path = instancePath(props.id)
  const answer = useGet<Instance>(path, {}, { kept: true, freshMs: FRESH_MS })
  const name = plainText(answer.kind === 'ready' ? answer.value.name : props.otherwise)
  const short = withoutMiddle(name, props.most ?? name.length)
  if (short === name) return name
  return (
    <span title={name}>
      <span aria-hidden="true">{short}</span>
      <span className="unseen">{name}</span>
    </span>
  )
}
