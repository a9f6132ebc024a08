// Strings of a manifest → trees. Handlebars reads the text between `{{` and `}}`; what it understands beyond
// docs/manifest-language.md, "Expressions", is refused here. Nothing is ever compiled by Handlebars.
import nodes from 'handlebars/dist/cjs/handlebars/compiler/helpers.js'
import handlebars from 'handlebars/dist/cjs/handlebars/compiler/parser.js'

import { HELPERS } from './helpers.ts'
import { nearest } from './nearest.ts'
import type { Json } from '../json/json.ts'
import type { Expression, HelperName, Root, Template, Text, TextPart } from './syntax.ts'

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

// Deeper nesting helps nobody, and both Handlebars and the evaluator would have to survive it.
const MAX_DEPTH = 32

/**
 * Parses a string into literal text and expressions; a string without `{{` is one literal part, unchanged.
 *
 * `blocks` admits `{{#if}}` and `{{#each list as |item|}}`, which exist in `text.value` and `graphql.query` only.
 * Throws ExpressionSyntaxError.
 */
export function parseText(source: string, options: { readonly blocks?: boolean } = {}): Text {
  if (!source.includes('{{')) return [source]
  return new Reader(source, options.blocks === true).read()
}

/**
 * Parses a string in a data position: one expression alone keeps its JSON type, with text around it the result is text.
 * Throws ExpressionSyntaxError.
 */
export function parseTemplate(source: string): Template {
  const text = parseText(source)
  const only = text.length === 1 ? text[0] : undefined
  if (typeof only === 'string') return { kind: 'constant', value: only }
  if (only !== undefined && isExpression(only)) return { kind: 'value', expression: only }
  return { kind: 'text', text }
}

/**
 * Parses what must be exactly one expression, as `if`, `refuse` and `keep` have it.
 * Throws ExpressionSyntaxError, also for text around the braces.
 */
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

function isExpression(part: Exclude<TextPart, string>): part is Expression {
  return part.kind !== 'ifBlock' && part.kind !== 'eachBlock'
}

interface Position {
  readonly line: number
  readonly column: number
}
interface Range {
  readonly start: Position
  readonly end: Position
}
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
interface Strip {
  readonly open?: boolean
  readonly close?: boolean
}
interface Program {
  readonly body: readonly Statement[]
  readonly blockParams?: readonly string[]
  readonly chained?: boolean
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
type RefusedStatement = keyof typeof REFUSED

const REFUSED = {
  CommentStatement: ['Comments do not exist inside strings', 'write a YAML comment'],
  PartialStatement: ['Partials do not exist', 'write the text itself'],
  PartialBlockStatement: ['Partials do not exist', 'write the text itself'],
  Decorator: ['Decorators do not exist', 'remove it'],
  DecoratorBlock: ['Decorators do not exist', 'remove it'],
} as const satisfies Record<string, readonly [message: string, hint: string]>

/** Reads one string. */
class Reader {
  private readonly source: string
  private readonly blocks: boolean
  /** Offset of each line's first character. */
  private readonly lines: readonly number[]
  /** Block parameters in scope. */
  private readonly locals: string[] = []

  constructor(source: string, blocks: boolean) {
    this.source = source
    this.blocks = blocks
    this.lines = [
      0,
      ...Array.from(source.matchAll(/\r\n?|\n/g), (end) => end.index + end[0].length),
    ]
  }

  read(): Text {
    const backslashes = /\\{3,}(?=\{\{)/.exec(this.source)
    if (backslashes !== null) {
      this.fail(
        'More than two backslashes stand before {{',
        backslashes.index,
        backslashes[0].length,
        'write \\{{ for a literal {{, or \\\\{{ for a backslash and an expression',
      )
    }
    const parts = this.parts(this.parse().body)
    return parts.length === 0 ? [''] : parts
  }

  private parse(): Program {
    // An own instance: the package's one is shared with everybody else in the process.
    const parser: typeof handlebars = Object.create(handlebars)
    const lexer: typeof handlebars.lexer = Object.create(handlebars.lexer)
    const { ID, SEP, NUMBER, OPEN_SEXPR, CLOSE_SEXPR, OPEN_BLOCK, OPEN_ENDBLOCK } =
      handlebars.symbols_
    let previous: number | undefined
    let depth = 0
    lexer.next = () => {
      let token = handlebars.lexer.next.call(lexer)
      if (token === undefined) return undefined
      // Handlebars takes `list.0` at the end of a path for a number that went astray.
      const place =
        token === NUMBER && previous === SEP ? /^(\d+)(\..*)?$/.exec(lexer.yytext) : null
      if (place !== null) {
        if (place[2] !== undefined)
          this.failAt(lexer.yylloc, 'Two places in a row', 'write list.[0].[1]')
        token = ID
      }
      if (token === OPEN_SEXPR || token === OPEN_BLOCK) depth++
      if (token === CLOSE_SEXPR || token === OPEN_ENDBLOCK) depth--
      if (depth > MAX_DEPTH) this.failAt(lexer.yylloc, 'Expressions are nested too deeply', null)
      previous = token
      return token
    }
    parser.lexer = lexer
    parser.parseError = (_message, { token }) => this.unreadable(token, lexer.yylloc)
    parser.yy = {
      ...nodes,
      locInfo: (at: typeof lexer.yylloc): Range => ({
        start: { line: at.first_line, column: at.first_column },
        end: { line: at.last_line, column: at.last_column },
      }),
    }
    try {
      // The shape of the tree is Handlebars' documented one.
      return parser.parse(this.source) as Program
    } catch (error) {
      throw error instanceof ExpressionSyntaxError ? error : this.translate(error)
    }
  }

  private parts(statements: readonly Statement[]): TextPart[] {
    const parts: TextPart[] = []
    for (const statement of statements) {
      const part = this.part(statement)
      const last = parts.at(-1)
      if (typeof part === 'string' && typeof last === 'string')
        parts[parts.length - 1] = last + part
      else if (part !== '') parts.push(part)
    }
    return parts
  }

  private part(statement: Statement): TextPart {
    if (statement.type === 'ContentStatement') return statement.value
    if (statement.type === 'MustacheStatement') return this.mustache(statement)
    if (statement.type === 'BlockStatement') return this.block(statement)
    const [message, hint] = REFUSED[statement.type]
    return this.refuse(statement.loc, message, hint)
  }

  private mustache(node: Extract<Statement, { type: 'MustacheStatement' }>): Expression {
    if (!node.escaped) {
      const hint = `write ${this.slice(node.loc)
        .replace(/^\{\{\{?&?\s*/, '{{ ')
        .replace(/\s*\}\}\}?$/, ' }}')}; encoding belongs to the place`
      this.refuse(node.loc, 'Values are never printed raw', hint)
    }
    this.refuseStrip(node.loc, node.strip)
    return node.params.length === 0 && node.hash === undefined
      ? this.argument(node.path, true)
      : this.call(node)
  }

  private block(node: Extract<Statement, { type: 'BlockStatement' }>): TextPart {
    const name =
      node.path.type === 'PathExpression' ? node.path.original : this.slice(node.path.loc)
    if (this.slice(node.loc).startsWith('{{{{')) {
      this.refuse(node.loc, 'Raw blocks do not exist', 'write \\{{ for a literal {{')
    }
    if (!this.blocks) {
      const hint =
        name === 'if' ? 'use the helper: {{ if test a b }}, or $if' : 'use join, or a JSON body'
      this.refuse(node.loc, 'Blocks exist in text.value and graphql.query only', hint)
    }
    for (const strip of [node.openStrip, node.inverseStrip, node.closeStrip])
      this.refuseStrip(node.loc, strip)
    if (node.hash !== undefined) this.refuseNamed(node.hash)
    if (name === 'if') return this.ifBlock(node)
    if (name === 'each') return this.eachBlock(node)
    return this.refuse(node.path.loc, `There is no block "${name}"`, 'blocks are #if and #each')
  }

  private ifBlock(node: Extract<Statement, { type: 'BlockStatement' }>): TextPart {
    const [test, ...more] = node.params
    if (test === undefined || more.length > 0 || node.program?.blockParams !== undefined) {
      return this.refuse(
        node.path.loc,
        '#if takes one argument',
        'write {{#if (and a b)}} for several',
      )
    }
    if (node.program === undefined) {
      return this.refuse(node.loc, '{{^if}} does not exist', 'write {{#if (not …)}}')
    }
    return {
      kind: 'ifBlock',
      test: this.argument(test, false),
      body: this.parts(node.program.body),
      otherwise: node.inverse === undefined ? [] : this.parts(node.inverse.body),
    }
  }

  private eachBlock(node: Extract<Statement, { type: 'BlockStatement' }>): TextPart {
    const [list, ...more] = node.params
    const names = node.program?.blockParams ?? []
    const [item] = names
    if (
      node.program === undefined ||
      list === undefined ||
      more.length > 0 ||
      names.length !== 1 ||
      item === undefined
    ) {
      return this.refuse(
        node.path.loc,
        '#each takes a list and a name for its elements',
        'write {{#each list as |item|}}',
      )
    }
    if (node.inverse !== undefined) {
      return this.refuse(node.loc, '#each has no {{else}}', 'put an {{#if}} around it')
    }
    if (isRoot(item) || isHelper(item) || this.locals.includes(item)) {
      return this.refuse(
        node.path.loc,
        `"${item}" already means something here`,
        'choose another name',
      )
    }
    const elements = this.argument(list, false)
    this.locals.push(item)
    const body = this.parts(node.program.body)
    this.locals.pop()
    return { kind: 'eachBlock', list: elements, item, body }
  }

  /** `alone`: stands by itself between the braces, where a helper without arguments is a call. */
  private argument(node: ArgumentNode, alone: boolean): Expression {
    if (node.type === 'PathExpression') return this.path(node, alone)
    if (node.type === 'SubExpression') return this.call(node)
    if (node.type === 'UndefinedLiteral') {
      return this.refuse(node.loc, '"undefined" is no value', 'leave it out, or write null')
    }
    if (node.type === 'NumberLiteral') this.checkDigits(node.loc)
    return { kind: 'literal', value: node.value }
  }

  private call(node: Call): Expression {
    if (node.hash !== undefined) this.refuseNamed(node.hash)
    const { path } = node
    const name = path.type === 'PathExpression' ? path.original : this.slice(path.loc)
    if (path.type !== 'PathExpression' || path.parts.length !== 1 || !isHelper(name)) {
      return this.refuse(
        path.loc,
        `There is no helper "${name}"`,
        didYouMean(name, Object.keys(HELPERS)),
      )
    }
    const args = node.params.map((param, at) => {
      const argument = this.argument(param, false)
      this.checkLiteral(name, at, argument, param.loc)
      return argument
    })
    return { kind: 'call', helper: name, args }
  }

  /** Finds what can never work: a pattern that is none, a time format with unknown letters. */
  private checkLiteral(name: HelperName, at: number, argument: Expression, loc: Range): void {
    const { literals, literalOnly = [] } = HELPERS[name]
    if (argument.kind === 'literal') {
      try {
        literals?.[at]?.(argument.value)
      } catch (error) {
        this.refuse(loc, error instanceof Error ? error.message : String(error), null)
      }
    } else if (literalOnly.includes(at)) {
      this.refuse(loc, `${name} takes a literal here`, "write it in quotes: '…'")
    }
  }

  private path(node: PathNode, alone: boolean): Expression {
    const written = this.slice(node.loc)
    const bare = written.replace(/\[(\\\]|[^\]])*\]/g, '[]')
    if (node.data)
      this.refuse(node.loc, `"${written}" does not exist`, 'name the value: params, config, …')
    if (node.depth > 0)
      this.refuse(node.loc, '"../" does not exist', 'name the value: params, config, …')
    if (node.parts.length === 0 || /^(this\b|\.)/.test(bare)) {
      this.refuse(node.loc, '"this" does not exist', 'name the value: params, config, …')
    }
    if (bare.includes('/'))
      this.refuse(node.loc, 'Names are joined by dots', `write ${written.replaceAll('/', '.')}`)
    const [first = '', ...path] = node.parts
    if (this.locals.includes(first)) return { kind: 'local', name: first, path }
    if (isRoot(first)) return { kind: 'path', root: first, path }
    if (isHelper(first) && path.length === 0) {
      if (alone) return { kind: 'call', helper: first, args: [] }
      return this.refuse(node.loc, `"${first}" is a helper`, `write (${first})`)
    }
    const known = [
      ...ROOTS,
      ...this.locals,
      ...(alone && path.length === 0 ? Object.keys(HELPERS) : []),
    ]
    const near = nearest(first, known)
    return this.refuse(
      node.loc,
      `There is nothing called "${first}"`,
      near === null ? `paths begin with ${[...ROOTS].join(', ')}` : `did you mean "${near}"?`,
    )
  }

  private checkDigits(loc: Range): void {
    const digits = this.slice(loc)
    const exact = /^-?\d+$/.test(digits)
      ? Number.isSafeInteger(Number(digits))
      : digits.replace(/^-?0*\.?0*|\./g, '').length <= 15
    if (!exact) this.refuse(loc, 'The number has more digits than can be kept', 'write it as text')
  }

  private refuseStrip(loc: Range, strip: Strip | undefined): void {
    if (strip?.open !== true && strip?.close !== true) return
    this.refuse(loc, '"~" does not exist: text is sent as it is written', 'remove it')
  }

  private refuseNamed(hash: { readonly loc: Range }): never {
    return this.refuse(hash.loc, 'Named arguments do not exist', 'give the values in order')
  }

  /** The message for text that Handlebars cannot read; `token` is the name of the one it stumbled on. */
  private unreadable(token: string, at: Location): never {
    const offset = this.offset({ line: at.first_line, column: at.first_column })
    const open = this.source.lastIndexOf('{{', offset)
    const closed = open >= 0 && this.source.indexOf('}}', open) >= 0
    if ((token === 'EOF' || token === 'INVALID') && open >= 0 && !closed) {
      this.fail(
        'The expression is not closed',
        open,
        this.source.length - open,
        'write }} at its end',
      )
    }
    if (token === 'EOF') {
      const start = Math.max(0, this.source.lastIndexOf('{{#'))
      this.fail(
        'The block is not closed',
        start,
        this.source.length - start,
        'write {{/if}} or {{/each}}',
      )
    }
    if (token === 'CLOSE') {
      const start = Math.max(0, open)
      this.fail(
        'The expression is not complete',
        start,
        offset + 2 - start,
        'write a path or a helper',
      )
    }
    if (token === 'OPEN_ENDBLOCK' || token === 'INVERSE' || token === 'OPEN_INVERSE_CHAIN') {
      this.failAt(at, 'There is no open block here', 'write \\{{ for a literal {{')
    }
    this.failAt(
      at,
      'This cannot be read as an expression',
      'write a path, a literal or a helper call',
    )
  }

  /** Errors that Handlebars throws while it makes nodes: the wrong end of a block, `this` inside a path. */
  private translate(error: unknown): ExpressionSyntaxError {
    const { message, lineNumber = 1, column = 0, endColumn = column } = error as HandlebarsError
    const offset = this.offset({ line: lineNumber, column })
    const said = message.replace(/ - \d+:\d+$/, '')
    return new ExpressionSyntaxError(said, offset, Math.max(1, endColumn - column))
  }

  private refuse(loc: Range, message: string, hint: string | null): never {
    const offset = this.offset(loc.start)
    return this.fail(message, offset, this.offset(loc.end) - offset, hint)
  }

  private failAt(at: Location, message: string, hint: string | null): never {
    const start = { line: at.first_line, column: at.first_column }
    return this.refuse(
      { start, end: { line: at.last_line, column: at.last_column } },
      message,
      hint,
    )
  }

  private fail(message: string, offset: number, length: number, hint: string | null): never {
    throw new ExpressionSyntaxError(message, offset, Math.max(1, length), hint)
  }

  private slice(loc: Range): string {
    return this.source.slice(this.offset(loc.start), this.offset(loc.end))
  }

  private offset(position: Position): number {
    return Math.min((this.lines[position.line - 1] ?? 0) + position.column, this.source.length)
  }
}

type Location = (typeof handlebars)['lexer']['yylloc']
interface HandlebarsError extends Error {
  readonly lineNumber?: number
  readonly column?: number
  readonly endColumn?: number
}

function isRoot(name: string): name is Root {
  return (ROOTS as ReadonlySet<string>).has(name)
}

function isHelper(name: string): name is HelperName {
  return Object.hasOwn(HELPERS, name)
}

function didYouMean(name: string, candidates: readonly string[]): string {
  const near = nearest(name, candidates)
  return near === null ? `helpers are ${candidates.join(', ')}` : `did you mean "${near}"?`
}

const EVERY: Readonly<Record<Root, true>> = {
  params: true,
  config: true,
  maps: true,
  record_fields: true,
  steps: true,
  response: true,
  record: true,
  credentials: true,
  client: true,
  session: true,
  cursor: true,
  parent: true,
}

/** Every root. Where each may stand is the lint's business: docs/manifest-language.md, "Expressions". */
const ROOTS: ReadonlySet<Root> = new Set(Object.keys(EVERY) as Root[])
