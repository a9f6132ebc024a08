// Searching texts by their words, as `~` of a query does.

export type WordSearch = (text: string) => boolean

/**
 * Compiles a search, as docs/sandbox.md says it of `words`. `~` and `^` behind a word change nothing; words that say little
 * (the, of) count in phrases only. Null when there is no word in it.
 */
export function compileWordSearch(wanted: string): WordSearch | null {
  const alternatives = wanted
    .split(/(?:^|\s)OR(?=\s|$)/)
    .map(readTerms)
    .filter((terms) => terms.length > 0)
  if (alternatives.length === 0) return null
  return (text) => {
    const words = wordsOf(text)
    const found: Words = { words, stems: words.map(stem) }
    return alternatives.some((terms) => terms.every((term) => term(found)))
  }
}

/** The wildcard that a word of the search begins with; null when none does. */
export function leadingWildcard(wanted: string): string | null {
  return /(?:^|\s)[+-]?([*?])/.exec(wanted)?.[1] ?? null
}

interface Words {
  readonly words: readonly string[]
  readonly stems: readonly string[]
}
type Term = (found: Words) => boolean

const TERM = /([+-]?)"([^"]*)"|(\S+)/g

function readTerms(alternative: string): readonly Term[] {
  const terms: { readonly fits: Term; readonly counts: boolean }[] = []
  let negated = false
  for (const [, sign = '', phrase, bare = ''] of alternative.matchAll(TERM)) {
    if (bare === 'AND') continue
    if (bare === 'NOT') {
      negated = true
      continue
    }
    const isPhrase = phrase !== undefined
    const not = negated || sign === '-' || (!isPhrase && bare.startsWith('-'))
    const text = phrase ?? bare.replace(/^[+-]/, '').replace(/[~^][\d.]*$/, '')
    const fits = /[*?]/.test(text) && !isPhrase ? wildcard(text) : inOrder(wordsOf(text))
    negated = false
    if (fits === null) continue
    const counts = isPhrase || not || !STOP_WORDS.has(text.toLowerCase())
    terms.push({ fits: not ? (found) => !fits(found) : fits, counts })
  }
  const counting = terms.filter(({ counts }) => counts)
  return (counting.length > 0 ? counting : terms).map(({ fits }) => fits)
}

/** Words one behind the other: a phrase, or what a word such as `e-mail` is made of. */
function inOrder(words: readonly string[]): Term | null {
  if (words.length === 0) return null
  const wanted = words.map(stem)
  return ({ stems }) =>
    stems.some((_, from) => wanted.every((word, index) => stems[from + index] === word))
}

function wildcard(text: string): Term {
  const pattern = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}*?]/gu, '')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  const whole = new RegExp(`^${pattern}$`, 'u')
  return ({ words }) => words.some((word) => whole.test(word))
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A word without its ordinary English ending. */
function stem(word: string): string {
  if (word.length <= 3) return word
  const single = word
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss|zz)es$/, '$1')
    .replace(/(ss|us|is)$|s$/, '$1')
  const base = /^(.*[aeiouy].*?)(?:ing|(?<!e)ed)$/.exec(single)?.[1] ?? ''
  const stripped = base.length >= 3 ? base.replace(/([^aeiouyls])\1$/, '$1') : single
  return stripped.length > 3 ? stripped.replace(/e$/, '') : stripped
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)
