// Pages of listings.
import { problemError } from '../../errors.ts'

export interface PageLimits {
  readonly usual: number
  readonly max: number
}

const LIMITS: PageLimits = { usual: 50, max: 200 }

/** 50 where none is given. Throws `request_malformed` beyond 200: never a silent cut. Of some listings both are others. */
export function limitIn(text: string | undefined, { usual, max }: PageLimits = LIMITS): number {
  if (text === undefined) return usual
  const limit = Number(text)
  if (limit >= 1 && limit <= max) return limit
  const detail = `must be from 1 to ${max}`
  const problem = { pointer: '/limit', code: 'range', detail }
  throw problemError('request_malformed', problem, `limit ${detail}`)
}

/** The rows of a page, of which one more than `limit` was asked for, and where the next one begins. */
export async function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  cursorAfter: (row: Row) => Promise<string>,
): Promise<{ rows: readonly Row[]; meta: { has_more: boolean; next_cursor: string | null } }> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const next = found.length > limit && last !== undefined ? await cursorAfter(last) : null
  return { rows, meta: { has_more: next !== null, next_cursor: next } }
}
