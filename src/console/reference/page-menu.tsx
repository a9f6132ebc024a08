// The menu of the documentation: its pages by groups, the headings of the one that is shown, and a search over both.
import { type ReactNode, useMemo, useState } from 'react'
import { useAnswer } from '../api/use-answer.ts'
import { hasWords, wordsOf } from '../parts/marked-words.ts'
import { ROOT } from '../place.tsx'
import { readMarkdown, wordsIn } from './markdown.ts'
import { Side, SideSearch } from './side.tsx'

interface Heading {
  readonly id: string
  readonly level: number
  readonly words: string
}

/** `headings`: as the service lists them, in Markdown, and as they are read from it. */
interface Listed<H = string> {
  readonly path: string
  readonly group: string
  readonly title: string
  readonly headings: readonly H[]
}

type Page = Listed<Heading>

/** Operations have the menu of the reference, and are found here by their words. */
const isGuide = ({ path }: Page): boolean => !path.startsWith('operations/')

/** More hits than this are no help. */
const MAX_HITS = 60

/** `path`: of the page that is shown, below `/docs`. */
export function PageMenu({ path }: { readonly path: string }): ReactNode {
  const [wanted, setWanted] = useState('')
  const answer = useAnswer('menu', loadMenu)
  const pages = useMemo(() => (answer.kind === 'ready' ? answer.value : []), [answer])
  const words = wordsOf(wanted)
  const found = useMemo(() => hitsOf(pages, wordsOf(wanted)), [pages, wanted])
  return (
    <Side label="Pages">
      <div className="reference-list doc-list side-list">
        <SideSearch label="Search pages and headings" value={wanted} change={setWanted} />
        {words.length > 0 ? (
          <Hits found={found} />
        ) : (
          [...Map.groupBy(pages.filter(isGuide), ({ group }) => group)].map(([group, those]) => (
            <section key={group}>
              <h2>{group}</h2>
              <ul>
                {those.map((page) => (
                  <li key={page.path}>
                    <a
                      href={addressOf(page)}
                      aria-current={
                        page.path === path || page.path === `reference/${path}` ? 'page' : undefined
                      }
                    >
                      {page.title}
                    </a>
                    {page.path === path ? <Headings of={page} /> : null}
                  </li>
                ))}
              </ul>
            </section>
          ))
        )}
      </div>
    </Side>
  )
}

/** The contents of a page: its parts, and their parts where it has few. */
function Headings({ of: { headings } }: { readonly of: Page }): ReactNode {
  const parts = headings.filter(({ level }) => level === 2)
  const shown = parts.length < 3 ? headings : parts
  return shown.length === 0 ? null : (
    <ul>
      {shown.map(({ id, words }, index) => (
        <li key={index}>
          <a href={`#${id}`}>{words}</a>
        </li>
      ))}
    </ul>
  )
}

interface Hit {
  readonly page: Page
  /** Null: the page itself. */
  readonly heading: Heading | null
}

/** Pages whose title has the words, before headings that have them together with the title of their page. */
function hitsOf(pages: readonly Page[], words: readonly string[]): readonly Hit[] {
  if (words.length === 0) return []
  const titles = pages.filter(({ title, path }) => hasWords(words, `${title} ${path}`))
  const headings = pages.filter(isGuide).flatMap((page) =>
    page.headings
      .filter((heading) => hasWords(words, `${page.title} ${heading.words}`))
      // Of a page that is a hit itself, only what has one of the words too.
      .filter((heading) => words.some((word) => hasWords([word], heading.words)))
      .map((heading) => ({ page, heading })),
  )
  return [...titles.map((page) => ({ page, heading: null })), ...headings]
}

function Hits({ found }: { readonly found: readonly Hit[] }): ReactNode {
  if (found.length === 0)
    return (
      <p className="quiet" role="status">
        No title and no heading has these words.
      </p>
    )
  return (
    <>
      <ul aria-label="Found">
        {found.slice(0, MAX_HITS).map(({ page, heading }, index) => (
          <li key={index}>
            <a href={addressOf(page) + (heading === null ? '' : `#${heading.id}`)}>
              {heading === null ? page.title : heading.words}
              <span className="fine">{heading === null ? page.group : page.title}</span>
            </a>
          </li>
        ))}
      </ul>
      {found.length > MAX_HITS ? (
        <p className="quiet">{found.length - MAX_HITS} more. Another word narrows them.</p>
      ) : null}
    </>
  )
}

function addressOf({ path }: Page): string {
  return `${ROOT}/docs/${path}`
}

/** Empty where the list cannot be read: the page itself says what is wrong. */
async function loadMenu(): Promise<readonly Page[]> {
  const response = await fetch(`${ROOT}/docs/pages.json`).catch(() => null)
  if (response?.ok !== true) return []
  const listed = (await response.json()) as readonly Listed[]
  return listed.map((page) => ({ ...page, headings: headingsIn(page.headings.join('\n')) }))
}

function headingsIn(text: string): readonly Heading[] {
  return readMarkdown(text).flatMap((block) =>
    block.kind === 'heading'
      ? [{ id: block.id, level: block.level, words: wordsIn(block.inside) }]
      : [],
  )
}
