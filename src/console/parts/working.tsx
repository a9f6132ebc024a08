// Something is under way: since when, and the way to stop it.
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'

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
