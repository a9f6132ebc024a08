// How well words fit what has a name: each of them somewhere in it, without regard to case and accents.
import { editDistance } from '../../language/expression/nearest.ts'
import { fold, isWordStart, placesOf } from '../parts/marked-words.ts'

/** "Why is acme failing?" asks for what "acme failing" finds. */
const ASKING = /^(?:why|what|which|where|who|how|when)$/
const FILLING: ReadonlySet<string> = new Set([
  'is',
  'are',
  'does',
  'do',
  'did',
  'has',
  'have',
  'the',
])

/** What is asked for, without the words of a question; as it is where it is none, or has no other words. */
export function withoutAsking(typed: string): string {
  const [first = '', ...rest] = typed.replace(/\s*\?\s*$/, '').split(/\s+/)
  if (!ASKING.test(first.toLowerCase())) return typed
  const words = rest.filter((word) => !FILLING.has(word.toLowerCase())).join(' ')
  return words === '' ? typed : words
}

const IN_ABOUT = 1
const IN_NAME = 2
const AT_WORD = 4
const AT_START = 6
/** More than the words have: what is called exactly so goes before what only begins so, and was chosen before. */
const WHOLE = 2
/** How a name has words, the better the more: it is them, it has one of them where a word begins, or neither. */
export function fitOf(words: readonly string[], name: string): 0 | 1 | 2 {
  const { text } = fold(name)
  if (text === words.join(' ')) return 2
  return words.some((word) => (rankOfWord(word, text, '') ?? 0) >= AT_WORD) ? 1 : 0
}

/** Of two letters, most texts have a word with them in its middle: "Acme DE" is not asked for by "credentials". */
const MIN_WITHIN = 3

/** With a mistake, in the name or around it. */
const NEAR_NAME = 0.5
const NEAR_ABOUT = 0.25
/** Of three letters, one is too many to be wrong. */
const MIN_NEAR = 4
/** A number with another digit is another number. */
const DIGIT = /\p{N}/u

/**
 * Null: a word is in none of the texts. Of several words each counts; the name counts more than what stands around it.
 * `near`: a word may have one letter too many, too few, wrong, or in the wrong place.
 */
export function rankOf(
  words: readonly string[],
  name: string,
  about = '',
  near = false,
): number | null {
  const texts = [fold(name).text, fold(about).text] as const
  let sum = 0
  for (const word of words) {
    const rank = rankOfWord(word, ...texts) ?? (near ? nearRank(word, ...texts) : null)
    if (rank === null) return null
    sum += rank
  }
  return texts[0] === words.join(' ') ? sum + WHOLE : sum
}

function rankOfWord(word: string, name: string, about: string): number | null {
  if (name.startsWith(word)) return AT_START
  if (placesOf(name, word).some((at) => isWordStart(name, at))) return AT_WORD
  if (name.includes(word)) return IN_NAME
  const places = placesOf(about, word)
  const isThere =
    word.length < MIN_WITHIN ? places.some((at) => isWordStart(about, at)) : places.length > 0
  return isThere ? IN_ABOUT : null
}

function nearRank(word: string, name: string, about: string): number | null {
  if (word.length < MIN_NEAR || DIGIT.test(word)) return null
  if (isNear(word, name)) return NEAR_NAME
  return isNear(word, about) ? NEAR_ABOUT : null
}

/** Whether a text has a word that is one mistake away, or that begins so. */
function isNear(word: string, text: string): boolean {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .some((each) =>
      [each, each.slice(0, word.length)].some((part) => editDistance(word, part, 1) <= 1),
    )
}
