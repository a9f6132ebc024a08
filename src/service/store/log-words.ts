// Words that are looked for in entries of the logs: each stands somewhere in the texts of an entry, whatever its case.
import type { LogRow } from './logs.ts'

/** Empty where there is none. */
export function logWordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** What was called, what came of it in words and codes, and whose it is; not its steps. */
export function hasLogWords(row: LogRow, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const names = [row.connectorType, row.externalUserId, row.instanceId, row.clientId]
  const texts = [
    row.kind,
    `${row.entity ?? ''}.${row.action ?? ''}`,
    row.code,
    row.requestId,
    ...names,
  ]
  const said = Object.values(row.data).filter((value) => typeof value === 'string')
  // No word has a space.
  const all = [...texts, ...said].join(' ').toLowerCase()
  return words.every((word) => all.includes(word))
}

/** Parts of words for a first look that every database takes in the same way. More would make it slower, not less to read. */
const MAX_PARTS = 3
/** What stands in JSON as it is, and whose case is one of ASCII. */
const NOT_PLAIN = /[^!#-[\]-~]+/

/** The longest plain parts of the words: what has all words has these. */
export function plainPartsOf(words: readonly string[]): readonly string[] {
  return words
    .flatMap((word) => word.split(NOT_PLAIN))
    .filter((part) => part !== '')
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_PARTS)
}
