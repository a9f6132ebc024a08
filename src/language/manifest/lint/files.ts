// Parameters that are files: they stand at the top of the params of an action, and go where bytes are sent.
import { isExpression, spanOf } from '../../expression/parse-text.ts'
import type { Expression } from '../../expression/syntax.ts'
import { ACTIONS, gives } from '../actions.ts'
import type { DocumentPath } from '../document.ts'
import type { PlacedAction, PlacedText } from '../draft.ts'
import { keyAt, type Lint } from './lint.ts'
import { isOwnedBy } from './param-facts.ts'
import { paramsOf } from './scopes.ts'

export function lintFiles(lint: Lint): void {
  lintElsewhere(lint)
  for (const action of lint.actions) {
    const names = fileNames(lint, action)
    if (names.size > 0) lintUses(lint, action, names)
    else if (ACTIONS[action.name].isForFile === true) {
      const message = `${action.operation} has no parameter that is a file`
      const wayOut =
        'give one at the top of params, { type: string, format: binary }, or call the action create'
      lint.error('params/file', { at: action.at }, message, wayOut)
    }
  }
}

/** The parameters of an action that are files, of which each says what it can. */
function fileNames(lint: Lint, action: PlacedAction): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [name, { schema, at }] of paramsOf(lint.source, action).members()) {
    if (schema.format !== 'binary' || at === null) continue
    names.add(name)
    const place = keyAt(...at, 'format')
    if (gives(action.name, 'list', 'stream')) {
      const message = `${action.operation} delivers a list or a file, and takes none`
      lint.error('params/file', place, message, 'an action that sends a file delivers one record')
    }
    const limit = LIMITS.find((keyword) => schema[keyword] !== undefined)
    if (limit === undefined) continue
    const message = `a file may be a stream, of which "${limit}" can say nothing`
    lint.error('params/file', keyAt(...at, limit), message, 'say it in description')
  }
  return names
}

const LIMITS = ['pattern', 'minLength', 'maxLength', 'enum', 'const'] as const

/** Schemas in which a file may be declared by mistake. */
function lintElsewhere(lint: Lint): void {
  const { source, actions, entities, methods } = lint
  const schemas: readonly (readonly [DocumentPath, unknown])[] = [
    [['config'], source.config],
    [['shapes'], source.shapes],
    ...methods.map(
      ({ at, source: { credentials } }) => [[...at, 'credentials'], credentials] as const,
    ),
    ...entities.map(({ at, source: { record } }) => [[...at, 'record'], record] as const),
    ...actions.flatMap(({ at, source: { params, result } }) => [
      [[...at, 'params'], params] as const,
      [[...at, 'result'], result] as const,
    ]),
  ]
  const visit = (value: unknown, at: DocumentPath, depth: number): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      const isHere = key === 'format' && member === 'binary'
      const isParam = at.at(-3) === 'params' && at.at(-2) === 'properties' && depth === 2
      if (isHere && !isParam) {
        const message = 'a file stands at the top of the params of an action, and nowhere else'
        lint.error(
          'params/file',
          { at: [...at, key] },
          message,
          'write format: byte for base64 text',
        )
      }
      visit(member, [...at, Array.isArray(value) ? Number(key) : key], depth + 1)
    }
  }
  for (const [at, schema] of schemas) visit(schema, at, 0)
}

/** What an expression is wanted for: bytes, whether it is there, or a value of any other kind. */
type Wanted = 'bytes' | 'truth' | 'value'

function lintUses(lint: Lint, action: PlacedAction, names: ReadonlySet<string>): void {
  for (const placed of lint.draft.texts) {
    if (!isOwnedBy(placed.owner, action)) continue
    for (const part of placed.text) {
      const misused = isExpression(part) ? misusedIn(part, wantedAt(placed), names) : null
      if (misused === null) continue
      const place = { at: placed.at, part: placed.part, inner: spanOf(misused) }
      lint.error('request/file', place, MISUSED, WAY_OUT)
    }
  }
  for (const placed of lint.draft.paramNames) {
    const isSent = isOwnedBy(placed.owner, action) && !NAMED.has(placed.use)
    if (isSent && names.has(placed.source)) lint.error('request/file', placed, MISUSED, WAY_OUT)
  }
}

const MISUSED = 'a file has no text: it can only be sent as it is'
const WAY_OUT =
  'write it below base64 of bytes, multipart or related, or name it in upload.file of the action'

/** Uses of a parameter's name that send nothing. */
const NAMED: ReadonlySet<string> = new Set(['refuse.params', 'unsent', 'upload.file'])

function wantedAt({ place, at }: PlacedText): Wanted {
  if (place === 'condition' || place === 'directive') return 'truth'
  return at.at(-1) === 'base64' && BODIES.has(place) ? 'bytes' : 'value'
}

const BODIES: ReadonlySet<string> = new Set([
  'request.bytes',
  'request.multipart',
  'request.related',
])

/** The file that an expression uses as what it is not; null: none. */
function misusedIn(
  expression: Expression,
  wanted: Wanted,
  names: ReadonlySet<string>,
): Expression | null {
  if (expression.kind === 'path') {
    const isFile = expression.root === 'params' && names.has(expression.path[0] ?? '')
    return isFile && wanted === 'value' ? expression : null
  }
  if (expression.kind !== 'call') return null
  const { helper, args } = expression
  for (const [index, argument] of args.entries()) {
    const isTest = TESTS.has(helper) || (helper === 'if' && index === 0)
    const inner = isTest ? 'truth' : CHOICES.has(helper) ? wanted : 'value'
    const found = misusedIn(argument, inner, names)
    if (found !== null) return found
  }
  return null
}

const TESTS: ReadonlySet<string> = new Set(['not', 'given'])
const CHOICES: ReadonlySet<string> = new Set(['default', 'or', 'and', 'if'])
