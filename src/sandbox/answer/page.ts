// Cutting a listing into pages, in each of the ways a manifest can page.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../language/json/json.ts'
import { ownAt, withMember } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { Action, Paging } from '../../language/manifest/manifest.ts'
import { isCounting, pagingOf } from '../../language/manifest/pagination-styles.ts'
import { textOf } from '../wire/same-scalar.ts'

/** One page of a listing, and everything a vendor may say about it. */
export interface Page<T> {
  readonly rows: readonly T[]
  /** Position of the first row in the whole listing, from 0. */
  readonly offset: number
  /** How many rows a full page has. */
  readonly size: number
  readonly total: number
  readonly isLast: boolean
  /** What the moving parameter must be for the next page; null on the last. */
  readonly next: string | number | null
  /** The same as an address, once the answer's own address is known. */
  readonly nextUrl: string | null
  /** A cursor that stands behind the last row of the page; null where pages have none or the page is empty. */
  readonly end: string | number | null
}

/** The cursor in a request is not one of this listing. */
export class CursorRefused extends Error {}

export interface PageRules<T = unknown> {
  /** Page size when none is asked for. */
  readonly size: number
  /** What a greater page size is lowered to, without a word. */
  readonly max: number
  /** The value of LINK_PARAMETER in the request, if it has one. */
  readonly link?: string | undefined
  /** The member of a row that is the cursor behind it, where the manifest takes the cursor from the last record. */
  readonly cursorOf?: ((row: T) => string | number | null) | null
  /** Where cursors come from records, too (`for_each`), whose members are made up: they mean the first row. */
  readonly isFed?: boolean
}

/** Name of the query parameter that a link to a next page carries. No manifest declares it; the sandbox adds it. */
export const LINK_PARAMETER = 'sandbox_page'

/**
 * The page that the parameters ask for.
 * Throws CursorRefused for a cursor that this listing (same action, same other parameters) never gave.
 */
export function cutPage<T>(
  rows: readonly T[],
  action: Action,
  params: JsonObject,
  rules: PageRules<T>,
): Page<T> {
  const paging = pagingOf(action.pagination)
  const size = paging === null ? rows.length : pageSize(paging, params, rules)
  const key = listingKey(action, params)
  const { cursorOf = null, isFed = false } = rules
  const read = (cursor: string): number =>
    cursorOf === null
      ? isFed && !isWritten(cursor)
        ? 0
        : readCursor(cursor, key)
      : behind(rows.findIndex((row) => textOf(cursorOf(row)) === cursor))
  const listing = { size, link: rules.link, read }
  const offset = paging === null ? 0 : offsetOf(paging, params, listing)
  const cut = rows.slice(offset, offset + size)
  const after = offset + cut.length
  const isLast = after >= rows.length
  const lastRow = cut.at(-1)
  const own = cursorOf === null || lastRow === undefined ? null : cursorOf(lastRow)
  const token = own ?? writeCursor(after, key)
  return {
    rows: cut,
    offset,
    size,
    total: rows.length,
    isLast,
    next: isLast || paging === null ? null : nextOf(paging, { offset, size, after }, token),
    nextUrl: null,
    end: paging?.by === 'token' && cut.length > 0 ? token : null,
  }
}

/** The place behind a row that was found. */
function behind(index: number): number {
  if (index < 0) throw new CursorRefused('No record of this listing has the cursor')
  return index + 1
}

function pageSize(
  { size }: Paging,
  params: JsonObject,
  rules: Pick<PageRules, 'size' | 'max'>,
): number {
  const asked = size === null ? undefined : ownAt(params, size)
  return typeof asked === 'number' && asked > 0 ? Math.min(asked, rules.max) : rules.size
}

function offsetOf(
  paging: Paging,
  params: JsonObject,
  listing: Pick<PageRules, 'size' | 'link'> & { readonly read: (cursor: string) => number },
): number {
  const given = ownAt(params, paging.param)
  if (isCounting(paging)) {
    const counted = Math.max(0, Number(given ?? paging.from) - paging.from)
    return paging.by === 'pages' ? counted * listing.size : counted
  }
  if (paging.by === 'address') {
    return listing.link === undefined ? 0 : listing.read(listing.link)
  }
  if (given === undefined || given === null || given === paging.start) return 0
  return listing.read(textOf(given))
}

function nextOf(
  paging: Paging,
  { offset, size, after }: Record<'offset' | 'size' | 'after', number>,
  token: string | number,
): string | number {
  if (!isCounting(paging)) return token
  return paging.from + (paging.by === 'pages' ? Math.floor(offset / size) + 1 : after)
}

/** What a listing is recognised by: the action and all parameters but those that move through it. */
export function listingKey(action: Action, params: JsonObject): string {
  const paging = pagingOf(action.pagination)
  const moving = paging === null ? [] : [paging.param, paging.size ?? []]
  const fixed = moving.reduce((left, path) => withMember(left, path, null), params)
  const others = Object.entries(fixed).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([action.entity, action.name, others]))
    .digest('hex')
    .slice(0, 12)
}

function writeCursor(offset: number, key: string): string {
  return Buffer.from(JSON.stringify({ at: offset, of: key })).toString('base64url')
}

/** Whether a cursor is one of the sandbox's own. */
function isWritten(cursor: string): boolean {
  return own(tryParseJson(Buffer.from(cursor, 'base64url').toString('utf8')), 'of') !== undefined
}

function readCursor(cursor: string, key: string): number {
  const read = tryParseJson(Buffer.from(cursor, 'base64url').toString('utf8'))
  const at = own(read, 'at')
  if (own(read, 'of') !== key || typeof at !== 'number') {
    throw new CursorRefused('The cursor belongs to no listing like this one')
  }
  return at
}
