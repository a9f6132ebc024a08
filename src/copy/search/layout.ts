// How an entity lies in the copy: its searchable fields by number, and which values are lifted out of the documents.
import { createHash } from 'node:crypto'

import { memberNames } from '../../language/expression/member-names.ts'
import type { Path } from '../../language/expression/syntax.ts'
import type { Entity, FieldType, Search, Sync } from '../../language/manifest/manifest.ts'
import { canonical } from './key.ts'
import type { Place } from './filter.ts'
import type { Json } from '../../language/json/json.ts'
import { TEXT_VERSION } from './text.ts'

/** The layout of one entity: plain data. Names reach a store only as numbers, as places in `fields` and `lifts`. */
export interface SearchLayout {
  readonly entity: string
  /** Moves with fields, key, places, the sync action, and the rules of documents and their text. Copies of another hash are rebuilt. */
  readonly hash: string
  /** The same without the rules of text: copies that differ in those alone are made of each other's documents. */
  readonly content?: string
  readonly fields: readonly LayoutField[]
  readonly lifts: readonly Lift[]
  /** The lift of the time that the copy advances by; null when there is none among what is searchable. */
  readonly advances: number | null
  /** Members whose text is not searched. */
  readonly noWords: readonly string[]
}

export type LayoutField = Search['fields'][number]

/** A value that is compared without reading the document. */
export interface Lift {
  /** As written in queries: the field, or a dotted path. */
  readonly name: string
  readonly field: number
  /** Below the field; empty for the field itself. */
  readonly path: readonly string[]
  /** Index column 1 to 8, or null: among the values without an index. */
  readonly slot: number | null
  readonly sortable: boolean
  /** Whether parts of its text are indexed for `like`. */
  readonly substring: boolean
}

/** How many values have an index of their own. */
export const SLOTS = 8
/** Dotted paths that are lifted: one bit each in the copy's state. */
const MAX_PATHS = 30

/** Whether values of a field of this type have a key. */
export function isScalarType(type: FieldType): boolean {
  return type !== 'object' && type !== 'array'
}

/** Whether a number is taken from elsewhere in the record: it is written as a number, whatever it was there. */
export function isRetyped({ name, type, from }: LayoutField): boolean {
  if (type !== 'integer' && type !== 'number') return false
  const [step] = from.steps
  return from.steps.length !== 1 || step?.kind !== 'member' || step.name !== name
}

/** The layout of an entity, or null when it is not searchable. Source of the order of slots: docs/search.md. */
export function searchLayout(entity: Entity): SearchLayout | null {
  const { search, sync } = entity
  if (search === null) return null
  const { fields } = search
  const cursor = cursorName(search, sync)
  const paths = liftedPaths(search, cursor)
  const candidates = [
    ...fields.flatMap(({ name, type }, field) =>
      isScalarType(type) ? [{ name, field, path: [] }] : [],
    ),
    ...paths,
  ]
  const slots = slotOrder(search, sync, [cursor, ...search.index.order], paths).slice(0, SLOTS)
  const lifts = candidates.map(({ name, field, path }): Lift => {
    const slot = slots.indexOf(name)
    return {
      name,
      field,
      path,
      slot: slot < 0 ? null : slot + 1,
      sortable: path.length === 0 || search.index.order.includes(name) || slot >= 0,
      substring: search.index.substring.includes(name) && fields[field]?.type !== 'boolean',
    }
  })
  const rules = { text: TEXT_VERSION, unicode: process.versions.unicode ?? '', absent: 'null' }
  const content = {
    fields,
    lifts,
    noWords: search.index.noWords,
    key: sync?.primaryKey ?? [],
    action: sync?.action ?? '',
    parent: sync?.parent?.entity ?? '',
    ...(fields.some(isRetyped) ? { typedAnew: true } : {}),
  }
  const advances = lifts.findIndex(({ name }) => name === cursor)
  return {
    entity: entity.name,
    hash: digestOf({ ...rules, ...content }),
    content: digestOf(content),
    fields,
    lifts,
    advances: advances < 0 ? null : advances,
    noWords: search.index.noWords,
  }
}

function digestOf(content: object): string {
  // Plain data of a manifest, which is JSON.
  return createHash('sha256')
    .update(canonical(content as unknown as Json))
    .digest('base64url')
}

type PathLift = Pick<Lift, 'name' | 'field' | 'path'>

/** Dotted paths to be sorted by, found by their parts, or advanced by; each lies below an object or array. */
function liftedPaths(search: Search, cursor: string | null): readonly PathLift[] {
  const names = new Set([...search.index.order, ...search.index.substring])
  if (cursor !== null) names.add(cursor)
  const lifts: PathLift[] = []
  for (const name of names) {
    const place = findPlace(search.fields, name)
    if (place !== null && place.path.length > 0) lifts.push({ name, ...place })
  }
  return lifts.slice(0, MAX_PATHS)
}

/** The field, or the dotted path, that the copy advances by; null when there is none among what is searchable. */
function cursorName(search: Search, sync: Sync | null): string | null {
  if (sync === null || sync.cursor === null) return null
  const { field } = sync.cursor
  const found = search.fields.find(({ from }) => samePath(from, field))
  if (found !== undefined) return found.name
  const name = memberNames(field)?.join('.')
  return name === undefined || findPlace(search.fields, name) === null ? null : name
}

/** `first`: what comes before keys and all others. */
function slotOrder(
  { fields }: Search,
  sync: Sync | null,
  first: readonly (string | null)[],
  paths: readonly PathLift[],
): readonly string[] {
  const ofType = (...types: readonly FieldType[]): string[] =>
    fields.filter(({ type }) => types.includes(type)).map(({ name }) => name)
  const keys = (sync?.primaryKey ?? []).flatMap((key) =>
    fields.filter(({ from }) => samePath(from, key)).map(({ name }) => name),
  )
  const scalars = [...ofType('integer', 'number'), ...ofType('string'), ...ofType('boolean')]
  const lifted = new Set([...scalars, ...paths.map(({ name }) => name)])
  return [...new Set([...first, ...keys, 'key', ...scalars])].filter(
    (name): name is string => name !== null && lifted.has(name),
  )
}

function samePath(left: Path, right: Path): boolean {
  return left.root === right.root && JSON.stringify(left.steps) === JSON.stringify(right.steps)
}

/** The place of a name: a field of that name, else a path below the object or array with the longest fitting one, or null. */
export function findPlace(fields: readonly LayoutField[], name: string): Place | null {
  const exact = fields.findIndex((field) => field.name === name)
  if (exact >= 0) return { field: exact, path: [] }
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const head = name.slice(0, dot)
    const field = fields.findIndex((candidate) => candidate.name === head)
    if (field < 0) continue
    const path = name.slice(dot + 1).split('.')
    const type = fields[field]?.type
    return (type === 'object' || type === 'array') && !path.includes('') ? { field, path } : null
  }
  return null
}

/** The lift of a place; undefined when the value is only in the document. */
export function liftAt(layout: SearchLayout, place: Place): Lift | undefined {
  return layout.lifts.find(
    ({ field, path }) =>
      field === place.field &&
      path.length === place.path.length &&
      path.every((name, index) => name === place.path[index]),
  )
}

/** The number of the lift among those of dotted paths: its bit in a record's and a copy's `mixed`. */
export function pathBit(layout: SearchLayout, lift: Lift): number {
  return layout.lifts.filter(({ path }) => path.length > 0).indexOf(lift)
}
