// What was read from one answer.
import type { ParamPath } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { UnsaidEnd } from './page-end.ts'
import type { UnmatchedPointer } from './unmatched.ts'

/** One answer, read: a page of a listing, or the result of any other action. */
export interface Page {
  /** What the caller gets: the records, the page object, the record; null where there is nothing. */
  readonly data: Json
  /** The records of a listing, as delivered; null for every other action. */
  readonly records: readonly Json[] | null
  /** How many records came, before any was taken away. */
  readonly received: number
  /** How many records of this page were taken away; null when nothing filters. */
  readonly filteredOut: number | null
  /** What the manifest puts into `meta`; the members of the engine are added by the envelope. */
  readonly meta: JsonObject
  /** The patch over the parameters that fetches the next page, null on the last. */
  readonly next: JsonObject | null
  /** False is certain; true may turn out to be one more, empty page. */
  readonly hasMore: boolean
  /** Set when `next` holds a URL of the vendor, which must not leave unsealed. */
  readonly link: PageLink | null
  /** Set where the listing ends with this page, its first, and nothing in the answer said that it does. */
  readonly unsaidEnd: UnsaidEnd | null
  /**
   * What tells this page from others of one run: a hash of the next cursor or URL, or of the first and last record
   * where pages are numbered. Null where there is nothing to compare. Computed when called.
   */
  readonly mark: () => string | null
  /** The pointers of a listing that found nothing in its answer; absent where none was looked for. Computed when called. */
  readonly unmatched?: () => readonly UnmatchedPointer[]
  /** True when no number in `data` needs the form of text for JavaScript callers; false says nothing. */
  readonly plain: boolean
}

export interface PageLink {
  /** The parameter in `next` that holds the URL. */
  readonly param: ParamPath
  /** The URL, absolute. */
  readonly url: string
  /** The URL as the vendor wrote it. */
  readonly written: string
}
