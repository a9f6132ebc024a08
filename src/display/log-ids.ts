// Ids of entries of the logs where a line has no room for all of one.

/** Before these digits stand the time and a number within it; behind them are those that all ids of one process have. */
const HEAD = 18
/** The place among entries that were written together. */
const TAIL = 2

export function shortLogId(id: string): string {
  return `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`
}

export interface ShortLogId {
  /** When the entry was written. */
  readonly atMs: number
  readonly head: string
  readonly tail: string
}

/** Of a short id as it is shown, or typed with two or three dots; null: it is none. */
export function readShortLogId(text: string): ShortLogId | null {
  const [, head, tail] =
    /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4})(?:…|\.{2,3})([\da-f]{2})$/.exec(text) ?? []
  if (head === undefined || tail === undefined) return null
  return { atMs: Number.parseInt(head.slice(0, 8) + head.slice(9, 13), 16), head, tail }
}
