// Which operation of a vendor's document a request of a manifest is.
import { namesIn } from '../../../language/expression/paths-in.ts'
import type { Text } from '../../../language/expression/syntax.ts'
import type { Manifest, RequestTemplate } from '../../../language/manifest/manifest.ts'
import { nearest } from '../../../language/manifest/suggest.ts'
import {
  filled,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiServer,
} from '../openapi/document.ts'

export type Match =
  | { readonly kind: 'found'; readonly operation: OpenApiOperation }
  /** The path is there, with other verbs. */
  | { readonly kind: 'verbs'; readonly verbs: readonly string[]; readonly path: string }
  /** `near`: a path that is written alike. */
  | { readonly kind: 'none'; readonly path: string; readonly near: string | null }
  /** A host that the document does not speak of. */
  | { readonly kind: 'elsewhere' }

/**
 * Finds the operation behind a request. Paths are compared with and without the base paths of both sides, a literal
 * segment wins over a placeholder, and names of placeholders decide only between paths that are alike otherwise
 * (`/{campaign_id}` and `/{ad_id}`).
 */
export function matchRequest(
  { method, path, origin }: RequestTemplate,
  manifest: Manifest,
  document: OpenApiDocument,
): Match {
  const own = segmentsOf(path.map(shapeOf))
  const operations = document.operations.filter(
    (operation) =>
      origin === null || URL.parse(origin)?.host === hostOf(operation.server ?? document.server),
  )
  if (operations.length === 0) return { kind: 'elsewhere' }
  const bases = origin === null ? basesOf(manifest) : []
  const params = new Set(namesIn(path, 'params'))
  const scored = operations.flatMap((operation) => {
    const base = basePathOf(operation.server ?? document.server)
    const theirs = segmentsOf([operation.path.replaceAll(PLACEHOLDER, '{}')])
    const score = Math.max(
      ...[[], ...bases].flatMap((ours) => [
        scoreOf([...ours, ...own], [...base, ...theirs]),
        scoreOf([...ours, ...own], theirs),
      ]),
    )
    const named = operation.path.match(PLACEHOLDER) ?? []
    const same = named.filter((name) => params.has(name.slice(1, -1)))
    return score < 0 ? [] : [{ operation, score: score + same.length / MANY }]
  })
  const found = scored.filter(({ operation }) => operation.method === method).toSorted(byScore)[0]
  const best = scored.toSorted(byScore)[0]
  if (found !== undefined && (best === undefined || found.score >= best.score - MAX_WORSE))
    return { kind: 'found', operation: found.operation }
  const written = `/${own.join('/')}`
  if (best === undefined) {
    const paths = operations.map((operation) => operation.path)
    return { kind: 'none', path: written, near: nearest(written, paths) }
  }
  const same = scored.filter(({ operation }) => operation.path === best.operation.path)
  const verbs = same.map(({ operation }) => operation.method)
  return { kind: 'verbs', verbs, path: best.operation.path }
}

/** A path that says less of one segment is still meant where the other one has not this verb. */
const MAX_WORSE = 2

/** More than a path has placeholders: all their names count less than one segment. */
const MANY = 100

function byScore(a: { readonly score: number }, b: { readonly score: number }): number {
  return b.score - a.score
}

const PLACEHOLDER = /\{[^{}]*\}/g

/** A text whose expressions are `{}`. */
export function shapeOf(text: Text): string {
  return text.map((part) => (typeof part === 'string' ? part : '{}')).join('')
}

function segmentsOf(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => path.split('/')).filter((segment) => segment !== '')
}

/** The paths below the origins of the manifest's base URLs; what stands for a whole URL has none. */
function basesOf({ server, auth }: Manifest): readonly (readonly string[])[] {
  const urls = [...server.urls, ...auth.flatMap(({ urls: own }) => own ?? [])]
  return urls.map((url) => {
    const shape = shapeOf(url)
    return segmentsOf([shape.includes('://') ? shape.replace(/^[^:]*:\/\/[^/]*/, '') : ''])
  })
}

function hostOf(server: OpenApiServer | null): string | undefined {
  return server === null ? undefined : URL.parse(filled(server))?.host
}

function basePathOf(server: OpenApiServer | null): readonly string[] {
  if (server === null) return []
  return segmentsOf([URL.parse(filled(server))?.pathname ?? ''])
}

/** Below 0: they differ. */
function scoreOf(ours: readonly string[], theirs: readonly string[]): number {
  if (ours.length !== theirs.length) return -1
  // A path of placeholders alone (`/{id}`) says nothing of a literal one.
  if (theirs.every(isOpen) && !ours.every(isOpen)) return -1
  const points = ours.map((segment, index) => pointsOf(segment, theirs[index] ?? ''))
  return points.includes(-1) ? -1 : points.reduce((sum, each) => sum + each, 0)
}

function isOpen(segment: string): boolean {
  return segment === '{}'
}

function pointsOf(ours: string, theirs: string): number {
  if (ours === theirs) return ours === '{}' ? 2 : 3
  return theirs === '{}' ? 1 : -1
}
