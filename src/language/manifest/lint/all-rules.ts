// The registry of the semantic lint: every group of rules, in the order in which a finding at one place wins.
import type { ManifestDraft } from '../draft.ts'
import { inFileOrder, type ManifestProblem } from '../problem.ts'
import { lintAuth } from './auth.ts'
import { lintErrors } from './errors.ts'
import { lintExpressions } from './expressions.ts'
import { lintInjection } from './injection.ts'
import { lintNames } from './names.ts'
import { lintPagination } from './pagination.ts'
import { lintParams } from './params.ts'
import { lintPaths } from './paths.ts'
import { lintRequests } from './requests.ts'
import { lintSandbox } from './sandbox.ts'
import { lintSchemas } from './schemas.ts'
import { lintSearch } from './search.ts'
import { lintServers } from './servers.ts'
import { lintSteps } from './steps.ts'
import { lintSync } from './sync.ts'

/** One group of rules. */
export type LintGroup = (draft: ManifestDraft) => readonly ManifestProblem[]

const GROUPS: readonly LintGroup[] = [
  lintExpressions,
  lintPaths,
  lintParams,
  lintInjection,
  lintRequests,
  lintSchemas,
  lintPagination,
  lintErrors,
  lintServers,
  lintAuth,
  lintSteps,
  lintSync,
  lintSearch,
  lintNames,
  lintSandbox,
]

/**
 * The findings of the semantic lint in file order: rules that a JSON Schema cannot say. A manifest with an error among
 * them is refused; warnings are told and do no harm. Of several findings at one place the first one stands.
 * Source: docs/manifest-language.md, "Loading, lint, messages".
 */
export function lintManifest(draft: ManifestDraft): readonly ManifestProblem[] {
  const found = new Map<string, ManifestProblem>()
  for (const problem of GROUPS.flatMap((lint) => lint(draft))) {
    const place = `${problem.line}:${problem.column}`
    if (!found.has(place)) found.set(place, problem)
  }
  return inFileOrder([...found.values()])
}
