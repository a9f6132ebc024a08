// `fields`: the parts of `data` that a caller wants, nested as in the record.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import type { Place } from './filter.ts'
import type { SearchLayout } from './layout.ts'

/** Wanted members below a member; null when all of it is. */
interface Wanted {
  readonly members: Map<string, Wanted | null>
}

/** Compiles places to a projection of documents. Paths that overlap merge; arrays stay arrays, mapped element by element. */
export function compileProjection(
  layout: SearchLayout,
  places: readonly Place[],
): (document: JsonObject) => JsonObject {
  const root: Wanted = { members: new Map() }
  for (const { field, path } of places) {
    const name = layout.fields[field]?.name
    if (name !== undefined) want(root, [name, ...path])
  }
  return (document) => projectObject(document, root)
}

function want(root: Wanted, path: readonly string[]): void {
  let at = root
  for (const [depth, name] of path.entries()) {
    const below = at.members.get(name)
    if (below === null) return
    if (depth === path.length - 1) {
      at.members.set(name, null)
      return
    }
    const next = below ?? { members: new Map() }
    at.members.set(name, next)
    at = next
  }
}

function projectObject(object: JsonObject, wanted: Wanted): JsonObject {
  const members: [string, Json][] = []
  for (const name of Object.keys(object)) {
    const below = wanted.members.get(name)
    const value = object[name]
    if (below === undefined || value === undefined) continue
    const projected = below === null ? value : project(value, below)
    if (projected !== undefined) members.push([name, projected])
  }
  return Object.fromEntries(members)
}

/** A scalar has nothing below it and is left out; null stays, as it does for a field as a whole. */
function project(value: Json, wanted: Wanted): Json | undefined {
  if (value === null) return null
  if (isJsonObject(value)) return projectObject(value, wanted)
  if (!isList(value)) return undefined
  const named = [...wanted.members].filter(([name]) => !INDEX.test(name))
  const ofAll: Wanted | undefined = named.length === 0 ? undefined : { members: new Map(named) }
  return value.flatMap((element, index) => {
    const ofThis = wanted.members.get(String(index))
    if (ofThis === null) return [element]
    const below = together(ofThis, ofAll)
    const projected = below === undefined ? undefined : project(element, below)
    return projected === undefined ? [] : [projected]
  })
}

/** What one of them wants. */
function together(left: Wanted | undefined, right: Wanted | undefined): Wanted | undefined {
  if (left === undefined || right === undefined) return left ?? right
  const members = new Map(left.members)
  for (const [name, below] of right.members) {
    const known = members.get(name)
    if (known === null) continue
    members.set(name, below === null ? null : (together(known, below) ?? null))
  }
  return { members }
}

const INDEX = /^(?:0|[1-9]\d*)$/
