// The root `response` of expressions: the answer at hand.
import type { Answer } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'

/** The scope with `response` (`status`, `headers`, `body`) added. An undecoded or empty body is absent. */
export function withResponse(scope: Scope, answer: Answer): Scope {
  const { status, headers, body } = answer
  return { ...scope, response: { status, headers, body } }
}
