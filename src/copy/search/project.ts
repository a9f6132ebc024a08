// `fields`: the parts of `data` that a caller wants, nested as in the record.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import type { Place } from './filter.ts'
import type { SearchLayout } from './layout.ts'
import { INDEX } from './values.ts'

/** Wanted members, each with what is wanted below it; null: all of it. */
interface Wanted extends ReadonlyMap<string, Wanted | null> {}

/** Compiles places to a projection of documents. Paths that overlap merge; arrays stay arrays, mapped element by element. */
export function compileProjection(
  layout: SearchLayout,
  places: readonly Place[],
): (document: JsonObject) => JsonObject {
  const paths = places.map(({ field, path }) => [layout.fields[field]?.name ?? '', ...path])
  const wanted = wantedOf(paths)
  return (document) => projectObject(document, wanted)
}

function wantedOf(paths: readonly (readonly string[])[]): Wanted {
  const byName = Map.groupBy(paths, ([name = '']) => name)
  return new Map(
    [...byName].map(([name, some]) => {
      const below = some.map((path) => path.slice(1))
      return [name, below.some(({ length }) => length === 0) ? null : wantedOf(below)]
    }),
  )
}

function projectObject(object: JsonObject, wanted: Wanted): JsonObject {
  const members: [string, Json][] = []
  for (const name of Object.keys(object)) {
    const below = wanted.get(name)
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
  const named = [...wanted].filter(([name]) => !INDEX.test(name))
  const ofAll: Wanted | undefined = named.length === 0 ? undefined : new Map(named)
  return value.flatMap((element, index) => {
    const ofThis = wanted.get(String(index))
    if (ofThis === null) return [element]
    const below = together(ofThis, ofAll)
    const projected = below === undefined ? undefined : project(element, below)
    return projected === undefined ? [] : [projected]
  })
}

function together(left: Wanted | undefined, right: Wanted | undefined): Wanted | undefined {
  if (left === undefined || right === undefined) return left ?? right
  const members = new Map(left)
  for (const [name, below] of right) {
    const known = members.get(name)
    if (known === null) continue
    members.set(name, below === null ? null : (together(known, below) ?? null))
  }
  return members
}
