// The console under a finger: what can be pressed is large enough, and nothing tells of keys that are not there.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../fixtures/browser.ts'
import { IS_FULL } from '../../fixtures/sizes.ts'
import { chromium, type ConsoleWorld, openConsole } from '../console-page.ts'
import { addressesOf } from '../every-screen.ts'

let world: ConsoleWorld
/** Stand for an account and an endpoint until there is a service. */
const PLACES = { account: 'ID', webhook: 'HOOK' }
const ids = { ...PLACES }

/** What can be pressed and is lower or narrower than 24 px, with its words. */
function tooSmall(page: Page): Promise<readonly string[]> {
  return page.locator('main').evaluate((main) =>
    [...main.querySelectorAll('a, button, input, select, summary')]
      .filter((element) => element.checkVisibility() && element.closest('.unseen') === null)
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        return height < 24 || width < 24
      })
      .map((element) => `${element.tagName} ${element.textContent}`),
  )
}

describe.skipIf(chromium === null)('with a finger', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    ids.account = await world.service.connect('gong')
    const hook = await world.service.call('POST', '/v1/webhooks', {
      url: 'http://127.0.0.1:9/hook',
    })
    ids.webhook = (hook.body as { readonly id: string }).id
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for(addressesOf(PLACES, !IS_FULL).filter((address) => address !== '/signed-in'))(
    'everything of %s can be met',
    async (address) => {
      const path = address.replace('ID', ids.account).replace('HOOK', ids.webhook)
      const { page, faults } = await world.enter(path, {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
      })
      await page.locator('main h1').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      await expect.poll(() => tooSmall(page)).toEqual([])
      expect(
        await page
          .getByText(/Ctrl \+|Arrows move/)
          .filter({ visible: true })
          .count(),
      ).toBe(0)
      expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)
      const current = page.locator('.tab-list [aria-current]').last()
      if ((await current.count()) > 0) {
        const box = await current.boundingBox()
        expect(box?.x).toBeGreaterThanOrEqual(0)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
      }
      await screenshot(page, `touch-${address.replace(/\W+/g, '-')}`)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )
})
