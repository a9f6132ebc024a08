// "Did you mean": the way out of a name that does not exist.
import { didYouMean, nearest } from '../expression/nearest.ts'

export { didYouMean, nearest }

// A longer list is no help in one line.
const MAX_LIST = 20

/** The hint for a name that is not one of `candidates`: the nearest of them, else the whole short list, else null. */
export function suggestion(name: string, candidates: readonly string[]): string | null {
  const near = nearest(name, candidates)
  if (near !== null) return `did you mean "${near}"?`
  if (candidates.length === 0 || candidates.length > MAX_LIST) return null
  return `known: ${candidates.join(', ')}`
}

/** `a`, `a or b`, `a, b or c`. */
export function inWords(words: readonly string[], last: 'or' | 'and' = 'or'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
