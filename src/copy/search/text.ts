// What text means to search: folding, words, LIKE patterns, spelling distance. Stores only ever compare what comes out here.
import { editDistance } from '../../language/expression/nearest.ts'

/** Moves whenever folding, words or keys change, or what is kept about them: copies of another version are built again. */
export const TEXT_VERSION = 2

/** A word longer than this many code points counts as its beginning. */
export const MAX_WORD_LENGTH = 64

// oxlint-disable-next-line no-control-regex -- U+0000 is what is looked for
const NUL = /\u0000/g
// oxlint-disable-next-line no-control-regex -- all of ASCII but U+0000
const ASCII = /^[\u0001-\u007f]*$/
/** What is a word: a run of letters, marks and digits. */
export const WORDS: RegExp = /[\p{L}\p{M}\p{N}]+/gu
/** Accents of Latin, Greek, Cyrillic and symbols. Vowel signs of Indic scripts and marks of Japanese carry meaning and stay. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/** The code points of a text, one text each. Not what people see as characters: a flag or an accented letter can be several. */
export function codePoints(text: string): string[] {
  return Array.from(text)
}

/** Whether a text is ASCII without U+0000: such a text is storable, normal, and folded by case alone. */
export function isPlainText(text: string): boolean {
  return ASCII.test(text)
}

/** The text as every store can keep it: U+0000 and lone surrogates become U+FFFD. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\u0000') ? whole.replace(NUL, '\ufffd') : whole
}

/** The text without case, accents and compatibility forms: `Straße` is `strasse`. Folding what is folded changes nothing. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const bare = storable(text).normalize('NFKD').replace(ACCENTS, '')
  // Up and down again: ß has no other way to ss, and some capitals have several small letters.
  const lower = bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
}

/** The words of a text, folded, in order and with repetitions: runs of letters, marks and digits. */
export function words(text: string): string[] {
  if (ASCII.test(text)) return asciiWords(text.toLowerCase())
  const folded = fold(text)
  return ASCII.test(folded) ? asciiWords(folded) : (folded.match(WORDS) ?? []).map(cut)
}

/** Several times faster than an expression, and most texts are like this. */
function asciiWords(folded: string): string[] {
  const found: string[] = []
  let start = -1
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at)
    const isInside = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (isInside === start >= 0) continue
    if (isInside) start = at
    else {
      found.push(cut(folded.slice(start, at)))
      start = -1
    }
  }
  if (start >= 0) found.push(cut(folded.slice(start)))
  return found
}

function cut(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word
  const points = codePoints(word)
  return points.length <= MAX_WORD_LENGTH ? word : points.slice(0, MAX_WORD_LENGTH).join('')
}

const DIGIT = /\p{N}/u

/** Whether a word holds a digit of any script; such words are never matched by spelling. */
export function hasDigit(word: string): boolean {
  return DIGIT.test(word)
}

/** How many mistakes a word of a fuzzy condition may have: none up to 2 code points, 1 up to 5, 2 from 6 on. */
export function allowedDistance(word: string): 0 | 1 | 2 {
  if (hasDigit(word)) return 0
  const { length } = codePoints(word)
  if (length <= 2) return 0
  return length <= 5 ? 1 : 2
}

/** The distance of a word of a text to a word of a fuzzy condition; null when it is more than allowed. */
export function fuzzyDistance(asked: string, found: string): 0 | 1 | 2 | null {
  if (asked === found) return 0
  const allowed = allowedDistance(asked)
  if (allowed === 0 || hasDigit(found)) return null
  const distance = editDistance(asked, found, allowed)
  // Bounded by `allowed`, which is at most 2.
  return distance > allowed ? null : (distance as 1 | 2)
}
