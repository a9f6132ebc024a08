// The failing syncs of the overview: of an outage one line, and those that fail for other reasons next to it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld

describe.skipIf(chromium === null)('failing syncs', () => {
  beforeAll(async () => {
    world = await openConsole()
    const failedAt = Date.now()
    const copy = { since: failedAt - 3_600_000, failures: 3, failedAt }
    const failed = { ...copy, code: 'upstream_failed', detail: 'Gong: calls.list failed' }
    const held = `Held back because another call failed: ${failed.detail}`
    const { syncFailures } = world.service.service.store
    for (let account = 1; account <= 4; account++) {
      const instanceId = await world.service.connect('gong', { name: `Outage ${account}` })
      await syncFailures.put({ ...failed, instanceId, entity: 'calls' })
    }
    const alone = await world.service.connect('jira', { name: 'Alone' })
    await syncFailures.put({ ...failed, instanceId: alone, entity: 'users', detail: held })
    await syncFailures.put({ ...failed, instanceId: alone, entity: 'issues' })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('many accounts with one cause are one line; one reason is told once', async () => {
    const { page, faults } = await world.enter('/')
    const failing = page.getByRole('region', { name: 'Failing syncs' })
    const outage = failing.getByRole('link', { name: '4 accounts of gong' })
    expect(await outage.getAttribute('href')).toMatch(/sync=failing&connector_type=gong$/)
    expect(await failing.getByText(/Outage \d/).count()).toBe(0)
    await failing.getByRole('link', { name: 'Alone' }).waitFor()
    expect(await failing.getByText('Held back').count()).toBe(0)
    expect(await failing.getByRole('link', { name: 'upstream_failed' }).count()).toBe(2)
    await failing.getByRole('link', { name: 'All 5 accounts with failing syncs' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'overview-outage')
    await outage.click()
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    await page.getByRole('link', { name: 'Outage 4' }).waitFor()
    expect(await page.getByRole('link', { name: 'Alone' }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('copies that lag are asked for with the first paint, and have a card once it has words', async () => {
    const { page, faults } = await world.enter('/instances')
    const held: Record<string, () => void> = {}
    for (const name of ['summary', 'last-syncs'])
      await page.route(`**/${name}*`, async (route) => {
        await new Promise<void>((resolve) => (held[name] = resolve))
        await route.continue()
      })
    await page.getByRole('link', { name: 'Overview' }).click()
    // Neither waits for the other.
    await expect.poll(() => Object.keys(held).toSorted()).toEqual(['last-syncs', 'summary'])
    const card = page.getByRole('region', { name: 'Copies that lag' })
    held['summary']?.()
    await page.getByRole('region', { name: 'Slowest operations' }).waitFor()
    expect(await card.count()).toBe(0)
    held['last-syncs']?.()
    await card.waitFor()
    expect(await card.getByText('Loading …').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
