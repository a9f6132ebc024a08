// Values of callers inside texts with a syntax of their own: quotation marks, XML, GraphQL.
import { isExpression, spanOf } from '../../expression/parse-text.ts'
import type { Expression, HelperName, Text } from '../../expression/syntax.ts'
import type { PlacedText } from '../draft.ts'
import {
  type CallExpression,
  expressionsIn,
  formatExpression,
  type Locals,
  passedArguments,
  sourcesOf,
} from './expression-facts.ts'
import { lookUpPath } from './expressions.ts'
import type { Lint } from './lint.ts'
import { type SchemaView, valuesOf } from './schema-walk.ts'
import { scopeOf } from './scopes.ts'

export function lintInjection(lint: Lint): void {
  for (const placed of lint.draft.texts) {
    lintSegments(lint, placed)
    if (placed.place === 'request.text') lintPrintedText(lint, placed)
    else if (placed.place === 'request.graphql.query') lintGraphql(lint, placed)
    else if (placed.owner.area === 'action') lintQuoted(lint, placed)
  }
}

/** `segments` is finished text of a path, and one of them says where it begins and ends. */
function lintSegments(lint: Lint, placed: PlacedText): void {
  let spans = 0
  for (const { expression, isPrinted } of expressionsIn(placed.text)) {
    if (expression.kind !== 'call' || expression.helper !== 'segments') continue
    spans++
    const isWhole = isPrinted && placed.place === 'request.path'
    if (isWhole && spans === 1) continue
    const message = isWhole
      ? '"segments" stands twice in one path, so nobody could tell where the first one ends'
      : '"segments" encodes a path of a request, and has no other use'
    const hint = isWhole
      ? 'leave one of them'
      : 'write {{ segments params.path }} in http, with nothing around the call'
    lint.error(
      'request/segments',
      { at: placed.at, part: placed.part, inner: spanOf(expression) },
      message,
      hint,
    )
  }
}

const ENCODERS: ReadonlySet<HelperName> = new Set(['xml', 'json', 'urlencode'])
/** Helpers that hand on a value, or one of several, as it is. */
const CHOICES: ReadonlySet<HelperName> = new Set([
  'default',
  'or',
  'and',
  'if',
  'first',
  'last',
  'only',
  'unique',
  'join',
])

function lintPrintedText(lint: Lint, placed: PlacedText): void {
  for (const { expression, locals, isPrinted } of expressionsIn(placed.text)) {
    if (!isPrinted || isEncoded(expression, locals)) continue
    const place = { at: placed.at, inner: spanOf(expression) }
    const message = `${nameOf(expression)} is printed into the text as it is`
    const hint = 'write {{ xml … }}, {{ json … }} or {{ urlencode … }}'
    lint.error('injection/unencoded', place, message, hint)
  }
}

function isEncoded(expression: Expression, locals: Locals): boolean {
  if (expression.kind === 'literal') return true
  if (expression.kind === 'path') return false
  if (expression.kind === 'local') {
    const list = locals.get(expression.name)
    return list !== undefined && isEncoded(list, locals)
  }
  if (ENCODERS.has(expression.helper)) return true
  return (
    CHOICES.has(expression.helper) &&
    passedArguments(expression).every((argument) => isEncoded(argument, locals))
  )
}

const PRINTABLE_IN_GRAPHQL: ReadonlySet<string> = new Set(['record_fields', 'config', 'maps'])

function lintGraphql(lint: Lint, placed: PlacedText): void {
  for (const { expression, locals, isPrinted } of expressionsIn(placed.text)) {
    if (!isPrinted) continue
    const checked = ({ helper }: CallExpression): boolean => helper === 'graphql_fields'
    const [refused] = sourcesOf(expression, locals, checked).filter(
      ({ root }) => !PRINTABLE_IN_GRAPHQL.has(root),
    )
    if (refused === undefined) continue
    const message = `"${formatExpression(refused)}" is printed into the GraphQL query`
    const hint =
      'hand it over in graphql.variables, or print names of fields with {{ graphql_fields … }}'
    lint.error('injection/graphql', { at: placed.at, inner: spanOf(refused) }, message, hint)
  }
}

/** Helpers whose result holds no quotation mark that was not put there by `quote`. */
const HARMLESS: ReadonlySet<HelperName> = new Set([
  'base64',
  'urlencode',
  'xml',
  'int',
  'float',
  'date',
  'add_duration',
  'round_up',
  'graphql_fields',
])

function lintQuoted(lint: Lint, placed: PlacedText): void {
  const { source } = lint
  const scope = scopeOf(source, placed)
  for (const { expression, mark } of quotedIn(placed.text)) {
    const safe = (call: CallExpression): boolean =>
      HARMLESS.has(call.helper) || (call.helper === 'quote' && quotesWith(call, mark))
    const [loose] = sourcesOf(expression, new Map(), safe).filter((path) => {
      if (path.root !== 'params') return false
      const found = lookUpPath(scope, path)
      return found?.kind !== 'found' || found.views.some(holdsText)
    })
    if (loose === undefined) continue
    const name = formatExpression(loose)
    const place = { at: placed.at, part: placed.part, inner: spanOf(loose) }
    const message = `"${name}" stands between quotation marks and could end them`
    const hint = `write {{ quote ${name} ${mark === "'" ? `"'"` : `'${mark}'`} }}`
    lint.error('injection/unquoted', place, message, hint)
  }
}

function quotesWith({ args }: CallExpression, mark: string): boolean {
  const [, given] = args
  return given?.kind !== 'literal' || given.value === mark
}

/** Whether a value of this schema can hold a quotation mark. */
function holdsText(node: SchemaView): boolean {
  return node.alternatives().some((part) => {
    const types = part.types()
    if (!types.has('string') && !types.has('object') && !types.has('array')) return false
    const values = valuesOf(part.schema)
    if (values === undefined) return types.size > 1 || !SAFE_FORMATS.has(part.schema.format ?? '')
    return values.some((value) => MARKS.test(JSON.stringify(value).slice(1, -1)))
  })
}

const MARKS = /["'`]/
const SAFE_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'iso-time', 'time', 'uuid'])

interface Quoted {
  readonly expression: Expression
  readonly mark: string
}

/** The expressions between an opening and a closing quotation mark of the text around them. */
function quotedIn(text: Text): readonly Quoted[] {
  const closed: Quoted[] = []
  let mark: string | null = null
  let inside: Quoted[] = []
  for (const part of text) {
    if (typeof part !== 'string') {
      if (mark !== null && isExpression(part)) inside.push({ expression: part, mark })
      continue
    }
    for (let index = 0; index < part.length; index++) {
      const character = part.charAt(index)
      if (mark === null) {
        if (opens(character, part[index - 1])) mark = character
      } else if (character === mark && part[index - 1] !== '\\') {
        closed.push(...inside)
        inside = []
        mark = null
      }
    }
  }
  return closed
}

/** An apostrophe inside a word opens nothing. */
function opens(character: string, before: string | undefined): boolean {
  if (character === "'") return before === undefined || !/[\p{L}\p{N}]/u.test(before)
  return character === '"' || character === '`'
}

function nameOf(expression: Expression): string {
  if (expression.kind === 'path' || expression.kind === 'local') {
    return `"${formatExpression(expression)}"`
  }
  return expression.kind === 'call' ? `the value of "${expression.helper}"` : 'a value'
}
