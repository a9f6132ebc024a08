// The type face of the connect page: the files of the console's build, and no other file of it.
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runService } from '../../fixtures/running-service.ts'

const LATIN = 'inter-latin-wght-normal-Dx4kXJAl.woff2'
const BYTES = Buffer.from('wOF2 of the console')

async function builtConsole(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-typeface-'))
  await mkdir(join(folder, 'assets'))
  for (const name of [LATIN, 'inter-latin-wght-italic-Dx4kXJAl.woff2', 'index-Dx4kXJAl.js'])
    await writeFile(join(folder, 'assets', name), BYTES)
  return folder
}

test('is served from the files of the console, and kept for a year', async () => {
  await using world = await runService({}, { consoleFolder: await builtConsole() })
  const assets = `${world.url}/connect/assets`
  const style = await (await fetch(`${assets}/page.css`)).text()
  // One that was not built is left out.
  expect([...style.matchAll(/url\('([^']*)'\)/g)].map(([, name]) => name)).toEqual([LATIN])
  expect(style.match(/font-display: swap/g)).toHaveLength(1)
  const font = await fetch(`${assets}/${LATIN}`)
  expect(Buffer.from(await font.arrayBuffer())).toEqual(BYTES)
  expect(
    ['content-type', 'cache-control', 'x-content-type-options'].map((name) =>
      font.headers.get(name),
    ),
  ).toEqual(['font/woff2', 'public, max-age=31536000, immutable', 'nosniff'])
  const etag = font.headers.get('etag') ?? ''
  const again = await fetch(`${assets}/${LATIN}`, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

test.for([
  'index-Dx4kXJAl.js',
  'inter-latin-wght-italic-Dx4kXJAl.woff2',
  'inter-latin-wght-normal-other.woff2',
  '..%2findex.html',
])('no other file of the console is there: %s', async (name) => {
  await using world = await runService({}, { consoleFolder: await builtConsole() })
  expect((await fetch(`${world.url}/connect/assets/${name}`)).status).toBe(404)
})

test('without the files the page has the type face of the system', async () => {
  const consoleFolder = await mkdtemp(join(tmpdir(), 'tenon-typeface-'))
  await using world = await runService({}, { consoleFolder })
  const style = await (await fetch(`${world.url}/connect/assets/page.css`)).text()
  expect(style).not.toContain('@font-face')
  expect(style).toContain('--face: Inter, system-ui')
})

test('the console and the page have the rules of one file', async () => {
  const [console, page] = await Promise.all(
    ['console/style.css', 'connect/page.css'].map((file) =>
      readFile(new URL(`../../../src/${file}`, import.meta.url), 'utf8'),
    ),
  )
  for (const style of [console, page]) {
    expect(style).not.toContain('@font-face')
    expect(style).toContain('var(--face)')
  }
})
