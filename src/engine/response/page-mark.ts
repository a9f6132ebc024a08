// What tells two pages of one run apart.
import type { Json } from '../../language/json/json.ts'
import { nodeCrypto } from '../../late-modules.ts'
import { textOf } from './plain-text.ts'

/** The mark of a page that has a next one: 22 characters, from which nobody learns the cursor. */
export function markOfCursor(next: Json): string {
  return digest(textOf(next) ?? '')
}

/** The mark of a page that is found by counting: its first and last record as they came; null for an empty page. */
export function markOfRecords(records: readonly Json[]): string | null {
  return records.length === 0 ? null : digest(JSON.stringify([records[0], records.at(-1)]))
}

/** 128 bits are enough to tell a hundred thousand pages apart. */
function digest(text: string): string {
  return nodeCrypto().hash('sha256', text, 'base64url').slice(0, 22)
}
