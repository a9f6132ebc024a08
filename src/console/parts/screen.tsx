// The frame of a screen: its title, what can be done, what it is about.
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { addressOf, hasMoved, Link } from '../place.tsx'
import './screen.css'

export function Screen(props: {
  readonly title: string
  /** What the window is called; absent: as the title. */
  readonly windowTitle?: string
  /** What stands before the title. */
  readonly icon?: ReactNode
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  /** The screens above this one: title and path. */
  readonly crumbs?: readonly (readonly [title: string, path: string])[]
  /** What stands at the end of their line. */
  readonly crumbsEnd?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  const windowTitle = props.windowTitle ?? props.title
  useEffect(() => {
    document.title = `${windowTitle} · Tenon`
  }, [windowTitle])
  useEffect(() => {
    // Screen readers and the keyboard go on at the new screen; in a page that was just loaded they begin at its top.
    if (hasMoved) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={`screen ${props.className ?? ''}`}>
      {props.crumbs === undefined ? null : (
        <div className="crumbs">
          <p>
            {props.crumbs.map(([title, path], index) => (
              <Fragment key={path}>
                {index === 0 ? null : ' / '}
                <Link to={addressOf(path)}>{title}</Link>
              </Fragment>
            ))}
          </p>
          {props.crumbsEnd}
        </div>
      )}
      <header className="screen-head">
        <div className="titled">
          {props.icon}
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {props.title}
            </h1>
            {props.lead === undefined ? null : <p className="lead">{props.lead}</p>}
          </div>
        </div>
        {props.actions === undefined ? null : <div className="actions">{props.actions}</div>}
      </header>
      {props.children}
    </div>
  )
}
