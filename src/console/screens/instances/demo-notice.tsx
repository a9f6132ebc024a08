// In the sandbox nobody has credentials: the local vendor's own can be filled in.

import type { ReactNode } from 'react'

export function DemoNotice(props: {
  /** What there is to fill in; null: nothing, the local vendor agrees by itself. */
  readonly words: 'credentials' | 'settings' | null
  readonly fill: () => void
}): ReactNode {
  return (
    <div className="notice">
      <p>
        This is the sandbox: a local vendor answers.{' '}
        {props.words === null ? null : (
          <button type="button" className="small" onClick={props.fill}>
            Fill in demo {props.words}
          </button>
        )}
      </p>
    </div>
  )
}
