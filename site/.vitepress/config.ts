// The documentation as a site: what lies in docs/, in the order of who reads it. A dead link fails the build.
import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(`../../docs/${folder}`, import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace(/\.md$/, ''))

const connectors = pagesIn('connectors').map((name) => ({
  text: name,
  link: `/connectors/${name}`,
}))

const groups = [
  {
    text: 'Connector authors',
    items: [
      { text: 'A connector in 20 minutes', link: '/twenty-minutes' },
      { text: 'From OpenAPI to a connector', link: '/from-openapi' },
      { text: 'The manifest language', link: '/manifest-language' },
      { text: 'Keys of a manifest', link: '/reference/manifest' },
      { text: 'Which authentication can be said', link: '/authentication' },
      { text: 'The sandbox', link: '/sandbox' },
    ],
  },
  {
    text: 'Host apps',
    items: [
      { text: 'Connectors in a host app', link: '/host-apps' },
      { text: 'In the server of your app', link: '/frameworks' },
      { text: 'The connect page', link: '/connect' },
      { text: 'Search', link: '/search' },
      { text: 'Changes', link: '/changes' },
      { text: 'Events and webhooks', link: '/events' },
      { text: 'Tools for agents', link: '/mcp' },
      { text: 'Compatibility', link: '/compatibility' },
    ],
  },
  {
    text: 'Operators',
    items: [
      { text: 'Running the service', link: '/operation' },
      { text: 'Runbook', link: '/runbook' },
      { text: 'The console', link: '/console' },
      { text: 'The store', link: '/store' },
      { text: 'Security', link: '/security' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'HTTP API', link: '/reference/api' },
      { text: 'Command line', link: '/reference/cli' },
      { text: 'Errors', link: '/reference/errors' },
    ],
  },
]

/** What no group names yet is found all the same. */
const named = new Set(groups.flatMap(({ items }) => items.map(({ link }) => link)))
const more = pagesIn('')
  .filter((name) => name !== 'index' && !named.has(`/${name}`))
  .map((name) => ({ text: name, link: `/${name}` }))

/** Headings have the anchors that GitHub gives them, so that links hold in both places. */
function githubAnchor(title: string): string {
  const letters = title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return letters.trim().replaceAll(' ', '-')
}

export default defineConfig({
  title: 'Tenon',
  description: 'One manifest per connector, one engine for all.',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache',
  lastUpdated: false,
  cleanUrls: true,
  markdown: {
    anchor: { slugify: githubAnchor },
    config(md) {
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
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: '/twenty-minutes' },
      { text: 'Host apps', link: '/host-apps' },
      { text: 'Service', link: '/operation' },
      { text: 'Reference', link: '/reference/api' },
    ],
    sidebar: [
      ...groups,
      { text: 'Connectors', items: connectors },
      ...(more.length === 0 ? [] : [{ text: 'More', items: more }]),
    ],
  },
})
