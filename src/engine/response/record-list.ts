// The records at their place in an answer: a list, one object, or an object whose member names belong to the records.
import type { Json } from '../../language/json/json.ts'
import { isJsonObject, isList, withMember } from '../../language/json/members.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'

/** What stands where the records are, as it ends "holds no …". */
export interface RecordList {
  readonly what: string
  /** The records of the value, in its order; null when it is something else. */
  read(found: Json): readonly Json[] | null
}

/**
 * Says how records are read from the value at `response.records`. Of `keyed` and `grouped` the name of a member
 * becomes a member of each of its records, in the place of one of the same name; a record that is no object is kept
 * as `value`. In XML one element is a list of one. An empty list is taken for an empty object, which some languages cannot tell apart.
 * Source: docs/manifest-language.md, "Answers".
 */
export function recordListOf({ single, keyed, grouped, decode }: ResponseRules): RecordList {
  if (single) return { what: 'object', read: (found) => (isContainer(found) ? [found] : null) }
  const name = keyed ?? grouped
  if (name === undefined && decode === 'xml')
    return { what: 'list', read: (found) => (isList(found) ? found : [found]) }
  if (name === undefined) return { what: 'list', read: (found) => (isList(found) ? found : null) }
  const lists = decode === 'xml' ? listOfElements : listOrNull
  const listOf = keyed === undefined ? lists : (value: Json): readonly Json[] => [value]
  const what = keyed === undefined ? 'object of lists' : 'object of records'
  return { what, read: (found) => recordsByName(found, name, listOf) }
}

function recordsByName(
  found: Json,
  name: string,
  listOf: (value: Json) => readonly Json[] | null,
): readonly Json[] | null {
  if (isList(found) && found.length === 0) return []
  if (!isJsonObject(found)) return null
  const records: Json[] = []
  for (const [key, value] of Object.entries(found)) {
    const list = listOf(value)
    if (list === null) return null
    for (const record of list) {
      const isObject = isJsonObject(record)
      if (!isObject && name === 'value') return null
      records.push(withMember(isObject ? record : { value: record }, [name], key))
    }
  }
  return records
}

/** null stands for no records, as where a list of records is missing. */
function listOrNull(value: Json): readonly Json[] | null {
  if (value === null) return []
  return isList(value) ? value : null
}

/** One element is a list of one; an empty one is an empty list. */
function listOfElements(value: Json): readonly Json[] {
  if (value === null || value === '') return []
  return isList(value) ? value : [value]
}

function isContainer(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
