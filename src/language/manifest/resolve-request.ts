// Request templates: `http` split into segments, every place of a parameter with its template.
import type { Text, TextPart } from '../expression/syntax.ts'
import type { BodyResolver } from './body-forms/body-form.ts'
import { resolveBody } from './body-forms/forms.ts'
import type { DocumentPath } from './document.ts'
import type { Owner, TextPlace } from './draft.ts'
import { parseDuration } from './duration.ts'
import type { Entry, RequestTemplate, Style } from './manifest.ts'
import { resolveEntries, resolveMembers, resolveTemplate } from './resolve-template.ts'
import type { Resolver, TextSite } from './resolver.ts'
import type { RequestSource } from './source.ts'

/** What holds for every request of a manifest. */
export interface RequestDefaults {
  readonly style: Style
  /** Of the server and of `defaults.request`. */
  readonly headers: readonly Entry[]
  readonly timeoutMs: number
}

export const DEFAULT_TIMEOUT_MS = 30_000

/** Resolves one request. `auth`: what holds when the request does not say. */
export function resolveRequest(
  request: RequestSource,
  site: { readonly at: DocumentPath; readonly owner: Owner },
  resolver: Resolver,
  options: { readonly defaults: RequestDefaults; readonly auth: 'same' | 'none' },
): RequestTemplate {
  const { defaults } = options
  const place = placesBelow(site)
  const { method, origin, path } = resolveHttp(
    request.http,
    place('http', 'request.path'),
    resolver,
  )
  const headers = resolveEntries(request.headers, place('headers', 'request.headers'), resolver, {
    use: 'request.headers',
    style: defaults.style,
    styled: false,
    repeatable: false,
  })
  return {
    method,
    ...(request.reads === true && { reads: true as const }),
    origin,
    path,
    query: resolveEntries(request.query, place('query', 'request.query'), resolver, {
      use: 'request.query',
      style: defaults.style,
      styled: true,
      repeatable: true,
    }),
    headers: overlayHeaders(defaults.headers, headers),
    body: resolveBody(request, (word) =>
      bodyBelow({ ...site, at: [...site.at, word] }, resolver, defaults.style),
    ),
    auth: request.auth ?? options.auth,
    redirects: request.redirects ?? 0,
    timeoutMs: request.timeout === undefined ? defaults.timeoutMs : parseDuration(request.timeout),
  }
}

/** Header entries with names in lower case; a later one of the same name replaces an earlier one. */
export function overlayHeaders(under: readonly Entry[], over: readonly Entry[]): readonly Entry[] {
  const entries = new Map<string, Entry>()
  for (const entry of [...under, ...over]) {
    const name = entry.name.toLowerCase()
    entries.delete(name)
    entries.set(name, { ...entry, name })
  }
  return [...entries.values()]
}

type PlaceBelow = (key: string, place: TextPlace) => TextSite

function placesBelow(site: { readonly at: DocumentPath; readonly owner: Owner }): PlaceBelow {
  return (key, place) => ({ at: [...site.at, key], owner: site.owner, place })
}

type Http = Pick<RequestTemplate, 'method' | 'origin' | 'path'>

function resolveHttp(http: string, site: TextSite, resolver: Resolver): Http {
  // The form was checked by the manifest schema.
  const [, method = '', origin = null, start = ''] =
    /^([A-Z]+) (https:\/\/[^/]+)?()/.exec(http) ?? []
  const offset = method.length + 1 + (origin?.length ?? 0) + start.length
  // The whole value is parsed, so that positions in messages are those of the value.
  const text = resolver.text(http, site)
  const [first, ...rest] = text
  const path = typeof first === 'string' ? [first.slice(offset), ...rest] : text
  const segments = splitSegments(path)
  checkSegments(segments, http, site, resolver)
  return { method: method as Http['method'], origin, path: segments }
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

function checkSegments(
  segments: readonly Text[],
  http: string,
  site: TextSite,
  resolver: Resolver,
): void {
  for (const [index, segment] of segments.entries()) {
    for (const part of segment) {
      const odd = typeof part === 'string' ? /[\s{}\\"<>^`|]/.exec(part)?.[0] : undefined
      if (odd === undefined) continue
      const inner = { offset: Math.max(0, http.lastIndexOf(odd)), length: 1 }
      const message = `a path cannot hold ${odd.trim() === '' ? 'a blank' : odd}`
      resolver.report(site, 'request/path', message, 'write it percent-encoded', inner)
    }
    const [only] = segment
    const empty = only === '' && index < segments.length - 1
    if (segment.length === 1 && (empty || only === '.' || only === '..')) {
      const message = empty ? 'a segment of the path is empty' : `"${only}" is no segment of a path`
      resolver.report(site, 'request/path', message, 'servers and clients fold such segments away')
    }
  }
}

/** What resolves below the word of a body. */
function bodyBelow(
  { at, owner }: Pick<TextSite, 'at' | 'owner'>,
  resolver: Resolver,
  style: Style,
): BodyResolver {
  const site = (place: TextPlace, keys: readonly (string | number)[]): TextSite => ({
    at: [...at, ...keys],
    owner,
    place,
  })
  return {
    text: (source, use, ...keys) => resolver.text(source, site(use, keys), { blocks: true }),
    template: (source, use, ...keys) => resolveTemplate(source, site(use, keys), resolver),
    members: (source, use, ...keys) => resolveMembers(source, site(use, keys), resolver, use),
    entries: (source, use) =>
      resolveEntries(source, site(use, []), resolver, {
        use,
        style,
        styled: true,
        repeatable: true,
      }),
  }
}
