// One finding about a manifest: what every phase of loading reports.

export type ProblemSeverity = 'error' | 'warning'

/** A finding with its place. Lines and columns count from 1, columns and lengths in UTF-16 units. */
export interface ManifestProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  /** How much of the line the finding covers, at least 1. */
  readonly length: number
  /** Where in the manifest, `entities.calls.actions.list.request.query[0]`; empty for the file as a whole. */
  readonly path: string
  readonly severity: ProblemSeverity
  /** Stable id, `group/name`. */
  readonly rule: string
  readonly message: string
  /** The way out, printed under the marked text. */
  readonly hint: string | null
}

/** The findings in the order of the file; of two at one place the first reported comes first. */
export function inFileOrder(problems: readonly ManifestProblem[]): readonly ManifestProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column)
}
