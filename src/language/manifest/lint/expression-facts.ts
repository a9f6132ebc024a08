// What can be told about an expression without running it.
import { HELPERS } from '../../expression/helpers.ts'
import { isExpression } from '../../expression/parse-text.ts'
import { pathsIn } from '../../expression/paths-in.ts'
import type { Expression, Root, Text } from '../../expression/syntax.ts'
import { nearest } from '../suggest.ts'

export type PathExpression = Extract<Expression, { kind: 'path' }>
export type LocalExpression = Extract<Expression, { kind: 'local' }>
export type CallExpression = Extract<Expression, { kind: 'call' }>

/** The lists that the block parameters in scope run over. */
export type Locals = ReadonlyMap<string, Expression>

/** An expression of a text, where it may name the elements of lists. */
export interface FoundExpression {
  readonly expression: Expression
  readonly locals: Locals
  /** Whether its value becomes text: it is no argument, no test and no list of a block. */
  readonly isPrinted: boolean
}

/** Every expression of a text, nested ones included, from left to right. */
export function* expressionsIn(text: Text, locals: Locals = new Map()): Iterable<FoundExpression> {
  for (const part of text) {
    if (typeof part === 'string') continue
    if (part.kind === 'ifBlock') {
      yield* withArguments(part.test, locals, false)
      yield* expressionsIn(part.body, locals)
      yield* expressionsIn(part.otherwise, locals)
    } else if (part.kind === 'eachBlock') {
      yield* withArguments(part.list, locals, false)
      yield* expressionsIn(part.body, new Map([...locals, [part.item, part.list]]))
    } else yield* withArguments(part, locals, true)
  }
}

function* withArguments(
  expression: Expression,
  locals: Locals,
  isPrinted: boolean,
): Iterable<FoundExpression> {
  yield { expression, locals, isPrinted }
  if (expression.kind !== 'call') return
  for (const argument of expression.args) yield* withArguments(argument, locals, false)
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
  const names = texts.flatMap(({ text }) => pathsIn(text, root)).map(([name]) => name)
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

/** The arguments of a call whose text can become part of its value. */
export function passedArguments(call: CallExpression): readonly Expression[] {
  const { passes } = HELPERS[call.helper]
  return call.args.filter((_, index) => passes === undefined || passes.includes(index))
}

/** The paths that can become part of a value; `stop` ends the search at a call. A local stands for its list. */
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

/** A path as it is written: `params.filter.from`. */
export function formatExpression(expression: PathExpression | LocalExpression): string {
  const first = expression.kind === 'path' ? expression.root : expression.name
  return [first, ...expression.path].reduce((text, step) =>
    /^[\w-]+$/.test(step) ? `${text}.${step}` : `${text}.[${step}]`,
  )
}
