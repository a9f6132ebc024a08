// A vendor's "no", in the vendor's own words: error bodies written so that the manifest's rules read them back.
import type { Expression, Path, Template } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { withMember } from '../../language/json/members.ts'
import type { ErrorBody, ErrorRuleTemplate, Test } from '../../language/manifest/manifest.ts'
import { compileTests } from '../../engine/response/answer-tests.ts'
import type { WireAnswer } from './wire-answer.ts'
import { type Draft, writePath } from './write-path.ts'

/** Kinds of refusals that every vendor knows. */
export type RefusalKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unknown_route'
  | 'cursor'
  | 'rate_limited'

export interface RefusalDetails {
  /** Null: the status of the kind. */
  readonly status: number | null
  /** The message, or its parts where the vendor lists them; none when the fields say it all. */
  readonly messages: readonly string[]
  readonly fields: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The demo data has chosen these words already. */
  readonly isWorded: boolean
  /** What is refused (the scope that a token lacks), which the words of the demo data see as `record.item`. */
  readonly item: string | null
}

/** Thrown by everything that answers; the answer is made of it where it is sent. */
export class VendorRefusal extends Error {
  readonly kind: RefusalKind
  readonly details: RefusalDetails

  constructor(kind: RefusalKind, message: string, details: Partial<RefusalDetails> = {}) {
    super(message)
    this.kind = kind
    const rest = { status: null, fields: {}, headers: {}, isWorded: false, item: null }
    this.details = { ...rest, messages: [message], ...details }
  }
}

/** How a kind is told apart: its status, and what an error rule of the manifest would make of it. */
const KINDS: Readonly<
  Record<RefusalKind, { status: number; rule: (rule: ErrorRuleTemplate) => boolean }>
> = {
  invalid: { status: 400, rule: (rule) => rule.as === 'invalid' },
  unauthorized: {
    status: 401,
    rule: ({ as, effect }) =>
      as === 'credentials' || effect === 'reauthorize' || effect === 'refresh_auth',
  },
  forbidden: { status: 403, rule: (rule) => rule.as === 'forbidden' },
  not_found: { status: 404, rule: (rule) => rule.as === 'not_found' },
  unknown_route: { status: 404, rule: () => false },
  cursor: {
    status: 400,
    rule: ({ as, effect }) => as === 'cursor_expired' || effect === 'restart_pagination',
  },
  rate_limited: { status: 429, rule: (rule) => rule.as === 'rate_limited' },
}

/**
 * Writes a refusal as the vendor would: the message, the fields and the id of the request where `error_body` looks for
 * them, and the values that the manifest's own error rules test for this kind, where what is written does not pass already.
 */
export function writeRefusal(
  refusal: VendorRefusal,
  vendor: {
    readonly errorBody: ErrorBody
    readonly rules: readonly ErrorRuleTemplate[]
    readonly requestId: string
  },
): Pick<WireAnswer, 'status' | 'headers'> & { readonly body: Json } {
  const { errorBody } = vendor
  const { status, fields, headers } = refusal.details
  const kind = KINDS[refusal.kind]
  const rule = vendor.rules.find((candidate) => kind.rule(candidate))
  const draft: Draft = { body: {}, headers: {} }
  writeMessage(draft, errorBody.message, refusal)
  const hasFields = Object.keys(fields).length > 0
  if (errorBody.fields !== null && (hasFields || errorBody.message === null)) {
    writePath(draft, errorBody.fields, fields)
  }
  if (errorBody.problems !== undefined) writeProblems(draft, errorBody.problems, fields)
  if (errorBody.requestId !== null) writePath(draft, errorBody.requestId, vendor.requestId)
  for (const { at, test } of rule?.body ?? []) {
    // A message of the demo data that passes as it is stays.
    if (
      compileTests([{ at, test }])({ status: kind.status, headers: {}, body: draft.body, url: '' })
    )
      continue
    const value = passing(test)
    if (value !== undefined) writePath(draft, at, value)
  }
  const ruled = rule?.status[0]?.[0]
  return {
    status: status ?? ruled ?? kind.status,
    headers: { ...draft.headers, ...headers },
    body: draft.body ?? {},
  }
}

/** Each field as an element of the list, or the first one where there is no list. */
function writeProblems(
  draft: Draft,
  { each, field, message }: NonNullable<ErrorBody['problems']>,
  fields: RefusalDetails['fields'],
): void {
  const isList = each.steps.some(({ kind }) => kind === 'all')
  const told = Object.entries(fields).slice(0, isList ? undefined : 1)
  for (const [index, [name, text]] of told.entries()) {
    const place = each.steps.map((step) =>
      step.kind === 'all' ? ({ kind: 'index', index } as const) : step,
    )
    const below = (path: Path): Path => ({ ...each, steps: [...place, ...path.steps] })
    writePath(draft, below(field), name)
    if (message !== undefined && isList) writePath(draft, below(message), text)
  }
}

/** A value that passes a test; undefined where one cannot be told (a pattern). */
export function passing(test: Test): Json | undefined {
  const values = [test.equals, test.in?.[0], test.contains, test.gte, test.lte]
  const found = values.find((value) => value !== undefined)
  return found === undefined && test.exists === true ? true : found
}

/** A member of the error body that holds the message, in a list where the manifest joins one. */
interface Target {
  readonly path: readonly string[]
  readonly inList: boolean
}

function writeMessage(
  draft: Draft,
  template: Template | null,
  { message, details: { messages } }: VendorRefusal,
): void {
  const targets = template === null ? [] : targetsOf(template)
  const target = targets.find(({ path }) => MESSAGE_NAME.test(path.at(-1) ?? '')) ?? targets[0]
  const { path, inList } = target ?? { path: ['message'], inList: false }
  if (messages.length === 0 && !inList) return
  draft.body = withMember((draft.body ?? {}) as JsonObject, path, inList ? messages : message)
}

const MESSAGE_NAME = /message|error|detail|description|reason|title|text/i

function targetsOf(template: Template): readonly Target[] {
  if (template.kind === 'value') return [targetOf(template.expression) ?? []].flat()
  if (template.kind !== 'text') return []
  return template.text.flatMap((part) =>
    typeof part === 'string' || part.kind === 'ifBlock' || part.kind === 'eachBlock'
      ? []
      : (targetOf(part) ?? []),
  )
}

function targetOf(expression: Expression): Target | null {
  if (expression.kind === 'path') {
    const [part, ...path] = expression.path
    const known = expression.root === 'response' && part === 'body' && path.length > 0
    return known ? { path, inList: false } : null
  }
  if (expression.kind !== 'call') return null
  // Of a choice the first that can be written; of `if`, what is shown when the test holds.
  const args = expression.helper === 'if' ? expression.args.slice(1) : expression.args
  const target = args.map(targetOf).find((found) => found !== null) ?? null
  const isList = LIST_HELPERS.has(expression.helper)
  return target === null || !isList ? target : { ...target, inList: true }
}

const LIST_HELPERS: ReadonlySet<string> = new Set(['join', 'first', 'last', 'only', 'unique'])
