// What an address of the documentation names behind its #: an operation, a code, a heading.
import { type ReactNode, useSyncExternalStore } from 'react'
import { plainText } from '../../display/plain-text.ts'

/** Where a link leads that skips what stands before the content. */
const CONTENT = 'main'

function subscribe(listen: () => void): () => void {
  window.addEventListener('hashchange', listen)
  return () => window.removeEventListener('hashchange', listen)
}

/** '': nothing is named, or the content itself. */
export function useNamed(): string {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash.slice(1))
  if (hash === CONTENT) return ''
  try {
    return decodeURIComponent(hash)
  } catch {
    // An address that was cut off or typed.
    return hash
  }
}

/** Says that there is no such thing, and what is shown in its place. */
export function NothingCalled(props: {
  readonly name: string
  /** What kind of thing: `operation`. */
  readonly what: string
  /** A clause: `all of them are below`. */
  readonly shown: string
}): ReactNode {
  return (
    <p className="notice" role="status">
      <span>
        No {props.what} is called <code>{plainText(props.name)}</code>; {props.shown}.
      </span>
    </p>
  )
}
