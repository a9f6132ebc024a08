// The documentation at /docs: the reference of the API with its error codes, and every page as Markdown behind `.md`.
import { createHash } from 'node:crypto'
import { REMEDIES } from '../../display/error-remedies.ts'
import { type ErrorCode, ERRORS } from '../../errors.ts'
import { html, plainPage } from '../connect/html.ts'
import {
  type BuiltPages,
  isConsoleBuilt,
  mountBuiltPages,
  PAGE_HEADERS,
} from '../console/console-pages.ts'
import type { Answer } from '../http/arrival.ts'
import type { Mounts } from '../http/site.ts'
import { contentsOf, type DocPage, type DocPages } from './doc-pages.ts'

const READ = ['GET', 'HEAD']

/** Pages that others stand for: an operation is one place of the reference, and the errors have a page of their own. */
const ELSEWHERE: readonly (readonly [path: RegExp, at: string])[] = [
  [/^operations\/(\w+)$/, '/docs#$1'],
  [/^reference\/api$/, '/docs'],
  [/^reference\/errors$/, '/docs/errors'],
]

/** The list of all pages, which is `llms.txt` shown to people. */
const CONTENTS = 'contents'

/** The same list for the menu of each page. */
const MENU = 'pages.json'

/** The texts of all pages, for the search. */
const TEXTS = 'texts.json'

/**
 * Mounts `/docs`, which reads `/openapi.json` and sends requests with the session of the console, `/docs/errors`, and the
 * pages of `docs`. Without the built files the table of errors is still there, because every error of the command line
 * ends with its address, and so is all Markdown.
 */
export function mountDocs(
  site: Mounts,
  docs: () => DocPages,
  { folder, isCheckout }: { readonly folder: string; readonly isCheckout: boolean },
): void {
  const contents = (base: string): Answer =>
    markdown(contentsOf(docs().pages, `${base}/docs/`), 'text/plain')
  for (const path of ['/llms.txt', '/docs/llms.txt'])
    site.on(READ, path, ({ arrival: { base } }) => contents(base))
  site.on(READ, '/docs.md', () => pageAnswer(docs(), 'reference/api'))
  const built: BuiltPages = {
    at: '/docs',
    called: 'The API reference',
    page: 'reference.html',
    paths: ['/docs', '/docs/errors', '/docs/*'],
    statusOf: (path) => (isPage(docs().pages, path) ? 200 : 404),
    insteadOf(path, base) {
      if (path === `${CONTENTS}.md`) return contents(base)
      if (path === MENU) return markdown(JSON.stringify(docs().pages), 'application/json')
      if (path === TEXTS) return textsAnswer(docs())
      if (path.endsWith('.md')) return pageAnswer(docs(), path.slice(0, -'.md'.length))
      const [pattern, at] = ELSEWHERE.find(([each]) => each.test(path)) ?? []
      if (pattern === undefined || at === undefined || !isPage(docs().pages, path)) return null
      return { status: 302, headers: { location: base + path.replace(pattern, at) }, content: null }
    },
  }
  mountBuiltPages(site, built, folder, isCheckout)
  if (isConsoleBuilt(folder, built.page)) return
  const headers = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' }
  const content = errorsPage()
  site.on(READ, '/docs/errors', () => ({ status: 200, headers, content }))
}

function isPage(pages: readonly DocPage[], path: string): boolean {
  // `/docs` and `/docs/errors` have paths of their own: nothing is below them.
  return ['', CONTENTS].includes(path) || pages.some((each) => each.path === path)
}

/** Made once for each set of pages: those of connectors take a while. */
const texts = new WeakMap<DocPages, Promise<string>>()

async function textsAnswer(docs: DocPages): Promise<Answer> {
  const making = texts.get(docs) ?? textsOf(docs)
  texts.set(docs, making)
  // What failed is tried again by the next who asks.
  making.catch(() => texts.delete(docs))
  const content = await making
  const kept = createHash('sha256').update(content).digest('hex')
  return { ...markdown(content, 'application/json'), compressible: { kept: `texts ${kept}` } }
}

/** By the paths of the pages. The one that has all operations repeats theirs. */
async function textsOf(docs: DocPages): Promise<string> {
  const pages = docs.pages.filter(({ path }) => path !== 'reference/api')
  const all = pages.map(async ({ path }) => [path, await docs.textOf(path)] as const)
  return JSON.stringify(Object.fromEntries(await Promise.all(all)))
}

async function pageAnswer(docs: DocPages, path: string): Promise<Answer> {
  const text = await docs.textOf(path === 'errors' ? 'reference/errors' : path)
  if (text !== null) return markdown(text)
  const missing =
    '# There is no such page\n\nThe file `llms.txt` next to this one, `/docs/llms.txt` of the service, lists those there are.\n'
  return { ...markdown(missing), status: 404 }
}

function markdown(content: string, type = 'text/markdown'): Answer {
  const headers = {
    ...PAGE_HEADERS,
    'content-security-policy': "default-src 'none'",
    'content-type': `${type}; charset=utf-8`,
  }
  return { status: 200, headers, content, compressible: { kept: null } }
}

function errorsPage(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const { status, origin, title } = ERRORS[code]
    return html`<tr id="${code}">
      <td><code>${code}</code></td>
      <td>${status ?? '–'}</td>
      <td>${origin}</td>
      <td>${title}</td>
      <td>${REMEDIES[code]}</td>
    </tr>`
  })
  return plainPage(
    'Error codes',
    html`<h1>Error codes</h1>
      <table>
        <tr>
          <th>Code</th>
          <th>Status</th>
          <th>Who has to act</th>
          <th>Meaning</th>
          <th>What to do</th>
        </tr>
        ${rows}
      </table>`,
  )
}
