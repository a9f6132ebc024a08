// The port to the third party: what a sync reads, one page or one record at a time.
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { UnsaidEnd } from '../../engine/response/page-end.ts'

export interface UpstreamPage {
  readonly records: readonly Json[]
  /** The patch over the parameters that fetches the next page; null on the last. */
  readonly next: JsonObject | null
  /** Tells this page from others of one listing; null where nothing can be compared. */
  readonly mark: string | null
  /** How many records the third party says there are; null when it does not. */
  readonly total: number | null
  /** Set where the listing ends with this page, its first, and nothing in the answer said that it does. */
  readonly unsaidEnd: UnsaidEnd | null
  /** How long the call waited for its turn, in milliseconds. */
  readonly waitedMs: number
}

export interface UpstreamCall {
  readonly entity: string
  readonly action: string
  readonly params: JsonObject
  readonly signal: AbortSignal
}

/** The actions of one instance. They throw what the engine throws, also for an answer that is none: it is no empty page. */
export interface Upstream {
  config(): JsonObject
  list(call: UpstreamCall): Promise<UpstreamPage>
  get(call: UpstreamCall): Promise<Json>
}
