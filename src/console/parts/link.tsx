// A link inside the console.
import type { MouseEvent, ReactNode } from 'react'
import { goTo } from '../place.ts'

export function Link(props: {
  readonly to: string
  readonly className?: string
  readonly current?: boolean
  /** What is done before the place is left. */
  readonly before?: () => void
  readonly children: ReactNode
}): ReactNode {
  const follow = (event: MouseEvent): void => {
    // A new tab or window is the browser's business.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    props.before?.()
    goTo(props.to)
  }
  return (
    <a
      href={props.to}
      className={props.className}
      aria-current={props.current === true ? 'page' : undefined}
      onClick={follow}
    >
      {props.children}
    </a>
  )
}
