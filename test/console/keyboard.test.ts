// Every screen by the keyboard alone: what can be used can be reached, the focus is seen, and nothing keeps it.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../fixtures/browser.ts'
import { IS_FULL } from '../fixtures/sizes.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from './console-page.ts'

let world: ConsoleWorld
/** In which screens are shown one after the other. */
let page: Page
let jira: string

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15'

/** Far more than any screen has. */
const MOST_STEPS = 250

/** A path of each screen with a query that fills it, and what must be reached there. */
const WALKED = [
  ['overview', '/overview', 'link "Connect an account"'],
  ['instances', '/instances', 'link "jira"'],
  ['one instance', '/instances/ID', 'button "More actions"'],
  ['connecting', '/instances/new?connector=jira', 'link "Cancel"'],
  ['explorer', '/explorer?instance=ID&entity=issues&action=api_search', 'button "Run"'],
  ['search', '/search?instance=ID&entity=issues', 'button "Search"'],
  ['sync', '/sync?instance=ID', 'button "Save the schedule"'],
  ['webhooks', '/webhooks', 'link "Add an endpoint"'],
  ['manifests', '/manifests?connector=jira', 'tab "Findings (0)"'],
  ['logs', '/logs', 'checkbox "Live"'],
  ['settings', '/settings', 'button "Add an application"'],
] as const

test('each line of the menu is walked below, and has a section in docs/console.md', () => {
  const screens = readFileSync('src/console/screens/all-screens.tsx', 'utf8')
  const inMenu = [...screens.matchAll(/path: '([^']+)', area: '[^']+', inMenu: '([^']+)'/g)]
  const sections = readFileSync('docs/console.md', 'utf8').split('\n')
  const paths = WALKED.map(([, path]) => path.replace(/\?.*/, ''))
  expect(inMenu).toHaveLength([...screens.matchAll(/inMenu:/g)].length)
  for (const [, path = '', words] of inMenu) {
    expect(paths).toContain(path)
    expect(sections).toContain(`## ${words}`)
  }
})

describe.skipIf(chromium === null)('the keyboard alone', () => {
  beforeAll(async () => {
    world = await openConsole()
    jira = await world.service.connect('jira')
    await world.service.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hooks' })
    page = (await world.enter()).page
  })
  afterAll(() => world[Symbol.asyncDispose]())

  // The parts of all screens are the same: every third one is walked in every run.
  test.for(WALKED.filter((_, at) => IS_FULL || at % 3 === 0))('%s', async ([, path, wanted]) => {
    await world.show(page, path.replace('ID', jira))
    await page.waitForLoadState('networkidle')
    const [role = '', name = ''] = wanted.split(/ "|"$/)
    // The roles above are some of those that Playwright knows.
    const target = page.getByRole(role as 'button', { name, exact: true })
    await target.waitFor()
    const { unseen, reached, isTrapped } = await walk(page, async () =>
      target.evaluate((node) => node === node.ownerDocument.activeElement),
    )
    expect({ unseen, reached, isTrapped }).toEqual({
      unseen: [],
      reached: true,
      isTrapped: false,
    })
  })

  test('a dialog begins at its first field, closes on Escape, and gives the focus back', async () => {
    await world.show(page, `/instances/${jira}`)
    await page.waitForLoadState('networkidle')
    const dialog = page.getByRole('dialog')
    const closings = [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).press('Enter'),
      () => page.getByRole('button', { name: 'Close' }).press('Enter'),
    ]
    for (const close of closings) {
      await page.getByRole('button', { name: 'More actions' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
      await dialog.waitFor()
      await expect.poll(() => focused(page)).toBe('INPUT')
      await close()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => focused(page)).toBe('BUTTON More actions')
    }
  })

  test('a dialog that ends leaves the focus where it has moved meanwhile', async () => {
    await world.show(page, `/instances/${jira}`)
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Signed in as' }).press('Enter')
    const theme = page.getByRole('radio', { name: 'System' })
    await theme.focus()
    expect(await theme.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
  })

  test('the menu of the person who is signed in opens, sets the theme, leads to the keys and closes', async () => {
    await world.show(page, '/overview')
    const button = page.getByRole('button', { name: 'Signed in as' })
    await button.press('Enter')
    const menu = page.getByRole('group', { name: 'You' })
    await menu.getByText('first application').waitFor()
    await menu.getByRole('button', { name: 'Copy the client id' }).waitFor()
    await page.keyboard.press('Tab')
    const theme = page.getByRole('radiogroup', { name: 'Theme' })
    await theme.getByRole('radio', { name: 'System' }).press('ArrowRight')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expect(await theme.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
    await expectAccessible(page)
    await screenshot(page, 'user-menu-dark')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(undefined)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    expect(await focused(page)).toContain('Signed in as')
    await button.press('Enter')
    await menu.getByRole('button', { name: 'Keys' }).press('Enter')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    expect(await menu.isVisible()).toBe(false)
    await page.keyboard.press('Escape')
  })

  test.for([
    { width: 1440, height: 900, columns: 2, key: 'Ctrl' },
    { width: 1280, height: 800, columns: 2, key: 'Ctrl' },
    { width: 1280, height: 800, columns: 2, key: '⌘', userAgent: MAC },
    { width: 900, height: 800, columns: 2, key: 'Ctrl' },
    { width: 390, height: 844, columns: 1, key: 'Ctrl' },
  ])('the sheet of keys at $width × $height with $key', async (shown) => {
    const { width, height, columns, key, userAgent } = shown
    const viewport = { width, height }
    const { page: sheetPage, faults } = await world.enter('/overview', {
      viewport,
      ...(userAgent === undefined ? {} : { userAgent }),
    })
    await sheetPage.getByRole('heading', { level: 1 }).waitFor()
    await sheetPage.keyboard.press('?')
    const dialog = sheetPage.getByRole('dialog', { name: 'Keys' })
    await dialog.waitFor()
    await expectAccessible(sheetPage)
    await expect
      .poll(() => dialog.evaluate((node) => node === node.ownerDocument.activeElement))
      .toBe(true)
    const title = await dialog.getByRole('heading', { name: 'Keys' }).boundingBox()
    expect(title?.y).toBeGreaterThan(0)
    expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThan(height)
    const lefts = await dialog
      .getByRole('heading', { level: 3 })
      .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().left))
    expect([lefts.length, new Set(lefts).size]).toEqual([3, columns])
    const { rows, outside, stacked } = await dialog.locator('dl > div').evaluateAll((nodes) => ({
      rows: nodes.map((node) => node.textContent),
      outside: nodes.flatMap((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect()
        return [...node.querySelectorAll('dt, kbd')]
          .filter((part) => {
            const at = part.getBoundingClientRect()
            return at.left < left || at.right > right || at.top < top || at.bottom > bottom
          })
          .map((part) => part.textContent)
      }),
      stacked: nodes
        .filter(
          (node) =>
            new Set([...node.querySelectorAll('kbd')].map((at) => at.getBoundingClientRect().top))
              .size !== 1,
        )
        .map((node) => node.textContent),
    }))
    expect({ outside, stacked }).toEqual({ outside: [], stacked: [] })
    expect(rows).toContain(`Find anything${key}K`)
    expect(rows).toContain('OverviewGthenO')
    expect(await dialog.locator('kbd', { hasText: /^[a-z]$/ }).count()).toBe(0)
    const cover = await sheetPage
      .locator('.cover')
      .evaluate((node) => [node.scrollTop, node.scrollHeight - node.clientHeight] as const)
    expect(columns === 2 ? cover : cover[0]).toEqual(columns === 2 ? [0, 0] : 0)
    await screenshot(sheetPage, `keys-${width}`)
    await sheetPage.emulateMedia({ colorScheme: 'dark' })
    await screenshot(sheetPage, `keys-${width}-dark`)
    expect(faults).toEqual([])
    await sheetPage.context().close()
  })

  test('on an iPhone a dialog holds the page still, and nothing is refused', async () => {
    const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15'
    const phone = await world.enter('', { userAgent: iPhone, hasTouch: true })
    // What the parts ask is a platform; the engine stays Chromium.
    await phone.page.addInitScript(`
      Object.defineProperty(navigator, 'userAgentData', { value: undefined })
      Object.defineProperty(navigator, 'platform', { value: 'iPhone' })`)
    await world.show(phone.page, '/overview')
    await phone.page.keyboard.press('?')
    await phone.page.getByRole('dialog').waitFor()
    expect(await phone.page.evaluate(`getComputedStyle(document.body).overscrollBehaviorY`)).toBe(
      'contain',
    )
    expect(phone.faults).toEqual([])
    await phone.page.context().close()
  })

  test('the skip link leads past the menu', async () => {
    await world.show(page, '/instances')
    // It comes with the list.
    await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
    await page.evaluate('document.activeElement.blur()')
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('BUTTON Save as CSV')
  })

  test('keys that are pressed while the page is loaded wait for what they are for', async () => {
    const { page: slow, faults } = await world.enter('/overview')
    await slow.waitForLoadState('networkidle')
    const session = Promise.withResolvers<undefined>()
    const accounts = Promise.withResolvers<undefined>()
    await slow.route('**/console/api/v1/session', async (route) => {
      await session.promise
      await route.continue()
    })
    await slow.route(/api.v1.integrations.connectors/, async (route) => {
      await accounts.promise
      await route.continue()
    })
    // Once the page asks who is signed in, it listens.
    const asked = slow.waitForRequest('**/console/api/v1/session')
    await slow.goto(`${world.service.url}/console/overview`)
    await asked
    await slow.locator('.frame[aria-busy="true"]').waitFor()
    await slow.keyboard.type('ga')
    session.resolve(undefined)
    await slow.waitForURL(/\/instances$/)
    // The list is still asked for: its filter is not there, nor its rows.
    await slow.locator('#main .skeleton').first().waitFor()
    await slow.keyboard.type('j')
    accounts.resolve(undefined)
    await expect.poll(() => focused(slow)).toBe('A jira')
    expect(faults).toEqual([])
    await slow.context().close()
  })

  test('in a page that was just loaded the first Tab leads to the way past the menu', async () => {
    for (const [, path] of WALKED) {
      await world.show(page, path.replace('ID', jira))
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('A Skip to the content')
    }
  })

  test('j and k lead through the copies of an account', async () => {
    await world.show(page, `/sync?instance=${jira}`)
    const copies = page.locator('.copy > details > summary')
    await copies.first().waitFor()
    for (const [key, at] of [
      ['j', 0],
      ['j', 1],
      ['j', 2],
      ['k', 1],
    ] as const) {
      await page.keyboard.press(key)
      expect(
        await copies.nth(at).evaluate((node) => node === node.ownerDocument.activeElement),
      ).toBe(true)
    }
  })

  test('with less motion wished for, nothing moves', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await world.show(page, '/instances')
    await page.getByRole('link', { name: 'Connect an account' }).waitFor()
    expect(
      await page.evaluate(`getComputedStyle(document.querySelector('.button')).transitionDuration`),
    ).toBe('0s')
  })
})

const FOCUSED = `(() => {
  const node = document.activeElement
  const name = node.getAttribute('aria-label') ?? node.textContent.trim()
  return node.tagName + (node.tagName === 'INPUT' ? '' : ' ' + name)
})()`

async function focused(page: Page): Promise<string> {
  return await page.evaluate(FOCUSED)
}

/** Where the focus is, and whether it is seen; null: on nothing, so the end is reached. */
const STEP = `(() => {
  const node = document.activeElement
  if (node === null || node === document.body) return null
  const name = node.tagName + ' ' + (node.getAttribute('aria-label') ?? node.textContent.slice(0, 40))
  const { outlineStyle, outlineWidth } = getComputedStyle(node)
  return { name, isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 }
})()`

/** Goes through a screen by Tab until it leaves it. */
async function walk(
  page: Page,
  isThere: () => Promise<boolean>,
): Promise<{
  readonly unseen: readonly string[]
  readonly reached: boolean
  readonly isTrapped: boolean
}> {
  const unseen: string[] = []
  let reached = false
  await page.evaluate('document.activeElement.blur()')
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    await page.keyboard.press('Tab')
    const step: { readonly name: string; readonly isSeen: boolean } | null =
      await page.evaluate(STEP)
    if (step === null) return { unseen, reached, isTrapped: false }
    if (!step.isSeen) unseen.push(step.name)
    reached ||= await isThere()
  }
  return { unseen, reached, isTrapped: true }
}
