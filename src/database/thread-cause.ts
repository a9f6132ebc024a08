// What caused an error in another thread, in a form that crosses.

export interface ThreadCause {
  readonly message: string
  /** Names places in the thread where it happened; null: it was no error object. */
  readonly stack: string | null
}

export function threadCauseOf(thrown: unknown): ThreadCause {
  return thrown instanceof Error
    ? { message: thrown.message, stack: thrown.stack ?? null }
    : { message: String(thrown), stack: null }
}

/** On the other side: an error as the log wants it. */
export function causeOf({ message, stack }: ThreadCause): Error {
  const cause = new Error(message)
  return stack === null ? cause : Object.assign(cause, { stack })
}
