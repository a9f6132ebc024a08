// Request templates: `http` split into segments, every place of a parameter with its template.
import type { Template, Text, TextPart } from '../expression/syntax.ts'
import type { Json } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import { bodyIn, httpOf } from './body-forms/forms.ts'
import type { MultipartPart } from './body-forms/multipart.ts'
import type { RequestTemplate } from './manifest.ts'
import { resolveHeaders, resolveTemplate } from './resolve-template.ts'
import type { Site } from './resolver.ts'
import type { RequestSource, Resolved } from './source.ts'

/** Resolves one request whose `words` are resolved. `auth`: what holds when it does not say. */
export function resolveRequest(
  source: RequestSource,
  site: Site,
  words: Resolved['request'],
  auth: 'same' | 'none' = 'same',
): RequestTemplate {
  const { style, headers, timeoutMs } = site.resolver.requests
  const { reads, query, redirects } = words
  const options = { place: 'request.headers', style } as const
  return {
    ...resolveHttp(httpOf(source), site.in('http')),
    ...(reads && { reads }),
    query,
    headers: resolveHeaders(source.headers, site.in('headers'), options, headers),
    body: bodyIn(words),
    auth: words.auth ?? auth,
    redirects,
    timeoutMs: words.timeoutMs ?? timeoutMs,
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
      const named = /\{\s*(?:params\.)?([A-Za-z_]\w*)\s*\}|<([A-Za-z_]\w*)>/.exec(
        typeof part === 'string' ? part : '',
      )
      const name = named?.[1] ?? named?.[2]
      const hint = name === undefined ? 'write it percent-encoded' : `write {{ params.${name} }}`
      site.report('request/path', message, hint, inner)
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

/** Resolves one part of a `multipart` body: a field, or a file. */
export function resolvePart(name: string, value: Json, site: Site): MultipartPart {
  const resolve = (part: Json, at: Site): Template => resolveTemplate(part, at, 'request.multipart')
  if (!isJsonObject(value) || !Object.hasOwn(value, 'base64'))
    return { kind: 'field', name, value: resolve(value, site) }
  const member = (key: string): Template => resolve(value[key] ?? null, site.in(key))
  return {
    kind: 'file',
    name,
    base64: member('base64'),
    filename: member('filename'),
    type: member('type'),
  }
}
