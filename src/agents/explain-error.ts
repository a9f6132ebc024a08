// A failure as an answer that tells an agent how to mend it.
import type { ConnectorError, ErrorCode, ErrorOrigin, Problem } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import { toPlainJson } from '../run/plain-json.ts'

/**
 * `{ error, how_to_mend }`: code and message, every problem at its place, whether the same call can succeed later, what
 * is known of a write's effect, and what to do.
 *
 * Pointers begin at the tool's input: `/params` in front of them is taken away where the params are the input.
 */
export function explainError(error: ConnectorError, paramsAt: '' | '/params'): JsonObject {
  const { code, message, errors, upstream } = error
  return {
    error: {
      code,
      message: errors.length > 0 ? titleOf(error) : message,
      ...(errors.length > 0 ? { problems: errors.map((each) => problemIn(each, paramsAt)) } : {}),
      retryable: error.retryable,
      ...(error.retryAfterMs === null ? {} : { retry_after_ms: error.retryAfterMs }),
      ...(error.outcome === 'not_applied' ? {} : { outcome: error.outcome }),
      ...(upstream === null
        ? {}
        : { third_party: { status: upstream.status, body: upstream.body } }),
    },
    how_to_mend: adviceOn(error),
  }
}

function problemIn({ pointer, detail, allowed }: Problem, paramsAt: '' | '/params'): JsonObject {
  const at =
    paramsAt === '' && pointer.startsWith('/params/') ? pointer.slice('/params'.length) : pointer
  // What would be accepted is data of the manifest.
  return { at, detail, ...(allowed === undefined ? {} : toPlainJson({ allowed }, '')) }
}

/** The message without the problems that stand beside it. */
function titleOf({ errors, message }: ConnectorError): string {
  const cut = message.indexOf(`${errors[0]?.pointer ?? ''}: `)
  const title = cut > 0 ? message.slice(0, cut).replace(/[\s:;]+$/, '') : message
  return title === '' ? message : title
}

function adviceOn(error: ConnectorError): string {
  if (error.outcome === 'uncertain')
    return 'It is not known whether the change was made. Read the record before you decide to repeat it.'
  if (error.outcome === 'applied')
    return 'A part of the change was made. Read the record, then do only what is missing.'
  const advice = ADVICE[error.code] ?? BY_ORIGIN[error.origin]
  if (!error.retryable) return advice
  const wait = error.retryAfterMs === null ? 'a few' : String(Math.ceil(error.retryAfterMs / 1000))
  return `${advice} The same call can be repeated in ${wait} seconds.`
}

const ASK_USER_TO_CONNECT =
  'The connection does not work. Ask the user to check or renew its credentials; other calls of this connector will fail too.'

/** What to do, where the code says more than who has to act. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  params_invalid: 'Correct what the problems name and call again.',
  operation_unknown: 'Choose one of the names that are allowed and call again.',
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
