// Keys that are pressed one after the other, or together.
import type { ReactNode } from 'react'

export function Pressed({ keys }: { readonly keys: readonly string[] }): ReactNode {
  return (
    <span className="pair">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
