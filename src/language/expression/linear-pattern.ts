// Which patterns the platform's own RegExp may run: those on which a backtracking engine needs linear time.
//
// The judge reads a small part of RE2's syntax that means the same to RegExp with the flag `u`, and looks at the pattern as
// an automaton of its characters (Glushkov's construction). When at no point two of them could take the same next
// character, there is one way through any text, and every other branch fails on its first character: linear time.
// All that it does not understand, or cannot prove, it leaves to the linear engine.

/** One character, set or escape of the pattern. */
class Place {
  /** Every one that can follow it, once for each way there. */
  readonly next: Place[] = []
  readonly #set: RegExp
  #characters: readonly string[] | undefined

  constructor(set: RegExp) {
    this.#set = set
  }

  /** Those of the alphabet of its pattern that it takes. */
  charactersIn(alphabet: readonly string[]): readonly string[] {
    return (this.#characters ??= alphabet.filter((character) => this.#set.test(character)))
  }
}

/** A part of the pattern, with the places it can begin and end with. */
interface Part {
  readonly isNullable: boolean
  /** Places that it would have with its repetitions written out. */
  readonly size: number
  readonly first: readonly Place[]
  readonly last: readonly Place[]
}

const EMPTY: Part = { isNullable: true, size: 0, first: [], last: [] }
/** A pattern that would grow larger is left to the linear engine. */
const MAX_PLACES = 128

/**
 * The platform's RegExp that finds the same texts as RE2 does, in time linear in the text; null where there is none for
 * sure, and for what is no valid pattern. Only whether it matches is the same: a repeated group may hold something else.
 */
export function linearRegExp(source: string): RegExp | null {
  if (!source.isWellFormed()) return null
  try {
    return new Judge(source).accepts() ? new RegExp(withPlainSpaces(source), 'u') : null
  } catch (error) {
    if (error instanceof Unclear || error instanceof SyntaxError) return null
    throw error
  }
}

/** `\s` as RE2 means it: RegExp's own takes all of Unicode's blanks. */
function withPlainSpaces(source: string): string {
  let isInSet = false
  return source.replaceAll(/\\.|[[\]]/gsu, (token) => {
    if (token === '[') isInSet = true
    if (token === ']') isInSet = false
    if (token !== '\\s') return token
    return isInSet ? SPACES : `[${SPACES}]`
  })
}

const SPACES = '\\t\\n\\f\\r '

/**
 * An escape, a set or a character that both engines read alike. Not among them: `.`, which leaves out one kind of line
 * end in RE2 and four in RegExp, and `[` in a set, which may begin a named class in RE2.
 */
const ATOM =
  /\\[dDwWstnr^$\\.*+?()[\]{}|/]|\[(?!\^\])\^?(?:\\[dDwWstnr^$\\.*+?()[\]{}|/-]|[^\\[\]])+\]|[^\\^$.*+?()[\]{}|]/uy
/** A longer number is larger than any pattern may grow; RE2 and RegExp differ in `{02}`. */
const QUANTIFIER = /[*+?]|\{(0|[1-9]\d{0,3})(?:(,)(0|[1-9]\d{0,3})?)?\}/y
const COUNTS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
}

/** Reads the pattern once, from left to right. Throws Unclear for what it does not know. */
class Judge {
  readonly #source: string
  readonly #places: Place[] = []
  #at = 0
  #repeatsForever = false
  /** At the top. */
  #hasAlternatives = false

  constructor(source: string) {
    this.#source = source
  }

  accepts(): boolean {
    const isAnchored = this.#take('^')
    const { first } = this.#alternatives(0)
    const isClosed = this.#take('$')
    if (this.#at < this.#source.length) return false
    // `^a|b` anchors its first alternative only: anchors and alternatives do not go together here.
    if ((isAnchored || isClosed) && this.#hasAlternatives) return false
    // Each place of the text is a new start for a pattern without `^`: with an endless repetition that is quadratic.
    if (!isAnchored && this.#repeatsForever) return false
    const choices = [first, ...this.#places.map(({ next }) => next)]
    return areUnambiguous(choices, this.#source)
  }

  #alternatives(depth: number): Part {
    if (depth > MAX_PLACES) throw new Unclear()
    const parts = [this.#sequence(depth)]
    while (this.#take('|')) parts.push(this.#sequence(depth))
    if (depth === 0) this.#hasAlternatives = parts.length > 1
    // Two ways to take nothing are two ways through the same text.
    if (parts.filter(({ isNullable }) => isNullable).length > 1) throw new Unclear()
    return {
      isNullable: parts.some(({ isNullable }) => isNullable),
      size: parts.reduce((sum, { size }) => sum + size, 0),
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
    }
  }

  #sequence(depth: number): Part {
    let part = EMPTY
    for (;;) {
      const next = this.#repeated(depth)
      if (next === null) return part
      part = join(part, next)
    }
  }

  /**
   * A place or group with its quantifier; null at the end of the sequence. A counted repetition is looked at as an endless
   * one, which is stricter: where that has one way through any text, the counted one has.
   */
  #repeated(depth: number): Part | null {
    const part = this.#atom(depth)
    const [quantifier, least, comma, most = Infinity] = this.#match(QUANTIFIER) ?? []
    if (part === null || quantifier === undefined) return part
    const [min, max] = COUNTS[quantifier] ?? [Number(least), Number(comma ? most : least)]
    // Nothing, repeated, is nothing in many ways.
    if (part.isNullable || max === 0 || max < min) throw new Unclear()
    if (max === Infinity) this.#repeatsForever = true
    if (max > 1) for (const place of part.last) place.next.push(...part.first)
    const size = part.size * (max === Infinity ? min + 1 : max)
    return { ...part, size, isNullable: min === 0 }
  }

  #atom(depth: number): Part | null {
    const isAtEnd = this.#at >= this.#source.length - 1
    // Only the very last character may be `$`; the reader of the whole pattern takes it.
    const ends = depth === 0 && isAtEnd ? '|)$' : '|)'
    if (ends.includes(this.#source.charAt(this.#at))) return null
    if (this.#take('(')) return this.#group(depth)
    // A word boundary takes no character and narrows what can follow: not to look at it is to be stricter.
    if (this.#take('\\b')) return EMPTY
    const [atom] = this.#match(ATOM) ?? []
    if (atom === undefined || this.#places.length >= MAX_PLACES) throw new Unclear()
    // A SyntaxError, before its blanks are written out: a set that is none, such as `[z-a]` or `[\s-x]`.
    const { source } = new RegExp(atom, 'u')
    const place = new Place(new RegExp(withPlainSpaces(source), 'u'))
    this.#places.push(place)
    return { isNullable: false, size: 1, first: [place], last: [place] }
  }

  #group(depth: number): Part {
    // `(?:` is all that both engines read alike without a doubt.
    if (this.#take('?') && !this.#take(':')) throw new Unclear()
    const part = this.#alternatives(depth + 1)
    if (!this.#take(')')) throw new Unclear()
    return part
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }
}

/** The pattern holds something that the judge does not know. */
class Unclear extends Error {}

function join(left: Part, right: Part): Part {
  const size = left.size + right.size
  if (size > MAX_PLACES) throw new Unclear()
  for (const place of left.last) place.next.push(...right.first)
  return {
    isNullable: left.isNullable && right.isNullable,
    size,
    first: left.isNullable ? [...left.first, ...right.first] : left.first,
    last: right.isNullable ? [...left.last, ...right.last] : right.last,
  }
}

/** Whether nowhere two of the places that may come next take the same character. Most patterns leave no choice at all. */
function areUnambiguous(nexts: readonly (readonly Place[])[], source: string): boolean {
  const choices = nexts.filter(({ length }) => length > 1)
  if (choices.length === 0) return true
  const alphabet = alphabetOf(source)
  return choices.every((places) => {
    const taken = new Set<string>()
    return places.every((place) => {
      const characters = place.charactersIn(alphabet)
      const isFree = characters.every((character) => !taken.has(character))
      for (const character of characters) taken.add(character)
      return isFree
    })
  })
}

/** One character of each kind that sets of this pattern can tell apart: all of ASCII, and those around its own others. */
function alphabetOf(source: string): readonly string[] {
  const others = Array.from(source, (character) => character.codePointAt(0) ?? 0)
  const codes = [...Array(129).keys(), ...others.flatMap((code) => [code, code + 1])]
  return [...new Set(codes)]
    .filter((code) => code <= 0x10ffff)
    .map((code) => String.fromCodePoint(code))
}
