// A page of the documentation, shown from the same Markdown that its address gives with `.md`.
import { type ReactNode, useEffect, useMemo } from 'react'
import { localProblem, unreachable } from '../api/problem.ts'
import { useAnswer } from '../api/use-answer.ts'
import { ProblemNotice } from '../parts/answer.tsx'
import { CodeView } from '../parts/code-view.tsx'
import { Table } from '../parts/table.tsx'
import { ROOT } from '../place.tsx'
import { AsMarkdown } from './as-markdown.tsx'
import { type Block, type Inline, readMarkdown, wordsIn } from './markdown.ts'

/** `path`: below `/docs`. */
export function DocView({ path }: { readonly path: string }): ReactNode {
  const page = useAnswer(`page ${path}`, () => loadPage(path))
  const blocks = useMemo(
    () => (page.kind === 'ready' ? readMarkdown(page.value ?? '') : []),
    [page],
  )
  useEffect(() => {
    const title = blocks.find(({ kind }) => kind === 'heading')
    if (title === undefined || !('inside' in title)) return
    const words = wordsIn(title.inside)
    // The list of all pages begins with the name of the project.
    document.title = words === 'Tenon' ? 'Documentation · Tenon' : `${words} · Tenon`
    // What the address names comes after the browser has looked for it.
    document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView()
  }, [blocks])
  if (page.kind === 'loading')
    return (
      <p className="reference-page quiet" role="status">
        Loading …
      </p>
    )
  if (page.kind !== 'ready')
    return (
      <article className="reference-page">
        <h1>Documentation</h1>
        <ProblemNotice problem={page.problem} retry={page.reload} />
      </article>
    )
  if (page.value === null)
    return (
      <article className="reference-page">
        <h1>There is no such page</h1>
        <p>
          It may be of another version, or of a connector that this service does not run. Go to{' '}
          <a href={`${ROOT}/docs/contents`}>all pages</a> or to the{' '}
          <a href={`${ROOT}/docs`}>reference of the API</a>.
        </p>
      </article>
    )
  return (
    <article className="reference-page doc-page">
      <AsMarkdown path={`/docs/${path}.md`} />
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} path={path} />
      ))}
    </article>
  )
}

/** Null: there is no such page. */
async function loadPage(path: string): Promise<string | null> {
  const response = await fetch(`${ROOT}/docs/${path}.md`).catch(() => null)
  if (response === null) throw unreachable()
  if (response.ok) return await response.text()
  if (response.status === 404) return null
  const answered = `The service answers ${response.status}.`
  throw localProblem('page_missing', 'The page cannot be read', answered)
}

interface At {
  /** Of the page that it stands in. */
  readonly path: string
}

function BlockView({ block, path }: At & { readonly block: Block }): ReactNode {
  switch (block.kind) {
    case 'heading': {
      const Level = `h${block.level}` as 'h1'
      return (
        <Level id={block.id} tabIndex={block.level === 1 ? -1 : undefined}>
          <Words of={block.inside} path={path} />
          {block.level === 1 ? null : (
            <a
              className="anchor"
              href={`#${block.id}`}
              aria-label={`Link to ${wordsIn(block.inside)}`}
            >
              #
            </a>
          )}
        </Level>
      )
    }
    case 'paragraph':
      return (
        <p>
          <Words of={block.inside} path={path} />
        </p>
      )
    case 'quote':
      return (
        <p className="lead">
          <Words of={block.inside} path={path} />
        </p>
      )
    case 'code':
      return (
        <CodeView
          text={block.text}
          title={LANGUAGES[block.language] ?? 'code'}
          label={`${LANGUAGES[block.language] ?? 'code'} ${block.number}`}
        />
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>
              {item.map((each, at) => (
                <BlockView key={at} block={each} path={path} />
              ))}
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <Table
          label={`table ${block.number}`}
          columns={block.head.map((cell, at) => ({
            title: wordsIn(cell),
            cell: (row: (typeof block.rows)[number]) => <Words of={row[at] ?? []} path={path} />,
          }))}
          rows={block.rows}
          keyOf={(_, index) => index}
        />
      )
  }
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'command line',
  ts: 'TypeScript',
  js: 'JavaScript',
  yaml: 'YAML',
  json: 'JSON',
  http: 'HTTP',
  sql: 'SQL',
  text: 'text',
}

function Words({ of, path }: At & { readonly of: readonly Inline[] }): ReactNode {
  return of.map((part, index) => <Word key={index} part={part} path={path} />)
}

function Word({ part, path }: At & { readonly part: Inline }): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code>{part.text}</code>
    case 'anchor':
      return <a id={part.id} />
    case 'strong':
      return wordsIn(part.inside) === 'Breaking.' ? (
        <span className="badge bad">Breaking</span>
      ) : (
        <strong>
          <Words of={part.inside} path={path} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Words of={part.inside} path={path} />
        </em>
      )
    case 'link': {
      const to = addressFor(part.to, path)
      return to === null ? (
        <Words of={part.inside} path={path} />
      ) : (
        <a href={to}>
          <Words of={part.inside} path={path} />
        </a>
      )
    }
  }
}

/** Where a link of a page leads; null: to a file that is no page of the service, or nowhere that a page may lead. */
export function addressFor(link: string, path: string): string | null {
  if (/^https?:/.test(link) || link.startsWith('#')) return link
  const docs = `${window.location.origin}${ROOT}/docs/`
  const { href } = URL.canParse(link, docs + path) ? new URL(link, docs + path) : { href: '' }
  const [, below = '', hash = ''] = href.startsWith(docs)
    ? (/^(.*?)(#.*)?$/.exec(href.slice(docs.length)) ?? [])
    : []
  return below.endsWith('.md') ? docs + below.slice(0, -'.md'.length) + hash : null
}
