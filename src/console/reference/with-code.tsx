// A sentence of the API's document.
import type { ReactNode } from 'react'

/** What stands between backticks as code. */
export function WithCode({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}
