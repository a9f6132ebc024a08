// Headers between the port and undici.
import type { IncomingHttpHeaders } from 'node:http'

/** Set by the transport and undici, whatever the request says. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['accept-encoding', 'content-length', 'host'])

/**
 * Names and values in turn, which undici takes without looking at each property. `length`: of a body that is not in
 * memory; null: undici knows it, or sends chunks.
 */
export function writeHeaders(
  headers: Readonly<Record<string, string>>,
  encodings: string,
  length: number | null = null,
): string[] {
  const flat: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !OWN_HEADERS.has(name)) flat.push(name, value)
  }
  flat.push('accept-encoding', encodings)
  if (length !== null) flat.push('content-length', String(length))
  return flat
}

/** Cookies that an answer sets, by name; one that it takes away is not there. Source: RFC 6265 section 5.2. */
export function readCookies(fields: IncomingHttpHeaders, now: number): Record<string, string> {
  const cookies = new Map<string, string>()
  for (const line of [fields['set-cookie'] ?? []].flat()) {
    const [pair = '', ...attributes] = line.split(';')
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(at, 0)).trim()
    if (name === '') continue
    if (isPast(attributes, now)) cookies.delete(name)
    else cookies.set(name, pair.slice(at + 1).trim())
  }
  return Object.fromEntries(cookies)
}

/** Max-Age decides where there is one, and of several the last. Source: RFC 6265 section 5.3. */
function isPast(attributes: readonly string[], now: number): boolean {
  let byAge: boolean | null = null
  let byDate = false
  for (const attribute of attributes) {
    const at = attribute.indexOf('=')
    const name = attribute.slice(0, Math.max(at, 0)).trim().toLowerCase()
    const value = attribute.slice(at + 1).trim()
    if (name === 'max-age' && /^-?\d+$/.test(value)) byAge = Number(value) <= 0
    if (name === 'expires') byDate = Date.parse(value) <= now
  }
  return byAge ?? byDate
}

/** One text per name; cookies are dropped. A header called `__proto__` is not kept. */
export function readHeaders(fields: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return isFlat(fields) ? fields : flatten(fields)
}

/** Whether they are what `readHeaders` gives already, as nearly always: undici makes them for each answer. */
function isFlat(fields: IncomingHttpHeaders): fields is Record<string, string> {
  for (const name in fields) {
    const isKept = name !== 'set-cookie' && name !== '__proto__'
    if (!isKept || typeof fields[name] !== 'string') return false
  }
  return true
}

function flatten(fields: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined || name === 'set-cookie') continue
    headers[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return headers
}

/**
 * How many bytes of body the head announces, or null where it does not say. Answers to HEAD, 204 and 304 may carry a
 * length that is not that of their body (RFC 9110, section 8.6).
 */
export function announcedLength(
  method: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): number | null {
  if (method === 'HEAD' || status === 204 || status === 304) return null
  const length = headers['content-length']
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null
}
