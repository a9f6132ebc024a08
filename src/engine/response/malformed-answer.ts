// Answers as expressions see them, and the error of one that was delivered but does not hold what it should.
import { ConnectorError } from '../../errors.ts'
import { ValueError } from '../../language/expression/evaluate.ts'
import type { Answer } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { changesData } from '../../language/manifest/changes-data.ts'
import type { Action } from '../../language/manifest/manifest.ts'

/** Makes `upstream_malformed`: `reason` completes "the answer of the third party …". */
export type Malformed = (reason: string, cause?: unknown) => ConnectorError

/** For one action: a write whose answer cannot be read was applied. */
export function compileMalformed(action: Pick<Action, 'entity' | 'name' | 'steps'>): Malformed {
  const { entity, name } = action
  const outcome = changesData(action) ? 'applied' : 'not_applied'
  return (reason, cause) =>
    new ConnectorError(
      'upstream_malformed',
      `${entity}.${name}: the answer of the third party ${reason}`,
      { outcome, cause, details: { entity, action: name } },
    )
}

/** The scope with `response` (`status`, `headers`, `body`) added. An undecoded or empty body is absent. */
export function withResponse(scope: Scope, { status, headers, body }: Answer): Scope {
  return { ...scope, response: { status, headers, body } }
}

/** Runs what reads an answer by expressions; a value that an expression cannot take is the answer's fault. */
export function readOrMalformed<T>(malformed: Malformed, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    throw malformed(`does not have the expected form: ${error.message}`, error)
  }
}
