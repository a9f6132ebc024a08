// Cutting a listing into pages, in each of the ways a manifest can page.
import { createHash } from 'node:crypto'

import type { JsonObject } from '../../json/json.ts'
import { own } from '../../json/own.ts'
import type { Action, Pagination } from '../../manifest/manifest.ts'
import { textOf } from '../wire/same-scalar.ts'
import { setAt, valueAtPath } from '../wire/value-at.ts'

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
  readonly end: string | null
}

/** The cursor in a request is not one of this listing. */
export class CursorRefused extends Error {}

export interface PageRules {
  /** Page size when none is asked for. */
  readonly size: number
  /** What a greater page size is lowered to, without a word. */
  readonly max: number
}

/** Name of the query parameter that a link to a next page carries. No manifest declares it; the sandbox adds it. */
export const LINK_PARAMETER = 'sandbox_page'

/**
 * The page that the parameters ask for. `link`: the value of LINK_PARAMETER.
 * Throws CursorRefused for a cursor that this listing (same action, same other parameters) never gave.
 */
export function cutPage<T>(
  rows: readonly T[],
  action: Action,
  params: JsonObject,
  rules: PageRules,
  link: string | undefined,
): Page<T> {
  const { pagination } = action
  if (pagination.type === 'none') return whole(rows)
  const size = pageSize(pagination, params, rules)
  const key = listingKey(action, params)
  const offset = offsetOf(pagination, params, { size, key, link })
  const cut = rows.slice(offset, offset + size)
  const isLast = offset + cut.length >= rows.length
  return {
    rows: cut,
    offset,
    size,
    total: rows.length,
    isLast,
    next: isLast ? null : nextOf(pagination, offset, cut.length, size, key),
    nextUrl: null,
    end:
      pagination.type === 'cursor' && cut.length > 0 ? writeCursor(offset + cut.length, key) : null,
  }
}

function whole<T>(rows: readonly T[]): Page<T> {
  const { length } = rows
  return {
    rows,
    offset: 0,
    size: length,
    total: length,
    isLast: true,
    next: null,
    nextUrl: null,
    end: null,
  }
}

type Paging = Exclude<Pagination, { readonly type: 'none' }>

function pageSize(pagination: Paging, params: JsonObject, rules: PageRules): number {
  const asked = pagination.size === null ? undefined : valueAtPath(params, pagination.size)
  return typeof asked === 'number' && asked > 0 ? Math.min(asked, rules.max) : rules.size
}

function offsetOf(
  pagination: Paging,
  params: JsonObject,
  listing: { readonly size: number; readonly key: string; readonly link: string | undefined },
): number {
  const given = valueAtPath(params, pagination.param)
  switch (pagination.type) {
    case 'offset':
      return Math.max(0, Number(given ?? 0))
    case 'page':
      return Math.max(0, Number(given ?? pagination.first) - pagination.first) * listing.size
    case 'cursor':
      if (given === undefined || given === null || given === pagination.first) return 0
      return readCursor(textOf(given), listing.key)
    case 'link':
      return listing.link === undefined ? 0 : readCursor(listing.link, listing.key)
  }
}

function nextOf(
  pagination: Paging,
  offset: number,
  received: number,
  size: number,
  key: string,
): string | number {
  if (pagination.type === 'offset') return offset + received
  if (pagination.type === 'page') return pagination.first + Math.floor(offset / size) + 1
  return writeCursor(offset + received, key)
}

/** What a listing is recognised by: the action and all parameters but those that move through it. */
export function listingKey(action: Action, params: JsonObject): string {
  const { pagination } = action
  const moving = pagination.type === 'none' ? [] : [pagination.param, pagination.size ?? []]
  const fixed = moving.reduce((left, path) => setAt(left, path, null), params)
  const others = Object.entries(fixed).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([action.entity, action.name, others]))
    .digest('hex')
    .slice(0, 12)
}

function writeCursor(offset: number, key: string): string {
  return Buffer.from(JSON.stringify({ at: offset, of: key })).toString('base64url')
}

function readCursor(cursor: string, key: string): number {
  const read = parseCursor(cursor)
  const at = own(read, 'at')
  if (own(read, 'of') !== key || typeof at !== 'number') {
    throw new CursorRefused('The cursor belongs to no listing like this one')
  }
  return at
}

function parseCursor(cursor: string): JsonObject {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as JsonObject
  } catch {
    return {} // Not one of ours: refused by the caller.
  }
}
