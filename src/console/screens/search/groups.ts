// A whole query as a person puts it together: groups of conditions in groups, and the JSON that it means, both ways.
import { type Words, wordsFilter } from '../../../copy/search/words-filter.ts'
import { isObject, type Json, type JsonObject } from '../../api/json-text.ts'
import { pointerTo } from '../../../language/json/pointer.ts'
import { textOf } from '../../form/field-text.ts'
import { type Condition, conditionOf, filterOf } from './conditions.ts'
import { isScored, takeWords } from './words.ts'

export type Match = 'all' | 'any' | 'not_all' | 'none'

export type Group = {
  readonly id: number
  readonly match: Match
  readonly parts: readonly Part[]
}

/** A filter that rows cannot hold, as it was written. */
export type Written = { readonly id: number; readonly filter: JsonObject }
export type Part = Condition | Group | Written

/** The words have to stand in the texts of a record, in addition to the conditions. */
export type SearchForm = Words & {
  readonly group: Group
  /** Each has one member: the field with `asc` or `desc`. Empty: by score; null: by the date, unless that hides a score. */
  readonly sort: readonly JsonObject[] | null
  readonly fields: readonly string[]
  readonly limit: number
}

type Types = Readonly<Record<string, string>>

const MATCHES: Readonly<Record<Match, { readonly join: 'and' | 'or'; readonly not: boolean }>> = {
  all: { join: 'and', not: false },
  any: { join: 'or', not: false },
  not_all: { join: 'and', not: true },
  none: { join: 'or', not: true },
}
const FILTER = '/params/query/filter'
const DEFAULT_LIMIT = 50

export const NEW_CONDITION = { field: '', operator: 'eq', value: '' } as const

export const EMPTY_FORM: SearchForm = {
  words: '',
  mistakes: false,
  group: { id: 0, match: 'all', parts: [{ id: 1, ...NEW_CONDITION }] },
  sort: null,
  fields: [],
  limit: DEFAULT_LIMIT,
}

export function isGroup(part: Part): part is Group {
  return 'parts' in part
}

/** The params of a search. Conditions without a field are left out. `latest`: the field with a date, if there is one. */
export function searchParams(
  form: SearchForm,
  types: Types,
  latest: string | null = null,
): JsonObject {
  const { fields, limit } = form
  const words = wordsFilter(form, types)
  const { filter: conditions } = emit(form.group, FILTER, types) ?? {}
  const filter =
    words !== null && conditions !== undefined
      ? { and: [words, conditions] }
      : (words ?? conditions)
  const byDate = latest === null || isScored(filter) ? [] : [{ [latest]: 'desc' }]
  const sort = form.sort ?? byDate
  return {
    query: {
      ...(filter === undefined ? {} : { filter }),
      ...(sort.length === 0 ? {} : { sort }),
    },
    ...(fields.length === 0 ? {} : { fields }),
    limit,
  }
}

/**
 * A search as an address has it: what differs from an empty one, the words as they were typed. Null: nothing does.
 * `searchIn` reads it, and the whole params that addresses had before.
 */
export function addressedSearch(form: SearchForm, types: Types): JsonObject | null {
  const { words, mistakes, sort, fields, limit } = form
  const { filter } = emit(form.group, FILTER, types) ?? {}
  const addressed = {
    ...(words.trim() === '' ? {} : { words: words.trim(), ...(mistakes ? { mistakes } : {}) }),
    ...(filter === undefined ? {} : { filter }),
    ...(sort === null ? {} : { sort }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(limit === DEFAULT_LIMIT ? {} : { limit }),
  }
  return Object.keys(addressed).length === 0 ? null : addressed
}

/** The form of what an address has; null: it has no search. */
export function searchIn(addressed: Json, types: Types): SearchForm | null {
  if (!isObject(addressed) || 'query' in addressed) return formOf(addressed, types)
  const { words = '', mistakes = false, filter = {}, sort, ...rest } = addressed
  if (typeof words !== 'string' || typeof mistakes !== 'boolean') return null
  const params = { ...rest, query: { filter, sort: sort ?? [] } }
  // Those that are named are all words: what else is compared so are conditions.
  const form = formOf(params, types, words === '' ? null : { words, mistakes })
  return form === null ? null : { ...form, sort: sort === undefined ? null : form.sort }
}

/** Where each condition stands in the request's body, by its id: problems of the service name places below it. */
export function pointersOf(form: SearchForm, types: Types): ReadonlyMap<number, string> {
  const at = wordsFilter(form, types) === null ? FILTER : `${FILTER}/and/1`
  return emit(form.group, at, types)?.pointers ?? new Map()
}

interface Emitted {
  readonly filter: JsonObject
  readonly pointers: ReadonlyMap<number, string>
}

function emit(part: Part, pointer: string, types: Types): Emitted | null {
  if ('filter' in part)
    return { filter: part.filter, pointers: new Map([[part.id, `${pointer}/`]]) }
  if (!isGroup(part)) {
    if (part.field.trim() === '') return null
    const filter = filterOf(part, types)
    const [operator = ''] = Object.keys(filter)
    return { filter, pointers: new Map([[part.id, pointerTo(pointer, [operator])]]) }
  }
  const { join, not } = MATCHES[part.match]
  const at = not ? `${pointer}/not` : pointer
  const shown = part.parts.filter((each) => emit(each, '', types) !== null)
  const emitted = shown.flatMap((each, index) => {
    const place = shown.length === 1 ? at : `${at}/${join}/${index}`
    return emit(each, place, types) ?? []
  })
  const [first, ...more] = emitted
  if (first === undefined) return null
  const inner = more.length === 0 ? first.filter : { [join]: emitted.map(({ filter }) => filter) }
  return {
    filter: not ? { not: inner } : inner,
    pointers: new Map(emitted.flatMap(({ pointers }) => [...pointers])),
  }
}

/** The form of the params of a search; null: they are none. `named`: its words, where they are not in the filter. */
export function formOf(params: Json, types: Types, named: Words | null = null): SearchForm | null {
  if (!isObject(params) || !isObject(params['query'])) return null
  const { filter = {}, sort = [] } = params['query']
  const { fields = [], limit = DEFAULT_LIMIT } = params
  if (!isObject(filter) || !Array.isArray(sort) || !Array.isArray(fields)) return null
  if (typeof limit !== 'number') return null
  let id = 0
  const next = (): number => id++
  const { words, mistakes, rest } =
    named === null ? takeWords(filter, types) : { ...named, rest: filter }
  const read = partsOf(rest, types, next)
  const [only, ...more] = read
  const group =
    only !== undefined && more.length === 0 && isGroup(only)
      ? only
      : { id: next(), match: 'all' as const, parts: read }
  return { words, mistakes, group, sort: sort.map(sortOf), fields: fields.map(nameOf), limit }
}

/** `["a", "b"]` is `a.b`. */
function nameOf(field: Json): string {
  return Array.isArray(field) ? field.map(String).join('.') : textOf(field)
}

function sortOf(item: Json): JsonObject {
  if (isObject(item)) {
    const { field, order } = item
    return typeof field === 'string' && order !== undefined ? { [field]: order } : item
  }
  const name = nameOf(item)
  return name.startsWith('-') ? { [name.slice(1)]: 'desc' } : { [name]: 'asc' }
}

function partsOf(filter: JsonObject, types: Types, next: () => number): readonly Part[] {
  return Object.entries(filter).flatMap(([word, value]): readonly Part[] => {
    const written = [{ id: next(), filter: { [word]: value } }]
    if (word === 'and' || word === 'or') {
      if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return written
      const parts = value.map((each) => asOne(each, types, next))
      return [{ id: next(), match: word === 'and' ? 'all' : 'any', parts }]
    }
    if (word === 'not') {
      if (!isObject(value)) return written
      const inner = asOne(value, types, next)
      return isGroup(inner) && (inner.match === 'all' || inner.match === 'any')
        ? [{ ...inner, match: inner.match === 'all' ? 'not_all' : 'none' }]
        : [{ id: next(), match: 'not_all', parts: [inner] }]
    }
    if (!isObject(value)) return written
    return Object.entries(value).map(([field, operand]) => {
      const condition = conditionOf(word, field, operand, types)
      return condition === null
        ? { id: next(), filter: { [word]: { [field]: operand } } }
        : { ...condition, id: next() }
    })
  })
}

/** Several members of one filter mean all of them. */
function asOne(filter: JsonObject, types: Types, next: () => number): Part {
  const parts = partsOf(filter, types, next)
  const [only, ...more] = parts
  return only !== undefined && more.length === 0 ? only : { id: next(), match: 'all', parts }
}

export function nextId(group: Group): number {
  return (
    Math.max(group.id, ...group.parts.map((part) => (isGroup(part) ? nextId(part) - 1 : part.id))) +
    1
  )
}

/** The group with each part that `change` gives another one for; null takes it away. */
function changed(group: Group, change: (part: Part) => Part | null): Group {
  const parts = group.parts.flatMap((part) => {
    const next = change(part)
    if (next === null) return []
    return [isGroup(next) ? changed(next, change) : next]
  })
  return { ...group, parts }
}

/** The group with another part in the place of one; null takes it away. */
export function replaced(group: Group, id: number, next: Part | null): Group {
  return changed(group, (part) => (part.id === id ? next : part))
}

/** Puts a part into a group, in front of the one at `index`. */
export function inserted(group: Group, into: number, index: number, part: Part): Group {
  const put = (each: Group): Group =>
    each.id === into ? { ...each, parts: each.parts.toSpliced(index, 0, part) } : each
  return changed(put(group), (each) => (isGroup(each) ? put(each) : each))
}

/** Moves a part in front of another one, or to the end of a group. Into itself it does not go. */
export function moved(group: Group, id: number, target: number): Group {
  const part = find(group, id)
  if (part === null || id === target || (isGroup(part) && find(part, target) !== null)) return group
  const without = replaced(group, id, null)
  const place = placeOf(without, target)
  const goal = target === without.id ? without : find(without, target)
  if (goal !== null && isGroup(goal)) return inserted(without, goal.id, goal.parts.length, part)
  return place === null ? group : inserted(without, place.parent.id, place.index, part)
}

/** One step up or down: past its neighbour, into a group, or out of its own. */
export function stepped(group: Group, id: number, by: 1 | -1): Group {
  const part = find(group, id)
  const place = placeOf(group, id)
  if (part === null || place === null) return group
  const { parent, index } = place
  const neighbour = parent.parts[index + by]
  const without = replaced(group, id, null)
  if (neighbour !== undefined && isGroup(neighbour))
    return inserted(without, neighbour.id, by === 1 ? 0 : neighbour.parts.length, part)
  if (neighbour !== undefined) return inserted(without, parent.id, index + by, part)
  const around = placeOf(group, parent.id)
  if (around === null) return group
  return inserted(without, around.parent.id, around.index + (by === 1 ? 1 : 0), part)
}

function find(group: Group, id: number): Part | null {
  const place = placeOf(group, id)
  return place?.parent.parts[place.index] ?? null
}

function placeOf(
  group: Group,
  id: number,
): { readonly parent: Group; readonly index: number } | null {
  const index = group.parts.findIndex((part) => part.id === id)
  if (index !== -1) return { parent: group, index }
  for (const part of group.parts) {
    const below = isGroup(part) ? placeOf(part, id) : null
    if (below !== null) return below
  }
  return null
}
