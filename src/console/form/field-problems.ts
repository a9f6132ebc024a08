// Problems of an answer, at the fields they are about.
import type { JsonObject } from '../api/json-text.ts'
import type { Problem } from '../api/problem.ts'
import { propertiesOf, resolve } from './schema-node.ts'

/** Details by JSON pointer; several of one place in one text. */
export function fieldProblems(problem: Problem | null): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { pointer, detail, allowed } of problem?.body.errors ?? []) {
    const text = allowed === undefined ? detail : `${detail}: ${allowed.map(String).join(', ')}`
    const before = found.get(pointer)
    found.set(pointer, before === undefined ? text : `${before}; ${text}`)
  }
  return found
}

/** The pointers that a form of `schema` at `base` shows itself, so that they need not be told again. */
export function shownPointers(
  problem: Problem | null,
  base: string,
  schema: JsonObject,
): ReadonlySet<string> {
  const pointers = problem?.body.errors.map(({ pointer }) => pointer) ?? []
  return new Set(
    pointers.filter(
      (pointer) =>
        pointer.startsWith(`${base}/`) &&
        hasField(pointer.slice(base.length + 1).split('/'), schema, schema),
    ),
  )
}

function hasField(path: readonly string[], given: JsonObject, root: JsonObject): boolean {
  const [name = '', ...rest] = path
  const schema = resolve(given, root)
  const found = /^\d+$/.test(name)
    ? schema['items']
    : propertiesOf(schema).find(([each]) => each === name)?.[1]
  if (found === undefined) return false
  return rest.length === 0 || hasField(rest, resolve(found, root), root)
}
