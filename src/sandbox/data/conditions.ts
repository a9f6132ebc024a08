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
    if (found === null) throw unreadable(text, at)
    const [, double, single, sign, word = ''] = found
    const quoted = double ?? single
    const barred = word.split('').findIndex((letter) => reserved.includes(letter))
    if (barred >= 0) throw reservedCharacter(text, at + barred)
    if (quoted !== undefined) {
      tokens.push({ kind: 'text', value: quoted.replace(/\\(.)/gs, '$1'), at })
    } else if (sign === undefined) tokens.push({ kind: 'word', value: word, at })
    else tokens.push({ kind: 'sign', value: sign === '<>' ? '!=' : sign, at })
  }
  return tokens
}

function unreadable(text: string, at: number): QuerySyntaxError {
  const rest = text.slice(at)
  const problem = /^["']/.test(rest)
    ? `The quoted string '${rest.slice(1)}' has not been completed.`
    : `Expecting an operator but got '${rest.charAt(0)}'.`
  return new QuerySyntaxError(`${problem} ${placeIn(text, at)}`)
}

function reservedCharacter(text: string, at: number): QuerySyntaxError {
  const letter = text.charAt(at)
  const code = letter.charCodeAt(0).toString(16).padStart(4, '0')
  return new QuerySyntaxError(
    `The character '${letter}' is a reserved character. You must enclose it in a string or use the escape '\\u${code}' instead. ${placeIn(text, at)}`,
  )
}

function placeIn(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return `(line ${lines.length}, character ${(lines.at(-1) ?? '').length + 1})`
}

/** Words that are no values. */
const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'order'])

const VALID_OPERATORS =
  "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."

class QueryParser {
  private readonly text: string
  private readonly tokens: readonly Token[]
  private at = 0

  constructor(text: string, reserved: string) {
    this.text = text
    this.tokens = tokenize(text, reserved)
  }

  parse(): Query {
    const where = this.isWord('order') || this.isDone() ? null : this.or()
    const orderBy = this.takeWord('order') ? this.order() : []
    if (!this.isDone()) this.fail(orderBy.length > 0 ? "','" : "either 'OR' or 'AND'")
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
    if (!this.takeSign(')')) this.fail("')'")
    return inner
  }

  private comparison(): Comparison {
    const field = this.field()
    if (this.takeWord('is')) {
      const operator = this.takeWord('not') ? 'not empty' : 'empty'
      if (!this.takeWord('empty') && !this.takeWord('null')) this.fail("'EMPTY' or 'NULL'")
      return { kind: 'compare', field, operator, values: [] }
    }
    const isNot = this.takeWord('not')
    if (this.takeWord('in')) {
      return { kind: 'compare', field, operator: isNot ? 'not in' : 'in', values: this.list() }
    }
    const sign = this.tokens[this.at]
    if (isNot || sign?.kind !== 'sign' || !isOperator(sign.value)) {
      return this.fail('operator', VALID_OPERATORS)
    }
    this.at++
    return { kind: 'compare', field, operator: sign.value, values: [this.operand()] }
  }

  private list(): readonly Operand[] {
    if (!this.takeSign('(')) this.fail("'('")
    const values = [this.operand()]
    while (this.takeSign(',')) values.push(this.operand())
    if (!this.takeSign(')')) this.fail("',' or ')'")
    return values
  }

  private order(): Query['orderBy'] {
    if (!this.takeWord('by')) this.fail("'BY'")
    const orders: { field: string; descending: boolean }[] = []
    do {
      const field = this.field()
      const descending = this.takeWord('desc')
      if (!descending) this.takeWord('asc')
      orders.push({ field, descending })
    } while (this.takeSign(','))
    return orders
  }

  private field(): string {
    const token = this.tokens[this.at]
    if (token === undefined || token.kind === 'sign' || isKeyword(token)) {
      return this.fail('a field name')
    }
    this.at++
    return token.value
  }

  private operand(): Operand {
    const token = this.tokens[this.at]
    if (token === undefined || token.kind === 'sign' || isKeyword(token)) {
      const hint =
        token?.kind === 'word'
          ? `You must surround '${token.value}' in quotation marks to use it as a value.`
          : ''
      return this.fail('either a value, list or function', hint)
    }
    this.at++
    if (token.kind === 'text') return token.value
    if (this.takeSign('(')) return { call: token.value, args: this.args() }
    return /^(empty|null)$/i.test(token.value) ? null : token.value
  }

  private args(): readonly string[] {
    const args: string[] = []
    while (!this.takeSign(')')) {
      if (args.length > 0 && !this.takeSign(',')) this.fail("',' or ')'")
      const token = this.tokens[this.at]
      if (token === undefined || token.kind === 'sign') return this.fail("')'")
      this.at++
      args.push(token.value)
    }
    return args
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

  /** What was expected here, what came instead, and where. */
  private fail(expected: string, hint = ''): never {
    const token = this.tokens[this.at]
    const parts =
      token === undefined
        ? [`Expecting ${expected} before the end of the query.`, hint]
        : [`Expecting ${expected} but got '${token.value}'.`, hint, placeIn(this.text, token.at)]
    throw new QuerySyntaxError(parts.filter((part) => part !== '').join(' '))
  }
}

function isKeyword(token: Token): boolean {
  return token.kind === 'word' && KEYWORDS.has(token.value.toLowerCase())
}

const SIGNS: readonly Operator[] = ['=', '!=', '~', '!~', '>', '>=', '<', '<=']

function isOperator(sign: string): sign is Operator {
  return (SIGNS as readonly string[]).includes(sign)
}
