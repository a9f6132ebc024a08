// A failure as an answer that tells an agent how to mend it.
import {
  type ConnectorError,
  type ErrorCode,
  type ErrorOrigin,
  ERRORS,
  type Problem,
} from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'

/** Where the params of an operation stand in the input of a tool. */
export interface InputPlaces {
  /** The place in the input of a place in the operation, such as `/params/query/filter`. */
  readonly at: (pointer: string) => string
  /** What may stand at the top of the input, where the params do; null where they are a member of it. */
  readonly members: readonly string[] | null
}

/** The params are the member `params` of the input. */
export const PARAMS_INSIDE: InputPlaces = { at: (pointer) => pointer, members: null }

/** The params are the input itself. */
export const PARAMS_AT_TOP: InputPlaces = {
  at: (pointer) => (pointer.startsWith('/params/') ? pointer.slice('/params'.length) : pointer),
  members: null,
}

/**
 * `{ error, how_to_mend }`: code and message, every problem at its place, whether the same call can succeed later, what
 * is known of a write's effect, and what to do.
 *
 * Places are those of the tool's input.
 */
export function explainError(error: ConnectorError, places: InputPlaces): JsonObject {
  const { code, message, errors, upstream, steps } = error
  return {
    error: {
      code,
      message: errors.length > 0 ? summaryOf(error, places) : message,
      ...(errors.length > 0 ? { problems: errors.map((each) => problemIn(each, places)) } : {}),
      retryable: error.retryable,
      ...(error.retryAfterMs === null ? {} : { retry_after_ms: error.retryAfterMs }),
      ...(error.outcome === 'not_applied' ? {} : { outcome: error.outcome }),
      ...(steps === null || steps.length < 2
        ? {}
        : { steps: steps.map(({ name, outcome }) => ({ step: name, outcome })) }),
      ...(upstream === null
        ? {}
        : { third_party: { status: upstream.status, body: upstream.body } }),
    },
    how_to_mend: adviceOn(error),
  }
}

function problemIn(problem: Problem, places: InputPlaces): JsonObject {
  const { pointer, detail, code } = problem
  const isUnknownMember = code === 'unknown' && /^\/params\/[^/]*$/.test(pointer)
  const allowed = isUnknownMember ? (places.members ?? problem.allowed) : problem.allowed
  return {
    ...(pointer === '' ? {} : { at: places.at(pointer) }),
    detail,
    // What would be accepted is data of the manifest.
    ...(allowed === undefined ? {} : toPlainJson({ allowed }, '')),
  }
}

/** One line for hosts that show no more: what was asked, the first problem and how many there are. */
function summaryOf({ code, errors, message }: ConnectorError, places: InputPlaces): string {
  const [first] = errors
  // A problem without a place is told by the message already.
  if (first === undefined || first.pointer === '') return message
  const cut = message.indexOf(`${first.pointer}: `)
  const title = (cut < 0 ? message : message.slice(0, cut)).replace(/[\s:;]+$/, '')
  const said = `${places.at(first.pointer)}: ${first.detail}`
  const more = errors.length === 1 ? '' : ` (the first of ${errors.length} problems)`
  const begin = title === '' ? ERRORS[code].title : title
  return begin.includes(first.detail) ? begin : `${begin}: ${said}${more}`
}

function adviceOn(error: ConnectorError): string {
  const partly = partlyDone(error)
  if (partly !== null) return partly
  if (error.outcome === 'uncertain')
    return 'It is not known whether the change was made. Read the record before you decide to repeat it.'
  if (error.outcome === 'applied')
    return 'A part of the change was made. Read the record, then do only what is missing.'
  const advice = ADVICE[error.code] ?? BY_ORIGIN[error.origin]
  const { paramsTake } = error.details
  const takes = typeof paramsTake === 'string' ? ` ${paramsTake}` : ''
  if (!error.retryable) return advice + takes
  const wait = error.retryAfterMs === null ? 'a few' : String(Math.ceil(error.retryAfterMs / 1000))
  return `${advice}${takes} The same call can be repeated in ${wait} seconds.`
}

/** Of a change by several requests of which some were made: what is done, and what is left to do. */
function partlyDone({ steps, origin }: ConnectorError): string | null {
  const done = (steps ?? []).filter(({ outcome }) => outcome === 'applied').map(({ name }) => name)
  const failed = steps?.at(-1)
  if (done.length === 0 || failed === undefined || failed.outcome === 'applied') return null
  const were = `Done: ${done.join(', ')}; do not send it again.`
  if (failed.outcome === 'uncertain')
    return `${were} Not known: ${failed.name}. Read the record; if it is missing, call again with that part only.`
  const mend =
    origin === 'upstream' ? 'mend what the message names and call again' : 'call again later'
  return `${were} Not done: ${failed.name}; ${mend}, with that part only.`
}

const ASK_USER_TO_CONNECT =
  'The connection does not work. Ask the user to check or renew its credentials; other calls of this connector will fail too.'

/** What to do, where the code says more than who has to act. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  params_invalid: 'Correct what the problems name and call again.',
  operation_unknown: 'Use a name that is there, as the problems tell, and call again.',
  connector_unknown: 'Choose one of the names that are allowed and call again.',
  cursor_invalid: 'Leave answer_cursor out to begin again, or repeat the params it came with.',
  scope_denied: 'This is not allowed here. Do not try it another way; tell the user.',
  upstream_not_found:
    'There is no such record, or it is not visible. Look the id up with a listing or a search action.',
  upstream_conflict: 'The record has changed meanwhile. Read it again, then repeat the change.',
  upstream_forbidden:
    'The connected account lacks a permission. Do not try it another way; tell the user which record it was.',
  upstream_rejected: 'The third party refused the input; its answer says why. Correct it.',
  upstream_unprocessable: 'The third party refused the input; its answer says why. Correct it.',
  upstream_response_too_large: 'Ask for less: fewer records per page, or fewer fields.',
  upstream_payload_too_large: 'Send less in one call.',
  search_timeout:
    'Ask for less: narrow the search by a condition on another field, or take a smaller limit.',
  search_needs_hosted_mode:
    'Search works on the synchronized copy that the hosted service keeps; this connection is direct. Use a list or api_search action and its own filters instead.',
  search_not_ready: 'Nothing is synchronized yet. Use a list or api_search action meanwhile.',
  credentials_refused: ASK_USER_TO_CONNECT,
  credentials_invalid: ASK_USER_TO_CONNECT,
  reauthorization_required: ASK_USER_TO_CONNECT,
}

const BY_ORIGIN: Readonly<Record<ErrorOrigin, string>> = {
  request: 'Correct the input and call again.',
  auth: 'The token of this connection is not accepted. Tell the user.',
  connector: 'The connection must be mended by the user. Tell them what the message says.',
  upstream: 'The third party failed; the input is not the reason.',
  service: 'The service failed; the input is not the reason.',
}
