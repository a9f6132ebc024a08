// What a run of a sync reads, in the words that schedules have for it.

/** By the `kind` of a run. */
const WORDS: Readonly<Record<string, string>> = {
  initial: 'everything, for the first time',
  incremental: 'changes',
  full: 'everything',
  reconcile: 'all keys',
  children: 'below its parents',
}

/** Those of an entry of the logs (`runs` of its facts), in their order. */
export function runsInWords(kinds: readonly unknown[]): string {
  return kinds.map((kind) => runInWords(String(kind))).join('; ')
}

/** A kind that is not known here stands as it is. */
export function runInWords(kind: string): string {
  return Object.hasOwn(WORDS, kind) ? (WORDS[kind] ?? kind) : kind
}
