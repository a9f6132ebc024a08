// The package has the same bytes wherever it is built: two checkouts in two folders, built and packed one after the other.
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkout, root, succeeds, userEnvironment } from './delivered.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const hashOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex')

/** The tarball of a fresh checkout, and its files with their hashes. */
async function packed(): Promise<{
  readonly tarball: string
  readonly files: Readonly<Record<string, string>>
}> {
  const folder = checkout()
  folders.push(folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const tools = join(folder, 'node_modules/.bin')
  const env = { PATH: `${tools}:${userEnvironment()['PATH'] ?? ''}` }
  await succeeds(folder, process.execPath, ['scripts/build.ts'], env)
  const out = join(folder, 'out')
  mkdirSync(out)
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', out]
  const tarball = join(out, (await succeeds(folder, 'npm', pack)).trim())
  await succeeds(out, 'tar', ['-xzf', tarball])
  const names = globSync('package/**/*', { cwd: out }).filter((name) =>
    statSync(join(out, name)).isFile(),
  )
  return {
    tarball: hashOf(tarball),
    files: Object.fromEntries(names.map((name) => [name, hashOf(join(out, name))])),
  }
}

test('Y1 two builds in two folders are packed into the same bytes', async () => {
  const [first, second] = [await packed(), await packed()]
  expect(Object.keys(first.files).length).toBeGreaterThan(100)
  // By file first, so that a difference has a name.
  expect(second.files).toEqual(first.files)
  expect(second.tarball).toBe(first.tarball)
}, 600_000)
