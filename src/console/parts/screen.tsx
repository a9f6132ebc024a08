// The frame of a screen: its title, what can be done, what it is about.
import { type ReactNode, useEffect, useRef } from 'react'

export function Screen(props: {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly above?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${props.title} · Tenon`
  }, [props.title])
  useEffect(() => {
    // Screen readers and the keyboard go on at the new screen.
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="screen">
      {props.above}
      <header className="screen-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {props.title}
          </h1>
          {props.lead === undefined ? null : <p className="lead">{props.lead}</p>}
        </div>
        {props.actions === undefined ? null : <div className="actions">{props.actions}</div>}
      </header>
      {props.children}
    </div>
  )
}
