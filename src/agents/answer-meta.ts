// What a listing tells next to its records, without the third party's own marks of its pages: `answer_cursor` is the
// one way to go on, also where a page was cut to fit.
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'

/** How deep a page's marks lie: `meta.nextPageToken`, `meta.pagination.cursor`. */
const MARKS_DEPTH = 2

/**
 * The members that say something of the records. Left out are nulls, what asks for the next page (by its name or value,
 * or within an address) and, while there is more to come, truth values, which speak of the page and not of the answer.
 */
export function metaWithoutMarks(
  meta: JsonObject,
  next: JsonObject | null,
  hasMore: boolean,
): JsonObject {
  return kept(meta, { next: Object.entries(next ?? {}), hasMore }, 1)
}

interface Marks {
  readonly next: readonly (readonly [string, Json])[]
  readonly hasMore: boolean
}

function kept(meta: JsonObject, marks: Marks, depth: number): JsonObject {
  const members = Object.entries(meta).flatMap(([name, value]): [string, Json][] => {
    if (value === null || isMark(name, value, marks)) return []
    if (!isJsonObject(value) || depth === MARKS_DEPTH) return [[name, value]]
    const inside = kept(value, marks, depth + 1)
    return Object.keys(inside).length === 0 ? [] : [[name, inside]]
  })
  return Object.fromEntries(members)
}

function isMark(name: string, value: Json, { next, hasMore }: Marks): boolean {
  if (typeof value === 'boolean') return hasMore
  return next.some(([param, place]) => param === name || holds(value, param, place))
}

function holds(value: Json, param: string, place: Json): boolean {
  if (typeof value !== 'string') return false
  if (typeof place === 'string' && value === place) return true
  if (typeof place !== 'string' && typeof place !== 'number') return false
  return URL.parse(value)?.searchParams.get(param) === String(place)
}
