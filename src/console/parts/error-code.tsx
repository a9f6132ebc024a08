// The code of an error, as a link to what it means and who has to act.
import type { ReactNode } from 'react'
import { ROOT } from '../place.tsx'
import { Marked } from './marked.tsx'

export function ErrorCode(props: {
  readonly of: string
  readonly marked?: readonly string[] | undefined
}): ReactNode {
  const { of: code, marked = [] } = props
  return (
    <a href={`${ROOT}/docs/errors#${encodeURIComponent(code)}`}>
      <code>
        <Marked words={marked} text={code} />
      </code>
    </a>
  )
}
