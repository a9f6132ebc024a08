// Builds the documentation as a site into site/dist; its packages are installed beside it at the first time. Fails on a
// page that cannot be made, and on a link that leads nowhere.
//
// `--versions <folder>` keeps versions next to each other: this one goes to `<folder>/<version>`, and `versions.json` and
// the start page of the folder are written again. `--at <path>` says where the folder is served; default: `/`.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { CHANGELOG, contentsOf, pageOf, readGuides } from '../src/service/docs/doc-pages.ts'
import { brokenLinks } from './site-links.ts'

const { versions: shelf, at } = parseArgs({
  options: { versions: { type: 'string' }, at: { type: 'string', default: '/' } },
}).values
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
if (!/^\/(?:[\w.-]+\/)*$/.test(at)) throw new Error('--at must be a path such as / or /docs/')
const base = shelf === undefined ? '/' : `${at}${version}/`

function run(command: string, args: readonly string[]): void {
  const env = { ...process.env, TENON_SITE_BASE: base }
  const { status } = spawnSync(command, args, { cwd: 'site', stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync('site/node_modules/vitepress')) run('npm', ['ci', '--no-audit', '--no-fund'])
// The site's program looks for its packages above its pages.
rmSync('site/pages', { recursive: true, force: true })
process.on('exit', () => rmSync('site/pages', { recursive: true, force: true }))
cpSync('docs', 'site/pages', { recursive: true })
const docs = readGuides('.')
writeFileSync(`site/pages/${CHANGELOG}.md`, String(await docs.textOf(CHANGELOG)))
const connectors = readdirSync('docs/connectors').map((name) => `connectors/${name.slice(0, -3)}`)
const pages = [
  ...docs.pages,
  ...connectors.map((path) =>
    pageOf(path, 'Connectors', readFileSync(`site/pages/${path}.md`, 'utf8')),
  ),
]
mkdirSync('site/pages/public')
writeFileSync('site/pages/public/llms.txt', contentsOf(pages, base))
cpSync('src/console/icon.svg', 'site/pages/public/icon.svg')
run('npx', ['vitepress', 'build'])
// What pages link to and is no page itself, and each page as Markdown.
cpSync('docs/examples', 'site/dist/examples', { recursive: true })
for (const { path } of pages) cpSync(`site/pages/${path}.md`, `site/dist/${path}.md`)

const broken = brokenLinks('site/dist', base)
if (broken.length > 0) {
  process.stderr.write(`links that lead nowhere:\n${broken.map((each) => `  ${each}\n`).join('')}`)
  process.exit(1)
}
if (shelf !== undefined) shelve(shelf)

/** Puts what was built next to the other versions, and lists all of them, the newest first. */
function shelve(folder: string): void {
  rmSync(join(folder, version), { recursive: true, force: true })
  cpSync('site/dist', join(folder, version), { recursive: true })
  const versions = readdirSync(folder)
    .filter((name) => /^\d+\.\d+\.\d+/.test(name) && existsSync(join(folder, name, 'index.html')))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  writeFileSync(join(folder, 'versions.json'), `${JSON.stringify(versions)}\n`)
  const [newest = version] = versions
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tenon</title>
<meta http-equiv="refresh" content="0; url=${newest}/"><a href="${newest}/">Documentation of v${newest}</a></html>
`,
  )
}
