// Every screen with one account, whose name is hostile; while the service is away; and the first paint in a slow network.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../fixtures/browser.ts'
import { IS_FULL } from '../fixtures/sizes.ts'
import { chromium, type ConsoleWorld, openConsole } from './console-page.ts'
import {
  addressesOf,
  expectScreensFit,
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
    await expectScreensFit(world, page, { name: 'one', ids, first: 0, isShort: !IS_FULL })
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
      await page.evaluate(`(() => {
        history.pushState(null, '', ${JSON.stringify(`/console${address}`)})
        dispatchEvent(new Event('tenon:moved'))
      })()`)
      // Some ask for nothing before they are used.
      await page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first().waitFor()
      expect(await sideways(page)).toBe(0)
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('in a slow network the first paint has the mark and a skeleton, which give way to the screen', async () => {
    const { page, faults } = await world.enter('/overview')
    await page.waitForLoadState('networkidle')
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.setCacheDisabled', { cacheDisabled: true })
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 100_000,
      uploadThroughput: 50_000,
    })
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
