// Leaving out what a request did not ask for: single members that need a reason, and members chosen by name.
import { isTrue } from '../../expression/evaluate.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { isObject } from '../wire/is-object.ts'
import { textOf } from '../wire/same-scalar.ts'
import type { MakeValue, Making } from './world.ts'

/** A member that is answered only when its test is true. */
export interface ShowRule {
  readonly path: readonly string[]
  readonly test: MakeValue
}

/** An object of which only the named members are answered. */
export interface SelectRule {
  readonly path: readonly string[]
  readonly names: MakeValue
}

/** A copy of the record without the members whose tests fail and those that nobody named. */
export function chooseMembers(
  record: JsonObject,
  rules: { readonly show: readonly ShowRule[]; readonly select: readonly SelectRule[] },
  making: Making,
): JsonObject {
  let chosen = record
  for (const { path, test } of rules.show) {
    if (!isTrue(test(making))) chosen = changeAt(chosen, path, () => undefined)
  }
  for (const { path, names } of rules.select) {
    const list = names(making)
    if (Array.isArray(list)) chosen = changeAt(chosen, path, (value) => select(value, list))
  }
  return chosen
}

/** `*all` and every other name with a star keep all, `-name` takes one away, other names are kept. */
function select(value: Json, names: readonly Json[]): Json {
  if (!isObject(value)) return value
  const all = names.some((name) => textOf(name).startsWith('*'))
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name]) => (all || names.includes(name)) && !names.includes(`-${name}`),
    ),
  )
}

/** A copy in which the value at a path is changed; undefined takes it away. A path that leads nowhere changes nothing. */
function changeAt(
  object: JsonObject,
  path: readonly string[],
  change: (value: Json) => Json | undefined,
): JsonObject {
  const [name, ...rest] = path
  if (name === undefined || !Object.hasOwn(object, name)) return object
  const present = object[name] ?? null
  if (rest.length > 0 && !isObject(present)) return object
  const changed =
    rest.length > 0 && isObject(present) ? changeAt(present, rest, change) : change(present)
  const { [name]: _, ...others } = object
  return changed === undefined ? others : { ...object, [name]: changed }
}
