// The picture of a connector: letters on a colour of its own.
import type { ReactNode } from 'react'
import './connector-icon.css'

export function ConnectorIcon({ type }: { readonly type: string }): ReactNode {
  return (
    <span className={`connector-icon tint-${tintOf(type)}`} aria-hidden="true">
      {lettersOf(type)}
    </span>
  )
}

const TINTS = 8

function tintOf(type: string): number {
  let sum = 0
  for (const letter of type) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return sum % TINTS
}

/** `facebook-marketing`: FM. `jira`: Ji. */
function lettersOf(type: string): string {
  const [first = '', second] = type.split(/[-_]/)
  return second === undefined
    ? first.slice(0, 1).toUpperCase() + first.slice(1, 2)
    : (first.slice(0, 1) + second.slice(0, 1)).toUpperCase()
}
