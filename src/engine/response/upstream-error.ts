// A failure the third party reported, as the one error class.
import { ConnectorError, type ErrorCode, type Problem } from '../../errors.ts'
import { compileBodyPath, compilePath, type Answer } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import type { Action, ErrorClass } from '../../language/manifest/manifest.ts'
import { compileMessage, type Ruling } from './error-rules.ts'
import { excerptOf, maskPairs, quoteOf, type Redact } from './excerpt.ts'
import { oneLine, textOf } from './plain-text.ts'

/** One failure. */
export interface UpstreamFailure {
  readonly ruling: Pick<Ruling, 'as' | 'outcome' | 'message'>
  readonly answer: Answer
  /** The body as it came; null when it was not read. */
  readonly raw: Uint8Array | null
  readonly scope: Scope
  readonly redact: Redact
  readonly write: boolean
  /** How long to wait before it can succeed. */
  readonly retryAfterMs?: number | null
  /** Known better than by code and outcome: an idempotent write can be repeated. */
  readonly retryable?: boolean | undefined
}

/**
 * Compiles the action's `error_body`; the function makes the error of one failure. `title`: the third party's name, as
 * people know it.
 *
 * The code follows from the class, `upstream_unexpected` where there is none. A write of class `unavailable` is
 * `uncertain` unless the rule knows better; a read is always `not_applied`. The message says who refused what, and ends
 * with the rule's text, or else with the vendor's in quotes: one line, at most 500 characters, masked. `details` names
 * entity and action, the vendor's own code (`vendorCode`) and, when a permission is missing, the `scopes` of the action.
 * Where `error_body` finds no request id, a header that is named like one tells it.
 * Source: docs/manifest-language.md, "Errors, retries, authentication".
 */
export function compileUpstreamError(
  title: string,
  { entity, name: action, scopes, errorBody }: ReportedAction,
): (failure: UpstreamFailure) => ConnectorError {
  const readMessage = errorBody.message === null ? null : compileMessage(errorBody.message)
  const pickCode = errorBody.code === null ? null : compilePath(errorBody.code)
  const pickRequestId = errorBody.requestId === null ? null : compilePath(errorBody.requestId)
  const problemsOf = compileProblems(errorBody)

  return (failure) => {
    const { ruling, answer, scope, redact } = failure
    const [code, words] = ruling.as === null ? UNEXPECTED : REPORTS[ruling.as]
    const outcome = ruling.outcome ?? (ruling.as === 'unavailable' ? 'uncertain' : 'not_applied')
    const quote = (text: string | null, maxLength: number): string | null =>
      text === null ? null : quoteOf(text, maxLength, redact)
    const rule = quote(ruling.message, MAX_MESSAGE)
    const said = rule === null ? quote(readMessage?.(answer, scope) ?? null, MAX_MESSAGE) : null
    const vendorCode = quote(textOf(pickCode?.(answer, scope)), MAX_ID)
    const missing = ruling.as === 'forbidden' && scopes.length > 0 ? scopes : null
    const needs = missing === null ? '' : `; it needs ${missing.join(', ')}`
    return new ConnectorError(
      code,
      `${title}: ${entity}.${action} ${words} (status ${answer.status})${needs}${rule === null ? '' : `: ${rule}`}${said === null ? '' : inItsWords(said)}`,
      {
        outcome: failure.write ? outcome : 'not_applied',
        errors: problemsOf(answer, scope, (text) => redact(maskPairs(text))),
        upstream: {
          status: answer.status,
          requestId: quote(
            textOf(pickRequestId?.(answer, scope)) ?? requestIdIn(answer.headers),
            MAX_ID,
          ),
          body: excerptOf(answer, failure.raw, redact),
        },
        details: {
          entity,
          action,
          ...(vendorCode !== null && { vendorCode }),
          ...(missing !== null && { scopes: missing }),
        },
        retryAfterMs: failure.retryAfterMs ?? null,
        retryable: failure.retryable,
      },
    )
  }
}

/** In quotes: it may contradict what we make of the answer. */
function inItsWords(said: string): string {
  return `. The third party said: "${said}"`
}

/** Names of headers by which third parties find a request again, what is surely one first. */
const ID_HEADERS = [/req(?:uest)?-?id$/, /correlation-?id$/, /trace-?id$/]

function requestIdIn(headers: Answer['headers']): string | null {
  const names = Object.keys(headers)
  const found = ID_HEADERS.map((form) => names.find((name) => form.test(name)))
  const name = found.find((each) => each !== undefined)
  return name === undefined ? null : (headers[name] ?? null)
}

/** OAuth scopes are named where a permission is missing. */
type ReportedAction = Pick<Action, 'entity' | 'scopes' | 'errorBody'> & { readonly name: string }

const MAX_MESSAGE = 500
const MAX_ID = 200

/** The code of a class, and the words that follow the name of the operation. */
type Report = readonly [code: ErrorCode, words: string]

const REPORTS: Readonly<Record<ErrorClass, Report>> = {
  invalid: ['upstream_rejected', 'was rejected'],
  unprocessable: ['upstream_unprocessable', 'could not be processed'],
  too_large: ['upstream_payload_too_large', 'was too large'],
  credentials: ['credentials_refused', 'was refused, the credentials are not accepted'],
  forbidden: ['upstream_forbidden', 'was refused, a permission is missing'],
  not_found: ['upstream_not_found', 'names something that does not exist'],
  conflict: ['upstream_conflict', 'conflicts with what is there'],
  cursor_expired: ['cursor_invalid', 'was refused, the cursor is no longer valid'],
  rate_limited: ['upstream_rate_limited', 'was refused, the rate limit is reached'],
  unavailable: ['upstream_failed', 'failed'],
}

const UNEXPECTED: Report = ['upstream_unexpected', 'got an answer that nobody expects']

const MAX_PROBLEMS = 20
const MAX_DETAIL = 500
/** Parameters of more members than this are not searched for names. */
const MAX_MEMBERS = 5000

/** What the vendor says of one field. */
type FieldText = readonly [field: string, text: Json | undefined]

/** Compiles `fields` and `problems`; the function gives the problems of one answer, at most 20. */
function compileProblems({
  fields,
  problems,
}: Action['errorBody']): (answer: Answer, scope: Scope, redact: Redact) => Problem[] {
  const pickFields = fields === null ? null : compilePath(fields)
  const listProblems = problems === undefined ? () => [] : compileList(problems)
  return (answer, scope, redact) => {
    const map = pickFields?.(answer, scope)
    const said = [...(isJsonObject(map) ? Object.entries(map) : []), ...listProblems(answer, scope)]
    return fieldProblems(said.slice(0, MAX_PROBLEMS), scope.params, redact)
  }
}

function compileList({
  each,
  field,
  message,
  code,
}: NonNullable<Action['errorBody']['problems']>): (
  answer: Answer,
  scope: Scope,
) => readonly FieldText[] {
  const pickEach = compilePath(each)
  const [nameOf, textIn, codeIn] = [field, message, code].map((path) =>
    path === undefined ? () => undefined : compileBodyPath(path),
  ) as [PickBody, PickBody, PickBody]
  return (answer, scope) => {
    const found = pickEach(answer, scope)
    return (Array.isArray(found) ? (found as readonly Json[]) : [found]).flatMap((one) => {
      const name = one === undefined ? null : textOf(nameOf(one))
      return one === undefined || name === null ? [] : [[name, textIn(one) ?? codeIn(one)] as const]
    })
  }
}

type PickBody = ReturnType<typeof compileBodyPath>

/**
 * Problems of fields. The pointer names a parameter when exactly one given parameter path ends in the field's name, whose
 * dots and brackets may mean nesting; else it is empty and the name stands in front of the text.
 */
function fieldProblems(said: readonly FieldText[], params: unknown, redact: Redact): Problem[] {
  const places = said.length === 0 ? [] : findPlaces(params)
  return said.map(([name, told]) => {
    const pointer = onlyPlace(places, name)
    const text = textOf(Array.isArray(told) ? told.map(textOf).join('; ') : told) ?? 'refused'
    const detail = pointer === null ? `${name}: ${text}` : text
    return {
      pointer: pointer ?? '',
      code: 'upstream',
      detail: oneLine(redact(detail), MAX_DETAIL),
    }
  })
}

interface Place {
  /** Member names from the top, joined by dots; list places are left out. */
  readonly path: string
  readonly pointer: string
}

function onlyPlace(places: readonly Place[], field: string): string | null {
  // `items[0][price]` is `items.price`: places in lists are left out.
  const name = field.replaceAll(/\[(\w*)\]/g, '.$1').replaceAll(/\.\d*(?=\.|$)/g, '')
  const found = places.filter(({ path }) => path === name || path.endsWith(`.${name}`))
  return found.length === 1 ? (found[0]?.pointer ?? null) : null
}

function findPlaces(params: unknown): Place[] {
  const places: Place[] = []
  const visit = (value: unknown, path: string, pointer: string): void => {
    if (Array.isArray(value)) {
      value.forEach((element, index) => visit(element, path, `${pointer}/${index}`))
      return
    }
    if (!isJsonObject(value)) return
    for (const [name, member] of Object.entries(value)) {
      if (places.length >= MAX_MEMBERS) return
      const place = {
        path: path === '' ? name : `${path}.${name}`,
        pointer: pointerTo(pointer, [name]),
      }
      places.push(place)
      visit(member, place.path, place.pointer)
    }
  }
  visit(params, '', '/params')
  return places.length >= MAX_MEMBERS ? [] : places
}
