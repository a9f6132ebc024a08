// The third phase of loading: every reference of a schema leads somewhere, and no schema goes round in a circle.
import { type DocumentPath, type ManifestDocument, problemAt } from './document.ts'
import { inFileOrder, type ManifestProblem } from './problem.ts'
import {
  childrenOf,
  followReferences,
  lookUpReference,
  readReference,
  type SchemaNode,
  type SchemaRoot,
  schemaRoots,
} from './schema-nodes.ts'
import type { ManifestSource } from './source.ts'
import { suggestion } from './suggest.ts'

/**
 * Findings about `$ref`: `references/unknown`, `references/recursive` (only a shape may refer to itself, and only inside
 * a member or an element), `references/not-an-object` or `references/open` where a reference stands for params,
 * credentials, config or a record, and `references/many` where references would be written out almost without end.
 */
export function checkReferences(
  document: ManifestDocument,
  source: ManifestSource,
): readonly ManifestProblem[] {
  const roots = schemaRoots(source)
  const uses = roots.flatMap((root) => referencesIn(root.node).map((use) => ({ root, ...use })))
  const unknown = uses.filter(({ reference }) => lookUpReference(source, reference) === null)
  const told = ({ at, kind, message, hint }: Finding): ManifestProblem =>
    problemAt(document, { at, rule: `references/${kind}`, message, hint })
  if (unknown.length > 0) return unknown.map((use) => told(unknownReference(source, use)))
  const circles = findCircles(uses)
  if (circles.length > 0) return inFileOrder(circles.map(told))
  return inFileOrder([...checkTops(source, roots), ...checkNumber(source, roots)].map(told))
}

interface Finding {
  readonly at: DocumentPath
  readonly kind: 'unknown' | 'recursive' | 'not-an-object' | 'open' | 'many'
  readonly message: string
  readonly hint: string | null
}

interface Reference {
  readonly reference: string
  readonly at: DocumentPath
  /** Whether a member or an element lies between, so that the value gets smaller on the way. */
  readonly inside: boolean
}

/** Every reference inside a schema; `inside`: of a member or element of another one. */
export function referencesIn(node: SchemaNode, inside = false): readonly Reference[] {
  const { $ref } = node.schema
  if ($ref !== undefined) return [{ reference: $ref, at: [...node.at, '$ref'], inside }]
  return childrenOf(node).flatMap(([edge, child]) =>
    referencesIn(child, inside || edge.kind !== 'branch'),
  )
}

function unknownReference(source: ManifestSource, { reference, at }: Reference): Finding {
  const { kind, name } = readReference(reference)
  const shapes = Object.keys(source.shapes ?? {})
  const records = Object.keys(source.entities).filter(
    (entity) => source.entities[entity]?.record !== undefined,
  )
  const [what, names] = kind === 'shape' ? ['shape', shapes] : ['record of an entity', records]
  const message = `there is no ${what} "${name}"`
  return { at, kind: 'unknown', message, hint: suggestion(name, names) }
}

type Use = Reference & { readonly root: SchemaRoot }

function findCircles(uses: readonly Use[]): readonly Finding[] {
  const edges = new Map<string, Use[]>()
  for (const use of uses) {
    if (use.root.name === null) continue
    const known = edges.get(use.root.name)
    if (known === undefined) edges.set(use.root.name, [use])
    else known.push(use)
  }
  const ending = endingNames(edges)
  return uses.flatMap((use) => {
    const from = use.root.name
    const toItself = use.reference === from
    if (from === null || (!toItself && ending.has(from))) return []
    if (!reaches(use.reference, from, edges)) return []
    if (toItself && use.root.use === 'shape' && use.inside) return []
    const message = toItself
      ? 'this schema stands for itself without end'
      : `${from} and ${use.reference} refer to each other`
    const hint = 'only a shape may refer to itself, inside a member or an element'
    return [{ at: use.at, kind: 'recursive', message, hint }]
  })
}

/** Names from which references lead to an end, but for those to a name itself: they are in no circle of several. */
function endingNames(edges: ReadonlyMap<string, readonly Use[]>): ReadonlySet<string> {
  const leads = new Map<string, Set<string>>()
  const ledFrom = new Map<string, string[]>()
  for (const [name, uses] of edges) {
    const targets = new Set(uses.map(({ reference }) => reference))
    targets.delete(name)
    leads.set(name, targets)
    for (const target of targets) {
      const sources = ledFrom.get(target)
      if (sources === undefined) ledFrom.set(target, [name])
      else sources.push(name)
    }
  }
  const ending = new Set<string>()
  const all = new Set([...leads.keys(), ...ledFrom.keys()])
  const pending = [...all].filter((name) => (leads.get(name)?.size ?? 0) === 0)
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    ending.add(name)
    for (const source of ledFrom.get(name) ?? []) {
      const targets = leads.get(source)
      targets?.delete(name)
      if (targets?.size === 0) pending.push(source)
    }
  }
  return ending
}

function reaches(
  from: string,
  target: string,
  edges: ReadonlyMap<string, readonly Use[]>,
): boolean {
  const seen = new Set<string>()
  const pending = [from]
  while (pending.length > 0) {
    const name = pending.pop()
    if (name === undefined || seen.has(name)) continue
    if (name === target) return true
    seen.add(name)
    pending.push(...(edges.get(name) ?? []).map((use) => use.reference))
  }
  return false
}

/** What stands for params, a record and so on must be an object, and params, credentials and config are closed. */
function checkTops(source: ManifestSource, roots: readonly SchemaRoot[]): readonly Finding[] {
  return roots.flatMap(({ node, use }): readonly Finding[] => {
    if (use === 'shape' || node.schema.$ref === undefined) return []
    const { schema } = followReferences(source, node)
    const at = [...node.at, '$ref']
    if (schema.type !== undefined && schema.type !== 'object') {
      const hint = 'refer to a schema with type: object'
      return [{ at, kind: 'not-an-object', message: `${node.schema.$ref} is no object`, hint }]
    }
    const { additionalProperties: others } = schema
    if (use === 'record' || use === 'result' || others === undefined || others === false) return []
    const message = `params, credentials and config are closed, but ${node.schema.$ref} allows further members`
    const hint = 'remove additionalProperties from it, or list the members here'
    return [{ at, kind: 'open', message, hint }]
  })
}

/** Places of all schemas of a manifest, references written out. Those that are packaged have one to two thousand. */
const MAX_PLACES = 500_000
/** References one within another. */
const MAX_DEPTH = 100

/** What follows looks at every place: where each of fifteen shapes has three members of the next one, they are millions. */
function checkNumber(source: ManifestSource, roots: readonly SchemaRoot[]): readonly Finding[] {
  const known = new Map<string, number>()
  const placesIn = (node: SchemaNode, room: number): number => {
    const { $ref } = node.schema
    if ($ref === undefined)
      return childrenOf(node).reduce((sum, [, child]) => sum + placesIn(child, room), 1)
    const before = known.get($ref)
    if (before !== undefined) return before
    const target = room === 0 ? null : lookUpReference(source, $ref)
    // Inside itself a shape is looked at once.
    known.set($ref, 1)
    const places = target === null ? MAX_PLACES : placesIn(target, room - 1)
    known.set($ref, places)
    return places
  }
  const sizes = roots.map(({ node }) => ({ at: node.at, places: placesIn(node, MAX_DEPTH) }))
  const all = sizes.reduce((sum, { places }) => sum + places, 0)
  const [largest] = sizes.toSorted((a, b) => b.places - a.places)
  if (all <= MAX_PLACES || largest === undefined) return []
  const most = MAX_PLACES.toLocaleString('en')
  const message = `with its references written out, this schema and the others of the manifest are more than ${most} schemas, or references lie more than ${MAX_DEPTH} deep in one another`
  const hint = 'say type: object in place of a reference where nobody looks inside'
  return [{ at: largest.at, kind: 'many', message, hint }]
}
