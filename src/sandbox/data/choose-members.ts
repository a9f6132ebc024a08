// Leaving out what a request did not ask for: single members that need a reason, and members chosen by name.
import { isTrue } from '../../language/expression/evaluate.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, ownAt, selectPaths, withMember } from '../../language/json/members.ts'
import { textOf } from '../wire/same-scalar.ts'
import type { Context, Write } from './world.ts'

/**
 * A copy of the record without the members whose tests in `show` fail, and of the objects of `select` (an empty path is
 * the record) with the members that are named: by a list of names, or a text (`id,creative{id}`).
 */
export function chooseMembers(
  record: JsonObject,
  rules: { readonly show: readonly Write[]; readonly select: readonly Write[] },
  context: Context,
): JsonObject {
  let chosen = record
  for (const { path, value } of rules.show) {
    if (!isTrue(value(context))) chosen = changeAt(chosen, path, () => undefined)
  }
  for (const { path, value } of rules.select) {
    const wanted = value(context)
    const change =
      typeof wanted === 'string'
        ? (object: Json) => selectPaths(object, readSelection(wanted))
        : Array.isArray(wanted)
          ? (object: Json) => select(object, wanted)
          : null
    if (change !== null) chosen = changeAt(chosen, path, change)
  }
  return chosen
}

/** `*all` and every other name with a star keep all, `-name` takes one away, other names are kept. */
function select(value: Json, names: readonly Json[]): Json {
  if (!isJsonObject(value)) return value
  const all = names.some((name) => textOf(name).startsWith('*'))
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name]) => (all || names.includes(name)) && !names.includes(`-${name}`),
    ),
  )
}

/** A copy in which the value at a path is changed; undefined takes it away. A path that leads nowhere changes nothing. */
function changeAt(
  record: JsonObject,
  path: readonly string[],
  change: (value: Json) => Json | undefined,
): JsonObject {
  const present = ownAt(record, path)
  const changed = present === undefined ? undefined : change(present)
  const [above, last] = [path.slice(0, -1), path.at(-1)]
  if (last === undefined) return isJsonObject(changed) ? changed : record
  if (changed !== undefined) return withMember(record, path, changed)
  const object = ownAt(record, above)
  if (present === undefined || !isJsonObject(object)) return record
  const { [last]: _, ...others } = object
  return above.length === 0 ? others : withMember(record, above, others)
}

/**
 * Reads names with commas between them, nested in braces, as paths. What stands between a name and its brace (`.limit(3)`)
 * is left out, and so is what cannot be read: the sandbox judges no selections.
 */
export function readSelection(text: string): readonly (readonly string[])[] {
  return topLevelParts(text).flatMap((part) => {
    const [, name = '', inside] = SELECTED.exec(part) ?? []
    if (name === '') return []
    return inside === undefined ? [[name]] : readSelection(inside).map((path) => [name, ...path])
  })
}

/** A name, what may stand behind it, and what is wanted inside. */
const SELECTED = /^\s*([^\s.({]+)(?:\.\w+\([^)]*\))*\s*(?:\{(.*)\})?\s*$/s

/** The text cut at commas that stand in no brackets. */
function topLevelParts(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '{' || letter === '(') depth++
    else if (letter === '}' || letter === ')') depth--
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}
