// What a vendor may say about a page, under which names.
import type { Json } from '../../language/json/json.ts'
import type { Page } from '../answer/page.ts'

export type PageFact = (page: Page<unknown>) => Json | undefined

/** The facts by the names that demo data uses (`{ $page: total }`); absent ones are undefined. */
export const PAGE_FACTS: Readonly<Record<string, PageFact>> = {
  total: (page) => page.total,
  received: (page) => page.rows.length,
  size: (page) => page.size,
  /** Position of the first record, from 0. */
  offset: (page) => page.offset,
  /** Number of the page, from 0. */
  index: (page) => (page.size === 0 ? 0 : Math.floor(page.offset / page.size)),
  /** Number of the page, from 1. */
  number: (page) => (page.size === 0 ? 1 : Math.floor(page.offset / page.size) + 1),
  pages: (page) => (page.size === 0 ? 1 : Math.max(1, Math.ceil(page.total / page.size))),
  last: (page) => page.isLast,
  more: (page) => !page.isLast,
  next: (page) => page.next ?? undefined,
  next_url: (page) => page.nextUrl ?? undefined,
}

/**
 * Which fact a member of that name most likely holds; undefined when its name says nothing.
 * First match wins: `currentPageSize` is no page number.
 */
export function factNamed(name: string): string | undefined {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

const NAMES: readonly (readonly [pattern: RegExp, fact: string])[] = [
  [/next.*(url|link|page)$|^(next|links?)$/i, 'next_url'],
  [/next|cursor|after|token/i, 'next'],
  [/(total|num|count|last|max).*pages?(number)?$|pages?.*(total|count)|^pages$/i, 'pages'],
  [/current.*(size|count)|returned|received/i, 'received'],
  [/total|count$/i, 'total'],
  [/start|offset|skip/i, 'offset'],
  [/max.?results|limit|per.?page|page.?size|^size$/i, 'size'],
  [/page/i, 'number'],
  [/last/i, 'last'],
  [/more/i, 'more'],
]
