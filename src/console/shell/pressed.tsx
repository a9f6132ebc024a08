// Keys that are pressed together, one after the other, or of which one is pressed.
import type { ReactNode } from 'react'
import './pressed.css'

export function Pressed(props: {
  readonly keys: readonly string[]
  /** What stands between them; nothing where they are pressed together. */
  readonly between?: 'then' | 'or'
}): ReactNode {
  return (
    <span className="pressed">
      {props.keys.map((key, at) => (
        <span key={key}>
          {at === 0 || props.between === undefined ? null : <small>{props.between}</small>}
          {/* As they stand on the keyboard. */}
          <kbd>{key.length === 1 ? key.toUpperCase() : key}</kbd>
        </span>
      ))}
    </span>
  )
}
