// How well words fit what has a name: each of them somewhere in it, without regard to case and accents.
import { fold, isWordStart, placesOf } from '../parts/marked-words.ts'

const IN_ABOUT = 1
const IN_NAME = 2
const AT_WORD = 4
const AT_START = 6

/** Null: a word is in none of the texts. Of several words each counts; the name counts more than what stands around it. */
export function rankOf(words: readonly string[], name: string, about = ''): number | null {
  const texts = [fold(name).text, fold(about).text] as const
  let sum = 0
  for (const word of words) {
    const rank = rankOfWord(word, ...texts)
    if (rank === null) return null
    sum += rank
  }
  return sum
}

function rankOfWord(word: string, name: string, about: string): number | null {
  if (name.startsWith(word)) return AT_START
  if (placesOf(name, word).some((at) => isWordStart(name, at))) return AT_WORD
  if (name.includes(word)) return IN_NAME
  return about.includes(word) ? IN_ABOUT : null
}
