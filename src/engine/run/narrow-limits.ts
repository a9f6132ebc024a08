// Limits of a vendor for less than everything: which of them a call falls under, be it of an action or of the caller's own
// making. Source: docs/manifest-language.md, "Top-level keys".
import { own } from '../../language/json/own.ts'
import type { Json } from '../../language/json/json.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Scope, Text } from '../../language/expression/syntax.ts'
import type { Limits, Manifest, RequestTemplate } from '../../language/manifest/manifest.ts'
import type { NarrowLimit } from '../exchange/call.ts'
import { compileErrorRules } from '../response/error-rules.ts'

type Endpoint = Pick<RequestTemplate, 'method' | 'path'>

/** For one endpoint; the function gives the limits that a call of it falls under. */
export function compileNarrowLimits(
  { narrow = [] }: Limits,
  endpoint: Endpoint,
  isWrite: boolean,
): (scope: Scope) => readonly NarrowLimit[] {
  const name = endpointKey(endpoint.method, endpoint.path)
  const rules = narrow.flatMap(({ when, per, writes }, index) =>
    writes && !isWrite ? [] : [{ judge: compileErrorRules([when]), per, index }],
  )
  if (rules.length === 0) return () => NONE
  return (scope) => {
    const { params = {} } = scope
    return rules.flatMap(({ judge, per, index }) => {
      const value = per === undefined ? name : own(params, per)
      if (value === undefined || value === null) return []
      return [
        {
          key: JSON.stringify([index, asText(value)]),
          matches: (answer) => {
            const verdict = judge(answer, scope)
            return verdict.effect !== 'pass' && verdict.rule !== null
          },
        } satisfies NarrowLimit,
      ]
    })
  }
}

/** In a path a number is text, and means the same. */
function asText(value: Json): Json {
  return typeof value === 'number' || isExactNumber(value) ? JSON.stringify(value) : value
}

function endpointKey(method: string, path: unknown): string {
  return JSON.stringify([method, path])
}

/**
 * For requests that are not in the manifest: those that one of its endpoints could be fall under the limits of that one,
 * with the parameters that stand in its path; to each other endpoint those limits apply that endpoints have. `path`: below
 * the base URL, as it is sent, without a query.
 */
export function compileOtherLimits({
  limits,
  entities,
}: Pick<Manifest, 'limits' | 'entities'>): (
  request: { readonly method: string; readonly path: string },
  isWrite: boolean,
) => readonly NarrowLimit[] {
  if (limits.narrow === undefined) return () => NONE
  const steps = entities.flatMap(({ actions }) => actions.flatMap((each) => each.steps))
  const endpoints = steps.map(({ request }) => request).filter(({ origin }) => origin === null)
  // What is written wins over what stands for anything.
  const known = endpoints.toSorted((a, b) => fixedIn(b.path) - fixedIn(a.path))
  return ({ method, path }, isWrite) => {
    const segments = path.slice(1).split('/')
    for (const endpoint of known) {
      const params = endpoint.method === method ? paramsIn(endpoint.path, segments) : null
      if (params !== null) return compileNarrowLimits(limits, endpoint, isWrite)({ params })
    }
    const unknown = { method, path: [[path]] } as Endpoint
    return compileNarrowLimits(limits, unknown, isWrite)({ params: {} })
  }
}

function fixedIn(path: readonly Text[]): number {
  return path.filter((segment) => textOf(segment) !== null).length
}

/** The parameters that are segments of a path; null: it is another path. */
function paramsIn(
  path: readonly Text[],
  segments: readonly string[],
): Readonly<Record<string, Json>> | null {
  if (path.length !== segments.length) return null
  const params: Record<string, Json> = {}
  for (const [index, text] of path.entries()) {
    const segment = segments[index] ?? ''
    const at = text.findIndex((part) => typeof part !== 'string')
    const front = textOf(text.slice(0, at < 0 ? undefined : at)) ?? ''
    if (at < 0 && segment !== front) return null
    if (at < 0) continue
    const end = textOf(text.slice(at + 1)) ?? ''
    const isLike =
      segment.length > front.length + end.length &&
      segment.startsWith(front) &&
      segment.endsWith(end)
    if (!isLike) return null
    const part = text[at]
    if (typeof part !== 'object' || part.kind !== 'path' || part.root !== 'params') continue
    const [name] = part.path
    const value = segment.slice(front.length, segment.length - end.length)
    if (part.path.length === 1 && name !== undefined) params[name] = decoded(value)
  }
  return params
}

/** Null: not all of it is written. */
function textOf(parts: Text): string | null {
  const texts = parts.filter((part) => typeof part === 'string')
  return texts.length === parts.length ? texts.join('') : null
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // It is sent as it is written, and compared so.
    return segment
  }
}

const NONE: readonly NarrowLimit[] = []
