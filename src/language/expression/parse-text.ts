// Strings of a manifest → trees. Handlebars reads the text between `{{` and `}}`; what it understands beyond
// docs/manifest-language.md, "Expressions", is refused here. Nothing is ever compiled by Handlebars.
import nodes from 'handlebars/dist/cjs/handlebars/compiler/helpers.js'
import handlebars from 'handlebars/dist/cjs/handlebars/compiler/parser.js'
import { HELPERS } from './helpers.ts'
import { nearest } from './nearest.ts'
import type { Json } from '../json/json.ts'
import type { Expression, HelperName, Root, Template, Text, TextPart } from './syntax.ts'

/** A piece of a text, by its place in it. */
export interface InnerSpan {
  readonly offset: number
  readonly length: number
}

/** A string of a manifest that is no valid text, template or path. Positions count UTF-16 units inside that string. */
export class ExpressionSyntaxError extends Error {
  readonly offset: number
  readonly length: number
  /** The way out, or null when the message says it all. */
  readonly hint: string | null

  constructor(message: string, offset: number, length: number, hint: string | null = null) {
    super(message)
    this.name = 'ExpressionSyntaxError'
    this.offset = offset
    this.length = length
    this.hint = hint
  }
}

// Deeper nesting has no use, and both Handlebars and the evaluator would have to survive it.
const MAX_DEPTH = 32

export interface ParseOptions {
  /** Admits `{{#if}}` and `{{#each list as |item|}}`, which exist in `text.value` and `graphql.query` only. */
  readonly blocks?: boolean
  /** Where the string begins in the one that positions are told of. Default 0. */
  readonly from?: number
}

/** Parses text with expressions; without `{{` it is one literal part, unchanged. Throws ExpressionSyntaxError. */
export function parseText(source: string, options: ParseOptions = {}): Text {
  return source.includes('{{') ? new Reader(source, options).read() : [source]
}

/** Where a path or the name of a helper was read; undefined for a literal, and for a tree that was compiled before. */
export function spanOf(expression: Expression): InnerSpan | undefined {
  return spans.get(expression)
}

/** Trees are plain data that go into compiled manifests, which have no places. */
const spans = new WeakMap<Expression, InnerSpan>()

/** Parses a value of data: one expression alone keeps its JSON type. Throws ExpressionSyntaxError. */
export function parseTemplate(source: string, options: ParseOptions = {}): Template {
  const text = parseText(source, options)
  const only = text.length === 1 ? text[0] : undefined
  if (typeof only === 'string') return { kind: 'constant', value: only }
  if (only !== undefined && isExpression(only)) return { kind: 'value', expression: only }
  return { kind: 'text', text }
}

/** Parses one expression without text around its braces, as `if` and `keep` have it. Throws ExpressionSyntaxError. */
export function parseExpression(source: string): Expression {
  const template = parseTemplate(source)
  if (template.kind === 'value') return template.expression
  throw new ExpressionSyntaxError(
    'Here stands one expression and nothing around it',
    0,
    source.length,
    'write "{{ … }}"',
  )
}

export function isExpression(part: TextPart): part is Expression {
  return typeof part !== 'string' && part.kind !== 'ifBlock' && part.kind !== 'eachBlock'
}

type Position = Readonly<Record<'line' | 'column', number>>
type Range = Readonly<Record<'start' | 'end', Position>>
type Strip = Readonly<Partial<Record<'open' | 'close', boolean>>>
interface PathNode {
  readonly type: 'PathExpression'
  readonly data: boolean
  readonly depth: number
  readonly parts: readonly string[]
  readonly original: string
  readonly loc: Range
}
type ArgumentNode =
  | PathNode
  | {
      readonly type: 'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral' | 'NullLiteral'
      readonly value: Json
      readonly loc: Range
    }
  | { readonly type: 'UndefinedLiteral'; readonly loc: Range }
  | (Call & { readonly type: 'SubExpression' })
interface Call {
  readonly path: ArgumentNode
  readonly params: readonly ArgumentNode[]
  readonly hash?: { readonly loc: Range }
  readonly loc: Range
}
interface Program {
  readonly body: readonly Statement[]
  readonly blockParams?: readonly string[]
}
type Statement =
  | { readonly type: 'ContentStatement'; readonly value: string; readonly loc: Range }
  | (Call & {
      readonly type: 'MustacheStatement'
      readonly escaped: boolean
      readonly strip: Strip
    })
  | (Call & {
      readonly type: 'BlockStatement'
      readonly program?: Program
      readonly inverse?: Program
      readonly openStrip?: Strip
      readonly inverseStrip?: Strip
      readonly closeStrip?: Strip
    })
  | { readonly type: RefusedStatement; readonly loc: Range }
type BlockStatement = Extract<Statement, { type: 'BlockStatement' }>
type RefusedStatement = keyof typeof REFUSED

const REFUSED = {
  CommentStatement: ['Comments do not exist inside strings', 'write a YAML comment'],
  PartialStatement: ['Partials do not exist', 'write the text itself'],
  PartialBlockStatement: ['Partials do not exist', 'write the text itself'],
  Decorator: ['Decorators do not exist', 'remove it'],
  DecoratorBlock: ['Decorators do not exist', 'remove it'],
} as const satisfies Record<string, readonly [message: string, hint: string]>

class Reader {
  readonly #source: string
  readonly #blocks: boolean
  readonly #from: number
  /** Offset of each line's first character. */
  readonly #lines: readonly number[]
  /** Block parameters in scope. */
  readonly #locals: string[] = []

  constructor(source: string, { blocks = false, from = 0 }: ParseOptions) {
    this.#source = source
    this.#blocks = blocks
    this.#from = from
    this.#lines = [
      0,
      ...Array.from(source.matchAll(/\r\n?|\n/g), (end) => end.index + end[0].length),
    ]
  }

  read(): Text {
    const backslashes = /\\{3,}(?=\{\{)/.exec(this.#source)
    if (backslashes !== null) {
      const hint = 'write \\{{ for a literal {{, or \\\\{{ for a backslash and an expression'
      const { index, 0: written } = backslashes
      this.#fail('More than two backslashes stand before {{', index, written.length, hint)
    }
    const parts = this.#parts(this.#parse().body)
    return parts.length === 0 ? [''] : parts
  }

  #parse(): Program {
    // An own instance: the package's one is shared by the whole process.
    const parser: typeof handlebars = Object.create(handlebars)
    const lexer: typeof handlebars.lexer = Object.create(handlebars.lexer)
    const { ID, SEP, NUMBER, OPEN_SEXPR, CLOSE_SEXPR, OPEN_BLOCK, OPEN_ENDBLOCK } =
      handlebars.symbols_
    let previous: number | undefined
    let depth = 0
    lexer.next = () => {
      let token = handlebars.lexer.next.call(lexer)
      if (token === undefined) return undefined
      // Handlebars takes `list.0` at the end of a path for a misplaced number.
      const place =
        token === NUMBER && previous === SEP ? /^(\d+)(\..*)?$/.exec(lexer.yytext) : null
      if (place !== null) {
        if (place[2] !== undefined)
          this.#failAt(lexer.yylloc, 'Two places in a row', 'write list.[0].[1]')
        token = ID
      }
      if (token === OPEN_SEXPR || token === OPEN_BLOCK) depth++
      if (token === CLOSE_SEXPR || token === OPEN_ENDBLOCK) depth--
      if (depth > MAX_DEPTH) this.#failAt(lexer.yylloc, 'Expressions are nested too deeply', null)
      previous = token
      return token
    }
    parser.lexer = lexer
    parser.parseError = (_message, { token }) => this.#unreadable(token, lexer.yylloc)
    parser.yy = { ...nodes, locInfo: rangeOf }
    try {
      // The shape of the tree is Handlebars' documented one.
      return parser.parse(this.#source) as Program
    } catch (error) {
      throw error instanceof ExpressionSyntaxError ? error : this.#translate(error)
    }
  }

  #parts(statements: readonly Statement[]): TextPart[] {
    const parts: TextPart[] = []
    for (const statement of statements) {
      const part = this.#part(statement)
      const last = parts.at(-1)
      if (typeof part === 'string' && typeof last === 'string')
        parts[parts.length - 1] = last + part
      else if (part !== '') parts.push(part)
    }
    return parts
  }

  #part(statement: Statement): TextPart {
    if (statement.type === 'ContentStatement') return statement.value
    if (statement.type === 'MustacheStatement') return this.#mustache(statement)
    if (statement.type === 'BlockStatement') return this.#block(statement)
    const [message, hint] = REFUSED[statement.type]
    return this.#refuse(statement.loc, message, hint)
  }

  #mustache(node: Extract<Statement, { type: 'MustacheStatement' }>): Expression {
    if (!node.escaped) {
      const hint = `write ${this.#slice(node.loc)
        .replace(/^\{\{\{?&?\s*/, '{{ ')
        .replace(/\s*\}\}\}?$/, ' }}')}; encoding belongs to the place`
      this.#refuse(node.loc, 'Values are never printed raw', hint)
    }
    this.#refuseStrip(node.loc, node.strip)
    return node.params.length === 0 && node.hash === undefined
      ? this.#argument(node.path, true)
      : this.#call(node)
  }

  #block(node: BlockStatement): TextPart {
    const name =
      node.path.type === 'PathExpression' ? node.path.original : this.#slice(node.path.loc)
    if (this.#slice(node.loc).startsWith('{{{{')) {
      this.#refuse(node.loc, 'Raw blocks do not exist', 'write \\{{ for a literal {{')
    }
    if (!this.#blocks) {
      const hint =
        name === 'if' ? 'use the helper: {{ if test a b }}, or $if' : 'use join, or a JSON body'
      this.#refuse(node.loc, 'Blocks exist in text.value and graphql.query only', hint)
    }
    for (const strip of [node.openStrip, node.inverseStrip, node.closeStrip])
      this.#refuseStrip(node.loc, strip)
    if (node.hash !== undefined) this.#refuseNamed(node.hash)
    if (name === 'if') return this.#ifBlock(node)
    if (name === 'each') return this.#eachBlock(node)
    return this.#refuse(node.path.loc, `There is no block "${name}"`, 'blocks are #if and #each')
  }

  #ifBlock(node: BlockStatement): TextPart {
    const [test, ...more] = node.params
    const { path, loc, program, inverse } = node
    if (test === undefined || more.length > 0 || program?.blockParams !== undefined) {
      const hint = 'write {{#if (and a b)}} for several'
      return this.#refuse(path.loc, '#if takes one argument', hint)
    }
    if (program === undefined)
      return this.#refuse(loc, '{{^if}} does not exist', 'write {{#if (not …)}}')
    return {
      kind: 'ifBlock',
      test: this.#argument(test, false),
      body: this.#parts(program.body),
      otherwise: this.#parts(inverse?.body ?? []),
    }
  }

  #eachBlock(node: BlockStatement): TextPart {
    const [list, ...more] = node.params
    const { path, program, inverse } = node
    const [item, ...others] = program?.blockParams ?? []
    const isComplete = list !== undefined && more.length === 0 && others.length === 0
    if (program === undefined || !isComplete || item === undefined) {
      const message = '#each takes a list and a name for its elements'
      return this.#refuse(path.loc, message, 'write {{#each list as |item|}}')
    }
    if (inverse !== undefined)
      return this.#refuse(node.loc, '#each has no {{else}}', 'put an {{#if}} around it')
    if (isRoot(item) || isHelper(item) || this.#locals.includes(item)) {
      const message = `"${item}" already means something here`
      return this.#refuse(path.loc, message, 'choose another name')
    }
    const elements = this.#argument(list, false)
    this.#locals.push(item)
    const body = this.#parts(program.body)
    this.#locals.pop()
    return { kind: 'eachBlock', list: elements, item, body }
  }

  /** `alone`: nothing else stands between the braces, where a helper without arguments is a call. */
  #argument(node: ArgumentNode, alone: boolean): Expression {
    if (node.type === 'PathExpression') return this.#placed(node.loc, this.#path(node, alone))
    if (node.type === 'SubExpression') return this.#call(node)
    if (node.type === 'UndefinedLiteral') {
      return this.#refuse(node.loc, '"undefined" is no value', 'leave it out, or write null')
    }
    if (node.type === 'NumberLiteral') this.#checkDigits(node.loc)
    return { kind: 'literal', value: node.value }
  }

  #call(node: Call): Expression {
    if (node.hash !== undefined) this.#refuseNamed(node.hash)
    const { path } = node
    const name = path.type === 'PathExpression' ? path.original : this.#slice(path.loc)
    if (path.type !== 'PathExpression' || path.parts.length !== 1 || !isHelper(name)) {
      const hint = hintFor(name, Object.keys(HELPERS), 'helpers are')
      return this.#refuse(path.loc, `There is no helper "${name}"`, hint)
    }
    const args = node.params.map((param, at) => {
      const argument = this.#argument(param, false)
      this.#checkLiteral(name, at, argument, param.loc)
      return argument
    })
    return this.#placed(path.loc, { kind: 'call', helper: name, args })
  }

  #placed(loc: Range, expression: Expression): Expression {
    const offset = this.#offset(loc.start)
    const length = this.#offset(loc.end) - offset
    spans.set(expression, { offset: this.#from + offset, length })
    return expression
  }

  /** Finds what can never work: a pattern that is none, a time format with unknown letters. */
  #checkLiteral(name: HelperName, at: number, argument: Expression, loc: Range): void {
    const { literals, literalOnly = [] } = HELPERS[name]
    if (argument.kind === 'literal') {
      try {
        literals?.[at]?.(argument.value)
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        const [message = said, hint = null] = said.split(/: (?=it is made of)/)
        this.#refuse(loc, message, hint)
      }
    } else if (literalOnly.includes(at)) {
      this.#refuse(loc, `${name} takes a literal here`, "write it in quotes: '…'")
    }
  }

  #path(node: PathNode, alone: boolean): Expression {
    const written = this.#slice(node.loc)
    const bare = written.replace(/\[(\\\]|[^\]])*\]/g, '[]')
    const isThis = node.parts.length === 0 || /^(this\b|\.)/.test(bare)
    const unknown = node.data ? written : node.depth > 0 ? '../' : isThis ? 'this' : null
    if (unknown !== null) {
      const hint = 'name the value: params, config, …'
      this.#refuse(node.loc, `"${unknown}" does not exist`, hint)
    }
    if (bare.includes('/'))
      this.#refuse(node.loc, 'Names are joined by dots', `write ${written.replaceAll('/', '.')}`)
    const [first = '', ...path] = node.parts
    if (this.#locals.includes(first)) return { kind: 'local', name: first, path }
    if (isRoot(first)) return { kind: 'path', root: first, path }
    if (isHelper(first) && path.length === 0) {
      if (alone) return { kind: 'call', helper: first, args: [] }
      return this.#refuse(node.loc, `"${first}" is a helper`, `write (${first})`)
    }
    const helpers = alone && path.length === 0 ? Object.keys(HELPERS) : []
    const near = nearest(first, [...ROOTS, ...this.#locals, ...helpers])
    const hint = near === null ? hintFor('', ROOTS, 'paths begin with') : `did you mean "${near}"?`
    return this.#refuse(node.loc, `There is nothing called "${first}"`, hint)
  }

  #checkDigits(loc: Range): void {
    const digits = this.#slice(loc)
    const exact = /^-?\d+$/.test(digits)
      ? Number.isSafeInteger(Number(digits))
      : digits.replace(/^-?0*\.?0*|\./g, '').length <= 15
    if (!exact) this.#refuse(loc, 'The number has more digits than can be kept', 'write it as text')
  }

  #refuseStrip(loc: Range, strip: Strip | undefined): void {
    if (strip?.open !== true && strip?.close !== true) return
    this.#refuse(loc, '"~" does not exist: text is sent as it is written', 'remove it')
  }

  #refuseNamed(hash: { readonly loc: Range }): never {
    return this.#refuse(hash.loc, 'Named arguments do not exist', 'give the values in order')
  }

  /** The message for text that Handlebars cannot read; `token` is the name of the one it did not expect. */
  #unreadable(token: string, at: Location): never {
    const offset = this.#offset({ line: at.first_line, column: at.first_column })
    const open = this.#source.lastIndexOf('{{', offset)
    const closed = open >= 0 && this.#source.indexOf('}}', open) >= 0
    const end = this.#source.length
    if ((token === 'EOF' || token === 'INVALID') && open >= 0 && !closed)
      this.#fail('The expression is not closed', open, end - open, 'write }} at its end')
    if (token === 'EOF') {
      const start = Math.max(0, this.#source.lastIndexOf('{{#'))
      this.#fail('The block is not closed', start, end - start, 'write {{/if}} or {{/each}}')
    }
    if (token === 'CLOSE') {
      const start = Math.max(0, open)
      const length = offset + 2 - start
      this.#fail('The expression is not complete', start, length, 'write a path or a helper')
    }
    if (token === 'OPEN_ENDBLOCK' || token === 'INVERSE' || token === 'OPEN_INVERSE_CHAIN')
      this.#failAt(at, 'There is no open block here', 'write \\{{ for a literal {{')
    const hint =
      operatorHint(this.#source.slice(offset)) ?? 'write a path, a literal or a helper call'
    this.#failAt(at, 'This cannot be read as an expression', hint)
  }

  /** Errors that Handlebars throws while it makes nodes: the wrong end of a block, `this` inside a path. */
  #translate(error: unknown): ExpressionSyntaxError {
    const { message, lineNumber = 1, column = 0, endColumn = column } = error as HandlebarsError
    const offset = this.#offset({ line: lineNumber, column })
    const said = message.replace(/ - \d+:\d+$/, '')
    return new ExpressionSyntaxError(said, this.#from + offset, Math.max(1, endColumn - column))
  }

  #refuse(loc: Range, message: string, hint: string | null): never {
    const offset = this.#offset(loc.start)
    return this.#fail(message, offset, this.#offset(loc.end) - offset, hint)
  }

  #failAt(at: Location, message: string, hint: string | null): never {
    return this.#refuse(rangeOf(at), message, hint)
  }

  #fail(message: string, offset: number, length: number, hint: string | null): never {
    throw new ExpressionSyntaxError(message, this.#from + offset, Math.max(1, length), hint)
  }

  #slice(loc: Range): string {
    return this.#source.slice(this.#offset(loc.start), this.#offset(loc.end))
  }

  #offset(position: Position): number {
    return Math.min((this.#lines[position.line - 1] ?? 0) + position.column, this.#source.length)
  }
}

type Location = (typeof handlebars)['lexer']['yylloc']
type HandlebarsError = Error & Partial<Record<'lineNumber' | 'column' | 'endColumn', number>>

function isRoot(name: string): name is Root {
  return ROOTS.includes(name)
}

function isHelper(name: string): name is HelperName {
  return Object.hasOwn(HELPERS, name)
}

function rangeOf(at: Location): Range {
  return {
    start: { line: at.first_line, column: at.first_column },
    end: { line: at.last_line, column: at.last_column },
  }
}

/** The nearest of some names, or all of them behind `all`. */
/** Operators of other languages, and the helper that takes their place. */
const OPERATORS: readonly (readonly [sign: RegExp, way: string])[] = [
  [/^(?:\|\||\?\?)/, 'write {{ default a b }}'],
  [/^&&/, 'write {{ and a b }}'],
  [/^\|/, 'there are no filters: write the helper first, {{ lower params.name }}'],
  [/^\?/, 'write {{ if condition a b }}'],
  [/^===?/, 'write {{ eq a b }}'],
  [/^!/, 'write {{ not a }}'],
  [/^\+/, 'write {{ concat a b }}'],
]

function operatorHint(rest: string): string | null {
  return OPERATORS.find(([sign]) => sign.test(rest))?.[1] ?? null
}

function hintFor(name: string, names: readonly string[], all: string): string {
  const near = nearest(name, names)
  return near === null ? `${all} ${names.join(', ')}` : `did you mean "${near}"?`
}

/** Every root, and where it may stand, for messages of the lint. Source: docs/manifest-language.md, "Expressions". */
export const ROOT_PLACES: Readonly<Record<Root, string>> = {
  params: 'in actions',
  config: 'everywhere',
  maps: 'everywhere',
  record_fields: 'in requests of actions',
  steps: 'in later steps, in response.set and in pagination.carry',
  response: 'in errors, error_body, pagination.carry and response.set',
  record: 'in response.keep and response.set',
  credentials: 'under auth, and in keys and tokens of webhooks',
  client: 'under auth, and in keys and tokens of webhooks',
  session: 'under auth',
  upload: 'in request and upload of an action that sends its file in parts',
  cursor: 'under sync',
  parent: 'under sync',
  request: 'under sign and jwt',
  webhook: 'in webhooks',
  subscription: 'in webhooks.subscribe, and in keys and tokens of webhooks',
  event: 'in answers of webhooks.challenges',
  jwt: 'under auth, where the method has a jwt block',
  signature: 'in headers and query of sign',
}
/** The names that an expression may start with. */
export const ROOTS: readonly string[] = Object.keys(ROOT_PLACES)
