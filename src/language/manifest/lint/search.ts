// Search fields: each is something, of one type, from somewhere.
import { type DocumentPath, problemAt } from '../document.ts'
import { entitiesOf, type ManifestDraft, type PlacedEntity } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import type { EntitySource, SchemaType, SearchSource } from '../source.ts'
import { suggestion } from '../suggest.ts'
import { membersOf, type SchemaNode, typesOf } from './schema-walk.ts'

/** Findings about the searchable fields. */
export function lintSearch(draft: ManifestDraft): readonly ManifestProblem[] {
  return entitiesOf(draft.source).flatMap((entity) => {
    const { search } = entity.source
    if (search === undefined) return []
    const at = [...entity.at, 'search']
    return [
      ...lintFields(draft, entity, search, at),
      ...lintTwice(draft, search, at),
      ...lintNamed(draft, entity, search, at),
      ...lintIndex(draft, entity, search, at),
    ]
  })
}

/** Every name that can be searched for. */
export function searchFieldNames({ search, record }: EntitySource): readonly string[] {
  if (search === undefined) return []
  const { fields, add } = search
  const listed =
    fields === 'all' || fields === undefined
      ? []
      : Array.isArray(fields)
        ? fields
        : namesByType(fields)
  const all = fields === 'all' ? Object.keys(record?.properties ?? {}) : []
  return [...all, ...(listed as readonly string[]), ...namesByType(add ?? {})]
}

function namesByType(fields: object): readonly string[] {
  return (Object.values(fields) as (readonly string[])[]).flat()
}

function recordMembers(
  draft: ManifestDraft,
  { source, at }: PlacedEntity,
): ReadonlyMap<string, SchemaNode> {
  const { record } = source
  if (record === undefined) return new Map()
  return membersOf(draft.source, { schema: record, at: [...at, 'record'], closed: false })
}

/** A field without a type of its own takes that of the record's member, which must be one. */
function lintFields(
  draft: ManifestDraft,
  entity: PlacedEntity,
  search: SearchSource,
  at: DocumentPath,
): readonly ManifestProblem[] {
  const { fields, add } = search
  const members = recordMembers(draft, entity)
  const retyped = new Set(namesByType(add ?? {}))
  if (fields === 'all') {
    return [...members]
      .filter(([name, node]) => !retyped.has(name) && !hasOneType(draft, node))
      .map(([name, node]) => typeProblem(draft, node.at ?? at, 'key', name))
  }
  if (!Array.isArray(fields)) return []
  return (fields as readonly string[]).flatMap((name, index) => {
    if (retyped.has(name)) return []
    const node = members.get(name)
    if (node !== undefined) {
      return hasOneType(draft, node)
        ? []
        : [typeProblem(draft, [...at, 'fields', index], 'value', name)]
    }
    return [
      problemAt(draft.document, {
        at: [...at, 'fields', index],
        rule: 'search/unknown-field',
        message: `the record of ${entity.name} has no member "${name}", so the field has no type`,
        hint:
          suggestion(name, [...members.keys()]) ??
          'declare it in the record, or give its type under add',
      }),
    ]
  })
}

function typeProblem(
  draft: ManifestDraft,
  at: DocumentPath,
  part: 'key' | 'value',
  name: string,
): ManifestProblem {
  return problemAt(draft.document, {
    at,
    part,
    rule: 'search/field-type',
    message: `the type of the search field "${name}" cannot be told from the record`,
    hint: 'give it under add: { string: […] } and so on, or leave the field out',
  })
}

function hasOneType(draft: ManifestDraft, node: SchemaNode): boolean {
  const types = new Set<SchemaType>(typesOf(draft.source, node))
  types.delete('null')
  // Every integer is a number.
  if (types.has('number')) types.delete('integer')
  return types.size === 1
}

/** Two types for one field, in one list of names by type. */
function lintTwice(
  draft: ManifestDraft,
  search: SearchSource,
  at: DocumentPath,
): readonly ManifestProblem[] {
  return (['fields', 'add'] as const).flatMap((key) => {
    const block = search[key]
    if (block === undefined || typeof block === 'string' || Array.isArray(block)) return []
    const seen = new Set<string>()
    return Object.entries(block as Readonly<Record<string, readonly string[]>>).flatMap(
      ([type, names]) =>
        names.flatMap((name, index) => {
          if (!seen.has(name)) {
            seen.add(name)
            return []
          }
          return [
            problemAt(draft.document, {
              at: [...at, key, type, index],
              rule: 'search/field-twice',
              message: `the field "${name}" has two types`,
              hint: null,
            }),
          ]
        }),
    )
  })
}

function lintNamed(
  draft: ManifestDraft,
  entity: PlacedEntity,
  search: SearchSource,
  at: DocumentPath,
): readonly ManifestProblem[] {
  const names = searchFieldNames(entity.source)
  return (['from', 'unfilled'] as const).flatMap((key) =>
    Object.keys(search[key] ?? {})
      .filter((name) => !names.includes(name))
      .map((name) =>
        problemAt(draft.document, {
          at: [...at, key, name],
          part: 'key',
          rule: 'search/unknown-field',
          message: `"${name}" is not a search field of ${entity.name}`,
          hint: suggestion(name, names),
        }),
      ),
  )
}

function lintIndex(
  draft: ManifestDraft,
  entity: PlacedEntity,
  search: SearchSource,
  at: DocumentPath,
): readonly ManifestProblem[] {
  const names = searchFieldNames(entity.source)
  return (['order', 'substring'] as const).flatMap((key) =>
    (search.index?.[key] ?? []).flatMap((path, index) => {
      const [first = ''] = path.split('.')
      if (names.includes(path) || names.includes(first)) return []
      return [
        problemAt(draft.document, {
          at: [...at, 'index', key, index],
          rule: 'search/unknown-field',
          message: `"${first}" is not a search field of ${entity.name}`,
          hint: suggestion(first, names),
        }),
      ]
    }),
  )
}
