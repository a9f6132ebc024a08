// The registry of the semantic lint: every group of rules, in the order in which a finding at one place wins.
import type { ManifestDraft } from '../draft.ts'
import { inFileOrder, type ManifestProblem } from '../problem.ts'
import { lintAuth } from './auth.ts'
import { lintErrors } from './errors.ts'
import { lintFiles } from './files.ts'
import { lintGivenValues } from './given-values.ts'
import { lintForEach } from './for-each.ts'
import { lintExpressions } from './expressions.ts'
import { lintGraphql } from './graphql.ts'
import { lintInjection } from './injection.ts'
import { Lint } from './lint.ts'
import { lintLiterals, lintSchemes } from './literals.ts'
import { lintNames } from './names.ts'
import { lintPagination } from './pagination.ts'
import { lintParams } from './params.ts'
import { lintPaths, lintSandbox } from './paths.ts'
import { lintPicture } from './pictures.ts'
import { lintRequests } from './requests.ts'
import { lintSchemas } from './schemas.ts'
import { lintSearch } from './search.ts'
import { lintServers } from './servers.ts'
import { lintSteps } from './steps.ts'
import { lintSync } from './sync.ts'
import { lintTools } from './tools.ts'
import { lintTranslations } from './translations.ts'
import { lintUploads } from './uploads.ts'
import { lintVerbs } from './verbs.ts'
import { lintWaits } from './waits.ts'
import { lintWebhooks } from './webhooks.ts'
import { lintXml } from './xml.ts'

const GROUPS: readonly ((lint: Lint) => void)[] = [
  lintExpressions,
  lintPaths,
  lintLiterals,
  lintParams,
  lintFiles,
  lintUploads,
  lintInjection,
  lintRequests,
  lintTools,
  lintVerbs,
  lintSchemas,
  lintPagination,
  lintXml,
  lintGraphql,
  lintErrors,
  lintWaits,
  lintServers,
  lintAuth,
  lintSchemes,
  lintSteps,
  lintForEach,
  lintSync,
  lintSearch,
  lintWebhooks,
  lintNames,
  lintPicture,
  lintTranslations,
  lintGivenValues,
  lintSandbox,
]

/**
 * The findings of the semantic lint in file order: rules that a JSON Schema cannot say. A manifest with an error among
 * them is refused; warnings leave it usable. Of several findings at one place the first one stands.
 * Source: docs/manifest-language.md, "Loading, lint, messages".
 */
export function lintManifest(draft: ManifestDraft): readonly ManifestProblem[] {
  const lint = new Lint(draft)
  for (const group of GROUPS) group(lint)
  const first = Map.groupBy(lint.problems, ({ line, column }) => `${line}:${column}`)
  return inFileOrder([...first.values()].flatMap((problems) => problems.slice(0, 1)))
}
