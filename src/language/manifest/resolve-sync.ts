// The synchronized copy: its fields with types and places, and how it is filled.
import type { Path } from '../expression/syntax.ts'
import { pathOf } from './casts.ts'
import type { PlacedEntity } from './draft.ts'
import { parseDuration } from './duration.ts'
import type { FieldType, Search, Sync } from './manifest.ts'
import { resolveBlock } from './resolve-block.ts'
import type { Resolver } from './resolver.ts'
import { FIELD_TYPES, followReferences, typesOf } from './schema-nodes.ts'
import type { ManifestSource, SchemaSource, SearchSource } from './source.ts'

/** Resolves `search`: every field with its type and its place in the record or its parent. */
export function resolveSearch(
  { name, at, source }: PlacedEntity,
  resolver: Resolver,
): Search | null {
  const { search, record } = source
  if (search === undefined) return null
  const site = resolver.site('search', [...at, 'search', 'from'], { entity: name })
  const types = new Map([
    ...declaredFields(search.fields, resolver.source, record),
    ...fieldsByType(search.add),
  ])
  const places = new Map<string, Path>(
    Object.entries(search.from ?? {}).map(([field, path]) => [
      field,
      site.in(field).path(path, 'search.from'),
    ]),
  )
  return {
    fields: [...types].map(([field, type]) => ({
      name: field,
      type,
      from: places.get(field) ?? pathOf([{ kind: 'member', name: field }]),
    })),
    ...resolveBlock('search', search, site),
  }
}

type Fields = readonly (readonly [name: string, type: FieldType])[]

function fieldsByType(fields: NonNullable<SearchSource['add']> = {}): Fields {
  return Object.entries(fields).flatMap(
    ([type, names]) => names.map((name) => [name, type as FieldType] as const), // the manifest schema allows no other keys
  )
}

function declaredFields(
  fields: SearchSource['fields'] = [],
  manifest: ManifestSource,
  record: SchemaSource | undefined,
): Fields {
  if (typeof fields === 'object' && !Array.isArray(fields))
    return fieldsByType(fields as NonNullable<SearchSource['add']>)
  const members = recordMembers(manifest, record)
  const names = fields === 'all' ? [...members.keys()] : (fields as readonly string[])
  return names.map((name) => [name, fieldType(manifest, members.get(name))])
}

/** The properties of a record, in order. */
export function recordMembers(
  manifest: ManifestSource,
  record: SchemaSource = {},
): ReadonlyMap<string, SchemaSource> {
  const { schema } = followReferences(manifest, { schema: record, at: [] })
  return new Map(Object.entries(schema.properties ?? {}))
}

/** The type of a field. Text where the schema names none or several: the lint refuses such a manifest. */
function fieldType(manifest: ManifestSource, member: SchemaSource = {}): FieldType {
  const types = typesOf(followReferences(manifest, { schema: member, at: [] }).schema)
  return FIELD_TYPES.find((type) => types.includes(type)) ?? 'string'
}

/** Resolves `sync`. */
export function resolveSync({ name, at, source }: PlacedEntity, resolver: Resolver): Sync | null {
  const { sync } = source
  if (sync === undefined) return null
  const declared = paramNames(resolver.source, source.actions[sync.action]?.params)
  const site = resolver.site('sync', [...at, 'sync'], { entity: name }, declared)
  const { fullMs, ...keys } = resolveBlock('sync', sync, site)
  // What changes without moving the cursor is found by a complete reading; without a cursor every run is one.
  return { ...keys, fullMs: fullMs ?? (keys.cursor && parseDuration('P7D')) }
}

/** The names at the top of an action's parameters. */
export function paramNames(
  manifest: ManifestSource,
  params: SchemaSource | undefined,
): ReadonlySet<string> {
  return new Set(recordMembers(manifest, params).keys())
}
