// Asks a schema of a manifest what a path leads to, before anything runs.
import type { DocumentPath } from '../document.ts'
import { FIELD_TYPES, followReferences } from '../schema-nodes.ts'
import type { ManifestSource, SchemaSource, SchemaType } from '../source.ts'

/** A schema and where it is written; `at` is null for what the language itself defines (`client`, `cursor`). */
export interface SchemaNode {
  readonly schema: SchemaSource
  readonly at: DocumentPath | null
  /** Closed although it does not say so, as params, credentials and config are. */
  readonly closed: boolean
}

/** What a path leads to. `names`: what stands instead of the step that leads nowhere. */
export type Lookup =
  | { readonly kind: 'found'; readonly nodes: readonly SchemaNode[] }
  /** The path enters an object whose members are not declared. */
  | { readonly kind: 'open' }
  | { readonly kind: 'unknown'; readonly step: number; readonly names: readonly string[] }

/** A schema that admits everything. */
export const ANYTHING: SchemaNode = { schema: {}, at: null, closed: false }

/** The schema at the top of params, config or credentials, which is closed; undefined = no members. */
export function closedNode(schema: SchemaSource | undefined, at: DocumentPath): SchemaNode {
  return { schema: schema ?? { type: 'object', properties: {} }, at, closed: true }
}

/** A closed object with these members, written nowhere. */
export function builtNode(properties: Readonly<Record<string, SchemaSource>>): SchemaNode {
  return { schema: { type: 'object', properties }, at: null, closed: true }
}

/** Follows a path of member names and list places through a schema. */
export function lookUp(source: ManifestSource, start: SchemaNode, path: readonly string[]): Lookup {
  let nodes: readonly SchemaNode[] = [start]
  for (const [step, name] of path.entries()) {
    const next = nodes.map((node) => memberOf(source, node, name))
    if (next.includes('open')) return { kind: 'open' }
    nodes = next.flatMap((found) => (found === 'open' ? [] : found.nodes))
    if (nodes.length === 0) {
      const names = next.flatMap((found) => (found === 'open' ? [] : found.names))
      return { kind: 'unknown', step, names: [...new Set(names)] }
    }
  }
  return { kind: 'found', nodes }
}

/** The schema behind references, which were checked: each leads somewhere. */
export function resolveNode(source: ManifestSource, node: SchemaNode): SchemaNode {
  const { schema, at, closed } = node
  if (schema.$ref === undefined) return node
  return { ...followReferences(source, { schema, at: at ?? [] }), closed }
}

/** The schemas a value may satisfy: references followed, `anyOf`, `oneOf` and `allOf` spread out. */
export function alternatives(source: ManifestSource, node: SchemaNode): readonly SchemaNode[] {
  const resolved = resolveNode(source, node)
  const { schema, at, closed } = resolved
  const parts = COMBINATIONS.flatMap((keyword) =>
    (schema[keyword] ?? []).flatMap((part, index) =>
      alternatives(source, {
        schema: part,
        at: at === null ? null : [...at, keyword, index],
        closed,
      }),
    ),
  )
  if (parts.length === 0) return [resolved]
  return schema.properties === undefined ? parts : [resolved, ...parts]
}

/** The types a schema admits; all of them when it does not say. */
export function typesOf(source: ManifestSource, node: SchemaNode): ReadonlySet<SchemaType> {
  return new Set(alternatives(source, node).flatMap(({ schema }) => ownTypes(schema)))
}

/** The declared members of an object schema, `properties` of all alternatives. */
export function membersOf(
  source: ManifestSource,
  node: SchemaNode,
): ReadonlyMap<string, SchemaNode> {
  const members = new Map<string, SchemaNode>()
  for (const { schema, at } of alternatives(source, node)) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (members.has(name)) continue
      const place = at === null ? null : [...at, 'properties', name]
      members.set(name, { schema: member, at: place, closed: false })
    }
  }
  return members
}

/** The schemas of the elements of a list; nothing when it does not say. */
export function itemsOf(source: ManifestSource, node: SchemaNode): readonly SchemaNode[] {
  return alternatives(source, node).flatMap(({ schema, at }) => {
    if (schema.items === undefined) return []
    return [{ schema: schema.items, at: at === null ? null : [...at, 'items'], closed: false }]
  })
}

/** Names that an object of this schema must have. */
export function requiredOf(source: ManifestSource, node: SchemaNode): ReadonlySet<string> {
  return new Set(resolveNode(source, node).schema.required)
}

const COMBINATIONS = ['anyOf', 'oneOf', 'allOf'] as const
function ownTypes(schema: SchemaSource): readonly SchemaType[] {
  if (schema.type !== undefined) {
    return typeof schema.type === 'string' ? [schema.type] : schema.type
  }
  const values = schema.const === undefined ? schema.enum : [schema.const]
  if (values !== undefined) return values.map(typeOfValue)
  if (schema.properties !== undefined) return ['object']
  if (schema.items !== undefined) return ['array']
  return [...FIELD_TYPES, 'null']
}

/** The type of a value as schemas name it. */
export function typeOfValue(value: unknown): SchemaType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}

function memberOf(
  source: ManifestSource,
  node: SchemaNode,
  name: string,
): 'open' | { readonly nodes: readonly SchemaNode[]; readonly names: readonly string[] } {
  const nodes: SchemaNode[] = []
  const names: string[] = []
  for (const { schema, at, closed } of alternatives(source, node)) {
    const types = ownTypes(schema)
    const inside = (...steps: DocumentPath): DocumentPath | null =>
      at === null ? null : [...at, ...steps]
    if (types.includes('object')) {
      const properties = schema.properties ?? {}
      const further = schema.additionalProperties
      if (Object.hasOwn(properties, name)) {
        const member = properties[name] ?? {}
        nodes.push({ schema: member, at: inside('properties', name), closed: false })
      } else if (typeof further === 'object') {
        nodes.push({ schema: further, at: inside('additionalProperties'), closed: false })
      } else if (further === false || closed) {
        names.push(...Object.keys(properties))
      } else return 'open'
    }
    if (types.includes('array') && /^\d+$/.test(name)) {
      if (schema.items === undefined) return 'open'
      nodes.push({ schema: schema.items, at: inside('items'), closed: false })
    }
  }
  return { nodes, names }
}
