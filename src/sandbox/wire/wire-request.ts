// A request as it arrived, taken apart but not yet understood.

/** Texts are decoded; names of headers are in lower case. */
export interface WireRequest {
  readonly method: string
  /** Path and query as they arrived. */
  readonly target: string
  readonly segments: readonly string[]
  readonly query: readonly Pair[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type Pair = readonly [name: string, value: string]

/** The target of a request in parts; null when its percent encoding is broken. */
export function readTarget(
  target: string,
): { readonly segments: readonly string[]; readonly query: readonly Pair[] } | null {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const segments = path.split('/').slice(1).map(decodePercent)
  const query = mark < 0 ? [] : readPairs(target.slice(mark + 1))
  return query !== null && segments.every((segment) => segment !== null)
    ? { segments, query }
    : null
}

/** `a=1&b=2` as pairs, a bare `+` being a blank (application/x-www-form-urlencoded); null when the encoding is broken. */
export function readPairs(text: string): readonly Pair[] | null {
  // URLSearchParams takes a question mark at the beginning away: only this one.
  return decodePercent(text) === null ? null : [...new URLSearchParams(`?${text}`)]
}

/** The value of a header without its parameters, in lower case: `application/json`. */
export function mediaTypeOf(request: WireRequest): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null // The caller answers 400.
  }
}
