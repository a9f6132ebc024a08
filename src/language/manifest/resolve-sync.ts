// The synchronized copy: its fields with types and places, and how it is filled.
import type { ParamPath, Path } from '../expression/syntax.ts'
import { pathOf } from './casts.ts'
import type { PlacedEntity } from './draft.ts'
import { parseDuration } from './duration.ts'
import type { FieldType, Search, Sync, SyncCursor } from './manifest.ts'
import type { Resolver, Site } from './resolver.ts'
import { orNull } from './or-null.ts'
import { FIELD_TYPES, followReferences, typesOf } from './schema-nodes.ts'
import type { ManifestSource, SchemaSource, SearchSource, SyncSource } from './source.ts'

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
    unfilled: search.unfilled ?? {},
    index: {
      order: search.index?.order ?? [],
      substring: search.index?.substring ?? [],
      noWords: search.index?.no_words ?? [],
    },
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
  const site = resolver.site('sync', [...at, 'sync'], { entity: name })
  const declared = paramNames(resolver.source, source.actions[sync.action]?.params)
  const { primary_key: key, each = {} } = sync
  const [run] = Object.entries(each)
  return {
    everyMs: orNull(sync.every, parseDuration),
    primaryKey: [key].flat().map((path, index) => {
      const here = site.in('primary_key')
      return (typeof key === 'string' ? here : here.in(index)).recordPath(path, 'sync.primary_key')
    }),
    action: sync.action,
    params: site.in('params').template(sync.params ?? {}, 'sync.params'),
    cursor: orNull(sync.cursor, (cursor) => resolveCursor(cursor, site.in('cursor'), declared)),
    parent: orNull(sync.parent, ({ entity, bind, changed_only: changedOnly = false }) => ({
      entity,
      bind: Object.entries(bind).map(([param, path]) => {
        const here = site.in('parent', 'bind', param)
        return {
          param: here.key.param(param, 'sync.parent.bind', declared),
          from: here.path(path, 'sync.parent.bind'),
        }
      }),
      changedOnly,
    })),
    each: orNull(run, ([param, values]) => ({
      param: site.in('each', param).key.param(param, 'sync.each', declared),
      values: site.in('each', param).template(values, 'sync.each'),
    })),
    // What changes without moving the cursor is found by a complete reading; without a cursor every run is one.
    fullMs: orNull(sync.full ?? (sync.cursor && 'P7D'), parseDuration),
    ignore: (sync.ignore ?? []).map((path, index) =>
      site.in('ignore', index).recordPath(path, 'sync.ignore'),
    ),
    reconcile: orNull(sync.reconcile, ({ every, params }) => ({
      everyMs: parseDuration(every),
      params: orNull(params, (given) =>
        site.in('reconcile', 'params').template(given, 'sync.params'),
      ),
    })),
    ...boundsIn(sync),
  }
}

function boundsIn({ bounds }: SyncSource): Pick<Sync, 'bounds'> {
  if (bounds === undefined) return {}
  const { pages_without_new: pagesWithoutNew, ...others } = bounds
  return { bounds: { ...others, ...(pagesWithoutNew !== undefined && { pagesWithoutNew }) } }
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
  site: Site,
  declared: ReadonlySet<string>,
): SyncCursor {
  const bound = (key: 'since' | 'until'): ParamPath | null =>
    orNull(cursor[key], (name) => site.in(key).param(name, `sync.cursor.${key}`, declared))
  return {
    field: site.in('field').recordPath(cursor.field, 'sync.cursor.field'),
    since: bound('since'),
    until: bound('until'),
    format: cursor.format ?? 'iso',
    inclusive: cursor.inclusive ?? false,
    start: cursor.start ?? null,
    windowMs: orNull(cursor.window, parseDuration),
    lookbackMs: orNull(cursor.lookback, parseDuration),
    newestFirst: cursor.newest_first ?? false,
  }
}
