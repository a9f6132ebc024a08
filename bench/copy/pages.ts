// Records in pages, as listings give them.
import type { Json } from '../../src/language/json/json.ts'
import { issueOf } from './issues.ts'
import type { PageSource } from './synced.ts'

/** Records per page: what most listings give at once. */
export const PAGE = 100

export type Pages = readonly (readonly Json[])[]

/** The records `from` to `to` in pages. */
export function pagesOf(from: number, to: number, edition = 0): Pages {
  const pages: Json[][] = []
  for (let start = from; start < to; start += PAGE)
    pages.push(
      Array.from({ length: Math.min(PAGE, to - start) }, (_, at) => issueOf(start + at, edition)),
    )
  return pages
}

/** The pages as a third party lists them. */
export function listed(pages: Pages): PageSource {
  return { count: pages.length, read: (page) => pages[page] ?? [] }
}

/** The same pages as text, read when they are asked for: outside of the heap, as answers are. */
export function spelled(pages: Pages): PageSource {
  const texts = pages.map((records) => Buffer.from(JSON.stringify(records)))
  return {
    count: texts.length,
    read: (page) => JSON.parse(texts[page]?.toString() ?? '[]') as readonly Json[],
  }
}
