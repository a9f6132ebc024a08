// What the workshop asks its thread, and what comes back.
import type { ThreadCause } from '../../database/thread-cause.ts'
import type { ErrorCode, ConnectorErrorOptions } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { LoadResult } from '../../language/manifest/compiled.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { DraftPreview } from '../../service/console/manifest-routes.ts'
import type { ManifestComparison } from '../../service/manifests/manifest-reader.ts'

/** Each asks for one answer; the texts that were loaded last are loaded once. */
export interface WorkshopCalls {
  /** Findings, and what a sound text describes: a manifest is large, and taking it over takes time. */
  check: {
    readonly given: { readonly text: string }
    readonly answer: {
      readonly problems: LoadResult['problems']
      readonly isPart: boolean
      readonly connector: Described | null
    }
  }
  /** Findings, and the compiled form of a sound text, as JSON. */
  compile: {
    readonly given: { readonly text: string }
    readonly answer: { readonly problems: LoadResult['problems']; readonly compiled: string | null }
  }
  /** The changes between two sound manifests, each as its text or loaded. */
  compare: {
    readonly given: { readonly before: Manifest | string; readonly after: Manifest | string }
    readonly answer: ManifestComparison
  }
  /** A manifest drafted from a vendor's document. */
  draft: { readonly given: DraftCall; readonly answer: JsonObject }
  /** TypeScript of a sound text. */
  types: { readonly given: { readonly text: string }; readonly answer: string }
  /** What an operation would send, and its parameters. */
  preview: { readonly given: OperationCall; readonly answer: DraftPreview }
  /** The compiled form, as JSON, of a manifest with an operation and those that it calls alone. */
  narrow: {
    readonly given: Pick<OperationCall, 'text' | 'entity' | 'action'>
    readonly answer: { readonly compiled: string }
  }
  /** A local vendor's answer to an operation. */
  run: { readonly given: OperationCall; readonly answer: object }
}

export type Described = JsonObject & { readonly connector_type: string }

export interface DraftCall {
  readonly text: string
  readonly file: string
}

export interface OperationCall {
  readonly text: string
  readonly entity: string
  readonly action: string
  /** Null: an example. */
  readonly params: JsonObject | null
  /** Files of served manifests by type, next to which their demo data is. */
  readonly files: Readonly<Record<string, string>>
}

export type WorkshopMethod = keyof WorkshopCalls

export type WorkshopRequest = {
  [K in WorkshopMethod]: {
    readonly id: number
    readonly method: K
    readonly given: WorkshopCalls[K]['given']
  }
}[WorkshopMethod]

export type WorkshopReply = { readonly id: number } & (
  | { readonly answer: unknown }
  /** What the author gave is at fault. */
  | { readonly refused: Refusal }
  | { readonly failure: ThreadCause }
)

/** An error of this package, as far as it crosses. */
export interface Refusal extends Pick<
  ConnectorErrorOptions,
  'errors' | 'details' | 'upstream' | 'outcome' | 'retryable'
> {
  readonly code: ErrorCode
  readonly message: string
}

/** What the thread is started with. */
export interface WorkshopData {
  /** A file from which packages are found; what the thread runs may be no file. */
  readonly packagesFrom: string
}
