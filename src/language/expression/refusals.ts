// Values that cannot be placed, collected over one request, and said at once.
import { ConnectorError, type Problem } from '../../errors.ts'
import { pointerTo } from '../json/pointer.ts'
import { pathsIn } from './paths-in.ts'
import { ValueError } from './value-error.ts'

/** What went wrong in one request; empty when all is well. */
export type Refusals = { readonly tree: unknown; readonly error: ValueError }[]

/** Runs `place`; a value that cannot stand there is noted, with the tree of the manifest that gave it. */
export function attempt<T>(refusals: Refusals, tree: unknown, place: () => T): T | undefined {
  try {
    return place()
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    refusals.push({ tree: error.expression ?? tree, error })
    return undefined
  }
}

/**
 * Throws what was noted: `params_invalid` with a pointer for each parameter in the expressions concerned;
 * `upstream_malformed` where they read answers of earlier steps only; where only the manifest can be the cause,
 * `internal_error`.
 */
export function throwRefusals(refusals: Refusals): void {
  if (refusals.length === 0) return
  const problems = refusals.flatMap(({ tree, error }): Problem[] =>
    pathsIn(tree, 'params').map((path) => ({
      pointer: pointerTo('/params', path),
      code: 'place',
      detail: error.message,
    })),
  )
  const [first] = refusals
  const isOfAnswers = refusals.some(({ tree }) => pathsIn(tree, 'steps').length > 0)
  if (problems.length === 0 && isOfAnswers) {
    throw new ConnectorError(
      'upstream_malformed',
      `an earlier answer of the third party lacks what the next request needs: ${first?.error.message ?? ''}`,
      { outcome: 'not_applied' },
    )
  }
  if (problems.length === 0) {
    throw new ConnectorError(
      'internal_error',
      `the manifest puts a value where it cannot stand: ${first?.error.message ?? ''}`,
    )
  }
  const unique = problems.filter(
    (problem, index) => problems.findIndex((other) => other.pointer === problem.pointer) === index,
  )
  throw new ConnectorError(
    'params_invalid',
    unique.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '),
    { errors: unique },
  )
}
