// The members a manifest puts into `meta`.
import { compilePath, type Answer } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { MetaPick } from '../../language/manifest/manifest.ts'

export type ReadMeta = (answer: Answer, scope: Scope) => JsonObject

/**
 * Compiles picks. What a path does not find, or finds null, is null, and left out where it is optional; an object
 * is always there.
 */
export function compileMeta(picks: readonly MetaPick[]): ReadMeta {
  if (picks.length === 0) return () => NOTHING
  const members = picks.map(({ name, optional, value }) => ({
    name,
    optional,
    read: compileValue(value),
  }))
  return (answer, scope) => {
    const meta: Record<string, Json> = {}
    for (const { name, optional, read } of members) {
      const value = read(answer, scope) ?? null
      if (value !== null || !optional) meta[name] = value
    }
    return meta
  }
}

const NOTHING: JsonObject = Object.freeze({})

function compileValue(
  value: MetaPick['value'],
): (answer: Answer, scope: Scope) => Json | undefined {
  switch (value.kind) {
    case 'path':
      return compilePath(value.at)
    case 'constant':
      return () => value.value
    case 'object':
      return compileMeta(value.members)
  }
}
