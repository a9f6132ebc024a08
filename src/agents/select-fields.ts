// The part of a record that an agent asked for.
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject, selectPaths } from '../language/json/members.ts'

/**
 * The record with these fields only. A path goes down by dots and through lists (`fields.summary`,
 * `parties.emailAddress`); a name that itself has dots is found as a whole. Absent fields stay absent.
 */
export function selectFields(record: Json, paths: readonly string[]): Json {
  const split = paths.map((path) => path.split('.'))
  return selectPaths(record, split)
}

/** The paths that none of these records has. A list without elements has every path below it. */
export function absentFields(
  records: readonly Json[],
  paths: readonly string[],
): readonly string[] {
  return paths.filter((path) => !records.some((record) => has(selectFields(record, [path]))))
}

/** Whether anything is left of a record of which one path was selected. */
function has(selected: Json): boolean {
  if (Array.isArray(selected))
    return selected.length === 0 || selected.some((each: Json) => has(each))
  return !isJsonObject(selected) || Object.values(selected).some((member) => has(member))
}

/** The names at the top of the first records, to choose from. */
export function fieldNames(records: readonly Json[]): readonly string[] {
  const objects = records.slice(0, 5).filter((record): record is JsonObject => isJsonObject(record))
  return [...new Set(objects.flatMap((record) => Object.keys(record)))]
}
