// Listings that deliver the vendor's page object, with the records in it.
import { manifestDefect } from '../../language/expression/value-error.ts'
import { namesBelow } from '../../language/expression/path-below.ts'
import type { Path } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'

/** Puts records into a page object at their place; the object comes back as itself when they are there already. */
export type PutRecords = (page: Json, records: readonly Json[]) => Json

/**
 * Compiles the way from a page object to its records. `page` has to be a beginning of `at`, and what follows names
 * members only: else `internal_error`, for such records cannot be put back.
 */
export function compilePutRecords(page: Path, at: Path): PutRecords {
  const names = namesBelow(page, at)
  if (names === null)
    throw manifestDefect(`the records at ${at.source} are not a member of the page ${page.source}`)
  return (value, records) => put(value, names, records)
}

function put(value: Json, names: readonly string[], records: readonly Json[]): Json {
  const [name, ...inside] = names
  if (name === undefined) return records
  const object = isJsonObject(value) ? value : {}
  const before = Object.hasOwn(object, name) ? object[name] : undefined
  const after = put(before ?? {}, inside, records)
  if (after === before) return value
  return Object.fromEntries([...Object.entries(object), [name, after]])
}
