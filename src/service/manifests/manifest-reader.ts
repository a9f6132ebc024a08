// What publishing asks of who reads manifests: large ones take seconds, so a thread does it.
import type { JsonObject } from '../../language/json/json.ts'
import type { LoadResult } from '../../language/manifest/compiled.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'

export interface ManifestReader {
  /** Every finding, and the manifest; null where one of the findings is an error. */
  load(text: string): Promise<LoadResult>
  /** What changes from one to the other; each a sound text, or loaded. */
  compare(before: Manifest | string, after: Manifest | string): Promise<ManifestComparison>
}

/** Two versions of a manifest compared. Source: docs/manifest-language.md, section 15. */
export interface ManifestComparison {
  readonly from: string
  readonly to: string
  /** The smallest step of the version that the changes ask for. */
  readonly needed: 'major' | 'minor' | 'patch' | 'none'
  /** The step that the versions make. */
  readonly made: 'major' | 'minor' | 'patch' | 'none' | 'backwards'
  /** Something breaks and the version does not say so. */
  readonly isRefused: boolean
  readonly changes: readonly {
    readonly class: 'breaking' | 'additive' | 'cosmetic'
    readonly path: string
    readonly change: string
  }[]
}

/** As routes show it. */
export function showComparison(compared: ManifestComparison): JsonObject {
  const { isRefused: refused, changes, ...steps } = compared
  return { ...steps, refused, changes: changes.map((each) => ({ ...each })) }
}

export function breaks({ changes }: ManifestComparison): boolean {
  return changes.some((change) => change.class === 'breaking')
}
