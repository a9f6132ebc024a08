// The request templates of a manifest as the routes of a vendor.
import { spansSegments } from '../../language/expression/encode.ts'
import { compileText } from '../../language/expression/evaluate.ts'
import type { Scope, Text, TextPart } from '../../language/expression/syntax.ts'
import type { Action, Entity, Manifest, Step } from '../../language/manifest/manifest.ts'
import { Reader } from './read-back.ts'

/** One request of one action. Several routes may share a method and a path. */
export interface Route {
  /** `issues.update`. */
  readonly operation: string
  readonly entity: Entity
  readonly action: Action
  readonly step: Step
  /** The steps of the action are more than one. */
  readonly stepped: boolean
}

/** A route whose method and path fit, and the reader that has read the path. */
export interface RouteMatch {
  readonly route: Route
  readonly reader: Reader
}

export interface Found {
  /** The most literal of the routes that fit: `/project/search` before `/project/{key}`. */
  readonly matches: readonly RouteMatch[]
  /** Their path has no place for a value. */
  readonly isLiteral: boolean
  /** Some route has this path, with any method. */
  readonly pathIsKnown: boolean
}

export type FindRoutes = (method: string, segments: readonly string[]) => Found

function listRoutes(manifest: Manifest): readonly Route[] {
  return manifest.entities.flatMap((entity) =>
    entity.actions.flatMap((action) =>
      action.steps.map((step) => ({
        operation: `${entity.name}.${action.name}`,
        entity,
        action,
        step,
        stepped: action.steps.length > 1,
      })),
    ),
  )
}

/**
 * Compiles the search for routes. Hosts are ignored, since a sandbox has one origin; the path of every base URL of
 * the manifest is accepted. `known`: config and maps as the vendor knows them.
 */
export function compileRoutes(manifest: Manifest, known: Scope): FindRoutes {
  const bases = basePaths(manifest, known)
  const candidates = listRoutes(manifest).flatMap((route) => {
    const { origin, path } = route.step.request
    // One for each base path.
    return (origin === null ? bases : [[]]).map((base) => ({
      route,
      path: base.length + path.length === 0 ? ROOT : [...base, ...path],
    }))
  })
  return (method, segments) => {
    const fitting: { match: RouteMatch; rank: readonly number[] }[] = []
    let pathIsKnown = false
    for (const { route, path } of candidates) {
      const reader = new Reader({ ...known, record_fields: route.entity.recordFields })
      if (!readPath(reader, path, segments)) continue
      pathIsKnown = true
      if (route.step.request.method !== method) continue
      fitting.push({ match: { route, reader }, rank: path.map(literalRank) })
    }
    const best = fitting.map(({ rank }) => rank).reduce(higher, [])
    return {
      matches: fitting
        .filter(({ rank }) => compareRanks(rank, best) === 0)
        .map(({ match }) => match),
      isLiteral: best.every((rank) => rank === Infinity),
      pathIsKnown,
    }
  }
}

const ROOT: readonly Text[] = [['']]

/** Reads a path segment by segment; false when it does not fit. */
export function readPath(
  reader: Reader,
  path: readonly Text[],
  segments: readonly string[],
): boolean {
  const spanning = path.findIndex((text) => text.some(spansSegments))
  const more = segments.length - path.length
  if (spanning < 0 ? more !== 0 : more < 0) return false
  const before = reader.problems.length
  for (const [index, text] of path.entries()) {
    const from = spanning >= 0 && index > spanning ? index + more : index
    const segment = segments.slice(from, index === spanning ? from + more + 1 : from + 1).join('/')
    // A slash at the end of the path.
    if (segment === '' && text.every((part) => part === '')) continue
    if (segment === '' || !reader.finished(text, segment, 'path')) return false
  }
  return reader.problems.length === before
}

/** The path of an absolute URL template in segments: everything after scheme and host. */
export function pathSegments(url: Text, known: Scope): readonly Text[] {
  const [first] = url
  // A URL that is one setting has the path that the vendor's own setting has.
  if (typeof first !== 'string' || !first.includes('://')) {
    const rendered = compileText(url)(known)
    if (rendered === undefined || !URL.canParse(rendered)) return []
    return splitSegments([new URL(rendered).pathname])
  }
  return splitSegments(withoutOrigin(url))
}

function withoutOrigin(url: Text): Text {
  const parts: TextPart[] = []
  let inPath = false
  for (const [index, part] of url.entries()) {
    if (inPath) parts.push(part)
    else if (typeof part === 'string') {
      const slash = part.indexOf('/', index === 0 ? part.indexOf('://') + 3 : 0)
      inPath = slash >= 0
      if (inPath) parts.push(part.slice(slash))
    }
  }
  return parts
}

function splitSegments(path: Text): readonly Text[] {
  const segments: TextPart[][] = [[]]
  for (const part of path) {
    const [first = '', ...more] = typeof part === 'string' ? part.split('/') : [part]
    segments.at(-1)?.push(first)
    segments.push(...more.map((piece) => [piece]))
  }
  return segments
    .map((segment) => segment.filter((part) => part !== ''))
    .filter((segment) => segment.length > 0)
}

/** The paths of all base URLs of a manifest, each once. */
export function basePaths(manifest: Manifest, known: Scope): readonly (readonly Text[])[] {
  const urls = [...manifest.server.urls, ...manifest.auth.flatMap((method) => method.urls ?? [])]
  const paths = urls.map((url) => pathSegments(url, known))
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
}

/** How much of a segment is fixed: all of it, some characters, nothing. */
function literalRank(segment: Text): number {
  const literals = segment.filter((part) => typeof part === 'string')
  if (literals.length === segment.length) return Infinity
  return literals.join('').length
}

function higher(a: readonly number[], b: readonly number[]): readonly number[] {
  return compareRanks(a, b) >= 0 ? a : b
}

/** Compares lists of numbers place by place; what a list lacks is less than everything else. */
export function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const left = a[index] ?? -1
    const right = b[index] ?? -1
    if (left !== right) return left - right
  }
  return 0
}
