// Who has to act on an error, by the table of all codes: the console and the terminal say the same.
import { type ErrorCode, type ErrorOrigin, ERRORS } from '../errors.ts'
import { isOfVendorsService } from './vendor-failures.ts'

export const ACTS: Readonly<Record<ErrorOrigin, string>> = {
  request: 'the caller, who has to change the request',
  auth: 'the caller, who needs another token',
  connector: 'the owner of the account, by its credentials or settings',
  upstream: 'the third party',
  service: 'the operator of this service',
}

/** Codes of which more is known than where they come from, and those that the logs alone have. */
const OF_CODES: Readonly<Record<string, string>> = {
  upstream_rate_limited:
    'nobody, as it is over when the third party allows more calls; where it comes often, ask there for a higher limit, or call less often',
  search_timeout:
    'the caller, who can narrow the search; the operator of this service where narrow ones take too long as well',
  delivery_failed: 'your app: nothing answered at the address of the webhook',
  delivery_refused: 'your app, which answered with another status than one from 200 to 299',
}

/** A third party that answers them does well: it was asked for what it does not have, or may not be asked that way. */
const OF_CALLERS: readonly ErrorCode[] = [
  'upstream_rejected',
  'upstream_not_found',
  'upstream_conflict',
  'upstream_payload_too_large',
  'upstream_unprocessable',
  'range_not_satisfiable',
]

/** Of a sync, which asks for what the manifest says. */
const OF_MANIFEST =
  'the author of the connector, or the owner of the account: the third party answers, and refuses what it is asked for'

const CALLERS_ORIGINS: ReadonlySet<ErrorOrigin | null> = new Set(['request', 'auth'])

/** Whether the caller of a call that failed with this code has caused it: that says nothing against the account. */
export function isOfCaller(code: string): boolean {
  return OF_CALLERS.some((each) => each === code) || CALLERS_ORIGINS.has(originOf(code))
}

/**
 * Null: a code that this console does not know. `called`: it came of a call, whose caller named the record and gave the
 * parameters; of a sync, for one, nobody did.
 */
export function whoActs(code: string, called = false): string | null {
  if (Object.hasOwn(OF_CODES, code)) return OF_CODES[code] ?? null
  if (OF_CALLERS.some((each) => each === code)) return called ? ACTS.request : OF_MANIFEST
  const origin = originOf(code)
  return origin === null ? null : ACTS[origin]
}

/**
 * Whether a manifest may be why something fails: not where this service lacks what it takes, where the third party itself
 * fails, does not answer or limits, nor with a code that is unknown.
 */
export function mayBeOfManifest(code: string): boolean {
  return ![null, ACTS.service].includes(whoActs(code)) && !isOfVendorsService(code)
}

/** Who acts, without how: for a line with little room. */
export function actorOf(code: string): string | null {
  return whoActs(code)?.split(/[,:;]/)[0] ?? null
}

function originOf(code: string): ErrorOrigin | null {
  const rules: Readonly<Record<string, { readonly origin: ErrorOrigin } | undefined>> = ERRORS
  return Object.hasOwn(rules, code) ? (rules[code]?.origin ?? null) : null
}

/** Every code that an entry of the logs can have. */
export const LOGGED_CODES: readonly string[] = [
  ...new Set([...Object.keys(ERRORS), ...Object.keys(OF_CODES)]),
]
