// The documentation as a site: what lies in docs/, in the order of who reads it. A dead link fails the build.
import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

import { GUIDES } from '../../src/service/docs/doc-pages.ts'

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(`../../docs/${folder}`, import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace(/\.md$/, ''))

/** The version that the pages are about. */
const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string }

/** By what a connector is called, which is the title of its page. */
const connectors = pagesIn('connectors').map((name) => ({
  text: titleOf(`connectors/${name}`),
  link: `/connectors/${name}`,
}))

function titleOf(page: string): string {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8')
  return /^# (.+)$/m.exec(text)?.[1] ?? page
}

const groups = Object.entries(GUIDES).map(([text, paths]) => ({
  text,
  items: paths.map((path) => ({ text: titleOf(path), link: `/${path}` })),
}))

/** What no group names yet is found all the same. */
const named = new Set(Object.values(GUIDES).flat())
const more = pagesIn('')
  .filter((name) => name !== 'index' && !named.has(name))
  .map((name) => ({ text: name, link: `/${name}` }))

/** Headings have the anchors that GitHub gives them, so that links hold in both places. */
function githubAnchor(title: string): string {
  const letters = title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return letters.trim().replaceAll(' ', '-')
}

interface Token {
  readonly type: string
  readonly attrGet: (name: string) => string | null
}

/** Takes links to files beyond docs/ out of a line; their texts stay. */
function dropLinks(tokens: Token[]): void {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (
      token?.type !== 'link_open' ||
      !/^(?:\.\.\/)+(?:bench|test)\//.test(token.attrGet('href') ?? '')
    )
      continue
    const end = tokens.findIndex(({ type }, index) => index > at && type === 'link_close')
    tokens.splice(end, 1)
    tokens.splice(at, 1)
  }
}

/** Where the pages are served; versions next to each other are listed by a file in the folder above. */
const base = process.env['TENON_SITE_BASE'] ?? '/'

export default defineConfig({
  base,
  title: 'Tenon',
  description: 'One manifest per connector, one engine for all.',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache',
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  cleanUrls: true,
  markdown: {
    anchor: { slugify: githubAnchor },
    // Enough contrast for everybody, also of comments.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      // The tests that a page names are files of the repository; the site has their names alone.
      md.core.ruler.push('files-of-the-repository', ({ tokens }) => {
        for (const { children } of tokens) dropLinks(children ?? [])
      })
      const { code_inline: inline } = md.renderer.rules
      if (inline === undefined) throw new TypeError('the site has no rule for code in a line')
      // Templates of manifests are not those of the site, which leaves only blocks of code as they are.
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index]?.attrSet('v-pre', '')
        return inline(tokens, index, ...rest)
      }
    },
  },
  themeConfig: {
    versions: base === '/' ? null : new URL('..', `http://site.invalid${base}`).pathname,
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: { level: [2, 3], label: 'On this page' },
    nav: [
      { text: 'Host apps', link: '/host-apps' },
      { text: 'Connector authors', link: '/twenty-minutes' },
      { text: 'Operators', link: '/operation' },
      {
        text: 'Reference',
        items: [
          { text: 'HTTP API', link: '/reference/api' },
          { text: 'Command line', link: '/reference/cli' },
          { text: 'Errors', link: '/reference/errors' },
          { text: 'Keys of a manifest', link: '/reference/manifest' },
          { text: 'Actions of the audit log', link: '/reference/audit' },
        ],
      },
      { text: 'Connectors', items: connectors },
      {
        text: `v${version}`,
        isVersions: true,
        items: [{ text: 'Changelog', link: '/changelog' }],
      },
    ],
    sidebar: [
      ...groups,
      { text: 'Connectors', items: connectors },
      { text: 'Versions', items: [{ text: 'Changelog', link: '/changelog' }] },
      ...(more.length === 0 ? [] : [{ text: 'More', items: more }]),
    ],
  },
})
