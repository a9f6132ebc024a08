// Limits that a third party keeps for less than an instance: for one of its records, say.
import type { NarrowLimit } from '../exchange/call.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Limits } from '../../language/manifest/manifest.ts'
import { compileErrorRules } from '../response/error-rules.ts'

/**
 * Compiles the narrow limits of a manifest for one step; the function gives those that a call falls under.
 * Source: docs/manifest-language.md, "Top-level keys".
 */
export function compileNarrowLimits(
  { narrow = [] }: Limits,
  isWrite: boolean,
): (scope: Scope) => readonly NarrowLimit[] {
  const rules = narrow.flatMap(({ when, per, writes }, index) =>
    writes && !isWrite ? [] : [{ judge: compileErrorRules([when]), per, index }],
  )
  if (rules.length === 0) return () => NONE
  return (scope) => {
    const { params = {} } = scope
    return rules.flatMap(({ judge, per, index }) => {
      const value = Object.hasOwn(params, per) ? params[per] : undefined
      if (value === undefined || value === null) return []
      return [
        {
          key: JSON.stringify([index, value]),
          matches: (answer) => {
            const verdict = judge(answer, scope)
            return verdict.effect !== 'pass' && verdict.rule !== null
          },
        } satisfies NarrowLimit,
      ]
    })
  }
}

const NONE: readonly NarrowLimit[] = []
