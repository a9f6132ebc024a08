// Builds the documentation as a site into site/dist; its packages are installed beside it at the first time. Fails on a
// page that cannot be made, and on a link that leads nowhere.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

import { brokenLinks } from './site-links.ts'

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: 'site', stdio: 'inherit' })
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

const broken = brokenLinks('site/dist')
if (broken.length > 0) {
  process.stderr.write(`links that lead nowhere:\n${broken.map((each) => `  ${each}\n`).join('')}`)
  process.exit(1)
}

/** The changelog, with its links as they lead from a page of the site. */
function changelog(): string {
  return readFileSync('CHANGELOG.md', 'utf8').replaceAll('](docs/', '](')
}
