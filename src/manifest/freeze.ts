// A manifest is shared by every call: nobody may change it.

/** Freezes a value of plain objects and lists all the way down, and gives it back. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const part = pending.pop()
    if (typeof part !== 'object' || part === null || Object.isFrozen(part)) continue
    Object.freeze(part)
    pending.push(...Object.values(part))
  }
  return value
}
