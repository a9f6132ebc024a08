// The documentation as a site, built and opened in a browser, page by page.
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from '../fixtures/accessible.ts'
import { findChromium, type OpenBrowser, openBrowser, screenshot } from '../fixtures/browser.ts'

const chromium = await findChromium()
if (chromium === null) process.stderr.write('no Chromium here: the tests of the site are skipped\n')

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  readonly version: string
}
const pages = [...globSync('docs/**/*.md', { cwd: root }), 'docs/changelog.md'].toSorted()

/** Runs in the page: what makes it scroll sideways, but for what scrolls in a box of its own. */
const WIDER = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
  .filter((each) => each.getBoundingClientRect().right > innerWidth)
  .map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 60))`

/** Runs in the page: where a template of a page or of the theme was left as text, and how many of manifests are shown. */
const TEMPLATES = `(() => {
  const left = []
  let shown = 0
  const kinds = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT
  const walk = document.createTreeWalker(document.documentElement, kinds)
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    if (node instanceof Element) {
      for (const { name, value } of node.attributes) if (value.includes('{{')) left.push(name + '=' + value)
    } else if (node.data.includes('{{')) {
      // Only code may show one: there it is the language of manifests.
      if (node.parentElement.closest('pre, code') !== null) shown += node.data.split('{{').length - 1
      else if (node.parentElement.closest('script, style') === null) left.push(node.data.trim())
    }
  }
  return { left, shown }
})()`

function build(...args: readonly string[]): void {
  const script = ['scripts/build-site.ts', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, script, {
    cwd: root,
    encoding: 'utf8',
  })
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
}

describe.skipIf(chromium === null)('the site', () => {
  const app = fastify()
  let browser: OpenBrowser
  let url: string

  beforeAll(async () => {
    if (chromium === null) throw new TypeError('tests without a browser are skipped')
    build()
    // As a web server does that knows clean addresses: /search is search.html.
    await app.register(fastifyStatic, { root: `${root}/site/dist`, extensions: ['html'] })
    app.setNotFoundHandler((_request, reply) => reply.code(404).sendFile('404.html'))
    url = await app.listen({ host: '127.0.0.1', port: 0 })
    browser = await openBrowser(chromium)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await app.close()
  })

  test.for(pages)('%s shows its templates as code, and none of the theme', async (file) => {
    const { page, faults } = await browser.page()
    const path = file.replace(/^docs\//, '/').replace(/(?:index)?\.md$/, '')
    const answer = await page.goto(url + path, { waitUntil: 'networkidle' })
    expect(answer?.status()).toBe(200)
    const source = file === 'docs/changelog.md' ? 'CHANGELOG.md' : file
    const written = readFileSync(`${root}/${source}`, 'utf8').split('{{').length - 1
    expect(await page.evaluate(TEMPLATES)).toEqual({ left: [], shown: written })
    expect(await page.title()).not.toContain('{{')
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([
    { path: '/', name: 'home' },
    { path: '/host-apps', name: 'guide' },
    { path: '/connectors/gong', name: 'connector' },
    { path: '/reference/errors', name: 'errors' },
  ])('$path fits a phone and a wide screen, in the dark as well', async ({ path, name }) => {
    const views = [
      { width: 390, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
      { width: 1280, colorScheme: 'dark' },
    ] as const
    for (const { width, colorScheme } of views) {
      const { page, faults } = await browser.page({
        colorScheme,
        viewport: { width, height: 844 },
      })
      await page.goto(url + path, { waitUntil: 'networkidle' })
      await screenshot(page, `site-${name}-${width}-${colorScheme}`)
      await expectAccessible(page)
      expect(await page.evaluate(WIDER)).toEqual([])
      expect(faults).toEqual([])
      await page.context().close()
    }
  })

  test('code is copied by a button, and the version leads to the changelog', async () => {
    const { page } = await browser.page({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${url}/host-apps`, { waitUntil: 'networkidle' })
    await page.locator('div[class*=language-]').first().hover()
    await page.getByRole('button', { name: 'Copy Code' }).first().click()
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toContain('npm install')
    await page.getByRole('button', { name: `v${version}` }).click()
    // One version needs no list of them.
    expect(await page.getByText('this one').count()).toBe(0)
    await page.getByRole('link', { name: 'Changelog' }).first().click()
    await page.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor()
    await page.context().close()
  })

  test('the menus, the search and the page for wrong addresses have their words', async () => {
    const { page, faults } = await browser.page()
    await page.goto(`${url}/console`, { waitUntil: 'networkidle' })
    const menu = page.getByRole('navigation', { name: 'Sidebar Navigation' })
    await menu.getByRole('link', { name: 'The console', exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Main Navigation' }).getByText('Operators').waitFor()
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('retry attempts')
    await page.getByRole('option').first().waitFor()
    expect(await page.evaluate(TEMPLATES)).toMatchObject({ left: [] })
    await screenshot(page, 'site-searched')
    await page.keyboard.press('Escape')
    expect((await page.goto(`${url}/nowhere`))?.status()).toBe(404)
    await page.getByText('PAGE NOT FOUND').waitFor()
    expect(await page.evaluate(TEMPLATES)).toEqual({ left: [], shown: 0 })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('versions lie next to each other below a path, and lead to each other', async () => {
    const shelf = mkdtempSync(`${tmpdir()}/tenon-site-`)
    const versions = fastify()
    try {
      for (const other of ['0.0.9', '0.0.10']) {
        mkdirSync(`${shelf}/${other}`)
        writeFileSync(
          `${shelf}/${other}/index.html`,
          `<!doctype html><html lang="en"><title>${other}</title>`,
        )
      }
      build('--versions', shelf, '--at', '/docs/')
      expect(JSON.parse(readFileSync(`${shelf}/versions.json`, 'utf8'))).toEqual([
        version,
        '0.0.10',
        '0.0.9',
      ])
      await versions.register(fastifyStatic, {
        root: shelf,
        prefix: '/docs/',
        extensions: ['html'],
      })
      const at = `${await versions.listen({ host: '127.0.0.1', port: 0 })}/docs/`
      for (const width of [1280, 390]) {
        const { page, faults } = await browser.page({ viewport: { width, height: 844 } })
        await page.goto(at, { waitUntil: 'networkidle' })
        expect(page.url()).toBe(`${at}${version}/`)
        await page.goto(`${at}${version}/host-apps`, { waitUntil: 'networkidle' })
        if (width === 390) await page.getByRole('button', { name: 'mobile navigation' }).click()
        await page.getByRole('button', { name: `v${version}` }).click()
        await page.getByRole('link', { name: `v${version} (this one)` }).waitFor()
        await screenshot(page, `site-versions-${width}`)
        await expectAccessible(page)
        await page.getByRole('link', { name: 'v0.0.10' }).click()
        await expect.poll(() => page.title()).toBe('0.0.10')
        expect(faults.filter((fault) => !fault.includes('favicon'))).toEqual([])
        await page.context().close()
      }
    } finally {
      await versions.close()
      rmSync(shelf, { recursive: true, force: true })
    }
  })
})
