// Why a manifest is not published, in words with the way out.
import { majorOf } from '../catalogue.ts'
import { ConnectorError, type Problem } from '../../errors.ts'
import type { LoadResult } from '../../language/manifest/compiled.ts'
import type { ManifestComparison } from './manifest-reader.ts'
import type { Version } from './published-manifests.ts'

/** The errors of a text. */
export function lintProblems({ problems }: LoadResult): readonly Problem[] {
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ line, column, rule, message }) =>
      problemOf(rule, `line ${line}, column ${column}: ${message}`),
    )
}

/** What is wrong with the number of a version that follows another one of its major. */
export function stepProblems(
  { version }: Version,
  { made, from, changes, isRefused }: ManifestComparison,
): readonly Problem[] {
  if (made === 'backwards')
    return [problemOf('backwards', `${from} is there already; roll back, or give a higher version`)]
  if (made === 'none')
    return [problemOf('same_version', `${from} is there already; raise connector.version`)]
  if (!isRefused) return []
  const gone = changes.filter((change) => change.class === 'breaking')
  const shown = gone.slice(0, SHOWN).map(({ path, change }) => `${path}: ${change}`)
  const more = gone.length > SHOWN ? `, and ${gone.length - SHOWN} more` : ''
  return [
    problemOf(
      'breaking',
      `${from} → ${version} breaks what callers rely on (${shown.join('; ')}${more}); ${wayOut(from)}`,
    ),
  ]
}

const SHOWN = 5

/** Below 1.0.0 a minor step may break, and instances go along with it. */
function wayOut(from: string): string {
  const [major = '0', minor = '0'] = from.split('.')
  return major === '0'
    ? `make connector.version 0.${Number(minor) + 1}.0`
    : `make connector.version ${Number(major) + 1}.0.0: instances that are there stay with ${major}.x until they are moved`
}

export function takenProblem({ type, version }: Version): Problem {
  return problemOf(
    'taken',
    `${type} ${version} was published with another text, and a version never changes; raise connector.version`,
  )
}

/** Of a change that takes something away from running instances; `instances`: how many, null: unknown. */
export function unconfirmed(
  { version }: Version,
  { isLost, instances }: { readonly isLost: boolean; readonly instances: number | null },
): Problem {
  const count = instances === null ? '' : `${instances} `
  const whom = `${count}${instances === 1 ? 'instance' : 'instances'} of major ${majorOf(version)}`
  return problemOf(
    'unconfirmed',
    isLost
      ? `${whom} would have no manifest and answer connector_version_unavailable; confirm it (accept_breaking) to do it all the same`
      : `${whom} would lose what callers rely on; confirm it (accept_breaking) to do it all the same`,
  )
}

export function problemOf(code: string, detail: string): Problem {
  return { pointer: '/text', code, detail }
}

export function refused(errors: readonly Problem[]): ConnectorError {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const message = `${first?.detail ?? 'there is no manifest'}${more}`
  return new ConnectorError('manifest_refused', message, { errors })
}

export function denied(message: string): ConnectorError {
  return new ConnectorError('scope_denied', message)
}
