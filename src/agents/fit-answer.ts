// Answers that fit a context: as many records as there is room for, and values that are shortened where one is too large.
import type { Json } from '../language/json/json.ts'
import { isJsonObject, isList } from '../language/json/members.ts'
import { pointerTo } from '../language/json/pointer.ts'

/** Characters of a value as JSON. */
export function sizeOf(value: Json): number {
  return JSON.stringify(value).length
}

/** How many records fit from the start; 0 when the first alone is too large. */
export function countFitting(records: readonly Json[], maxChars: number): number {
  let size = 2
  for (const [index, record] of records.entries()) {
    size += sizeOf(record) + 1
    if (size > maxChars) return index
  }
  return records.length
}

export interface Shortened {
  readonly value: Json
  /** JSON pointers of what was shortened, at most 10 of them. */
  readonly places: readonly string[]
}

interface Limits {
  readonly text: number
  readonly list: number
}

/** From gentle to harsh: characters of a text, elements of a list. */
const STEPS: readonly Limits[] = [
  { text: 8000, list: 200 },
  { text: 2000, list: 50 },
  { text: 500, list: 20 },
  { text: 120, list: 5 },
]
const MAX_PLACES = 10

/**
 * The value, with long texts and lists shortened until it fits; where that is not enough, with the first members that
 * do. What is missing or cut is told by its place.
 */
export function shortenToFit(value: Json, maxChars: number): Shortened {
  if (sizeOf(value) <= maxChars) return { value, places: [] }
  for (const limits of STEPS) {
    const places: string[] = []
    const shorter = shortened(value, limits, { pointer: '', places })
    if (sizeOf(shorter) <= maxChars) return { value: shorter, places: places.slice(0, MAX_PLACES) }
  }
  const places: string[] = []
  const part = firstPart(value, maxChars, { pointer: '', places })
  return { value: part ?? null, places: places.slice(0, MAX_PLACES) }
}

interface Place {
  readonly pointer: string
  readonly places: string[]
}

/** What the end of a cut text takes. */
const CUT_CHARS = 30

function shortened(value: Json, limits: Limits, { pointer, places }: Place): Json {
  if (typeof value === 'string') {
    if (value.length <= limits.text + CUT_CHARS) return value
    places.push(pointer)
    return cut(value, limits.text)
  }
  if (isList(value)) {
    if (value.length > limits.list) places.push(pointer)
    return value
      .slice(0, limits.list)
      .map((each, index) => shortened(each, limits, { pointer: `${pointer}/${index}`, places }))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      shortened(member, limits, { pointer: pointerTo(pointer, [name]), places }),
    ]),
  )
}

/** As much of the value as there is room for, from its beginning; undefined when nothing is left of it. */
function firstPart(value: Json, room: number, { pointer, places }: Place): Json | undefined {
  if (sizeOf(value) <= room) return value
  places.push(pointer)
  if (typeof value === 'string') {
    // Quotes and escapes take room too.
    const length = Math.floor((room - CUT_CHARS) / 2)
    return length > 0 ? cut(value, length) : undefined
  }
  if (isList(value)) {
    const count = countFitting(value, room)
    return count > 0 ? value.slice(0, count) : undefined
  }
  if (!isJsonObject(value)) return undefined
  const members: [string, Json][] = []
  let used = 2
  for (const [name, member] of Object.entries(value)) {
    const left = room - used - JSON.stringify(name).length - 2
    // One member alone does not take all that is left.
    const wanted = sizeOf(member) <= left ? left : Math.floor(left / 2)
    const place = { pointer: pointerTo(pointer, [name]), places }
    const part = left <= 0 ? undefined : firstPart(member, wanted, place)
    if (part === undefined) continue
    members.push([name, part])
    used += sizeOf({ [name]: part })
  }
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

function cut(text: string, length: number): string {
  return `${text.slice(0, length)}… (${text.length} characters)`
}
