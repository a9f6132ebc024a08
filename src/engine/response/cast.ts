// Numbers that leave as text, because the schema says so.
import { manifestDefect } from '../../language/expression/value-error.ts'
import type { PathStep } from '../../language/expression/syntax.ts'
import { isIntegerText } from '../../language/json/decimal.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'

type Cast = (value: Json) => Json

/** The casts of one action's records. Null: nothing to do. Records that need no change come back as themselves. */
export interface Casts {
  /** For any record. */
  readonly full: Cast | null
  /** For a record that is known to hold no number beyond 2^53. */
  readonly plain: Cast | null
}

/**
 * Compiles the casts of a record: `always` turns every integer into text, the others only an integer beyond 2^53.
 * Fractions, and whatever is no number, stay. Source: docs/manifest-language.md, "Answers".
 */
export function compileCasts(casts: ResponseRules['casts']): Casts {
  return {
    full: casts.length === 0 ? null : compileTree(casts),
    plain: casts.some(({ always }) => always)
      ? compileTree(casts.filter(({ always }) => always))
      : null,
  }
}

/** Casts by place: one walk over a record serves all of them. */
interface Tree {
  scalar: Cast | null
  readonly members: Map<string, Tree>
  each: Tree | null
}

function compileTree(casts: ResponseRules['casts']): Cast {
  const root = emptyTree()
  for (const { at, always } of casts) {
    let place = root
    for (const step of at.steps) place = descend(place, step, at.source)
    place.scalar = always ? integerToText : exactIntegerToText
  }
  return compilePlace(root)
}

function emptyTree(): Tree {
  return { scalar: null, members: new Map(), each: null }
}

function descend(place: Tree, step: PathStep, source: string): Tree {
  if (step.kind === 'all') return (place.each ??= emptyTree())
  if (step.kind !== 'member') throw manifestDefect(`a cast cannot stand at ${source}`)
  const known = place.members.get(step.name)
  if (known !== undefined) return known
  const fresh = emptyTree()
  place.members.set(step.name, fresh)
  return fresh
}

function compilePlace(tree: Tree): Cast {
  const { scalar } = tree
  const each = tree.each === null ? null : compilePlace(tree.each)
  const members = [...tree.members].map(([name, place]) => [name, compilePlace(place)] as const)
  if (each === null && members.length === 0) return scalar ?? ((value) => value)
  return (value) => {
    if (typeof value !== 'object' || value === null || isExactNumber(value)) {
      return scalar === null ? value : scalar(value)
    }
    if (Array.isArray(value)) return each === null ? value : castElements(value, each)
    // Neither array nor exact number: what is left of Json is an object.
    return castMembers(value as JsonObject, members, each, tree.members)
  }
}

/** The list with changed elements; the list itself where none changes. */
export function castElements(list: readonly Json[], cast: Cast): readonly Json[] {
  let copy: Json[] | null = null
  for (let index = 0; index < list.length; index++) {
    const element = list[index]
    if (element === undefined) continue
    const changed = cast(element)
    if (changed === element) continue
    copy ??= [...list]
    copy[index] = changed
  }
  return copy ?? list
}

function castMembers(
  object: JsonObject,
  members: readonly (readonly [name: string, cast: Cast])[],
  each: Cast | null,
  named: ReadonlyMap<string, unknown>,
): JsonObject {
  let copy: Record<string, Json> | null = null
  const castMember = (name: string, cast: Cast): void => {
    const member = Object.hasOwn(object, name) ? object[name] : undefined
    if (member === undefined) return
    const changed = cast(member)
    if (changed === member) return
    // Spreading makes every member the copy's own, so the assignment cannot reach a setter, not even for __proto__.
    copy ??= { ...object }
    copy[name] = changed
  }
  for (const [name, cast] of members) castMember(name, cast)
  if (each !== null) {
    for (const name of Object.keys(object)) if (!named.has(name)) castMember(name, each)
  }
  return copy ?? object
}

function integerToText(value: Json): Json {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? BigInt(value).toString() : value
  }
  return exactIntegerToText(value)
}

function exactIntegerToText(value: Json): Json {
  return isExactNumber(value) && isIntegerText(value.rawJSON) ? value.rawJSON : value
}
