// A page → the envelope every caller gets.
import { exactToText, isExactNumber } from '../../language/json/exact-number.ts'
import { withMember } from '../../language/json/members.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { Page, PageLink } from '../response/page.ts'
import type { PageSurroundings } from '../response/read-page.ts'

/** What an operation answers; hosted mode adds `execution`. */
export interface Envelope {
  readonly data: Json
  readonly meta: JsonObject
}

/** Encrypts and authenticates the URL of a next page, which may hold tokens of the vendor. */
type Seal = (url: string) => string

/**
 * Wraps a page. A listing has `has_more`, `next` and, where records were taken away, `filtered_out` next to the meta
 * of the manifest; every other action has an empty meta.
 * Source: the service's HTTP contract, "Execute".
 */
export function wrapPage(page: Page, seal: Seal): Envelope {
  return { data: page.data, meta: page.records === null ? page.meta : listingMeta(page, seal) }
}

/** The meta of a listing. */
export function listingMeta(page: PageSurroundings, seal: Seal): JsonObject {
  const { meta, next } = page.link === null ? page : sealLink(page, page.link, seal)
  return {
    ...meta,
    has_more: page.hasMore,
    next,
    ...(page.filteredOut !== null && { filtered_out: page.filteredOut }),
  }
}

/**
 * The page for JavaScript callers: every number that a double cannot hold is text, in `next` too, where text is the
 * only thing a caller can hand back. A page without such numbers comes back as itself.
 */
export function toClientForm(page: Page): Page {
  const data = page.plain ? page.data : exactToText(page.data)
  const meta = exactToText(page.meta) as JsonObject
  const next = exactToText(page.next) as JsonObject | null
  if (data === page.data && meta === page.meta && next === page.next) return page
  return {
    data,
    records: recordsIn(page, data),
    received: page.received,
    filteredOut: page.filteredOut,
    meta,
    next,
    hasMore: page.hasMore,
    link: page.link,
    unsaidEnd: page.unsaidEnd,
    mark: page.mark,
    plain: true,
    ...(page.unmatched !== undefined && { unmatched: page.unmatched }),
  }
}

/** The records of a page whose data now is `data`: mostly they are the data. */
function recordsIn(page: Page, data: Json): readonly Json[] | null {
  const records = page.records === page.data ? data : exactToText(page.records)
  // A list comes back as a list, null as null.
  return records as readonly Json[] | null
}

function sealLink(
  { meta, next }: PageSurroundings,
  { param, url, written }: PageLink,
  seal: Seal,
): Pick<Page, 'meta' | 'next'> {
  const sealed = seal(url)
  // A manifest may show the link in `meta` as well, as `$next` or as the vendor wrote it.
  const replace = (text: string): string => (text === url || text === written ? sealed : text)
  return {
    meta: mapTexts(meta, replace) as JsonObject,
    next: withMember(next ?? {}, param, sealed),
  }
}

function mapTexts(value: Json, replace: (text: string) => string): Json {
  if (typeof value === 'string') return replace(value)
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return value
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, replace))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapTexts(member, replace)]),
  )
}
