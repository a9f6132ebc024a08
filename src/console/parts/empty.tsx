// Nothing is here yet, and what to do about it.
import type { ReactNode } from 'react'

export function Empty(props: {
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}): ReactNode {
  return (
    <div className="empty">
      <h2>{props.title}</h2>
      <p>{props.children}</p>
      {props.action}
    </div>
  )
}
