// What was loaded, or that it is on its way, or why it is not there; that there is nothing, or that work is under way.
import type { Answer } from '../api/use-answer.ts'
import { ProblemNotice } from './problem-notice.tsx'
import { Button } from './controls.tsx'
import { Link } from '../place.tsx'
import { type ReactNode, useEffect, useState } from 'react'

export function Loaded<T>(props: {
  readonly of: Answer<T>
  readonly children: (value: T) => ReactNode
}): ReactNode {
  switch (props.of.kind) {
    case 'loading':
      return (
        <p className="loading" role="status">
          Loading …
        </p>
      )
    case 'failed':
      return <ProblemNotice problem={props.of.problem} retry={props.of.reload} />
    case 'ready':
      return (
        <>
          {props.of.stale === null ? null : (
            <div className="notice bad" role="alert">
              <p>
                <strong>{props.of.stale.body.title}.</strong> What stands below was so before.
              </p>
              <Button onClick={props.of.reload}>Try again</Button>
            </div>
          )}
          {props.children(props.of.value)}
        </>
      )
  }
}

export function Empty(props: {
  readonly title: string
  readonly children: ReactNode
  /** A way out: where it leads, as a button unless it is plain. */
  readonly action?: { readonly words: string; readonly to: string; readonly plain?: boolean }
}): ReactNode {
  const { title, children, action } = props
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action === undefined ? null : (
        <Link to={action.to} className={action.plain === true ? '' : 'button primary'}>
          {action.words}
        </Link>
      )}
    </div>
  )
}

const SECOND_MS = 1000

export function Working(props: {
  /** For example `Running`. */
  readonly words: string
  readonly stop: () => void
}): ReactNode {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const since = performance.now()
    const timer = window.setInterval(
      () => setSeconds(Math.floor((performance.now() - since) / SECOND_MS)),
      SECOND_MS,
    )
    return () => window.clearInterval(timer)
  }, [])
  return (
    <>
      <Button onClick={props.stop}>Stop</Button>
      <span className="working">
        <span role="status">{props.words} …</span>
        {/* Said once; the seconds are for those who see them. */}
        <span aria-hidden="true">{seconds === 0 ? '' : ` ${seconds} s`}</span>
      </span>
    </>
  )
}
