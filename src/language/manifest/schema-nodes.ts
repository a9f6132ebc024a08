// Walking the schemas of a manifest as they are written.
import type { DocumentPath } from './document.ts'
import { actionsOf, entitiesOf, methodsOf } from './draft.ts'
import type { FieldType } from './field-type.ts'
import type { ManifestSource, SchemaSource } from './source.ts'

export interface SchemaNode {
  readonly schema: SchemaSource
  readonly at: DocumentPath
}

/** A schema that is not inside another one. */
export interface SchemaRoot {
  readonly node: SchemaNode
  readonly use: 'config' | 'credentials' | 'record' | 'params' | 'result' | 'shape'
  /** What a reference to it looks like; null where nothing can refer to it. */
  readonly name: string | null
}

export function schemaRoots(source: ManifestSource): readonly SchemaRoot[] {
  const roots: SchemaRoot[] = []
  const add = (
    use: SchemaRoot['use'],
    schema: SchemaSource | undefined,
    at: DocumentPath,
    name: string | null = null,
  ): void => {
    if (schema !== undefined) roots.push({ node: { schema, at }, use, name })
  }
  add('config', source.config, ['config'])
  for (const { at, source: method } of methodsOf(source))
    add('credentials', method.credentials, [...at, 'credentials'])
  for (const { name, at, source: entity } of entitiesOf(source))
    add('record', entity.record, [...at, 'record'], `#/entities/${name}/record`)
  for (const { at, source: action } of actionsOf(source)) {
    add('params', action.params, [...at, 'params'])
    add('result', action.result, [...at, 'result'])
  }
  for (const [name, shape] of Object.entries(source.shapes ?? {}))
    add('shape', shape, ['shapes', name], `#/shapes/${name}`)
  return roots
}

/** How a schema lies in the one around it. */
export type SchemaEdge =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'element' }
  /** The schema of members that are not listed. */
  | { readonly kind: 'others' }
  /** Holds for the same value. */
  | { readonly kind: 'branch'; readonly keyword: 'oneOf' | 'anyOf' | 'allOf' }

const BRANCHES = ['oneOf', 'anyOf', 'allOf'] as const

/** The schemas directly inside one, references not followed. */
export function childrenOf({
  schema,
  at,
}: SchemaNode): readonly (readonly [edge: SchemaEdge, child: SchemaNode])[] {
  const found: [SchemaEdge, SchemaNode][] = []
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    found.push([
      { kind: 'member', name },
      { schema: member, at: [...at, 'properties', name] },
    ])
  }
  if (typeof schema.additionalProperties === 'object') {
    const others = { schema: schema.additionalProperties, at: [...at, 'additionalProperties'] }
    found.push([{ kind: 'others' }, others])
  }
  if (schema.items !== undefined) {
    found.push([{ kind: 'element' }, { schema: schema.items, at: [...at, 'items'] }])
  }
  for (const keyword of BRANCHES) {
    for (const [index, branch] of (schema[keyword] ?? []).entries()) {
      const child = { schema: branch, at: [...at, keyword, index] }
      found.push([{ kind: 'branch', keyword }, child])
    }
  }
  return found
}

/** What a reference names. */
export type SchemaName =
  | { readonly kind: 'shape'; readonly name: string }
  | { readonly kind: 'record'; readonly name: string }

/** Reads `#/shapes/x` and `#/entities/x/record`; the manifest schema allows no others. */
export function readReference(reference: string): SchemaName {
  const [, group, name = ''] = reference.split('/')
  return { kind: group === 'shapes' ? 'shape' : 'record', name }
}

export function lookUpReference(source: ManifestSource, reference: string): SchemaNode | null {
  const { kind, name } = readReference(reference)
  if (kind === 'shape') {
    const shape = own(source.shapes, name)
    return shape === undefined ? null : { schema: shape, at: ['shapes', name] }
  }
  const record = own(source.entities, name)?.record
  return record === undefined ? null : { schema: record, at: ['entities', name, 'record'] }
}

/** The schema that a node stands for: references followed to the first schema that is none. */
export function followReferences(source: ManifestSource, node: SchemaNode): SchemaNode {
  let current = node
  // The references were checked: none leads nowhere or back to itself.
  while (current.schema.$ref !== undefined) {
    const target = lookUpReference(source, current.schema.$ref)
    if (target === null) return current
    current = target
  }
  return current
}

/** The types of fields: every type that a schema may name but null. */
export const FIELD_TYPES: readonly FieldType[] = [
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'array',
]

export function typesOf({ type }: SchemaSource): readonly string[] {
  return [type ?? []].flat()
}

function own<T>(map: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}
