// What is wrong in an answer of GraphQL stands in it, whatever its status. Source: GraphQL, October 2021, section 7.1.
import type { Step } from './manifest.ts'

const ERRORS_AT = '$.errors[0]'

/** Rules behind those of the manifest, for requests with `graphql`. */
export const GRAPHQL_FAILURES = [
  // Without `data` nothing was executed.
  {
    when: { status: '2xx', body: { '$.errors[0]': { exists: true }, '$.data': { exists: false } } },
    as: 'invalid',
    outcome: null,
  },
  {
    when: { status: '2xx', body: { '$.errors[0]': { exists: true } } },
    as: 'unprocessable',
    outcome: 'uncertain',
  },
] as const

/** Whether a rule is one of these, which say nothing of the words that a vendor has for its refusals. */
export function isOfGraphql({ status, body }: Step['errors'][number]): boolean {
  const isSuccess = status.length === 1 && status[0]?.[0] === 200
  return isSuccess && body.some(({ at, test }) => at.source === ERRORS_AT && test.exists === true)
}
