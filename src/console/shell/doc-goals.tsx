// The documentation in the palette: its pages, their headings and their texts, by the search that /docs has.
import { useQuery } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import { useMemo } from 'react'
import { wordsOf } from '../parts/marked-words.ts'
import { ROOT } from '../place.tsx'
import { DOC_SEARCH } from '../reference/doc-search.ts'
import { pathOf } from '../reference/page-place.ts'
import type { Hit } from '../reference/sections.ts'
import type { Goal } from './goal.ts'

/** Of what has the words in what it is called, and in its text alone; the search at /docs shows all. */
const MAX_NAMED = 24
const MAX_TEXTS = 3
/** One letter is in nearly all. */
const MIN_LETTERS = 2

const ICON = <BookOpen size={16} aria-hidden />

/** The title of their group. */
export const DOCUMENTATION = 'Documentation'

/** Pages that are not in the list, or are meant by other words. */
export const DOC_GOALS: readonly Goal[] = [
  ['API reference', '/docs', ''],
  ['Error codes', '/docs/errors', 'errors problems failing runbook'],
  ['All pages of the documentation', '/docs/contents', 'guides connectors manual'],
  ['Changelog', '/docs/changelog', 'news changes versions releases breaking'],
].map(([words = '', path = '', found = '']) => ({
  ...docGoal(words, path),
  found: `documentation docs help ${found}`,
}))

export interface DocGoals {
  /** Pages and headings that have the words in what they are called. */
  readonly named: readonly Goal[]
  /** Places with the words in their text. */
  readonly texts: readonly Goal[]
  readonly isLooking: boolean
}

const NONE: DocGoals = { named: [], texts: [], isLooking: false }

/** Where the documentation cannot be read, as in an app that does not serve it, there is nothing in it. */
export function useDocGoals(typed: string): DocGoals {
  const isAsked = typed.length >= MIN_LETTERS
  const search = useQuery({ ...DOC_SEARCH, enabled: isAsked })
  const { data } = search
  const found = useMemo(() => {
    if (data === undefined || !isAsked) return NONE
    const words = wordsOf(typed)
    const known = new Set(DOC_GOALS.map(({ id }) => id))
    const hits = data.find(words).filter(({ page, id }) => {
      const path = pathOf(page, id)
      // A page may be found by its title and by its text; the codes have a group of their own.
      if (known.has(path) || path.startsWith('/docs/errors#')) return false
      known.add(path)
      return true
    })
    const goalOf = ({ page, id, heading, line }: Hit): Goal => {
      const sentence = data.sentenceIn(words, line)
      const about = `${id === '' ? page.group : page.title}${sentence === '' ? '' : ` · ${sentence}`}`
      // That it fits is known: some of the words may be in other lines.
      return { ...docGoal(heading, pathOf(page, id)), about, found: typed }
    }
    const named = hits.filter(({ isNamed }) => isNamed)
    // What the changelog tells of is no place to go to; its headings are, and /docs finds its texts.
    const texts = hits.filter(({ isNamed, page }) => !isNamed && page.path !== 'changelog')
    return {
      named: named.slice(0, MAX_NAMED).map(goalOf),
      texts: texts.slice(0, MAX_TEXTS).map(goalOf),
      isLooking: false,
    }
  }, [data, typed, isAsked])
  return { ...found, isLooking: isAsked && search.isPending && search.isFetching }
}

/** Where the words may be found as well. */
export function searchDocs(typed: string): Goal {
  const query = String(new URLSearchParams({ q: typed }))
  return docGoal(`Search the documentation for “${typed}”`, `/docs/contents?${query}`)
}

function docGoal(words: string, path: string): Goal {
  return { id: path, words, icon: ICON, go: () => window.location.assign(ROOT + path) }
}
