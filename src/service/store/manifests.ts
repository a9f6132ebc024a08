// Manifests that were published while the service runs: every version for good, and which one is served for each major.
import type { AuditEntry } from './audit.ts'

/** One published version. It never changes. */
export interface PublishedManifest {
  readonly connectorType: string
  readonly version: string
  /** A UUID of version 7: the order in which they were published. */
  readonly manifestId: string
  /** Of the manifest that the text is resolved to. */
  readonly hash: string
  /** The text. */
  readonly manifest: string
  /** As the audit log names who did it. */
  readonly publishedBy: string
  readonly publishedAt: number
  /** What they said of it; null: nothing. */
  readonly note: string | null
}

/** The version that is served to instances of a major. */
export interface CurrentManifest {
  readonly connectorType: string
  readonly major: string
  readonly version: string
  readonly changedBy: string
  readonly changedAt: number
}

export type ManifestPlace = Pick<CurrentManifest, 'connectorType' | 'major'>

/**
 * `moved`: another version is current by now than the caller has looked at; `taken`: the version was published with
 * another text.
 */
export type ManifestChange = 'done' | 'moved' | 'taken'

export interface ManifestStore {
  /**
   * Stores a version, and makes it the current one of its major, if `before` (null: none) still is. The same text once more
   * is the row that is there.
   */
  publish(
    row: Omit<PublishedManifest, 'publishedAt' | 'publishedBy'>,
    place: { readonly major: string; readonly before: string | null },
    audit: AuditEntry,
  ): Promise<ManifestChange>
  /** Makes a version that is there the current one of its major, if `before` still is; null: none is served any more. */
  makeCurrent(
    place: ManifestPlace & { readonly before: string | null },
    version: string | null,
    audit: AuditEntry,
  ): Promise<Exclude<ManifestChange, 'taken'>>
  /** Ordered by type and major. */
  current(): Promise<readonly CurrentManifest[]>
  find(connectorType: string, version: string): Promise<PublishedManifest | null>
  /** The newest first, without their texts; only what was published before `beforeId`. */
  list(filter: {
    readonly connectorType?: string | undefined
    readonly beforeId?: string | undefined
    readonly limit: number
  }): Promise<readonly Omit<PublishedManifest, 'manifest'>[]>
  /** How many instances of all organisations have each version of a connector. `isWhole`: no node of the database is away. */
  instances(connectorType: string): Promise<{
    readonly versions: readonly { readonly version: string; readonly count: number }[]
    readonly isWhole: boolean
  }>
}
