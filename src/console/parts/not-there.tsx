// Addresses are typed, kept and sent: what one names may not be there. Nobody takes what is shown for what it names.
import { type ReactNode, useState } from 'react'
import { isHashBroken } from './in-address.ts'
import { plainText } from '../../display/plain-text.ts'

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

/** Says that what stands behind the # of the address can not be read, as it was when the screen was opened. */
export function NotRead(props: {
  /** As the address has it. */
  readonly name: string
  /** What kind of thing: `query`. */
  readonly what: string
  /** A clause: `all records are shown`. */
  readonly shown: string
}): ReactNode {
  const [isBroken] = useState(() => isHashBroken(props.name))
  return isBroken ? (
    <p className="notice" role="status">
      The {props.what} in the address cannot be read: {props.shown}.
    </p>
  ) : null
}
