// What caused an error in another thread, in a form that crosses.

export interface ThreadCause {
  readonly message: string
  /** Names places in the thread where it happened; null: it was no error object. */
  readonly stack: string | null
  /** The extended result code of SQLite; null: SQLite had no part in it. */
  readonly errcode: number | null
}

export function threadCauseOf(thrown: unknown): ThreadCause {
  const errcode = errcodeOf(thrown)
  return thrown instanceof Error
    ? { message: thrown.message, stack: thrown.stack ?? null, errcode }
    : { message: String(thrown), stack: null, errcode }
}

/** On the other side: an error as the log wants it. */
export function causeOf({ message, stack, errcode }: ThreadCause): Error {
  return Object.assign(
    new Error(message),
    stack === null ? {} : { stack },
    errcode === null ? {} : { errcode },
  )
}

/** The extended result code of SQLite; null: the error is another one's. */
export function errcodeOf(error: unknown): number | null {
  const { errcode }: { readonly errcode?: unknown } = Object(error)
  return typeof errcode === 'number' ? errcode : null
}
