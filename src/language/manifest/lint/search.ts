// Search fields: each is something, of one type, from somewhere.
import type { DocumentPath } from '../document.ts'
import type { PlacedEntity } from '../draft.ts'
import type { EntitySource, SearchSource } from '../source.ts'
import { nearest, suggestion } from '../suggest.ts'
import { keyAt, type Lint, type Place } from './lint.ts'
import { SchemaView } from './schema-walk.ts'

export function lintSearch(lint: Lint): void {
  for (const entity of lint.entities) {
    const { search } = entity.source
    if (search === undefined) continue
    const at = [...entity.at, 'search']
    lintTypes(lint, entity, search)
    lintTwice(lint, search, at)
    const names = searchFieldNames(entity.source)
    const refuse = (name: string, place: Place): void => {
      const message = `"${name}" is not a search field of ${entity.name}`
      lint.error('search/unknown-field', place, message, suggestion(name, names))
    }
    for (const key of ['from', 'unfilled'] as const)
      for (const name of Object.keys(search[key] ?? {}))
        if (!names.includes(name)) refuse(name, keyAt(...at, key, name))
    lintFrom(lint, entity, search)
    for (const key of ['order', 'substring'] as const)
      for (const [index, path] of (search.index?.[key] ?? []).entries()) {
        const [first = ''] = path.split('.')
        if (!names.includes(path) && !names.includes(first))
          refuse(first, { at: [...at, 'index', key, index] })
      }
  }
}

/** A field from a path whose first name the record does not declare, and nearly so: the copy would be empty there. */
function lintFrom(
  lint: Lint,
  { name, source, at }: PlacedEntity,
  { from = {} }: SearchSource,
): void {
  const members = new SchemaView(lint.source, source.record ?? {}).members()
  for (const [field, path] of Object.entries(from))
    warnOfMember(lint, { at: [...at, 'search', 'from', field] }, path, {
      names: [...members.keys()],
      of: name,
    })
  const parent = source.sync?.parent?.entity
  const above = parent === undefined ? undefined : lint.entity(parent)
  if (parent === undefined || above === undefined) return
  const names = [...new SchemaView(lint.source, above.record ?? {}).members().keys()]
  for (const [field, path] of Object.entries(from))
    if (path.startsWith('$parent.'))
      warnOfMember(
        lint,
        { at: [...at, 'search', 'from', field] },
        `$${path.slice('$parent'.length)}`,
        {
          names,
          of: parent,
        },
      )
}

/**
 * A `$` path may name what a record does not declare. Where it nearly is a declared member, it is taken for a slip.
 * `of`: the entity whose record it is.
 */
export function warnOfMember(
  lint: Lint,
  place: Place,
  path: string,
  { names, of }: { readonly names: readonly string[]; readonly of: string },
): void {
  const first = /^\$\.([A-Za-z_][\w-]*)/.exec(path)?.[1]
  if (first === undefined || names.includes(first)) return
  const near = nearest(first, names)
  if (near === null) return
  const message = `the record of ${of} declares no member "${first}"`
  const hint = `did you mean "${near}"? If both exist, declare ${first} in the record, too`
  lint.warn('path/nearly-declared', place, message, hint)
}

export function searchFieldNames({ search, record }: EntitySource): readonly string[] {
  if (search === undefined) return []
  const { fields, add } = search
  const own = fields === 'all' ? Object.keys(record?.properties ?? {}) : namesIn(fields)
  return [...own, ...namesIn(add)]
}

function namesIn(fields: Exclude<SearchSource['fields'], 'all'> = {}): readonly string[] {
  return Object.values(fields).flat()
}

/** A field without a type of its own takes that of the record's member, which must be one. */
function lintTypes(
  lint: Lint,
  { name: entity, source, at }: PlacedEntity,
  search: SearchSource,
): void {
  const { fields, add } = search
  const schema = source.record ?? {}
  const members = new SchemaView(lint.source, schema, [...at, 'record']).members()
  const isTyped = (name: string): boolean => {
    const node = members.get(name)
    return namesIn(add).includes(name) || (node !== undefined && hasOneType(node))
  }
  const refuse = (name: string, place: Place): void => {
    const message = `the type of the search field "${name}" cannot be told from the record`
    const hint = 'give it under add: { string: […] } and so on, or leave the field out'
    lint.error('search/field-type', place, message, hint)
  }
  if (fields === 'all') {
    for (const [name, node] of members)
      if (!isTyped(name)) refuse(name, keyAt(...(node.at ?? [...at, 'search'])))
    return
  }
  lintNearly(lint, { name: entity, source, at }, search)
  for (const [index, name] of (Array.isArray(fields) ? namesIn(fields) : []).entries()) {
    if (isTyped(name)) continue
    const place = { at: [...at, 'search', 'fields', index] }
    if (members.has(name)) {
      refuse(name, place)
      continue
    }
    const message = `the record of ${entity} has no member "${name}", so the field has no type`
    const hint =
      suggestion(name, [...members.keys()]) ??
      'declare it in the record, or give its type under add'
    lint.error('search/unknown-field', place, message, hint)
  }
}

/** A field with a type of its own may be undeclared in the record; nearly the name of a member, it is taken for a slip. */
function lintNearly(lint: Lint, entity: PlacedEntity, { fields, from = {} }: SearchSource): void {
  if (typeof fields !== 'object' || Array.isArray(fields)) return
  const names = [...new SchemaView(lint.source, entity.source.record ?? {}).members().keys()]
  for (const [type, list] of Object.entries(fields) as [string, readonly string[]][])
    for (const [index, name] of list.entries()) {
      if (Object.hasOwn(from, name)) continue
      const place = { at: [...entity.at, 'search', 'fields', type, index] }
      warnOfMember(lint, place, `$.${name}`, { names, of: entity.name })
    }
}

function hasOneType(node: SchemaView): boolean {
  const types = new Set(node.types())
  types.delete('null')
  // Every integer is a number.
  if (types.has('number')) types.delete('integer')
  return types.size === 1
}

/** Two types for one field, in one list of names by type. */
function lintTwice(lint: Lint, search: SearchSource, at: DocumentPath): void {
  for (const key of ['fields', 'add'] as const) {
    const block = search[key]
    if (typeof block !== 'object' || Array.isArray(block)) continue
    const seen = new Set<string>()
    for (const [type, names] of Object.entries(block) as [string, readonly string[]][])
      for (const [index, name] of names.entries()) {
        const place = { at: [...at, key, type, index] }
        if (seen.has(name))
          lint.error(
            'search/field-twice',
            place,
            `the field "${name}" has two types`,
            'leave it in one of the two lists',
          )
        seen.add(name)
      }
  }
}
