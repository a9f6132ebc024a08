// Who has to act on an error, by the table of all codes.
import { type ErrorOrigin, ERRORS } from '../../errors.ts'

export const ACTS: Readonly<Record<ErrorOrigin, string>> = {
  request: 'the caller, who has to change the request',
  auth: 'the caller, who needs another token',
  connector: 'the owner of the account, by its credentials or settings',
  upstream: 'the third party',
  service: 'the operator of this service',
}

/** Codes of which more is known than where they come from, and those that the logs alone have. */
const OF_CODES: Readonly<Record<string, string>> = {
  search_timeout:
    'the caller, who can narrow the search; the operator of this service where narrow ones take too long as well',
  delivery_failed: 'your app: nothing answered at the address of the webhook',
  delivery_refused: 'your app, which answered with another status than one from 200 to 299',
}

/** Null: a code that this console does not know. */
export function whoActs(code: string): string | null {
  if (Object.hasOwn(OF_CODES, code)) return OF_CODES[code] ?? null
  const rules: Readonly<Record<string, { readonly origin: ErrorOrigin } | undefined>> = ERRORS
  const rule = Object.hasOwn(rules, code) ? rules[code] : undefined
  return rule === undefined ? null : ACTS[rule.origin]
}
