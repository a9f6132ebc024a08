// A manifest is shared by every call: it must not change.

/** Freezes a value of plain objects and lists all the way down, and gives it back. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const part = pending.pop()
    if (typeof part !== 'object' || part === null || Object.isFrozen(part)) continue
    Object.freeze(part)
    // Thousands of parts before the first call: a list of all members of each would take as long as freezing them.
    for (const name in part) {
      // Of plain objects: nothing is inherited.
      const member = (part as Readonly<Record<string, unknown>>)[name]
      if (typeof member === 'object' && member !== null) pending.push(member)
    }
  }
  return value
}
