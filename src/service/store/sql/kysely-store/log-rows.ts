// Log entries as rows: those that are alike and written together lie in one, and come out of it again one by one.
import { areAlike, headOfLogId, logIdAt, type LogRow } from '../../../store/logs.ts'
import type { Tables } from '../schema.ts'

export type StoredLogs = Tables['log_entry']

/** Entries in the order of their ids, as rows. */
export function storedLogs(entries: readonly LogRow[]): readonly StoredLogs[] {
  const groups: LogRow[][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    const first = group?.[0]
    const isTogether =
      first !== undefined &&
      headOfLogId(first.logId) === headOfLogId(entry.logId) &&
      areAlike(first, entry)
    if (isTogether) group?.push(entry)
    else groups.push([entry])
  }
  return groups.flatMap(([first, ...others]) =>
    first === undefined ? [] : [stored(first, others)],
  )
}

function stored(first: LogRow, others: readonly LogRow[]): StoredLogs {
  if (others.length === 0) return { ...first, entries: 1, allUs: null, several: null }
  const all = [first, ...others]
  return {
    ...first,
    at: Math.min(...all.map(({ at }) => at)),
    tookUs: Math.max(...all.map(({ tookUs }) => tookUs)),
    requestId: null,
    data: {},
    entries: all.length,
    allUs: all.reduce((sum, { tookUs }) => sum + tookUs, 0),
    several: all.map(({ at, tookUs, requestId, data }) => [at, tookUs, requestId, data]),
  }
}

/** The entries of a row, in the order of their ids. */
export function entriesIn({
  entries: _count,
  allUs: _all,
  several,
  ...row
}: StoredLogs): readonly LogRow[] {
  if (several === null) return [row]
  const head = headOfLogId(row.logId)
  return several.map(([at, tookUs, requestId, data], index) => ({
    ...row,
    logId: logIdAt(head, index),
    at,
    tookUs,
    requestId,
    data,
  }))
}
