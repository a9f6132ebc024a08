// The synchronized copy: its fields with types and places, and how it is filled.
import type { Path } from '../expression/syntax.ts'
import type { DocumentPath } from './document.ts'
import type { Owner, PlacedEntity } from './draft.ts'
import { parseDuration } from './duration.ts'
import { pathOf } from './casts.ts'
import type { FieldType, Search, Sync, SyncCursor } from './manifest.ts'
import { usesBelow } from './resolve-answer.ts'
import { below, resolveTemplate } from './resolve-template.ts'
import type { Resolver, TextSite } from './resolver.ts'
import { followReferences, typesOf } from './schema-nodes.ts'
import type { ManifestSource, SchemaSource, SearchSource, SyncSource } from './source.ts'

/** Resolves `search`: every field with its type and its place in the record or its parent. */
export function resolveSearch(
  entity: PlacedEntity,
  manifest: ManifestSource,
  resolver: Resolver,
): Search | null {
  const { search, record } = entity.source
  if (search === undefined) return null
  const at = [...entity.at, 'search']
  const uses = usesBelow({ at, owner: ownerOf(entity, 'search') }, 'search')
  const types = new Map<string, FieldType>()
  for (const [name, type] of declaredFields(search, manifest, record)) types.set(name, type)
  for (const [type, names] of Object.entries(search.add ?? {})) {
    for (const name of names) types.set(name, type as FieldType) // the manifest schema allows no other keys
  }
  const places = new Map<string, Path>()
  for (const [name, path] of Object.entries(search.from ?? {})) {
    places.set(name, resolver.path(path, below(uses('from'), name)))
  }
  return {
    fields: [...types].map(([name, type]) => ({
      name,
      type,
      from: places.get(name) ?? pathOf([{ kind: 'member', name }]),
    })),
    unfilled: search.unfilled ?? {},
    index: {
      order: search.index?.order ?? [],
      substring: search.index?.substring ?? [],
      noWords: search.index?.no_words ?? [],
    },
  }
}

function ownerOf(entity: PlacedEntity, area: 'search' | 'sync'): Owner {
  return { area, entity: entity.name, action: null, step: null, method: null }
}

function declaredFields(
  search: SearchSource,
  manifest: ManifestSource,
  record: SchemaSource | undefined,
): readonly (readonly [name: string, type: FieldType])[] {
  const { fields } = search
  if (fields === undefined) return []
  if (typeof fields === 'object' && !Array.isArray(fields)) {
    return Object.entries(fields).flatMap(([type, names]: [string, readonly string[]]) =>
      names.map((name) => [name, type as FieldType] as const),
    )
  }
  const members = recordMembers(manifest, record)
  const names = fields === 'all' ? [...members.keys()] : (fields as readonly string[])
  return names.map((name) => [name, fieldType(manifest, members.get(name))])
}

/** The properties of a record, in order. */
export function recordMembers(
  manifest: ManifestSource,
  record: SchemaSource | undefined,
): ReadonlyMap<string, SchemaSource> {
  if (record === undefined) return new Map()
  const { schema } = followReferences(manifest, { schema: record, at: [] })
  return new Map(
    Object.entries(schema.properties ?? {}).filter(
      (member): member is [string, SchemaSource] => typeof member[1] === 'object',
    ),
  )
}

const FIELD_TYPES: readonly FieldType[] = [
  'string',
  'integer',
  'number',
  'boolean',
  'object',
  'array',
]

/** The type of a field. Text where the schema names none or several: the lint refuses such a manifest. */
function fieldType(manifest: ManifestSource, member: SchemaSource | undefined): FieldType {
  if (member === undefined) return 'string'
  const { schema } = followReferences(manifest, { schema: member, at: [] })
  const types = typesOf(schema)
  return FIELD_TYPES.find((type) => types.includes(type)) ?? 'string'
}

/** Resolves `sync`. */
export function resolveSync(
  entity: PlacedEntity,
  manifest: ManifestSource,
  resolver: Resolver,
): Sync | null {
  const { sync } = entity.source
  if (sync === undefined) return null
  const at = [...entity.at, 'sync']
  const owner = ownerOf(entity, 'sync')
  const uses = usesBelow({ at, owner }, 'sync')
  const texts = (...keys: readonly string[]): TextSite => ({
    at: [...at, ...keys],
    owner,
    place: keys[0] === 'each' ? 'sync.each' : 'sync.params',
  })
  const declared = paramNames(manifest, entity.source.actions[sync.action]?.params)
  const { primary_key: key, parent, each, reconcile } = sync
  const keys = typeof key === 'string' ? [key] : key
  const [run] = Object.entries(each ?? {})
  return {
    everyMs: sync.every === undefined ? null : parseDuration(sync.every),
    primaryKey: keys.map((path, index) => {
      const site = uses('primary_key')
      return resolver.recordPath(path, typeof key === 'string' ? site : below(site, index))
    }),
    action: sync.action,
    params: resolveTemplate(sync.params ?? {}, texts('params'), resolver),
    cursor:
      sync.cursor === undefined
        ? null
        : resolveCursor(sync.cursor, { at: [...at, 'cursor'], owner }, resolver, declared),
    parent:
      parent === undefined
        ? null
        : {
            entity: parent.entity,
            bind: Object.entries(parent.bind).map(([name, path]) => {
              const site = { at: [...at, 'parent', 'bind', name], owner, use: 'sync.parent.bind' }
              return {
                param: resolver.param(name, { ...site, part: 'key' }, declared),
                from: resolver.path(path, site),
              }
            }),
            changedOnly: parent.changed_only ?? false,
          },
    each:
      run === undefined
        ? null
        : {
            param: resolver.param(
              run[0],
              { ...below(uses('each'), run[0]), part: 'key' },
              declared,
            ),
            values: resolveTemplate(run[1], texts('each', run[0]), resolver),
          },
    fullMs: fullReading(sync),
    ignore: (sync.ignore ?? []).map((path, index) =>
      resolver.recordPath(path, below(uses('ignore'), index)),
    ),
    reconcile:
      reconcile === undefined
        ? null
        : {
            everyMs: parseDuration(reconcile.every),
            params:
              reconcile.params === undefined
                ? null
                : resolveTemplate(reconcile.params, texts('reconcile', 'params'), resolver),
          },
    ...boundsIn(sync),
  }
}

function boundsIn({ bounds }: SyncSource): Pick<Sync, 'bounds'> {
  if (bounds === undefined) return {}
  const { pages_without_new: pagesWithoutNew, ...others } = bounds
  return { bounds: { ...others, ...(pagesWithoutNew === undefined ? {} : { pagesWithoutNew }) } }
}

/** What changes without moving the cursor is found by a complete reading; without a cursor every run is one. */
function fullReading(sync: SyncSource): number | null {
  if (sync.full !== undefined) return parseDuration(sync.full)
  return sync.cursor === undefined ? null : parseDuration('P7D')
}

/** The names at the top of an action's parameters. */
export function paramNames(
  manifest: ManifestSource,
  params: SchemaSource | undefined,
): ReadonlySet<string> {
  return new Set(recordMembers(manifest, params).keys())
}

function resolveCursor(
  cursor: NonNullable<SyncSource['cursor']>,
  site: { readonly at: DocumentPath; readonly owner: Owner },
  resolver: Resolver,
  declared: ReadonlySet<string>,
): SyncCursor {
  const uses = usesBelow(site, 'sync.cursor')
  const bound = (key: 'since' | 'until'): SyncCursor['since'] => {
    const name = cursor[key]
    return name === undefined ? null : resolver.param(name, uses(key), declared)
  }
  return {
    field: resolver.recordPath(cursor.field, uses('field')),
    since: bound('since'),
    until: bound('until'),
    format: cursor.format ?? 'iso',
    inclusive: cursor.inclusive ?? false,
    start: cursor.start ?? null,
    windowMs: cursor.window === undefined ? null : parseDuration(cursor.window),
    lookbackMs: cursor.lookback === undefined ? null : parseDuration(cursor.lookback),
    newestFirst: cursor.newest_first ?? false,
  }
}
