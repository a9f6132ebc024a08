// What a condition sees of a document: the values at a place, read as the field's type, and the words inside.
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { FieldType } from '../../language/manifest/manifest.ts'
import type { Place } from './filter.ts'
import { booleanKey, isNumberText, numberKey, type ScalarKey, textKey } from './key.ts'
import { isScalarType, type LayoutField, type SearchLayout } from './layout.ts'
import { words } from './text.ts'

/** A scalar as text: text itself, numbers and booleans as JSON writes them; null for everything else. */
export function scalarText(value: Json | undefined): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return isExactNumber(value) ? value.rawJSON : null
}

/** A scalar as JSON; null for everything else. */
export function scalarJson(value: Json | undefined): string | null {
  return typeof value === 'string' ? JSON.stringify(value) : scalarText(value)
}

/** A value read as the scalar type of its field: numbers from numeric text, text from numbers; null when it cannot be. */
export function readScalar(type: FieldType, value: Json | undefined): ScalarKey | null {
  if (value === undefined || value === null) return null
  if (type === 'boolean')
    return typeof value === 'boolean' ? { kind: 'boolean', key: booleanKey(value) } : null
  const text = scalarText(value)
  if (text === null) return null
  if (type === 'string') return { kind: 'text', key: textKey(text) }
  if (typeof value === 'boolean' || !isNumberText(text)) return null
  const key = numberKey(text)
  return key === null ? null : { kind: 'number', key }
}

/**
 * The values at a dotted path, or of an object or array field: arrays on the way fan out to their elements unless the
 * path gives an index; an array that is reached counts as itself and as its elements.
 */
export function reachedValues(value: Json | undefined, path: readonly string[]): readonly Json[] {
  return reachedWhole(value, path).flatMap((reached) =>
    isList(reached) ? [reached, ...reached] : [reached],
  )
}

function reachedWhole(value: Json | undefined, path: readonly string[]): readonly Json[] {
  const found: Json[] = []
  reach(value, path, 0, found)
  return found
}

function reach(value: Json | undefined, path: readonly string[], at: number, found: Json[]): void {
  if (value === undefined) return
  const name = path[at]
  if (name === undefined) found.push(value)
  else if (isList(value) && !INDEX.test(name)) {
    for (const element of value) reach(element, path, at, found)
  } else reach(own(value, name), path, at + 1, found)
}

/** A part of a path that picks an element. */
export const INDEX: RegExp = /^(?:0|[1-9]\d*)$/

/** The value of a field in a document; undefined when the record did not have it. */
export function fieldValue(document: JsonObject, field: LayoutField): Json | undefined {
  return Object.hasOwn(document, field.name) ? document[field.name] : undefined
}

/** The texts at a place that `like` compares: of a text field its text, else every text among the values. */
export function textsAt(
  layout: SearchLayout,
  place: Place,
  document: JsonObject,
): readonly string[] {
  const field = layout.fields[place.field]
  if (field === undefined) return []
  const value = fieldValue(document, field)
  if (place.path.length === 0 && isScalarType(field.type)) {
    const text = scalarText(value)
    return text === null ? [] : [text]
  }
  return reachedValues(value, place.path).filter((reached) => typeof reached === 'string')
}

/**
 * The texts at a place whose words are searched: of a text field its text; else every text inside, without addresses of
 * the web and without the members a manifest names in `no_words`.
 */
export function wordedTextsAt(
  layout: SearchLayout,
  place: Place,
  document: JsonObject,
): readonly string[] {
  const field = layout.fields[place.field]
  if (field === undefined) return []
  const value = fieldValue(document, field)
  if (isScalarType(field.type)) {
    const text = field.type === 'string' ? scalarText(value) : null
    return text === null ? [] : [text]
  }
  if (layout.noWords.includes(field.name)) return []
  if (place.path.some((name) => layout.noWords.includes(name))) return []
  const texts: string[] = []
  for (const reached of reachedWhole(value, place.path))
    collectTexts(reached, layout.noWords, texts)
  return texts
}

function collectTexts(value: Json, noWords: readonly string[], texts: string[]): void {
  if (typeof value === 'string') {
    if (!WEB_ADDRESS.test(value)) texts.push(value)
  } else if (isList(value)) {
    for (const element of value) collectTexts(element, noWords, texts)
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const member = value[name]
      if (member !== undefined && !noWords.includes(name)) collectTexts(member, noWords, texts)
    }
  }
}

const WEB_ADDRESS = /^https?:\/\/\S+$/i

/** Words of one record beyond this many bytes are not searched: fields in order, each word once per field. */
const MAX_TERM_BYTES = 512 * 1024
/** What a word counts in addition to its own bytes. */
const TERM_OVERHEAD = 8
/** Folding makes at most eleven bytes of one, so a shorter document cannot reach the limit. */
const HARMLESS_LENGTH = 16_000

/** The distinct words per field number; fields without words are absent. */
export type TermsByField = ReadonlyMap<number, ReadonlySet<string>>

export interface RecordTerms {
  readonly byField: TermsByField
  readonly isCut: boolean
}

/** The words of a document by field, up to the limit. `length`: UTF-16 units of its JSON text, where it is known. */
export function termsOf(
  layout: SearchLayout,
  document: JsonObject,
  length: number = Number.POSITIVE_INFINITY,
): RecordTerms {
  const isLimited = mayExceedTerms(length)
  const byField = new Map<number, ReadonlySet<string>>()
  let room = MAX_TERM_BYTES
  for (let field = 0; field < layout.fields.length; field++) {
    const found = new Set<string>()
    for (const text of wordedTextsAt(layout, { field, path: [] }, document)) {
      for (const word of words(text)) {
        if (isLimited && !found.has(word)) room -= Buffer.byteLength(word) + TERM_OVERHEAD
        if (room < 0) {
          if (found.size > 0) byField.set(field, found)
          return { byField, isCut: true }
        }
        found.add(word)
      }
    }
    if (found.size > 0) byField.set(field, found)
  }
  return { byField, isCut: false }
}

/** Whether a document of this length (UTF-16 units of its JSON text) may hold more words than are searched. */
export function mayExceedTerms(documentLength: number): boolean {
  return documentLength > HARMLESS_LENGTH
}
