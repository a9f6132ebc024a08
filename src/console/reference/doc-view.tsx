// A page of the documentation, shown from the same Markdown that its address gives with `.md`.
import type { MarkedToken } from 'marked'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { localProblem, unreachable } from '../api/problem.ts'
import { useAnswer } from '../api/use-answer.ts'
import { ProblemNotice } from '../parts/answer.tsx'
import { CodeView } from '../parts/code-view.tsx'
import { Table } from '../parts/table.tsx'
import { ROOT } from '../place.tsx'
import { AsMarkdown } from './as-markdown.tsx'
import { ErrorsView } from './errors-view.tsx'
import { anchorOf, blocksIn, idIn, readMarkdown, tokensIn, wordsIn } from './markdown.ts'
import { NothingCalled, useNamed } from './named.tsx'
import { PageMenu } from './page-menu.tsx'
import { usePages } from './pages.ts'

/** With its menu. `path`: below `/docs`. */
export function DocPage({ path }: { readonly path: string }): ReactNode {
  return path === 'errors' ? (
    <div className="reference">
      <PageMenu path={path} blocks={[]} />
      <main id="main">
        <ErrorsView />
      </main>
    </div>
  ) : (
    <TextPage path={path} />
  )
}

function TextPage({ path }: { readonly path: string }): ReactNode {
  const page = useAnswer(`page ${path}`, () => loadPage(path))
  const text = page.kind === 'ready' ? page.value : null
  const blocks = useMemo(() => readMarkdown(text ?? ''), [text])
  const titles = new Map(usePages().map((each) => [each.path, each.title]))
  const named = useNamed()
  const [isThere, setThere] = useState(true)
  useEffect(() => {
    const title = blocks.find(({ type }) => type === 'heading')
    if (title !== undefined) document.title = `${wordsIn([title])} · Tenon`
    // What the address names comes after the browser has looked for it.
    document.getElementById(named)?.scrollIntoView()
  }, [blocks])
  useEffect(() => {
    setThere(named === '' || blocks.length === 0 || document.getElementById(named) !== null)
  }, [blocks, named])
  return (
    <div className="reference">
      <PageMenu path={path} blocks={blocks} />
      <main id="main">
        {page.kind === 'loading' ? (
          <p className="reference-page quiet" role="status">
            Loading …
          </p>
        ) : page.kind === 'failed' ? (
          <article className="reference-page">
            <h1>Documentation</h1>
            <ProblemNotice problem={page.problem} retry={page.reload} />
          </article>
        ) : page.value === null ? (
          <NoSuchPage />
        ) : (
          <article className="reference-page doc-page">
            {isThere ? null : (
              <NothingCalled name={named} what="part of this page" shown="it begins here" />
            )}
            <AsMarkdown path={`/docs/${path}.md`} />
            <Tokens of={blocks} at={{ path, numbers: numbersOf(blocks), titles }} />
          </article>
        )}
      </main>
    </div>
  )
}

const NO_PAGE = 'There is no such page'

function NoSuchPage(): ReactNode {
  useEffect(() => {
    document.title = `${NO_PAGE} · Tenon`
  }, [])
  return (
    <article className="reference-page">
      <h1>{NO_PAGE}</h1>
      <p>
        It may be of another version, or of a connector that this service does not run. Go to{' '}
        <a href={`${ROOT}/docs/contents`}>all pages</a> or to the{' '}
        <a href={`${ROOT}/docs`}>reference of the API</a>.
      </p>
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
  /** Of its boxes, so that each has a name of its own. */
  readonly numbers: ReadonlyMap<MarkedToken, number>
  /** Of all pages, by their paths. */
  readonly titles: ReadonlyMap<string, string>
}

function numbersOf(blocks: readonly MarkedToken[]): At['numbers'] {
  const boxes = [...blocksIn(blocks)].filter(({ type }) => type === 'code' || type === 'table')
  return new Map(boxes.map((box, index) => [box, index + 1]))
}

function Tokens(props: { readonly of: readonly MarkedToken[]; readonly at: At }): ReactNode {
  return props.of.map((token, index) => <Shown key={index} token={token} at={props.at} />)
}

function Shown({ token, at }: { readonly token: MarkedToken; readonly at: At }): ReactNode {
  const inside = 'tokens' in token ? <Tokens of={tokensIn(token)} at={at} /> : null
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- what is not listed has words alone
  switch (token.type) {
    case 'heading': {
      const Level = `h${token.depth}` as 'h1'
      const id = anchorOf(token.text)
      return (
        <Level id={id} tabIndex={token.depth === 1 ? -1 : undefined}>
          {inside}
          {token.depth === 1 ? null : (
            <a className="anchor" href={`#${id}`} aria-label={`Link to ${wordsIn([token])}`}>
              #
            </a>
          )}
        </Level>
      )
    }
    case 'paragraph':
      return <p>{inside}</p>
    case 'blockquote':
      return <div className="lead">{inside}</div>
    case 'code': {
      const title = LANGUAGES[token.lang ?? ''] ?? 'code'
      const label = `${title} ${at.numbers.get(token)}`
      const language = COLOURED[token.lang ?? '']
      return <CodeView text={token.text} title={title} label={label} {...language} />
    }
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul'
      return (
        <List>
          {token.items.map((item, index) => (
            <li key={index}>
              <Tokens of={tokensIn(item)} at={at} />
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <Table
          label={`table ${at.numbers.get(token)}`}
          columns={token.header.map((cell, column) => ({
            title: wordsIn(tokensIn(cell)),
            cell: (row: typeof token.header) => <Tokens of={tokensIn(row[column] ?? {})} at={at} />,
          }))}
          rows={token.rows}
          keyOf={(_, index) => index}
        />
      )
    case 'codespan':
      return <code>{token.text}</code>
    case 'strong':
      return wordsIn([token]) === 'Breaking.' ? (
        <span className="badge bad">Breaking</span>
      ) : (
        <strong>{inside}</strong>
      )
    case 'em':
      return <em>{inside}</em>
    case 'link': {
      const to = addressFor(token.href, at.path)
      return to === null ? inside : <a href={to}>{at.titles.get(linkedIn(token)) ?? inside}</a>
    }
    case 'html': {
      const id = idIn(token)
      return id === undefined ? wordsIn([token]) : <a id={id} />
    }
    case 'br':
      return <br />
    // Of a list without gaps between its items, what an item says; elsewhere words.
    case 'text':
      return token.tokens === undefined ? wordsIn([token]) : <p>{inside}</p>
    default:
      return wordsIn([token])
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

const COLOURED: Readonly<Record<string, { readonly language: 'sh' | 'ts' }>> = {
  sh: { language: 'sh' },
  ts: { language: 'ts' },
  js: { language: 'ts' },
}

/** The page that a link names by its file alone, as guides name each other; empty: it has words of its own. */
function linkedIn(link: MarkedToken): string {
  return /^(?:docs\/)?([\w/-]+)\.md$/.exec(wordsIn([link]))?.[1] ?? ''
}

/** Where a link of a page leads; null: to a file that is no page of the service, or nowhere that a page may lead. */
export function addressFor(link: string, path: string): string | null {
  if (/^(?:https?|mailto):/.test(link) || link.startsWith('#')) return link
  const docs = `${window.location.origin}${ROOT}/docs/`
  const { href } = URL.canParse(link, docs + path) ? new URL(link, docs + path) : { href: '' }
  const [, below = '', hash = ''] = href.startsWith(docs)
    ? (/^(.*?)(#.*)?$/.exec(href.slice(docs.length)) ?? [])
    : []
  return below.endsWith('.md') ? docs + below.slice(0, -'.md'.length) + hash : null
}
