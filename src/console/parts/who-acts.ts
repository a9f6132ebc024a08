// Who has to act on an error, by the table of all codes.
import { type ErrorOrigin, ERRORS } from '../../errors.ts'

export const ACTS: Readonly<Record<ErrorOrigin, string>> = {
  request: 'the caller, who has to change the request',
  auth: 'the caller, who needs another token',
  connector: 'the owner of the account, by its credentials or settings',
  upstream: 'the third party',
  service: 'the operator of this service',
}

/** Null: a code that this console does not know. */
export function whoActs(code: string): string | null {
  const rules: Readonly<Record<string, { readonly origin: ErrorOrigin } | undefined>> = ERRORS
  const rule = Object.hasOwn(rules, code) ? rules[code] : undefined
  return rule === undefined ? null : ACTS[rule.origin]
}
