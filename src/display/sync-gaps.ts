// Why it is not known that a copy has everything, in words.

/** By the names of `gaps` of `GET …/sync`; null: something else of the copy tells it. */
const WORDS: Readonly<Record<string, string | null>> = {
  left_out: null,
  unsaid_end: null,
  bound_met: null,
  count_unmet: 'the third party counts more than it listed',
  unread_records: 'its keys name more than could be asked for one by one; a full reading is due',
  unread_parents: 'those below some parents could not be read, and are tried again every hour',
  parents: 'the copy of the parents has gaps',
}

/** In one part of a sentence; null where there is nothing to add. A name that is not known here stands as it is. */
export function gapWords(gaps: readonly string[]): string | null {
  const words = gaps.flatMap((gap) => (Object.hasOwn(WORDS, gap) ? (WORDS[gap] ?? []) : [gap]))
  return words.length === 0 ? null : words.join('; ')
}
