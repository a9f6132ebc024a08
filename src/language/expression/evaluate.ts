// Trees → functions. Own properties only, JSON types kept, absent = undefined; a value is never looked at as source.
import type { Json } from '../json/json.ts'
import { isList } from '../json/members.ts'
import { own, setOwn } from '../json/own.ts'
import { type Evaluate, kindOf, printed, isTrue } from './helper.ts'
import { HELPERS } from './helpers.ts'
import type { Expression, Root, Template, Text, TextPart } from './syntax.ts'
import { ValueError } from './value-error.ts'

export { isTrue, ValueError }

/** A compiled text; undefined when an expression in it is absent or null. Throws ValueError. */
export type EvaluateText = (scope: Parameters<Evaluate>[0]) => string | undefined

/** Where the element of a running `#each` stands. Evaluation is synchronous, so one place per block is enough. */
interface Local {
  value: Json | undefined
}
type PartOf<Kind> = Extract<TextPart, { kind: Kind }>
type Locals = ReadonlyMap<string, Local>
const NO_LOCALS: Locals = new Map()

/** Compiles a value of a manifest. Absent members and elements are dropped; what is emptied stays `{}` or `[]`. */
export function compileTemplate(template: Template): Evaluate {
  switch (template.kind) {
    case 'constant':
      return always(template.value)
    case 'value':
      return compileExpression(template.expression)
    case 'text':
      return compileText(template.text)
    case 'array':
      return compileArray(template.items)
    case 'object':
      return compileObject(template.members)
    case 'when':
      return compileWhen(template.test, template.value)
  }
}

function always<T>(value: T): () => T {
  return () => value
}

// --- expressions

/** Gives the value with its JSON type, undefined when absent. Throws ValueError for a value that a helper cannot take. */
export function compileExpression(expression: Expression, locals: Locals = NO_LOCALS): Evaluate {
  switch (expression.kind) {
    case 'literal':
      return always(expression.value)
    case 'path':
      return compileRootPath(expression.root, expression.path)
    case 'local':
      return compileLocal(expression, locals)
    case 'call':
      return compileCall(expression, locals)
  }
}

function compileRootPath(root: Root, names: readonly string[]): Evaluate {
  const [a, b, c] = names
  if (a === undefined) return (scope) => scope[root] as Json | undefined
  const readA = compileMember(a)
  if (b === undefined) return (scope) => readA(scope[root])
  const readB = compileMember(b)
  if (c === undefined) return (scope) => readB(readA(scope[root]))
  const readRest = compileMembers(names.slice(2))
  return (scope) => readRest(readB(readA(scope[root])))
}

function compileMembers(names: readonly string[]): (value: unknown) => Json | undefined {
  const readers = names.map(compileMember)
  return (value) => {
    let inside = value
    for (const read of readers) inside = read(inside)
    return inside as Json | undefined
  }
}

/** The two names that an array or an exact number owns without being JSON members. */
const NOT_JSON = new Set(['length', 'rawJSON'])

function compileMember(name: string): (value: unknown) => Json | undefined {
  if (NOT_JSON.has(name)) return (value) => own(value, name)
  return (value) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as { readonly [member: string]: Json })[name]
      : undefined
}

function compileLocal(expression: PartOf<'local'>, locals: Locals): Evaluate {
  const local = locals.get(expression.name)
  if (local === undefined) throw new TypeError(`"${expression.name}" is no name of a block`)
  const read = compileMembers(expression.path)
  return () => read(local.value)
}

function compileCall(call: PartOf<'call'>, locals: Locals): Evaluate {
  const helper = HELPERS[call.helper]
  const count = call.args.length
  if (count < helper.min || count > helper.max) {
    throw new TypeError(`${call.helper} does not take ${count} arguments`)
  }
  const run = helper.compile(call.args.map((argument) => compileExpression(argument, locals)))
  const evaluate: Evaluate = (scope) => {
    try {
      return run(scope)
    } catch (error) {
      if (!(error instanceof ValueError) || error.expression !== null) throw error
      throw new ValueError(`${call.helper}: ${error.message}`, call)
    }
  }
  return isConstant(call) ? foldCall(evaluate) : evaluate
}

function isConstant(expression: Expression): boolean {
  if (expression.kind === 'call')
    return expression.helper !== 'now' && expression.args.every(isConstant)
  return expression.kind === 'literal'
}

function foldCall(evaluate: Evaluate): Evaluate {
  try {
    return always(evaluate({}))
  } catch {
    // It fails again, with its message, when a call needs the value.
    return evaluate
  }
}

// --- texts

/** Compiles a text: its parts joined, or undefined when one of them is absent or null. */
export function compileText(parts: Text, locals: Locals = NO_LOCALS): EvaluateText {
  const [first = '', ...more] = parts
  if (more.length === 0) return compilePart(first, locals)
  const evaluators = parts.map((part) => compilePart(part, locals))
  return (scope) => {
    let text = ''
    for (const evaluate of evaluators) {
      const part = evaluate(scope)
      if (part === undefined) return undefined
      text += part
    }
    return text
  }
}

function compilePart(part: TextPart, locals: Locals): EvaluateText {
  if (typeof part === 'string') return always(part)
  if (part.kind === 'ifBlock') return compileIf(part, locals)
  if (part.kind === 'eachBlock') return compileEach(part, locals)
  const evaluate = compileExpression(part, locals)
  return (scope) => {
    const value = evaluate(scope)
    if (typeof value === 'string') return value
    return value === undefined || value === null ? undefined : print(value, part)
  }
}

function print(value: Json, expression: Expression): string {
  try {
    return printed(value)
  } catch (error) {
    throw error instanceof ValueError ? new ValueError(error.message, expression) : error
  }
}

function compileIf(block: PartOf<'ifBlock'>, locals: Locals): EvaluateText {
  const test = compileExpression(block.test, locals)
  const body = compileText(block.body, locals)
  const otherwise = compileText(block.otherwise, locals)
  return (scope) => (isTrue(test(scope)) ? body(scope) : otherwise(scope))
}

/** An absent or null list prints nothing, as an empty one does. */
function compileEach(block: PartOf<'eachBlock'>, locals: Locals): EvaluateText {
  const list = compileExpression(block.list, locals)
  const local: Local = { value: undefined }
  const body = compileText(block.body, new Map([...locals, [block.item, local]]))
  return (scope) => {
    const elements = list(scope) ?? []
    if (!isList(elements)) {
      throw new ValueError(`a list is needed here, not ${kindOf(elements)}`, block.list)
    }
    let text: string | undefined = ''
    for (const element of elements) {
      local.value = element
      const part = body(scope)
      if (part === undefined) {
        text = undefined
        break
      }
      text += part
    }
    local.value = undefined
    return text
  }
}

// --- templates

function compileArray(items: readonly Template[]): Evaluate {
  const evaluators = items.map(compileTemplate)
  return (scope) => {
    const list: Json[] = []
    for (const evaluate of evaluators) {
      const item = evaluate(scope)
      if (item !== undefined) list.push(item)
    }
    return list
  }
}

function compileObject(members: readonly (readonly [name: string, value: Template])[]): Evaluate {
  const names = members.map(([name]) => name)
  const evaluators = members.map(([, value]) => compileTemplate(value))
  return (scope) => {
    const object: Record<string, Json> = {}
    for (let at = 0; at < evaluators.length; at++) {
      const value = evaluators[at]?.(scope)
      if (value !== undefined) setOwn(object, names[at] ?? '', value)
    }
    return object
  }
}

function compileWhen(test: Expression, value: Template): Evaluate {
  const evaluateTest = compileExpression(test)
  const evaluate = compileTemplate(value)
  return (scope) => (isTrue(evaluateTest(scope)) ? evaluate(scope) : undefined)
}
