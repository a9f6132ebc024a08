// Objects with thousands of unknown members: a few are kept for the report, the others are only counted.
import type { Json, JsonObject } from '../json/json.ts'
import type { JsonSchema } from './manifest.ts'

/** Unknown members that are kept: as many as problems are told. */
const KEPT = 20

export interface Trimmed {
  readonly value: JsonObject
  /** Unknown members that were left out. */
  readonly left: number
}

/** The names that a schema which knows all its members has, and those that are read before it; null: it takes others, too. */
export function knownNames(
  schema: JsonSchema,
  others: readonly string[],
): ReadonlySet<string> | null {
  if (schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined)
    return null
  return new Set([...Object.keys((schema['properties'] ?? {}) as JsonObject), ...others])
}

/**
 * The value with its first 20 unknown members only; null where it has no more. What is left is as wrong as before, so
 * that everything that looks at it afterwards costs little, however large it was.
 */
export function trimUnknown(value: JsonObject, known: ReadonlySet<string>): Trimmed | null {
  const names = Object.keys(value)
  if (names.length <= known.size + KEPT) return null
  const members: [string, Json][] = []
  let unknown = 0
  for (const name of names) {
    if (!known.has(name) && ++unknown > KEPT) continue
    const member = value[name]
    if (member !== undefined) members.push([name, member])
  }
  return unknown <= KEPT ? null : { value: Object.fromEntries(members), left: unknown - KEPT }
}
