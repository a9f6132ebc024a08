// The code of an error, as a link to what it means and who has to act.
import type { ReactNode } from 'react'
import { ROOT } from '../place.tsx'

export function ErrorCode({ of: code }: { readonly of: string }): ReactNode {
  return (
    <a href={`${ROOT}/docs/errors#${encodeURIComponent(code)}`}>
      <code>{code}</code>
    </a>
  )
}
