// The cursors of a list that is read a page at a time: one for each page behind the first.
import { useState } from 'react'

export function useCursors() {
  const [cursors, set] = useState<readonly string[]>([])
  return {
    /** Of the page that is shown; undefined: the first one. */
    cursor: cursors.at(-1),
    toFirst: () => set([]),
    /** For `TurnPages`. `next`: the cursor of the page behind; null: there is none. */
    turns: (next: string | null) => ({
      back: cursors.length === 0 ? null : () => set(cursors.slice(0, -1)),
      next: next === null ? null : () => set([...cursors, next]),
    }),
  }
}
