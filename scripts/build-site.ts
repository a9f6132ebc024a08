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
writeFileSync('site/pages/changelog.md', changelog())
mkdirSync('site/pages/public')
cpSync('src/console/icon.svg', 'site/pages/public/icon.svg')
run('npx', ['vitepress', 'build'])
// What pages link to and is no page itself.
cpSync('docs/examples', 'site/dist/examples', { recursive: true })

const broken = brokenLinks('site/dist', base)
if (broken.length > 0) {
  process.stderr.write(`links that lead nowhere:\n${broken.map((each) => `  ${each}\n`).join('')}`)
  process.exit(1)
}
if (shelf !== undefined) shelve(shelf)

/** The changelog, with its links as they lead from a page of the site. */
function changelog(): string {
  return readFileSync('CHANGELOG.md', 'utf8').replaceAll('](docs/', '](')
}

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
