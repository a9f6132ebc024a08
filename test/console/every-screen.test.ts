// Every screen with one account, whose name is hostile; while the service is away; in a slow network; once the session is over.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CDPSession, Page } from 'playwright-core'
import { screenshot } from '../fixtures/browser.ts'
import { IS_FULL } from '../fixtures/sizes.ts'
import { chromium, type ConsoleWorld, openConsole } from './console-page.ts'
import {
  addressesOf,
  expectScreensFit,
  inPages,
  moveTo,
  type ScreenIds,
  sideways,
  unwalked,
} from './every-screen.ts'

let world: ConsoleWorld
let ids: ScreenIds

test('the list has every screen of the console', () => expect(unwalked()).toEqual([]))

describe.skipIf(chromium === null)('every screen', () => {
  beforeAll(async () => {
    world = await openConsole()
    const { service } = world
    const account = await service.connect('gong', { name: `a\u202Egnp.exe ${'W'.repeat(200)}` })
    const webhook = await service.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hooks' })
    ids = { account, webhook: (webhook.body as { readonly id: string }).id }
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('fits with one account, at all widths, in both themes', async () => {
    const { page, faults } = await world.enter()
    await expectScreensFit(world, page, { name: 'one', ids, walk: 0, isShort: !IS_FULL })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('says what is wrong while the service is away, and keeps its frame', async () => {
    const { page, faults } = await world.enter('/overview', {
      viewport: { width: 390, height: 800 },
    })
    // All screens are loaded by then.
    await page.waitForLoadState('networkidle')
    await page.route('**/console/api/**', (route) => route.abort('connectionrefused'))
    for (const address of addressesOf(ids)) {
      await moveTo(page, address)
      // Some ask for nothing before they are used.
      await page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first().waitFor()
      expect(await sideways(page)).toBe(0)
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('in a slow network has a skeleton until its content is there', async () => {
    await inPages(world, addressesOf(ids), async (page, addresses) => {
      await page.waitForLoadState('networkidle')
      // What stood in the page, once the browser had read it.
      await page.addInitScript(`
        const seen = globalThis.seenWhileLoading = { skeletons: 0, bare: [] }
        new MutationObserver(() => {
          const root = document.getElementById('root')
          if (root === null || document.readyState === 'loading') return
          if (root.querySelector('.skeleton') !== null) seen.skeletons++
          else if (root.querySelector('h1') === null) seen.bare.push(root.innerHTML.slice(0, 200))
        }).observe(document, { childList: true, subtree: true })
      `)
      await slowDown(page, { latency: 300, downloadThroughput: 60_000 })
      for (const address of addresses) {
        await page.goto(`${world.service.url}/console${address}`, { waitUntil: 'commit' })
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
        const { skeletons, bare } = await page.evaluate<{ skeletons: number; bare: string[] }>(
          'seenWhileLoading',
        )
        expect.soft(bare, address).toEqual([])
        expect.soft(skeletons, address).toBeGreaterThan(0)
        // A consent that did not begin here is told as that.
        if (address === '/connected') continue
        expect.soft(await page.getByRole('alert').allInnerTexts(), address).toEqual([])
      }
    })
  })

  test('says that the session is over, whatever is asked for then', async () => {
    // It asks for nothing where no consent began here.
    const all = addressesOf(ids).filter((each) => each !== '/connected')
    const told: string[] = []
    await inPages(world, all, async (page, addresses) => {
      const cookies = await page.context().cookies()
      for (const address of addresses) {
        await page.context().addCookies(cookies)
        await world.show(page, '/connected')
        await page.waitForLoadState('networkidle')
        // What is shown asks again on its own: what it asks waits until the screen is there.
        const shown = Promise.withResolvers<undefined>()
        await page.route('**/console/api/**', async (route) => {
          await shown.promise
          await route.continue()
        })
        await page.context().clearCookies()
        await moveTo(page, address)
        shown.resolve(undefined)
        // So does this one, before it is sent.
        if (address === '/webhooks/new') {
          await page.getByLabel('Address').fill('https://example.com/hooks')
          await page.getByRole('button', { name: 'Add the endpoint' }).click()
        }
        await page.getByText('Your session is over.').waitFor()
        told.push(address)
      }
    })
    expect(told.toSorted()).toEqual(all.toSorted())
  })

  test('in a slow network the first paint has the mark and a skeleton, which give way to the screen', async () => {
    const { page, faults } = await world.enter('/overview')
    await page.waitForLoadState('networkidle')
    const network = await slowDown(page, { latency: 150, downloadThroughput: 100_000 })
    await network.send('Network.setCacheDisabled', { cacheDisabled: true })
    await page.goto(`${world.service.url}/console/overview`, { waitUntil: 'commit' })
    const skeleton = page.locator('.skeleton')
    await skeleton.locator('div').first().waitFor()
    // Before any script has run.
    expect(await page.locator('#root > .frame[aria-busy] .side .mark').count()).toBe(1)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
    await expect.poll(() => contrast()).toBeGreaterThan(1.25)
    expect(await sideways(page)).toBe(0)
    await screenshot(page, 'slow-skeleton')
    const frame = await page.locator('.side').boundingBox()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    // The frame stands where it stood, and what comes late finds its place.
    expect(await page.locator('.side').boundingBox()).toEqual(frame)
    await page.getByRole('list', { name: 'Accounts by state' }).waitFor()
    await skeleton.first().waitFor({ state: 'detached' })
    expect(await sideways(page)).toBe(0)
    await screenshot(page, 'slow-loaded')
    expect(faults).toEqual([])
    await page.context().close()

    /** Of a bar to the ground, as WCAG reckons it. */
    async function contrast(): Promise<number> {
      return (await page.evaluate(`(() => {
        const { backgroundColor } = getComputedStyle(document.querySelector('.skeleton div'))
        const canvas = document.createElement('canvas').getContext('2d')
        const luminance = (colour) => {
          canvas.fillStyle = colour
          canvas.fillRect(0, 0, 1, 1)
          const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
            const share = part / 255
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
          })
          return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }
        const [one, other] = [backgroundColor, getComputedStyle(document.body).backgroundColor]
          .map(luminance)
          .sort((a, b) => b - a)
        return (one + 0.05) / (other + 0.05)
      })()`)) as number
    }
  })
})

async function slowDown(
  page: Page,
  speed: { readonly latency: number; readonly downloadThroughput: number },
): Promise<CDPSession> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    ...speed,
    offline: false,
    uploadThroughput: speed.downloadThroughput / 2,
  })
  return network
}
