// What a caller needs to go on where an operation stopped: the parameters that pagination carries.
import { amendError, isConnectorError } from '../../errors.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { withMember } from '../../language/json/members.ts'
import type { Action } from '../../language/manifest/manifest.ts'
import { turnsPages } from '../../language/manifest/pagination-styles.ts'

/** The parameters that the next call must carry to go on where this one stopped; null when there are none. */
export function carriedParams(action: Action, scope: Scope): JsonObject | null {
  if (!turnsPages(action.pagination)) return null
  const carried = action.pagination.carry.reduce<JsonObject>((next, [param, template]) => {
    const value = compileTemplate(template)(scope)
    return value === undefined ? next : withMember(next, param, value)
  }, {})
  return Object.keys(carried).length === 0 ? null : carried
}

/**
 * The error with the carried parameters as `details.next`, unless it has some already: what was started (a report of
 * the third party) is used by the next call and not started again.
 */
export function withCarriedParams(action: Action, scope: Scope, error: unknown): unknown {
  if (!isConnectorError(error) || error.details['next'] !== undefined) return error
  const next = carriedParams(action, scope)
  return next === null ? error : amendError(error, { details: { next } })
}
