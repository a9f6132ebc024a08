// The method of a request, in its colour.
import type { ReactNode } from 'react'

export function Method({ of: method }: { readonly of: string }): ReactNode {
  return <code className={`method ${method.toLowerCase()}`}>{method}</code>
}
