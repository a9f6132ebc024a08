// A request for people: its parts and a curl line, secrets masked.
import { percentEncode } from '../../language/expression/encode.ts'
import type { Json } from '../../language/json/json.ts'
import { JsonError, parseJson } from '../../language/json/parse-json.ts'
import { StreamedBody } from './streamed-body.ts'
import type { UpstreamRequest } from './upstream-request.ts'

export interface RequestPreview {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The JSON value of a JSON body, the text of another; null when there is none. */
  readonly body: Json
  /** Runs once `***` is replaced. */
  readonly curl: string
}

const MASK = '***'
/** Blanking very short values would blank everything. */
const MIN_SECRET = 6

/**
 * A request with its secrets masked: headers and query parameters that carry them, and everywhere the values of
 * `secrets`, in any form.
 */
export function previewRequest(
  request: UpstreamRequest,
  secrets: readonly string[],
): RequestPreview {
  const hide = masker(secrets)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      request.secretHeaders.includes(name) ? maskHeader(name, value) : hide(value),
    ]),
  )
  const address =
    request.secretAddress === true ? `${new URL(request.url).origin}/${MASK}` : request.url
  const url = hide(maskQuery(address, request.secretQuery))
  const text = bodyText(request)
  const shown = text === null ? null : hide(text)
  const masked: UpstreamRequest = { ...request, url, headers, body: shown }
  return {
    method: request.method,
    url,
    headers,
    body: bodyValue(shown, headers['content-type']),
    curl: toCurl(masked),
  }
}

/** The request as a line for a POSIX shell. Shows what it is given: mask secrets first. */
export function toCurl(request: UpstreamRequest): string {
  const parts = ['curl']
  if (request.method === 'HEAD') parts.push('--head')
  // With a body and without -X, curl sends POST.
  else if (request.method !== 'GET' || request.body !== null) parts.push('-X', request.method)
  parts.push(quote(request.url))
  for (const [name, value] of Object.entries(request.headers))
    // curl takes `name:` for "do not send it".
    parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`))
  const body = bodyText(request)
  if (body !== null) parts.push('--data-raw', quote(body))
  return parts.join(' ')
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function bodyText({ body }: UpstreamRequest): string | null {
  if (body === null || typeof body === 'string') return body
  if (body instanceof StreamedBody) return body.shown
  const text = Buffer.from(body).toString('utf8')
  // Bytes that are no text are not shown: nobody could read them, and a shell could not pass them on.
  return Buffer.from(text).equals(body) ? text : `<${body.length} bytes>`
}

function bodyValue(text: string | null, type: string | undefined): Json {
  if (text === null || type === undefined || !type.startsWith('application/json')) return text
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return text
    throw error
  }
}

/** Keeps the scheme: `Basic ***`. Only `authorization` has one; the first word of another header may be secret. */
function maskHeader(name: string, value: string): string {
  const scheme = name === 'authorization' ? /^([A-Za-z][\w-]*) ./.exec(value)?.[1] : undefined
  return scheme === undefined ? MASK : `${scheme} ${MASK}`
}

function maskQuery(url: string, names: readonly string[]): string {
  const start = url.indexOf('?') + 1
  if (start === 0 || names.length === 0) return url
  const encoded = new Set(names.flatMap((name) => [name, percentEncode(name)]))
  const pairs = url
    .slice(start)
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1)
      return encoded.has(name) && name !== pair ? `${name}=${MASK}` : pair
    })
  return url.slice(0, start) + pairs.join('&')
}

function masker(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .flatMap((secret) => {
      const written = [secret, JSON.stringify(secret).slice(1, -1)]
      return [
        ...written,
        ...written.filter((text) => text.isWellFormed()).map(percentEncode),
        Buffer.from(secret).toString('base64'),
      ]
    })
    .toSorted((a, b) => b.length - a.length)
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, MASK), text)
}
