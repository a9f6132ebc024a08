// Next pages that are addresses: followed only where the credentials of the call may go.
import { ConnectorError } from '../../errors.ts'
import type { RequestTarget } from './build.ts'
import type { UpstreamRequest } from './upstream-request.ts'

/**
 * The request of a listing, sent to the address of its next page.
 *
 * Method, headers and body stay. Throws `upstream_malformed` when the address leaves the server or its path prefix, for
 * the third party named it. Credentials that travel in the query are set again: those in the address are not used.
 */
export function toLink(
  request: UpstreamRequest,
  link: string,
  target: RequestTarget,
): UpstreamRequest {
  const url = URL.canParse(link) ? new URL(link) : null
  const base = target.base
  if (
    url === null ||
    url.origin !== new URL(base.origin).origin ||
    !url.pathname.startsWith(`${base.path}/`)
  ) {
    throw new ConnectorError(
      'upstream_malformed',
      'the address of the next page leaves the server that the credentials belong to; it was not followed',
    )
  }
  for (const [name] of target.credentials?.query ?? []) url.searchParams.delete(name)
  for (const [name, value] of target.credentials?.query ?? []) url.searchParams.append(name, value)
  return { ...request, url: url.href }
}
