// Addresses are typed, kept and sent: what one names may not be there. Nobody takes what is shown for what it names.
import type { ReactNode } from 'react'
import { plainText } from './plain-text.ts'

/** Says that there is no such thing, and what is shown in its place. */
export function NotThere(props: {
  /** What kind of thing: `tab`. */
  readonly what: string
  readonly value: string
  /** A clause: `the overview is shown`. */
  readonly shown: string
}): ReactNode {
  return (
    <p className="notice" role="status">
      There is no {props.what} “{plainText(props.value)}”: {props.shown}.
    </p>
  )
}
