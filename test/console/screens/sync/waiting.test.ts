// A third party that fails for one entity only, in a real browser: what is read below it is not called up to date.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../faults/resources.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let github: string

async function states(): Promise<readonly string[]> {
  const { body } = await world.service.call('GET', `/v1/integrations/connectors/${github}/sync`)
  // As the schema of the route says.
  return (body as { readonly data: readonly { readonly state: string }[] }).data.map(
    ({ state }) => state,
  )
}

describe.skipIf(chromium === null)('copies that wait for another one', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    github = await world.service.connect('github')
    await eventually(async () => (await states()).every((state) => state === 'ready'))
    world.service.vendor('github').fail('repositories.list', {
      mode: 'status',
      status: 500,
      times: 1_000,
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('say so on every screen, and what came of a run stands in place of that it goes on', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${github}`)
    await page.getByRole('button', { name: 'Synchronize now' }).click()
    const count = (await states()).length - 1
    await page.getByText(`0 entities read, 1 failed, ${count} wait for another entity.`).waitFor()
    const box = page.getByRole('region', { name: 'Failing copies' })
    await box
      .getByText(`1 of ${count + 1} copies fail, and ${count} wait.`, { exact: false })
      .waitFor()
    await box
      .getByText(
        /wait for repositories, which has been failing for .*: not known to be up to date\.$/,
      )
      .waitFor()
    const issues = page.getByRole('region', { name: 'issues', exact: true })
    await issues.getByText('Waiting', { exact: true }).click()
    await issues
      .getByText('Not known to be up to date: it is read below repositories, which fails.')
      .waitFor()
    await issues
      .getByText(/waits for repositories, which has been failing for/)
      .first()
      .waitFor()
    await issues
      .getByText(/^with repositories, (?:in |now)/)
      .first()
      .waitFor()
    expect(await page.getByText('Complete, and kept up to date.').count()).toBe(0)
    await expectAccessible(page)
    await screenshot(page, 'sync-waiting')
    await page.goto(`${world.service.url}/console/instances/${github}`)
    await page
      .getByRole('region', { name: 'Failing copies' })
      .getByText(`1 of ${count + 1} copies fail, and ${count} wait.`, { exact: false })
      .waitFor()
    expect(await page.getByText('Waiting', { exact: true }).count()).toBe(count)
    expect(await page.getByText('Ready', { exact: true }).count()).toBe(0)
    await expectAccessible(page)
    await screenshot(page, 'account-waiting')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([1280, 390])('keep what they tell apart at %i px', async (width) => {
    const { page, faults } = await world.enter(`/sync?instance=${github}`, {
      viewport: { width, height: 844 },
    })
    // As it is after twenty minutes.
    await page.clock.setFixedTime(Date.now() + 20 * 60_000)
    await page.reload()
    await page.getByText('as of 20 minutes ago').first().waitFor()
    const rows = page.locator('.copy summary:has(h2)')
    const overlaps = await rows.evaluateAll((all) =>
      all.flatMap((row) => {
        const boxes = [...row.querySelectorAll('.copy-times > span, .badge')]
          .flatMap((each) => [...each.getClientRects()])
          .filter(({ width: wide }) => wide > 0)
        return boxes.filter((one, at) =>
          boxes.some(
            (other, next) =>
              next > at &&
              one.left < other.right &&
              other.left < one.right &&
              one.top < other.bottom - 2 &&
              other.top < one.bottom - 2,
          ),
        )
      }),
    )
    expect(overlaps).toEqual([])
    // Nothing of it is cut: what it waits for and when it is tried next are told as a whole.
    const cut = await rows.locator('.copy-times, .copy-times > span').evaluateAll((all) =>
      all.flatMap((each) => {
        const isCut = each.scrollWidth > each.clientWidth && each.clientWidth > 0
        return isCut ? [each.textContent] : []
      }),
    )
    expect(cut).toEqual([])
    await screenshot(page, `sync-waiting-${width}`)
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(width)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('do not fail any more on any screen once they are paused', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${github}`)
    await page.getByRole('button', { name: 'Pause all' }).click()
    await page.getByText('Every entity is paused.').waitFor()
    const box = page.getByRole('region', { name: 'Failing copies' })
    const words = 'failed before it was paused; nothing is tried until it is resumed.'
    await box.getByText(`1 of ${(await states()).length} copies ${words}`).waitFor()
    expect(await box.getByText(/Who acts|next attempt|Failing with it/).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume all' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sync-failed-paused')
    for (const [path, ready, told] of [
      [`/instances/${github}`, words, 'Failing'],
      ['/instances?sync=failing', 'Nothing matches', 'Failing (1)'],
      ['/instances', '1 account of your users at third parties', 'Failing'],
      ['/overview', 'No sync fails.', 'Accounts with failing syncs'],
    ] as const) {
      await world.show(page, path)
      await page.getByText(ready).first().waitFor()
      // The filter has the word without a number.
      const shown = page.getByText(told, { exact: true }).and(page.locator(':not(option)'))
      expect([path, await shown.count()]).toEqual([path, 0])
    }
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    await palette.getByRole('searchbox').fill('github')
    const found = palette.getByRole('group', { name: 'Accounts', exact: true })
    await found.getByRole('menuitem').first().waitFor()
    expect(await found.getByText('Failing', { exact: true }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('are not told next to the state of an account at another moment', async () => {
    const { page, faults } = await world.enter('/instances')
    const row = page.getByRole('row').filter({ hasText: 'github' })
    await row.getByText('Paused', { exact: true }).waitFor()
    await page.route('**/last-syncs?*', async (route) => {
      const answer = await route.fetch()
      // As the schema of the route says.
      const { data } = (await answer.json()) as { readonly data: readonly object[] }
      const before = data.map((each) => ({ ...each, account_state: 'auth_error' }))
      await route.fulfill({ response: answer, json: { data: before } })
    })
    await page.reload()
    await row.getByText('Active', { exact: true }).waitFor()
    await row.getByText('Loading …', { exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await row.getByText(/Paused|Stopped/).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
