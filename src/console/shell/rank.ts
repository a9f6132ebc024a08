// How well words fit what has a name: each of them somewhere in it, without regard to case and accents.

/** Letters as they are compared, and for each of them where it stood; null: where it stands. */
interface Folded {
  readonly text: string
  readonly at: readonly number[] | null
}

const MARKS = /\p{M}+/gu
const NOT_ASCII = /[^\p{ASCII}]/u

function fold(text: string): Folded {
  // Most names: hundreds of operations are looked at with each letter that is typed.
  if (!NOT_ASCII.test(text)) return { text: text.toLowerCase(), at: null }
  let folded = ''
  const at: number[] = []
  for (let place = 0; place < text.length;) {
    const letter = String.fromCodePoint(text.codePointAt(place) ?? 0)
    const plain = letter.normalize('NFKD').replace(MARKS, '').toLowerCase()
    for (let copies = plain.length; copies > 0; copies--) at.push(place)
    folded += plain
    place += letter.length
  }
  at.push(text.length)
  return { text: folded, at }
}

export function wordsOf(typed: string): readonly string[] {
  return fold(typed)
    .text.split(/\s+/)
    .filter((word) => word !== '')
}

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
  if (beginsWord(name, word)) return AT_WORD
  if (name.includes(word)) return IN_NAME
  return about.includes(word) ? IN_ABOUT : null
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true
  return false
}

/** A text in parts, of which those that fit a word are marked. */
export function markedParts(
  words: readonly string[],
  text: string,
): readonly (readonly [part: string, isMarked: boolean])[] {
  const folded = fold(text)
  const marked = new Set<number>()
  for (const word of words)
    for (let at = folded.text.indexOf(word); at !== -1; at = folded.text.indexOf(word, at + 1)) {
      const placeOf = (letter: number): number =>
        folded.at === null ? letter : (folded.at[letter] ?? text.length)
      for (let place = placeOf(at); place < placeOf(at + word.length); place++) marked.add(place)
    }
  const parts: [string, boolean][] = []
  for (let place = 0; place < text.length; place++) {
    const last = parts.at(-1)
    const isMarked = marked.has(place)
    if (last?.[1] === isMarked) last[0] += text[place] ?? ''
    else parts.push([text[place] ?? '', isMarked])
  }
  return parts
}
