// Queries written as text, `project = ACME AND status in ("To Do", Done) ORDER BY created DESC`, as many vendors take them.

/** A comparison of a field with a value; `values` has one element but for `in` and none for `empty`. */
export interface Comparison {
  readonly kind: 'compare'
  readonly field: string
  readonly operator: Operator
  readonly values: readonly string[]
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

/** The text is no query; the message says where it stops making sense. */
export class QuerySyntaxError extends Error {}

/**
 * Parses a query: comparisons joined by AND, OR, NOT and parentheses, then ORDER BY. Words are read without case;
 * values stand bare or in single or double quotes; a value may be a call (`currentUser()`).
 * Throws QuerySyntaxError.
 */
export function parseQuery(text: string): Query {
  return new QueryParser(text).parse()
}

interface Token {
  readonly kind: 'word' | 'text' | 'sign'
  readonly value: string
}

const TOKEN =
  /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(!=|<>|>=|<=|!~|[=~<>(),])|([^\s"'=~<>(),!]+(?:\(\))?))/gy

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  let at = 0
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null)
      throw new QuerySyntaxError(`Error in the query at "${text.slice(at).trim()}"`)
    const [, double, single, sign, word] = found
    const quoted = double ?? single
    if (quoted !== undefined) tokens.push({ kind: 'text', value: quoted.replace(/\\(.)/g, '$1') })
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign === '<>' ? '!=' : sign })
    else tokens.push({ kind: 'word', value: word ?? '' })
    at = TOKEN.lastIndex
  }
  return tokens
}

class QueryParser {
  private readonly tokens: readonly Token[]
  private at = 0

  constructor(text: string) {
    this.tokens = tokenize(text)
  }

  parse(): Query {
    const where = this.isWord('order') || this.isDone() ? null : this.or()
    const orderBy = this.takeWord('order') ? this.order() : []
    if (!this.isDone()) this.fail()
    return { where, orderBy }
  }

  private or(): Condition {
    return this.joined('or', () => this.and())
  }

  private and(): Condition {
    return this.joined('and', () => this.single())
  }

  private joined(kind: 'and' | 'or', part: () => Condition): Condition {
    const parts = [part()]
    while (this.takeWord(kind)) parts.push(part())
    const [first] = parts
    return first !== undefined && parts.length === 1 ? first : { kind, parts }
  }

  private single(): Condition {
    if (this.takeWord('not')) return { kind: 'not', part: this.single() }
    if (!this.takeSign('(')) return this.comparison()
    const inner = this.or()
    if (!this.takeSign(')')) this.fail()
    return inner
  }

  private comparison(): Comparison {
    const field = this.value()
    if (this.takeWord('is')) {
      const operator = this.takeWord('not') ? 'not empty' : 'empty'
      if (!this.takeWord('empty') && !this.takeWord('null')) this.fail()
      return { kind: 'compare', field, operator, values: [] }
    }
    const isNot = this.takeWord('not')
    if (this.takeWord('in')) {
      return { kind: 'compare', field, operator: isNot ? 'not in' : 'in', values: this.list() }
    }
    const sign = this.tokens[this.at]
    if (isNot || sign?.kind !== 'sign' || !isOperator(sign.value)) return this.fail()
    this.at++
    return { kind: 'compare', field, operator: sign.value, values: [this.value()] }
  }

  private list(): readonly string[] {
    if (!this.takeSign('(')) this.fail()
    const values = [this.value()]
    while (this.takeSign(',')) values.push(this.value())
    if (!this.takeSign(')')) this.fail()
    return values
  }

  private order(): Query['orderBy'] {
    if (!this.takeWord('by')) this.fail()
    const orders: { field: string; descending: boolean }[] = []
    do {
      const field = this.value()
      const descending = this.takeWord('desc')
      if (!descending) this.takeWord('asc')
      orders.push({ field, descending })
    } while (this.takeSign(','))
    return orders
  }

  private value(): string {
    const token = this.tokens[this.at]
    if (token === undefined || token.kind === 'sign') return this.fail()
    this.at++
    return token.value
  }

  private isDone(): boolean {
    return this.at >= this.tokens.length
  }

  private isWord(word: string): boolean {
    const token = this.tokens[this.at]
    return token?.kind === 'word' && token.value.toLowerCase() === word
  }

  private takeWord(word: string): boolean {
    if (!this.isWord(word)) return false
    this.at++
    return true
  }

  private takeSign(sign: string): boolean {
    const token = this.tokens[this.at]
    if (token?.kind !== 'sign' || token.value !== sign) return false
    this.at++
    return true
  }

  private fail(): never {
    const token = this.tokens[this.at]
    throw new QuerySyntaxError(
      token === undefined ? 'The query ends too early' : `Error in the query at "${token.value}"`,
    )
  }
}

const SIGNS: readonly Operator[] = ['=', '!=', '~', '!~', '>', '>=', '<', '<=']

function isOperator(sign: string): sign is Operator {
  return (SIGNS as readonly string[]).includes(sign)
}
