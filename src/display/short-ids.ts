// Ids where a line has no room for all of one, and the ids that a person types of them.

/** Before these digits of an entry of the logs stand the time and a number within it; behind them are those that all ids of one process have. */
const HEAD = 18
/** The place among entries that were written together. */
const TAIL = 2

export function shortLogId(id: string): string {
  return `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`
}

/** What is known of an id. */
export interface ShortId {
  readonly head: string
  readonly tail: string
}

/** A beginning of at least six digits, with or without dots, and what stands behind the dots. */
const SHORT = /^([\da-f][\da-f-]{5,34})(?:(?:…|\.{2,3})([\da-f-]{0,34}))?$/

/** Of a short id as it is shown, or typed with two or three dots or none; null: it is none, as a whole one. */
export function readShortId(text: string): ShortId | null {
  const [, head, tail = ''] = SHORT.exec(text.toLowerCase()) ?? []
  return head === undefined ? null : { head, tail }
}

export function isShortOf({ head, tail }: ShortId, id: string): boolean {
  return id.startsWith(head) && id.endsWith(tail)
}

/** When what such ids stand for was made, from the first to the last of them. */
export function momentsOf({ head }: ShortId): { readonly fromMs: number; readonly toMs: number } {
  const digits = head.replaceAll('-', '').slice(0, DIGITS_OF_TIME)
  return {
    fromMs: Number.parseInt(digits.padEnd(DIGITS_OF_TIME, '0'), 16),
    toMs: Number.parseInt(digits.padEnd(DIGITS_OF_TIME, 'f'), 16),
  }
}

/** Milliseconds since 1970 at the beginning of an id of version 7. */
const DIGITS_OF_TIME = 12
