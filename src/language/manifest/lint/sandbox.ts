// What the sandbox could not do: it runs a manifest backwards and writes records to the places the answers are read from.
import type { Path } from '../../expression/syntax.ts'
import { problemAt } from '../document.ts'
import type { ManifestDraft } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import { entityOf } from './scopes.ts'

/** Warnings about answers that cannot be made up; examples of the entity help. */
export function lintSandbox(draft: ManifestDraft): readonly ManifestProblem[] {
  return draft.paths.flatMap(({ at, part, owner, use, path }) => {
    if (owner.area !== 'action' || !WRITTEN.test(use)) return []
    const step = oneWayStep(path)
    if (step === null || entityOf(draft.source, owner)?.examples !== undefined) return []
    return [
      problemAt(draft.document, {
        at,
        part,
        severity: 'warning',
        rule: 'sandbox/one-way-path',
        message: `the sandbox cannot write to ${step} of ${path.source}`,
        hint: `add examples to ${owner.entity}`,
      }),
    ]
  })
}

/** Where answers are read from. */
const WRITTEN =
  /^(response\.(records|record|page)|pagination\.(next|more|last|total|pages)|download\.url)/

function oneWayStep(path: Path): string | null {
  for (const step of path.steps) {
    if (step.kind === 'all') return '[*]'
    if (step.kind === 'computed') return 'the computed index'
    if (step.kind === 'index' && step.index < 0) return `[${step.index}]`
  }
  return null
}
