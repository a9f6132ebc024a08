// The menu of the documentation: its pages by groups, and the headings of the one that is shown.
import type { MarkedToken } from 'marked'
import type { ReactNode } from 'react'
import { ROOT } from '../place.tsx'
import { anchorOf, wordsIn } from './markdown.ts'
import { pathOf } from './page-place.ts'
import { usePages } from './pages.ts'
import { Side } from './side.tsx'

/** `path`: of the page that is shown, below `/docs`; `blocks`: what it consists of. */
export function PageMenu(props: {
  readonly path: string
  readonly blocks: readonly MarkedToken[]
}): ReactNode {
  const { path, blocks } = props
  // Operations have the menu of the reference.
  const pages = usePages().filter((page) => !page.path.startsWith('operations/'))
  return (
    <Side label="Pages" className="doc-list">
      {[...Map.groupBy(pages, ({ group }) => group)].map(([group, those]) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {those.map((page) => (
              <li key={page.path}>
                <a
                  href={ROOT + pathOf(page)}
                  aria-current={
                    page.path === path || page.path === `reference/${path}` ? 'page' : undefined
                  }
                >
                  {page.title}
                </a>
                {page.path === path ? <Headings of={blocks} /> : null}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Side>
  )
}

/** The contents of a page: its parts, and their parts where it has few. */
function Headings({ of: blocks }: { readonly of: readonly MarkedToken[] }): ReactNode {
  const headings = blocks.filter((block) => block.type === 'heading')
  const parts = headings.filter(({ depth }) => depth === 2)
  const shown =
    parts.length < 3 ? headings.filter(({ depth }) => depth === 2 || depth === 3) : parts
  return shown.length === 0 ? null : (
    <ul>
      {shown.map((heading, index) => (
        <li key={index}>
          <a href={`#${anchorOf(heading.text)}`}>{wordsIn([heading])}</a>
        </li>
      ))}
    </ul>
  )
}
