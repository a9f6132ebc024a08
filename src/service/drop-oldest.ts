// Maps that remember so much and no more.

/** Drops the entry that was set first where there are more than `max`: called after each new entry, it keeps the newest. */
export function dropOldest<K>(entries: Map<K, unknown>, max: number): void {
  if (entries.size <= max) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    return
  }
}
