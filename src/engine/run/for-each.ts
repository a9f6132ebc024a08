// Further calls for each record of an answer: what of another action belongs into the record.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import { compileExpression, compileTemplate, isTrue } from '../../language/expression/evaluate.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import {
  isJsonObject,
  isList,
  mergeObjects,
  ownAt,
  withMember,
} from '../../language/json/members.ts'
import type { Action } from '../../language/manifest/manifest.ts'
import type { Operation } from '../plan/plan.ts'

type ForEach = NonNullable<Action['forEach']>

/** What one call of the other action gives: its data, and the patch that leads to its next page. */
export interface EachAnswer {
  readonly data: Json
  readonly next: JsonObject | null
  /** How often something was sent. */
  readonly requests: number
}

/** Makes one call of the other action. */
export type CallEach = (operation: Operation) => Promise<EachAnswer>

/** Completes records; `scope` has what their templates see but the record. */
export type Complete = (
  records: readonly Json[],
  scope: Scope,
  call: CallEach,
) => Promise<{ readonly records: readonly Json[]; readonly requests: number }>

/** Calls under way for the records of one answer. */
const AT_ONCE = 4

/** The entity and the action that are called. */
export function calledAction({ action }: ForEach): readonly [entity: string, action: string] {
  const [entity = '', name = ''] = action.split('.')
  return [entity, name]
}

/**
 * Compiles `for_each` of an action. Every record for which `if` is true gets the answer of the other action as its member
 * `into`: of a listing the records of all pages, behind those that are there with `append`. A record that is no object
 * stays as it is.
 *
 * At most `max` calls are made for one answer, pages included: beyond, `upstream_response_too_large`, before anything is
 * sent where the records alone are more. The first call that fails fails the whole; no further one is begun.
 */
export function compileForEach(forEach: ForEach, operation: string): Complete {
  const { if: test, into, append, max } = forEach
  const isDue = test === null ? () => true : compileExpression(test)
  const render = compileTemplate(forEach.params)
  const [entity, action] = calledAction(forEach)
  const path = into.split('.')
  return async (records, scope, call) => {
    const due = records.flatMap((record, index) =>
      isJsonObject(record) && isTrue(isDue({ ...scope, record })) ? [{ record, index }] : [],
    )
    if (due.length > max) throw tooMany(operation, forEach)
    const completed = [...records]
    let calls = 0
    let requests = 0
    const complete = async (record: JsonObject): Promise<Json> => {
      let params = render({ ...scope, record }) as JsonObject
      const before = append ? ownAt(record, path) : undefined
      const all: Json[] = isList(before) ? [...before] : []
      for (;;) {
        calls += 1
        if (calls > max) throw tooMany(operation, forEach)
        const answer = await call({ entity, action, params }).catch((error: unknown) => {
          throw notCompleted(error, operation, forEach)
        })
        requests += answer.requests
        if (!isList(answer.data)) return withMember(record, path, answer.data)
        all.push(...answer.data)
        if (answer.next === null) return withMember(record, path, all)
        params = mergeObjects(params, answer.next)
      }
    }
    const failures: unknown[] = []
    const work = async (): Promise<void> => {
      for (let one = due.shift(); one !== undefined && failures.length === 0; one = due.shift()) {
        try {
          completed[one.index] = await complete(one.record)
        } catch (error) {
          failures.push(error)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (failures.length > 0) throw failures[0]
    return { records: completed, requests }
  }
}

/** What the other action refuses was in a record: nobody has given it. */
function notCompleted(error: unknown, operation: string, { action }: ForEach): unknown {
  if (!isConnectorError(error, 'params_invalid')) return error
  return new ConnectorError(
    'upstream_malformed',
    `${operation}: a record of the answer does not have what ${action} needs of it: ${error.message}`,
    { cause: error },
  )
}

function tooMany(operation: string, { action, max }: ForEach): ConnectorError {
  return new ConnectorError(
    'upstream_response_too_large',
    `${operation} calls ${action} for each record, ${max} times at most for one answer; ask for fewer records per page`,
  )
}
