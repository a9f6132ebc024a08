// Request templates: `http` split into segments, every place of a parameter with its template.
import type { Text, TextPart } from '../expression/syntax.ts'
import { resolveBody } from './body-forms/forms.ts'
import { parseDuration } from './duration.ts'
import type { RequestTemplate } from './manifest.ts'
import { orNull } from './or-null.ts'
import type { Site } from './resolver.ts'
import type { RequestSource } from './source.ts'

/** Resolves one request. `auth`: what holds when the request does not say. */
export function resolveRequest(
  request: RequestSource,
  site: Site,
  auth: 'same' | 'none' = 'same',
): RequestTemplate {
  const { style, headers, timeoutMs } = site.resolver.requests
  return {
    ...resolveHttp(request.http, site.in('http')),
    ...(request.reads === true && { reads: true as const }),
    query: site.in('query').entries(request.query, {
      place: 'request.query',
      style,
      styled: true,
      repeatable: true,
    }),
    headers: site
      .in('headers')
      .headers(request.headers, { place: 'request.headers', style }, headers),
    body: resolveBody(request, site),
    auth: request.auth ?? auth,
    redirects: request.redirects ?? 0,
    timeoutMs: orNull(request.timeout, parseDuration) ?? timeoutMs,
  }
}

type Http = Pick<RequestTemplate, 'method' | 'origin' | 'path'>

function resolveHttp(http: string, site: Site): Http {
  // The form was checked by the manifest schema.
  const [start = '', method = '', origin = null] = /^([A-Z]+) (https:\/\/[^/]+)?/.exec(http) ?? []
  // The whole value is parsed, so that positions in messages are those of the value.
  const text = site.text(http, 'request.path')
  const [first, ...rest] = text
  const path = splitSegments(
    typeof first === 'string' ? [first.slice(start.length), ...rest] : text,
  )
  checkSegments(path, http, site)
  return { method: method as Http['method'], origin, path }
}

/** The texts between slashes; a slash at the end gives a last empty one. */
function splitSegments(text: Text): readonly Text[] {
  const segments: TextPart[][] = []
  for (const part of text) {
    if (typeof part !== 'string') {
      segments.at(-1)?.push(part)
      continue
    }
    for (const [index, piece] of part.split('/').entries()) {
      if (index > 0) segments.push([])
      if (piece !== '') segments.at(-1)?.push(piece)
    }
  }
  return segments.map((segment) => (segment.length === 0 ? [''] : segment))
}

function checkSegments(segments: readonly Text[], http: string, site: Site): void {
  for (const [index, segment] of segments.entries()) {
    for (const part of segment) {
      const odd = typeof part === 'string' ? /[\s{}\\"<>^`|]/.exec(part)?.[0] : undefined
      if (odd === undefined) continue
      const inner = { offset: Math.max(0, http.lastIndexOf(odd)), length: 1 }
      const message = `a path cannot hold ${odd.trim() === '' ? 'a blank' : odd}`
      site.report('request/path', message, 'write it percent-encoded', inner)
    }
    const [only] = segment
    const isEmpty = only === '' && index < segments.length - 1
    if (segment.length === 1 && (isEmpty || only === '.' || only === '..')) {
      const message = isEmpty
        ? 'a segment of the path is empty'
        : `"${only}" is no segment of a path`
      site.report('request/path', message, 'servers and clients fold such segments away')
    }
  }
}
