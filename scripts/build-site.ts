// Builds the documentation as a site into dist/site; its packages are installed beside it at the first time.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: 'site', stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync('site/node_modules/vitepress')) run('npm', ['ci', '--no-audit', '--no-fund'])
// The site's program looks for its packages above its pages.
rmSync('site/pages', { recursive: true, force: true })
cpSync('docs', 'site/pages', { recursive: true })
run('npx', ['vitepress', 'build'])
rmSync('site/pages', { recursive: true, force: true })
