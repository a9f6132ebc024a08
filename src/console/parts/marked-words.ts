// Words in a text, marked where they stand; case and accents make no difference.
/** Letters as they are compared, and for each of them where it stood; null: where it stands. */
interface Folded {
  readonly text: string
  readonly at: readonly number[] | null
}

/** Parts of a text in order, and which of them are words that are looked for. */
export type Parts = readonly (readonly [part: string, isMarked: boolean])[]

const MARKS = /\p{M}+/gu
const NOT_ASCII = /[^\p{ASCII}]/u
const IN_WORD = /[\p{L}\p{N}]/u

export function fold(text: string): Folded {
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

/** Whether each of the words stands somewhere in a text. */
export function hasWords(words: readonly string[], text: string): boolean {
  const folded = fold(text).text
  return words.every((word) => folded.includes(word))
}

/** Where a word stands in a folded text. */
export function placesOf(text: string, word: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) places.push(at)
  return places
}

export function isWordStart(text: string, at: number): boolean {
  return !IN_WORD.test(text[at - 1] ?? '')
}

function wholePlacesOf(text: string, word: string): readonly number[] {
  return placesOf(text, word).filter(
    (at) => isWordStart(text, at) && !IN_WORD.test(text[at + word.length] ?? ''),
  )
}

/** Whether one of the words stands in a text as a whole word. */
export function hasWholeWord(words: readonly string[], text: string): boolean {
  const folded = fold(text).text
  return words.some((word) => wholePlacesOf(folded, word).length > 0)
}

/** `whole`: a word within a longer one is none. */
export function markedParts(words: readonly string[], text: string, whole = false): Parts {
  const folded = fold(text)
  const find = whole ? wholePlacesOf : placesOf
  const placeOf = (letter: number): number =>
    folded.at === null ? letter : (folded.at[letter] ?? text.length)
  const marked = new Set<number>()
  for (const word of words)
    for (const at of find(folded.text, word))
      for (let place = placeOf(at); place < placeOf(at + word.length); place++) marked.add(place)
  const parts: [string, boolean][] = []
  for (let place = 0; place < text.length; place++) {
    const last = parts.at(-1)
    const isMarked = marked.has(place)
    if (last?.[1] === isMarked) last[0] += text[place] ?? ''
    else parts.push([text[place] ?? '', isMarked])
  }
  return parts
}

/** As many letters as a narrow cell shows in front of a mark; of more, it shows the last ones. */
const MAX_BEFORE = 24
const LAST_ONES = /.{1,16}$/su

/** Parts that begin shortly before the first mark, where that stands deep in a long text. */
export function fromFirstMark(parts: Parts): Parts {
  const [[first, isMarked] = ['', true], ...rest] = parts
  if (isMarked || rest.length === 0 || first.length <= MAX_BEFORE) return parts
  const [left = ''] = LAST_ONES.exec(first) ?? []
  // From the beginning of a word, where there is one.
  return [[`… ${left.replace(/^\S*\s+(?=\S)/, '')}`, false], ...rest]
}
