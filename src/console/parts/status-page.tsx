// The public page on which a vendor tells whether its service is up. Only the reader's browser goes there, in a tab of its own.
import type { ReactNode } from 'react'
import { isOfVendorsService } from '../../display/vendor-failures.ts'
import { useConnectorTypes } from './connector-icon.tsx'

/** Its address; null where the failure is not the vendor's, or its connector names no such page. */
export function useStatusPage(type: string | null, code: string | null): string | null {
  const types = useConnectorTypes()
  if (code === null || !isOfVendorsService(code)) return null
  return types.find(({ connector_type: each }) => each === type)?.status_page ?? null
}

export function StatusLink({ to }: { readonly to: string }): ReactNode {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      Status page of the third party
    </a>
  )
}

/** The link where there is one. */
export function StatusPage(props: {
  readonly type: string
  readonly code: string
  /** What stands in front of it. */
  readonly before?: ReactNode
}): ReactNode {
  const address = useStatusPage(props.type, props.code)
  return address === null ? null : (
    <>
      {props.before}
      <StatusLink to={address} />
    </>
  )
}
