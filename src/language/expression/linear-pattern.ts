// Which patterns the platform's own RegExp may run: those on which a backtracking engine cannot go astray.
//
// The judge reads a small part of RE2's syntax that means the same to RegExp with the flag `u`, and looks at the pattern as
// an automaton of its characters (Glushkov's construction). When at no point two of them could take the same next
// character, there is one way through any text, and every other branch fails on its first character: linear time.
// All that it does not understand, or cannot prove, it leaves to the linear engine.

/** A set of characters: ranges of code points, sorted, apart from each other. */
type Characters = readonly (readonly [from: number, to: number])[]

/** One character of the pattern. `next` lists every character that can follow it, once for each way there. */
interface Place {
  readonly characters: Characters
  readonly next: Place[]
}

/** A part of the pattern, with the characters it can begin and end with. */
interface Part {
  readonly isNullable: boolean
  readonly first: readonly Place[]
  readonly last: readonly Place[]
}

const EMPTY: Part = { isNullable: true, first: [], last: [] }
const LAST_CODE_POINT = 0x10ffff
/** Repetitions are written out: a pattern that grows larger is left to the linear engine. */
const MAX_PLACES = 128

/**
 * The platform's RegExp that finds the same texts as RE2 does, in time linear in the text; null where there is none for
 * sure, and for what is no valid pattern. Only whether it matches is the same: a repeated group may hold something else.
 */
export function linearRegExp(source: string): RegExp | null {
  if (!source.isWellFormed() || !new Judge(source).accepts()) return null
  return new RegExp(withPlainSpaces(source), 'u')
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

/** Reads the pattern once, from left to right. Throws Unclear at whatever it does not know. */
class Judge {
  readonly #characters: readonly string[]
  readonly #places: Place[] = []
  #at = 0
  #repeatsForever = false
  /** At the top. */
  #hasAlternatives = false

  constructor(source: string) {
    this.#characters = Array.from(source)
  }

  accepts(): boolean {
    try {
      return this.#judge()
    } catch (error) {
      if (error instanceof Unclear) return false
      throw error
    }
  }

  #judge(): boolean {
    const isAnchored = this.#take('^')
    const { first } = this.#alternatives(0)
    const isClosed = this.#take('$')
    if (this.#at < this.#characters.length) return false
    // `^a|b` anchors its first alternative only: anchors and alternatives do not go together here.
    if ((isAnchored || isClosed) && this.#hasAlternatives) return false
    // Each place of the text is a new start for a pattern without `^`: with an endless repetition that is quadratic.
    if (!isAnchored && this.#repeatsForever) return false
    return isUnambiguous(first) && this.#places.every(({ next }) => isUnambiguous(next))
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

  /** A character, set or group with its quantifier; null at the end of the sequence. */
  #repeated(depth: number): Part | null {
    const start = this.#at
    const part = this.#atom(depth)
    if (part === null) return null
    const count = this.#quantifier()
    if (count === null) return part
    const { min, max } = count
    // Nothing, repeated, is nothing in many ways.
    if (part.isNullable || max === 0) throw new Unclear()
    const end = this.#at
    let read: Part | null = part
    const copy = (): Part => {
      const ready = read
      read = null
      if (ready !== null) return ready
      this.#at = start
      return this.#atom(depth) ?? EMPTY
    }
    let whole = EMPTY
    for (let index = 0; index < min; index++) whole = join(whole, copy())
    if (max === Infinity) {
      this.#repeatsForever = true
      whole = join(whole, endless(copy()))
    } else {
      whole = join(whole, optional(max - min, copy))
    }
    this.#at = end
    return whole
  }

  /** `*`, `+`, `?`, `{2}`, `{2,}`, `{2,3}`; null where there is none. A second one behind it (`*?`, `++`) is not known. */
  #quantifier(): { readonly min: number; readonly max: number } | null {
    const count = this.#count()
    if (count !== null && /^[*+?{]$/.test(this.#peek())) throw new Unclear()
    return count
  }

  #count(): { readonly min: number; readonly max: number } | null {
    if (this.#take('*')) return { min: 0, max: Infinity }
    if (this.#take('+')) return { min: 1, max: Infinity }
    if (this.#take('?')) return { min: 0, max: 1 }
    if (!this.#take('{')) return null
    const min = this.#number()
    const max = this.#take(',') ? (this.#peek() === '}' ? Infinity : this.#number()) : min
    if (!this.#take('}') || max < min) throw new Unclear()
    return { min, max }
  }

  #number(): number {
    let digits = ''
    while (/^[0-9]$/.test(this.#peek())) digits += this.#next()
    // A longer one is larger than any pattern may grow; RE2 and RegExp differ in `{02}`.
    if (!/^(0|[1-9][0-9]{0,3})$/.test(digits)) throw new Unclear()
    return Number(digits)
  }

  #atom(depth: number): Part | null {
    const character = this.#peek()
    if (character === '' || character === '|' || character === ')') return null
    // Only the very last character may be `$`; the reader of the whole pattern takes it.
    if (character === '$' && depth === 0 && this.#at === this.#characters.length - 1) return null
    this.#next()
    if (character === '(') return this.#group(depth)
    if (character === '[') return this.#place(this.#set())
    if (character === '\\') {
      const escaped = this.#next()
      // A word boundary takes no character and narrows what can follow: not to look at it is to be stricter.
      return escaped === 'b' ? EMPTY : this.#place(escapedCharacters(escaped))
    }
    // `.` leaves out one kind of line end in RE2, and four in RegExp.
    if ('^$.*+?{}]'.includes(character)) throw new Unclear()
    return this.#place(one(character))
  }

  #group(depth: number): Part {
    // `(?:` is all that both engines read alike without a doubt.
    if (this.#take('?') && !this.#take(':')) throw new Unclear()
    const part = this.#alternatives(depth + 1)
    if (!this.#take(')')) throw new Unclear()
    return part
  }

  #set(): Characters {
    const isNegated = this.#take('^')
    const ranges: (readonly [number, number])[] = []
    while (!this.#take(']')) {
      const from = this.#member()
      const isRange = this.#peek() === '-' && this.#characters[this.#at + 1] !== ']'
      if (isRange) {
        this.#next()
        const to = this.#member()
        const [start, end] = [single(from), single(to)]
        if (end < start) throw new Unclear()
        ranges.push([start, end])
      } else {
        ranges.push(...from)
      }
    }
    if (ranges.length === 0) throw new Unclear()
    const characters = merged(ranges)
    return isNegated ? complement(characters) : characters
  }

  /** One member of a set: a character, or an escape that stands for some. */
  #member(): Characters {
    const character = this.#next()
    // `[` may begin a named class in RE2.
    if (character === '' || character === '[') throw new Unclear()
    if (character !== '\\') return one(character)
    const escaped = this.#next()
    return escaped === '-' ? one('-') : escapedCharacters(escaped)
  }

  #place(characters: Characters): Part {
    if (this.#places.length >= MAX_PLACES) throw new Unclear()
    const place: Place = { characters, next: [] }
    this.#places.push(place)
    return { isNullable: false, first: [place], last: [place] }
  }

  #peek(): string {
    return this.#characters[this.#at] ?? ''
  }

  #next(): string {
    const character = this.#peek()
    this.#at++
    return character
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }
}

/** The pattern holds something that the judge does not know. */
class Unclear extends Error {}

function join(left: Part, right: Part): Part {
  for (const place of left.last) place.next.push(...right.first)
  return {
    isNullable: left.isNullable && right.isNullable,
    first: left.isNullable ? [...left.first, ...right.first] : left.first,
    last: right.isNullable ? [...left.last, ...right.last] : right.last,
  }
}

/** The part, any number of times. */
function endless(part: Part): Part {
  for (const place of part.last) place.next.push(...part.first)
  return { ...part, isNullable: true }
}

/** `x{0,3}` as `(x(x(x)?)?)?`: only this way is there one way to take two of them. */
function optional(count: number, copy: () => Part): Part {
  let part = EMPTY
  for (let index = 0; index < count; index++) part = { ...join(copy(), part), isNullable: true }
  return part
}

/** Whether no two of them take the same character. */
function isUnambiguous(places: readonly Place[]): boolean {
  const ranges = places.flatMap(({ characters }) => characters).toSorted((a, b) => a[0] - b[0])
  return ranges.every(([from], index) => index === 0 || (ranges[index - 1]?.[1] ?? 0) < from)
}

const DIGITS: Characters = [[48, 57]]
const WORD: Characters = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
const ESCAPED: ReadonlyMap<string, Characters> = new Map([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORD],
  ['W', complement(WORD)],
  [
    's',
    [
      [9, 10],
      [12, 13],
      [32, 32],
    ],
  ],
  ['t', one('\t')],
  ['n', one('\n')],
  ['r', one('\r')],
  ...Array.from('^$\\.*+?()[]{}|/').map((sign) => [sign, one(sign)] as const),
])

function escapedCharacters(escaped: string): Characters {
  const characters = ESCAPED.get(escaped)
  if (characters === undefined) throw new Unclear()
  return characters
}

function one(character: string): Characters {
  const code = character.codePointAt(0) ?? 0
  return [[code, code]]
}

/** The only character of a set. */
function single(characters: Characters): number {
  const [range] = characters
  if (characters.length !== 1 || range === undefined || range[0] !== range[1]) throw new Unclear()
  return range[0]
}

function merged(ranges: readonly (readonly [number, number])[]): Characters {
  const all: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const previous = all.at(-1)
    if (previous !== undefined && from <= previous[1] + 1) previous[1] = Math.max(previous[1], to)
    else all.push([from, to])
  }
  return all
}

function complement(characters: Characters): Characters {
  const rest: [number, number][] = []
  let from = 0
  for (const [start, end] of characters) {
    if (start > from) rest.push([from, start - 1])
    from = end + 1
  }
  if (from <= LAST_CODE_POINT) rest.push([from, LAST_CODE_POINT])
  return rest
}
