// Answers that fit a context: as many records as there is room for, and values that are shortened where one is too large.
import type { Json } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'

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
  /** JSON pointers of what was shortened, at most 20 of them. */
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
  { text: 40, list: 1 },
]
const MAX_PLACES = 20

/** The value, with long texts and lists shortened until it fits. Names of members are never dropped silently. */
export function shortenToFit(value: Json, maxChars: number): Shortened {
  if (sizeOf(value) <= maxChars) return { value, places: [] }
  for (const limits of STEPS) {
    const places: string[] = []
    const shorter = shortened(value, limits, '', places)
    if (sizeOf(shorter) <= maxChars) return { value: shorter, places: places.slice(0, MAX_PLACES) }
  }
  // So many members that even their shortest forms are too much: the names help to ask for a part.
  const names = isJsonObject(value) ? Object.keys(value).join(', ') : ''
  return { value: `members: ${names}`.slice(0, maxChars), places: [''] }
}

function shortened(value: Json, limits: Limits, pointer: string, places: string[]): Json {
  if (typeof value === 'string') {
    if (value.length <= limits.text) return value
    places.push(pointer)
    return `${value.slice(0, limits.text)}… (${value.length} characters)`
  }
  if (Array.isArray(value)) {
    const list: readonly Json[] = value
    if (list.length > limits.list) places.push(pointer)
    return list
      .slice(0, limits.list)
      .map((each, index) => shortened(each, limits, `${pointer}/${index}`, places))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      shortened(member, limits, `${pointer}/${escaped(name)}`, places),
    ]),
  )
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
