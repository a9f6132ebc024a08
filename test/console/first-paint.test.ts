// What a browser loads before the console shows its first screen: small, and without the editor.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'

/** Bytes as gzip packs them, without fonts. */
const MAX_BYTES = 180_000

/** The build packs what gets smaller by it. */
function read(folder: string, name: string): string {
  const file = join(folder, 'assets', name)
  const packed = `${file}.br`
  return existsSync(packed)
    ? brotliDecompressSync(readFileSync(packed)).toString()
    : readFileSync(file, 'utf8')
}

/** Files that the page names, the first screen, and what both import before they run. */
function firstFiles(folder: string): ReadonlySet<string> {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/="\.\/assets\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name)
  const screen = readdirSync(join(folder, 'assets'))
    .map((name) => name.replace(/\.br$/, ''))
    .filter((name) => /^overview-[^.]+\.(?:js|css)$/.test(name))
  const files = new Set<string>()
  const add = (name = ''): void => {
    if (files.has(name)) return
    files.add(name)
    if (!name.endsWith('.js')) return
    const code = read(folder, name)
    // Not `import("…")`, which is asked for later.
    for (const [, imported] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) add(imported)
  }
  for (const name of [...named, ...screen]) add(name)
  return files
}

test(`scripts and styles of the first screen have at most ${MAX_BYTES} bytes`, () => {
  const folder = inject('consoleFolder')
  const files = firstFiles(folder)
  const bytes = [...files].reduce((sum, name) => sum + gzipSync(read(folder, name)).byteLength, 0)
  // The page names a script and a style at least, and the screen has one of each.
  expect(files.size).toBeGreaterThan(4)
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
  const code = [...files].map((name) => read(folder, name)).join('')
  expect(code).not.toContain('cm-content')
})
