// The mark of the product: two timbers and the joint that gave it its name.
import type { ReactNode } from 'react'

export function Mark({ size = 22 }: { readonly size?: number }): ReactNode {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <path className="mark-cut" d="M7 8h18v6h-6v4h-6v-4H7zm0 8h4v4h10v-4h4v8H7z" />
    </svg>
  )
}
