// Pages of listings.
/** The `limit` of a query, which the schema of its route has checked; `usual` where none is given. */
export function limitIn(text: string | undefined, usual = 50): number {
  return text === undefined ? usual : Number(text)
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
