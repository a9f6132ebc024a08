// Queries written as text, `project = ACME AND status in ("To Do", Done) ORDER BY created DESC`, as many vendors take them.

/** A comparison of a field with a value; `values` has one element but for `in` and none for `empty`. */
export interface Comparison {
  readonly kind: 'compare'
  readonly field: string
  readonly operator: Operator
  readonly values: readonly Operand[]
}
/** A text, a call such as `startOfDay(-1d)`, or null for a bare EMPTY or NULL. */
export type Operand = string | Call | null
export interface Call {
  readonly call: string
  readonly args: readonly string[]
}
export type Operator =
  '=' | '!=' | '~' | '!~' | '>' | '>=' | '<' | '<=' | 'in' | 'not in' | 'empty' | 'not empty'

export type Condition =
  | Comparison
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }

export interface Query {
  /** Null when the text holds no condition at all. */
  readonly where: Condition | null
  readonly orderBy: readonly { readonly field: string; readonly descending: boolean }[]
}

/** The text is no query; the message says where it stops making sense, with line and character from 1. */
export class QuerySyntaxError extends Error {}

/**
 * Parses a query: comparisons joined by AND, OR, NOT and parentheses, then ORDER BY. Words are read without case;
 * values stand bare or in single or double quotes; a value may be a call (`currentUser()`). `reserved`: characters that
 * may stand in quotes only. Throws QuerySyntaxError.
 */
export function parseQuery(text: string, reserved = ''): Query {
  return new QueryParser(text, reserved).parse()
}

interface Token {
  readonly kind: 'word' | 'text' | 'sign'
  readonly value: string
  /** Where it begins in the text, from 0. */
  readonly at: number
}

const TOKEN =
  /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(!=|<>|>=|<=|!~|[=~<>(),])|([^\s"'=~<>(),!]+))/gsy

function tokenize(text: string, reserved: string): readonly Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  for (let from = 0; from < end; from = TOKEN.lastIndex) {
    TOKEN.lastIndex = from
    const found = TOKEN.exec(text)
    const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0)
    if (found === null) {
      const isOpen = /["']/.test(text.charAt(at))
      throw isOpen
        ? broken(`The quoted string '${text.slice(at + 1)}' has not been completed.`, text, at)
        : broken(`Expecting an operator but got '${text.charAt(at)}'.`, text, at)
    }
    const [, double, single, sign, word = ''] = found
    const quoted = double ?? single
    const barred = word.split('').findIndex((letter) => reserved.includes(letter))
    if (barred >= 0) {
      const letter = word.charAt(barred)
      const code = letter.charCodeAt(0).toString(16).padStart(4, '0')
      const way = `You must enclose it in a string or use the escape '\\u${code}' instead.`
      throw broken(`The character '${letter}' is a reserved character. ${way}`, text, at + barred)
    }
    if (quoted !== undefined)
      tokens.push({ kind: 'text', value: quoted.replace(/\\(.)/gs, '$1'), at })
    else if (sign === undefined) tokens.push({ kind: 'word', value: word, at })
    else tokens.push({ kind: 'sign', value: sign === '<>' ? '!=' : sign, at })
  }
  return tokens
}

function broken(problem: string, text: string, at: number): QuerySyntaxError {
  const lines = text.slice(0, at).split('\n')
  const character = (lines.at(-1) ?? '').length + 1
  return new QuerySyntaxError(`${problem} (line ${lines.length}, character ${character})`)
}

/** Words that are no values. */
const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'order'])
const SIGNS: ReadonlySet<string> = new Set(['=', '!=', '~', '!~', '>', '>=', '<', '<='])
const VALID_OPERATORS =
  "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."

class QueryParser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(text: string, reserved: string) {
    this.#text = text
    this.#tokens = tokenize(text, reserved)
  }

  parse(): Query {
    const isEmpty = this.#next === undefined || this.#isNext('order')
    const where = isEmpty ? null : this.#joined('or')
    const orderBy = this.#take('order') ? this.#order() : []
    if (this.#next !== undefined) this.#fail(orderBy.length > 0 ? "','" : "either 'OR' or 'AND'")
    return { where, orderBy }
  }

  #joined(kind: 'or' | 'and'): Condition {
    const part = (): Condition => (kind === 'or' ? this.#joined('and') : this.#single())
    const parts = [part()]
    while (this.#take(kind)) parts.push(part())
    const [first] = parts
    return first !== undefined && parts.length === 1 ? first : { kind, parts }
  }

  #single(): Condition {
    if (this.#take('not')) return { kind: 'not', part: this.#single() }
    if (!this.#take('(')) return this.#comparison()
    const inner = this.#joined('or')
    this.#need(')', "')'")
    return inner
  }

  #comparison(): Comparison {
    const kind = 'compare'
    const field = this.#word('a field name')
    if (this.#take('is')) {
      const operator = this.#take('not') ? 'not empty' : 'empty'
      if (!this.#take('empty')) this.#need('null', "'EMPTY' or 'NULL'")
      return { kind, field, operator, values: [] }
    }
    const isNot = this.#take('not')
    if (this.#take('in')) {
      this.#need('(', "'('")
      const values = this.#separated(() => this.#operand())
      this.#need(')', "',' or ')'")
      return { kind, field, operator: isNot ? 'not in' : 'in', values }
    }
    const sign = this.#next
    if (isNot || sign?.kind !== 'sign' || !SIGNS.has(sign.value))
      return this.#fail('operator', VALID_OPERATORS)
    this.#at++
    // One of the signs.
    return { kind, field, operator: sign.value as Operator, values: [this.#operand()] }
  }

  #order(): Query['orderBy'] {
    this.#need('by', "'BY'")
    return this.#separated(() => {
      const field = this.#word('a field name')
      const descending = this.#take('desc')
      if (!descending) this.#take('asc')
      return { field, descending }
    })
  }

  #operand(): Operand {
    const token = this.#next
    const value = this.#word(
      'either a value, list or function',
      (word) => `You must surround '${word}' in quotation marks to use it as a value.`,
    )
    if (token?.kind === 'text') return value
    if (!this.#take('(')) return /^(empty|null)$/i.test(value) ? null : value
    const args = this.#take(')') ? null : this.#separated(() => this.#argument())
    if (args !== null) this.#need(')', "',' or ')'")
    return { call: value, args: args ?? [] }
  }

  #argument(): string {
    const token = this.#next
    if (token === undefined || token.kind === 'sign') return this.#fail("')'")
    this.#at++
    return token.value
  }

  #separated<T>(read: () => T): readonly T[] {
    const all = [read()]
    while (this.#take(',')) all.push(read())
    return all
  }

  /** A word that is no keyword, or a text. */
  #word(expected: string, hint: (keyword: string) => string = () => ''): string {
    const token = this.#next
    const isKeyword = token?.kind === 'word' && KEYWORDS.has(token.value.toLowerCase())
    if (token === undefined || token.kind === 'sign' || isKeyword)
      return this.#fail(expected, token?.kind === 'word' ? hint(token.value) : '')
    this.#at++
    return token.value
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at]
  }

  /** Whether a sign, or a word in any case of letters, comes next. */
  #isNext(value: string): boolean {
    return this.#next?.kind !== 'text' && this.#next?.value.toLowerCase() === value
  }

  #take(value: string): boolean {
    const isNext = this.#isNext(value)
    if (isNext) this.#at++
    return isNext
  }

  #need(value: string, expected: string): void {
    if (!this.#take(value)) this.#fail(expected)
  }

  #fail(expected: string, hint = ''): never {
    const more = hint === '' ? '' : ` ${hint}`
    const token = this.#next
    if (token === undefined)
      throw new QuerySyntaxError(`Expecting ${expected} before the end of the query.${more}`)
    throw broken(`Expecting ${expected} but got '${token.value}'.${more}`, this.#text, token.at)
  }
}
