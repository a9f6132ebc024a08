// The head of an account: the same on all of its screens.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { eventually } from '../../../faults/resources.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const NAME = 'Northwind calls'
const VIEWS = ['Overview', 'Logs', 'Sync', 'Explorer', 'Search', 'Settings']
let world: ConsoleWorld
let other: string

describe.skipIf(chromium === null)('the head of an account', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    const { service } = world
    other = await service.connect('jira', { name: 'Southwind issues' })
    const gong = await service.connect('gong', { name: NAME, external_user_id: 'northwind' })
    const { instances, syncFailures } = service.service.store
    await eventually(async () => (await instances.find(gong))?.state === 'active')
    service.vendor('gong').fail('*', { mode: 'status', status: 500, times: 100_000 })
    await service.call('POST', `/v1/integrations/connectors/${gong}/sync`, {})
    await eventually(async () => (await syncFailures.of([gong])).length > 0)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'says whose it is and that its syncs fail, on every screen at the same place, $width px wide',
    async ({ width, colorScheme }) => {
      const { page, faults } = await world.enter('/instances?sync=failing', {
        viewport: { width, height: 860 },
        colorScheme,
      })
      await page.getByRole('link', { name: NAME }).click()
      const tabs = page.getByRole('navigation', { name: 'Of this account' }).getByRole('link')
      const head = page.locator('.screen-head')
      const places: number[] = []
      for (const view of VIEWS) {
        await tabs.filter({ hasText: view }).click()
        await page.locator(`nav a[aria-current="page"]`, { hasText: view }).last().waitFor()
        await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
        await head.getByText('Failing', { exact: true }).waitFor()
        expect(await tabs.allInnerTexts()).toEqual(VIEWS)
        for (const shown of ['Active', 'gong', 'northwind'])
          await head.getByText(shown, { exact: true }).waitFor()
        await page.waitForLoadState('networkidle')
        places.push((await tabs.first().boundingBox())?.y ?? -1)
        await expectAccessible(page)
        await screenshot(page, `account-head-${view.toLowerCase()}-${width}`)
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      }
      expect(new Set(places).size).toBe(1)
      expect(await page.title()).toBe(`${NAME} · Settings · Tenon`)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('leads to the same screen of another account, and checks the credentials on any of them', async () => {
    const { page, faults } = await world.enter(`/search?instance=${other}`)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText(/^The third party accepted the credentials/).waitFor()
    await page.getByRole('combobox', { name: 'Another account' }).fill('Northwind')
    await page.getByRole('option', { name: NAME }).click()
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/search')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('of an account that was just connected tells what is done for it soon', async () => {
    const young = await world.service.connect('jira', { name: 'Just connected' })
    const { page, faults } = await world.enter('/instances')
    // Several parts of the screen ask for logs, and in no fixed order: nothing is told to any of them
    // before the sentence was read.
    let read = false
    await page.route('**/v1/logs?*', async (route) => {
      if (read) return await route.continue()
      return await route.fulfill({ json: { data: [], meta: { has_more: false } } })
    })
    await page.goto(`${world.service.url}/console/instances/${young}`)
    const activity = page.getByRole('region', { name: 'Latest activity' })
    await activity.getByText('What is done for it first appears here in a moment.').waitFor()
    read = true
    // In words, and not by the names that the logs have for it.
    await activity
      .getByText(/^Sync of \w+: everything, for the first time$/)
      .first()
      .waitFor()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('New state Active').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('has its parts from the first paint: what is not known yet has its room, and no raw name', async () => {
    const { page, faults } = await world.enter('/instances')
    const held: (() => void)[] = []
    await page.route(/\/(sync|logs|connectors\/jira)(\?.*)?$/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await page.getByRole('link', { name: 'Southwind issues' }).click()
    const copies = page.getByRole('region', { name: 'Copies' })
    const activity = page.getByRole('region', { name: 'Latest activity' })
    for (const part of [copies, activity]) await part.getByText('Loading …').waitFor()
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText('Authentication').waitFor()
    expect(await details.getByText('api_token').count()).toBe(0)
    await expectAccessible(page)
    await screenshot(page, 'account-loading')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const release of held) release()
    await details.getByText('E-mail and API token').waitFor()
    for (const part of [copies, activity]) {
      await part.getByRole('listitem').first().waitFor()
      expect(await part.getByText('Loading …').count()).toBe(0)
    }
    expect(faults).toEqual([])
    await page.context().close()
  })
})
