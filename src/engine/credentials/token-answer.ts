// Reads what a token endpoint answered, strictly, into the few things that can follow from it. OAuth libraries throw one
// error for "unreadable", "wrong token type" and "refused"; a single-use refresh token may be spent after the first, is
// not after the last, and must still be kept where it came with an unusable access token.
import { retryAfterMs } from '../exchange/waits.ts'
import type { UpstreamResponse } from '../exchange/transport.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import { own } from '../../language/json/own.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { Path } from '../../language/expression/syntax.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import { isConnectorError } from '../../errors.ts'

/** What came of presenting a grant. */
export type TokenOutcome =
  | {
      readonly kind: 'tokens'
      /** null: the answer is of a token type this method cannot use (`tokenType`), only its refresh token counts. */
      readonly accessToken: string | null
      /** null: none was sent, the old one stays (RFC 6749 section 6). */
      readonly refreshToken: string | null
      /** null: the vendor did not say. */
      readonly lifeMs: number | null
      readonly tokenType: string | null
      readonly body: JsonObject
    }
  /** Nothing reached the third party. */
  | { readonly kind: 'not_sent'; readonly cause: unknown }
  /** The grant is refused for good. */
  | { readonly kind: 'invalid_grant'; readonly status: number }
  /** Refused for a reason that is not the grant. `error` is a code of the RFC, or `other`. */
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  /** The endpoint cannot answer now; the grant may or may not have been used up. */
  | { readonly kind: 'busy'; readonly status: number; readonly retryAfterMs: number | null }
  /** Sent, and no answer that can be read: the grant may be used up and its successor lost. */
  | {
      readonly kind: 'lost'
      readonly status: number | null
      readonly problem: string
      readonly cause: unknown
    }

const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_DEPTH = 16
/** Tokens go into headers: visible ASCII (RFC 6749 appendix A.12), and no vendor's is longer than a header may be. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/
/** A refresh token travels in a body only; blanks occur. */
const REFRESH_TOKEN = /^[\x20-\x7e]{1,16384}$/

/** The codes of RFC 6749 section 5.2 and RFC 6750 that may be shown; a vendor's own text may hold anything. */
const KNOWN_ERRORS: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'access_denied',
])
const BUSY_ERRORS: ReadonlySet<string> = new Set([
  'server_error',
  'temporarily_unavailable',
  'slow_down',
])

/** Where a manifest says that an answer holds its tokens. */
export interface TokenPaths {
  readonly accessToken?: Path
  readonly refreshToken?: Path
  readonly expires?: Path
}

/** Reads the members of an answer with tokens. */
export interface TokenPlaces {
  readonly accessToken: (body: JsonObject) => Json | undefined
  readonly refreshToken: (body: JsonObject) => Json | undefined
  readonly tokenType: (body: JsonObject) => Json | undefined
  /** Milliseconds; null: the answer does not say. */
  readonly lifeMs: (body: JsonObject, now: number) => number | null
}

/** The members of RFC 6749 section 5.1, at the top of the answer where a manifest says nothing else. */
export function compileTokenPlaces(paths: TokenPaths): TokenPlaces {
  const at = (path: Path | undefined, name: string): TokenPlaces['accessToken'] =>
    path === undefined ? (body) => own(body, name) : compileBodyPath(path)
  const endsAt = paths.expires === undefined ? null : compileBodyPath(paths.expires)
  return {
    accessToken: at(paths.accessToken, 'access_token'),
    refreshToken: at(paths.refreshToken, 'refresh_token'),
    // The type at the top is that of the token at the top.
    tokenType: paths.accessToken === undefined ? at(undefined, 'token_type') : () => undefined,
    lifeMs: (body, now) =>
      endsAt === null ? lifeIn(own(body, 'expires_in')) : lifeUntil(endsAt(body), now),
  }
}

const AT_THE_TOP = compileTokenPlaces({})

/**
 * The outcome of an answer.
 *
 * `bearerOnly`: the method applies the token as a bearer token, so an answer with another `token_type` has no usable
 * access token. `now`: milliseconds since 1970, for times in the answer. `places`: left out, those of RFC 6749.
 * `words`: codes of RFC 6749 that the third party's own words for an error mean, by the word.
 * The content type is not looked at: a wrong label must not cost a rotated token that is plainly there.
 */
export function readTokenAnswer(
  response: UpstreamResponse,
  options: {
    readonly bearerOnly: boolean
    readonly now: number
    readonly places?: TokenPlaces
    readonly words?: Readonly<Record<string, string>>
  },
): TokenOutcome {
  const { places = AT_THE_TOP, words = {}, now } = options
  const { status } = response
  const body = objectIn(response.body)
  const said = typeof body === 'string' ? undefined : own(body, 'error')
  const error = typeof said === 'string' ? (own(words, said) ?? said) : said
  const succeeded = status >= 200 && status < 300
  if (
    !succeeded ||
    (typeof body !== 'string' && typeof error === 'string' && !places.accessToken(body))
  ) {
    const { headers, url } = response
    const waitMs = retryAfterMs({ status, headers, body: undefined, url }, now)
    return refusalOf(status, typeof error === 'string' ? error : null, waitMs)
  }
  if (typeof body === 'string') return lost(status, body)
  return tokensIn(body, status, { ...options, places })
}

/**
 * The outcome of a request that got no answer. An error that the transport port does not know may have happened at any
 * time, so the request counts as sent.
 */
export function readTokenFailure(error: unknown): TokenOutcome {
  if (!isConnectorError(error)) {
    return { kind: 'lost', status: null, problem: 'internal_error', cause: error }
  }
  if (error.details['sent'] === false || error.code === 'destination_refused') {
    return { kind: 'not_sent', cause: error }
  }
  const status = error.details['status']
  // The head of a refusal had come: what was cut off is only its explanation.
  if (typeof status === 'number' && status >= 400) return refusalOf(status, null, null)
  return { kind: 'lost', status: null, problem: error.code, cause: error }
}

function tokensIn(
  body: JsonObject,
  status: number,
  {
    bearerOnly,
    now,
    places,
  }: { readonly bearerOnly: boolean; readonly now: number; readonly places: TokenPlaces },
): TokenOutcome {
  const accessToken = places.accessToken(body)
  if (typeof accessToken !== 'string' || !TOKEN.test(accessToken)) {
    return lost(status, 'the answer has no access_token that can be used')
  }
  const refreshToken = places.refreshToken(body) ?? ''
  if (
    typeof refreshToken !== 'string' ||
    !(refreshToken === '' || REFRESH_TOKEN.test(refreshToken))
  ) {
    return lost(status, 'the refresh_token of the answer is no text')
  }
  const type = places.tokenType(body)
  const tokenType = typeof type === 'string' && type !== '' ? type : null
  // RFC 6749 section 7.1: a token of a type that is not understood must not be used.
  const usable = !bearerOnly || tokenType === null || tokenType.toLowerCase() === 'bearer'
  return {
    kind: 'tokens',
    accessToken: usable ? accessToken : null,
    refreshToken: refreshToken === '' ? null : refreshToken,
    lifeMs: places.lifeMs(body, now),
    tokenType: usable ? tokenType : 'other',
    body,
  }
}

/** Seconds as a number or as text; nothing else says anything, and 0 is how some vendors write "never". */
function lifeIn(value: Json | undefined): number | null {
  const text = isExactNumber(value) ? value.rawJSON : value
  const seconds =
    typeof text === 'number'
      ? text
      : typeof text === 'string' && /^\d+(\.\d+)?$/.test(text)
        ? Number(text)
        : NaN
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null
}

const MILLISECONDS_FROM = 1e11
const SECONDS_SINCE_1970_FROM = 1e9

/**
 * The life that an answer tells, in milliseconds: seconds of it, its end in seconds or milliseconds since 1970, or as an
 * ISO time; null for anything else, and for an end that is over.
 */
export function lifeUntil(value: Json | undefined, now: number): number | null {
  const told = isExactNumber(value) ? value.rawJSON : value
  if (typeof told !== 'number' && typeof told !== 'string') return null
  const number = told === '' ? NaN : Number(told)
  const ms = Number.isNaN(number) ? Date.parse(String(told)) - now : lifeOf(number, now)
  return ms > 0 ? ms : null
}

function lifeOf(number: number, now: number): number {
  if (number >= MILLISECONDS_FROM) return number - now
  return number >= SECONDS_SINCE_1970_FROM ? number * 1000 - now : number * 1000
}

function refusalOf(
  status: number,
  error: string | null,
  retryAfterMs: number | null,
): TokenOutcome {
  // A server that is unwell says nothing about the grant, whatever its body claims.
  const unwell = status === 408 || status === 429 || status >= 500
  if (unwell || (error !== null && BUSY_ERRORS.has(error)))
    return { kind: 'busy', status, retryAfterMs }
  if (error === 'invalid_grant') return { kind: 'invalid_grant', status }
  return {
    kind: 'refused',
    status,
    error: error !== null && KNOWN_ERRORS.has(error) ? error : 'other',
  }
}

/** The JSON object in a body, or what is wrong with it. */
function objectIn(body: Buffer): JsonObject | string {
  if (body.length > MAX_ANSWER_BYTES) return 'the answer is larger than 1 MiB'
  let value: Json
  try {
    value = parseJson(body.toString('utf8'), { maxDepth: MAX_DEPTH })
  } catch {
    // What was sent instead may be anything; the outcome says enough.
    return 'the answer is not JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactNumber(value)) {
    return 'the answer is not a JSON object'
  }
  return value as JsonObject
}

function lost(status: number, problem: string): TokenOutcome {
  return { kind: 'lost', status, problem, cause: null }
}
