// What can be told about an expression without running it.
import { HELPERS } from '../../expression/helpers.ts'
import type { Expression, Root, Text, TextPart } from '../../expression/syntax.ts'
import type { InnerSpan } from '../document.ts'
import { nearest } from '../suggest.ts'

export type PathExpression = Extract<Expression, { kind: 'path' }>
export type LocalExpression = Extract<Expression, { kind: 'local' }>
export type CallExpression = Extract<Expression, { kind: 'call' }>

/** The lists that the block parameters in scope run over. */
export type Locals = ReadonlyMap<string, Expression>

/** Calls `visit` for every expression of a text, nested ones included, from left to right. */
export function visitText(
  text: Text,
  visit: (expression: Expression, locals: Locals) => void,
  locals: Locals = new Map(),
): void {
  for (const part of text) {
    if (typeof part === 'string') continue
    if (part.kind === 'ifBlock') {
      visitExpression(part.test, (expression) => visit(expression, locals))
      visitText(part.body, visit, locals)
      visitText(part.otherwise, visit, locals)
    } else if (part.kind === 'eachBlock') {
      visitExpression(part.list, (expression) => visit(expression, locals))
      visitText(part.body, visit, new Map([...locals, [part.item, part.list]]))
    } else {
      visitExpression(part, (expression) => visit(expression, locals))
    }
  }
}

/** Calls `visit` for an expression and its arguments, from left to right. */
export function visitExpression(
  expression: Expression,
  visit: (expression: Expression) => void,
): void {
  visit(expression)
  if (expression.kind !== 'call') return
  for (const argument of expression.args) visitExpression(argument, visit)
}

/** Every path of a text. */
export function pathsOfText(text: Text): readonly PathExpression[] {
  const paths: PathExpression[] = []
  visitText(text, (expression) => {
    if (expression.kind === 'path') paths.push(expression)
  })
  return paths
}

/**
 * Which of the members of a root are read by these texts; all of them where the root is read as a whole.
 * A name that is wrong counts for the one it is nearest to, so that one mistake is one finding.
 */
export function readMembers(
  texts: readonly { readonly text: Text }[],
  root: Root,
  members: readonly string[],
): ReadonlySet<string> {
  const paths = texts.flatMap(({ text }) => pathsOfText(text)).filter((path) => path.root === root)
  const names = paths.map(({ path: [name] }) => name)
  if (names.includes(undefined)) return new Set(members)
  return new Set(
    names.map((name = '') => (members.includes(name) ? name : (nearest(name, members) ?? name))),
  )
}

/** The one expression that a text is, or null when there is text around it. */
export function onlyExpression(text: Text): Expression | null {
  const [only] = text
  return text.length === 1 && only !== undefined && isExpression(only) ? only : null
}

/** Tells an expression from literal text and blocks. */
export function isExpression(part: TextPart): part is Expression {
  return typeof part !== 'string' && part.kind !== 'ifBlock' && part.kind !== 'eachBlock'
}

/** The arguments of a call whose text can become part of its value. */
export function passedArguments(call: CallExpression): readonly Expression[] {
  const { passes } = HELPERS[call.helper]
  return call.args.filter((_, index) => passes === undefined || passes.includes(index))
}

/**
 * The paths whose value can become part of what an expression gives; `stop` ends the search at a call.
 * A block parameter stands for the list it runs over.
 */
export function sourcesOf(
  expression: Expression,
  locals: Locals,
  stop: (call: CallExpression) => boolean,
): readonly PathExpression[] {
  if (expression.kind === 'literal') return []
  if (expression.kind === 'path') return [expression]
  if (expression.kind === 'local') {
    const list = locals.get(expression.name)
    return list === undefined ? [] : sourcesOf(list, locals, stop)
  }
  if (stop(expression)) return []
  return passedArguments(expression).flatMap((argument) => sourcesOf(argument, locals, stop))
}

/** A string of a manifest and the tree it was read into. */
export interface WrittenText {
  readonly source: string
  readonly text: Text
}

/** Where in its string an expression is written; nothing when it cannot be told. */
export function innerOf(
  written: WrittenText,
  expression: Expression,
): { readonly inner?: InnerSpan } {
  let places = PLACES.get(written)
  if (places === undefined) PLACES.set(written, (places = placesIn(written)))
  const inner = places.get(expression)
  return inner === undefined ? {} : { inner }
}

const PLACES = new WeakMap<WrittenText, ReadonlyMap<Expression, InnerSpan>>()

/** The tree keeps no places, but its order is that of the string, so each is searched behind the one before. */
function placesIn({ source, text }: WrittenText): ReadonlyMap<Expression, InnerSpan> {
  const places = new Map<Expression, InnerSpan>()
  let from = 0
  visitText(text, (expression) => {
    const found = nextIn(source, from, expression)
    if (found === null) return
    places.set(expression, found)
    from = found.offset + found.length
  })
  return places
}

function nextIn(source: string, from: number, expression: Expression): InnerSpan | null {
  const pattern = writtenForm(expression)
  if (pattern === null) return null
  // The character before a name belongs to the match.
  pattern.lastIndex = Math.max(0, from - 1)
  for (let found = pattern.exec(source); found !== null; found = pattern.exec(source)) {
    const [whole, , name = ''] = found
    const offset = found.index + whole.length - name.length
    if (source.lastIndexOf('{{', offset) > source.lastIndexOf('}}', offset)) {
      return { offset, length: name.length }
    }
  }
  return null
}

function writtenForm(expression: Expression): RegExp | null {
  if (expression.kind === 'literal') return null
  if (expression.kind === 'call') {
    return new RegExp(`(\\{\\{\\s*|\\(\\s*)(${expression.helper})(?![\\w.])`, 'g')
  }
  const first = expression.kind === 'path' ? expression.root : expression.name
  const steps = expression.path.map((step) => {
    const name = step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return `\\.(?:${name}|\\[${name}\\])`
  })
  return new RegExp(`([\\s({])(${first}${steps.join('')})(?![\\w.\\-])`, 'g')
}

/** A path as it is written: `params.filter.from`. */
export function formatExpression(expression: PathExpression | LocalExpression): string {
  const first = expression.kind === 'path' ? expression.root : expression.name
  return [first, ...expression.path].reduce((text, step) =>
    /^[\w-]+$/.test(step) ? `${text}.${step}` : `${text}.[${step}]`,
  )
}
