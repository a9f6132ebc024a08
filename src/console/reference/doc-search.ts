// The one search in all pages of the documentation: at /docs, and in the palette of the console.
import type { ListedPage } from './page-place.ts'
import { read } from './pages.ts'
import type { PageText } from './sections.ts'

const MAX_BUSY_MS = 20

/** What searches and what it searches in, loaded when something is first looked for. */
export const DOC_SEARCH = {
  queryKey: ['search'],
  queryFn: async () => {
    const [{ forgiven, hitsIn, readPage, sentenceIn }, listed, texts] = await Promise.all([
      import('./sections.ts'),
      read('pages.json') as Promise<readonly ListedPage[]>,
      read('texts.json') as Promise<Readonly<Record<string, string>>>,
    ])
    const pages: PageText[] = []
    let pauseAt = 0
    for (const page of listed) {
      // A megabyte takes a while; what is typed meanwhile is not held up.
      if (performance.now() > pauseAt) {
        await new Promise((resolve) => window.setTimeout(resolve))
        pauseAt = performance.now() + MAX_BUSY_MS
      }
      pages.push(readPage(page, texts[page.path] ?? ''))
    }
    pages.sort((one, other) => placeOf(one.page) - placeOf(other.page))
    return {
      sentenceIn,
      find: (words: readonly string[]) => hitsIn(pages, words),
      forgiven: (words: readonly string[]) => forgiven(pages, words),
    }
  },
  staleTime: Infinity,
  gcTime: Infinity,
}

/** The changelog tells what was: it comes last. */
function placeOf({ path }: ListedPage): number {
  return path === 'changelog' ? 1 : 0
}
