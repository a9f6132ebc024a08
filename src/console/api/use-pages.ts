// Pages that came one after another, and the one that is looked at.
import { useState } from 'react'

export function usePages<Page>() {
  const [{ pages, at }, set] = useState<{ readonly pages: readonly Page[]; readonly at: number }>({
    pages: [],
    at: 0,
  })
  return {
    at,
    shown: pages[at],
    empty: () => set({ pages: [], at: 0 }),
    /** Shows a page behind those that are there. */
    add: (page: Page) =>
      set((before) => ({ pages: [...before.pages, page], at: before.pages.length })),
    back: at === 0 ? null : () => set({ pages, at: at - 1 }),
    /** Shows the page behind, which `load` asks for where it has not come yet. Null: there is none. */
    next: (load: (() => void) | null) =>
      pages[at + 1] === undefined ? load : () => set({ pages, at: at + 1 }),
  }
}
