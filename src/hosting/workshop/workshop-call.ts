// What the workshop asks its thread, and what comes back.
import type { ThreadCause } from '../../database/thread-cause.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { LoadResult } from '../../language/manifest/compiled.ts'

/** Each asks for one answer; the text that was loaded last is loaded once. */
export interface WorkshopCalls {
  /** Findings, and what a sound text describes: a manifest is large, and taking it over takes time. */
  check: {
    readonly given: { readonly text: string }
    readonly answer: {
      readonly problems: LoadResult['problems']
      readonly connector: Described | null
    }
  }
  /** The same, and the manifest. */
  load: { readonly given: { readonly text: string }; readonly answer: LoadResult }
  /** The changes from the served version to a sound text. */
  compare: {
    readonly given: { readonly text: string; readonly before: Manifest }
    readonly answer: JsonObject
  }
  /** A manifest drafted from a vendor's document. */
  draft: { readonly given: DraftCall; readonly answer: JsonObject }
}

export type Described = JsonObject & { readonly connector_type: string }

export interface DraftCall {
  readonly text: string
  readonly file: string
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
  | { readonly refused: string }
  | { readonly failure: ThreadCause }
)
