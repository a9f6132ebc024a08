// The words of a record, by field: what keyword and fuzzy look among.
import type { JsonObject } from '../../language/json/json.ts'
import type { SearchLayout } from './layout.ts'
import { words } from './text.ts'
import { wordedTextsAt } from './values.ts'

/** Words of one record beyond this many bytes are not searched: fields in order, each word once per field. */
export const MAX_TERM_BYTES: number = 512 * 1024
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
