// The pages of the documentation: which there are, in the order of who reads them, and each as Markdown. The service
// shows them below /docs, and the site (scripts/build-site.ts) is made of the same list.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DocPage {
  /** Below `/docs`, without `.md`. */
  readonly path: string
  readonly group: string
  readonly title: string
  /** One sentence. */
  readonly about: string
}

/** Pages with their texts: files of the package, or made of what runs. */
export interface DocPages {
  /** In the order of their groups. */
  readonly pages: readonly DocPage[]
  /** The whole text of a page of the list; null: there is no such page. */
  textOf(path: string): Promise<string | null> | string | null
}

/** Files of docs/, without `.md`, by who reads them. */
export const GUIDES: Readonly<Record<string, readonly string[]>> = {
  'Host apps': [
    'host-apps',
    'frameworks',
    'connect',
    'search',
    'changes',
    'events',
    'mcp',
    'compatibility',
  ],
  'Connector authors': [
    'twenty-minutes',
    'from-openapi',
    'manifest-language',
    'reference/manifest',
    'authentication',
    'sandbox',
  ],
  Operators: ['operation', 'runbook', 'console', 'logs', 'store', 'security'],
  Reference: ['reference/api', 'reference/cli', 'reference/errors', 'reference/audit'],
}

/** The page of what has changed; its file lies above docs/. */
export const CHANGELOG = 'changelog'

/** The guides, the references and the changelog of a package or checkout. What lacks its file is left out. */
export function readGuides(root: string): DocPages {
  const texts = new Map<string, string>()
  for (const path of [...Object.values(GUIDES).flat(), CHANGELOG]) {
    const file = join(root, path === CHANGELOG ? 'CHANGELOG.md' : `docs/${path}.md`)
    if (!existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    // The changelog leads into docs/, where its page stands.
    texts.set(path, path === CHANGELOG ? text.replaceAll('](docs/', '](') : text)
  }
  const groups: readonly (readonly [string, readonly string[]])[] = [
    ...Object.entries(GUIDES),
    ['Versions', [CHANGELOG]],
  ]
  const pages = groups.flatMap(([group, paths]) =>
    paths.flatMap((path) => {
      const text = texts.get(path)
      return text === undefined ? [] : [pageOf(path, group, text)]
    }),
  )
  return { pages, textOf: (path) => texts.get(path) ?? null }
}

/** A page by what its text begins with: the heading, and the first sentence below it. */
export function pageOf(path: string, group: string, text: string): DocPage {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? []
  const paragraph = text
    .slice(text.indexOf(`# ${title}`) + title.length + 2)
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .find((part) => /^[\p{L}`*_[]/u.test(part))
  return { path, group, title, about: firstSentence(plain(paragraph ?? '')) }
}

/** `llms.txt`: every page with one sentence, by groups. Source: llmstxt.org. `at` stands before the path of a page. */
export function contentsOf(pages: readonly DocPage[], at: string): string {
  const groups = [...Map.groupBy(pages, ({ group }) => group)].map(([group, those]) => {
    const rows = those.map(({ path, title, about }) => `- [${title}](${at}${path}.md): ${about}`)
    return `## ${group}\n\n${rows.join('\n')}`
  })
  return `# Tenon\n\n> One manifest per connector, one engine for all.\n\nAll pages of the documentation. Each is there as Markdown, too: at its address with \`.md\` behind it.\n\n${groups.join('\n\n')}\n`
}

/** The text of Markdown without links and emphasis; code keeps its marks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll('\n', ' ')
}

function firstSentence(text: string): string {
  return /^.*?[.!?:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}
