// What a run of a sync reads, in the words that schedules have for it.

/** By the `kind` of a run. */
const WORDS: Readonly<Record<string, string>> = {
  initial: 'everything, for the first time',
  incremental: 'changes',
  full: 'everything',
  reconcile: 'all keys',
  children: 'below its parents',
}

/** A kind that is not known here stands as it is. */
export function runInWords(kind: string): string {
  return Object.hasOwn(WORDS, kind) ? (WORDS[kind] ?? kind) : kind
}
