// What a redirect turns a request into.
import { isSpent } from '../exchange/streamed.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'

type MethodRule = 'keep' | 'get' | 'stay'

/**
 * Per status, what happens to a read (GET, HEAD) and to any other method. Where the standard leaves it to the client
 * whether 301 and 302 turn a POST into a GET, we do not guess: such an answer is not followed.
 * Source: RFC 9110, section 15.4.
 */
const RULES: Readonly<Record<number, { readonly read: MethodRule; readonly write: MethodRule }>> = {
  301: { read: 'keep', write: 'stay' },
  302: { read: 'keep', write: 'stay' },
  303: { read: 'keep', write: 'get' },
  307: { read: 'keep', write: 'keep' },
  308: { read: 'keep', write: 'keep' },
}

/** Credentials whatever the request says of its headers. */
const ALWAYS_SECRET = ['authorization', 'proxy-authorization', 'cookie']
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding', 'content-language']

/**
 * The request that follows a redirect, or null where the redirect is the answer: no hop is left, the status is none
 * of 301, 302, 303, 307, 308, the address is missing or unreadable, the method may not be repeated there, or the body
 * was a stream that was read.
 *
 * Another origin gets no client certificate, no header of `secretHeaders`, no query parameter of `secretQuery`, no authorization and no
 * cookie, and never a body; what was taken away stays away on the hops after it. The target is not judged here: it
 * passes the outgoing guard like every other request.
 */
export function followRedirect(
  request: UpstreamRequest,
  status: number,
  location: string | undefined,
): UpstreamRequest | null {
  const rule = RULES[status]
  if (rule === undefined || request.redirects === 0 || location === undefined) return null
  const target = URL.parse(location, request.url)
  if (target === null) return null
  target.hash = ''

  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const methodRule = isRead ? rule.read : rule.write
  if (methodRule === 'stay') return null
  const sameOrigin = target.origin === new URL(request.url).origin
  if (methodRule === 'keep' && !isRead && !sameOrigin) return null

  const body = methodRule === 'get' || !sameOrigin ? null : request.body
  if (body !== null && isSpent({ body })) return null
  // Touched only where needed: writing through searchParams encodes the rest of the query again, and a signed link
  // does not survive that.
  const secretQuery = sameOrigin ? [] : request.secretQuery
  for (const name of secretQuery)
    if (target.searchParams.has(name)) target.searchParams.delete(name)
  const { tls, ...others } = request
  return {
    ...others,
    ...(sameOrigin && tls !== undefined ? { tls } : {}),
    method: methodRule === 'get' ? 'GET' : request.method,
    url: target.href,
    headers: omit(request.headers, [
      ...(body === null ? BODY_HEADERS : []),
      ...(sameOrigin ? [] : [...ALWAYS_SECRET, ...request.secretHeaders]),
    ]),
    body,
    redirects: request.redirects - 1,
  }
}

function omit(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const dropped = new Set(names.map((name) => name.toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !dropped.has(name.toLowerCase())),
  )
}
