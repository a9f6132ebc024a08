// Copies that are late, at their accounts and in lists; and what is done with chosen accounts that leaves none in the list.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const MINUTE = 60_000
let world: ConsoleWorld

describe.skipIf(chromium === null)('accounts', () => {
  beforeAll(async () => {
    world = await openConsole()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('whose copies are late say so, with when these were due', async () => {
    const id = await world.service.connect('gong', { name: 'Behind' })
    const { page, faults } = await world.enter('/overview')
    const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString()
    await page.route(/\/connectors\/[^/?]+\/sync(\?|$)/, async (route) => {
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { readonly data: object[] }
      const times = { last_synced_at: ago(9), next_run_at: ago(3), limited_until: null }
      const late = { state: 'ready', late: true, failures: 0, run: null, ...times }
      await route.fulfill({ json: { data: data.map((copy) => ({ ...copy, ...late })) } })
    })
    await page.route('**/last-syncs?*', async (route) => {
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { readonly data: object[] }
      const furthest = { entity: 'calls', synced_at: ago(9), late: true, interval_seconds: 60 }
      const late = { state: 'ready', furthest_behind: furthest, failing: [] }
      await route.fulfill({ json: { data: data.map((each) => ({ ...each, ...late })) } })
    })
    await page.goto(`${world.service.url}/console/instances/${id}`)
    const copies = page.getByRole('region', { name: 'Copies' }).getByRole('listitem')
    const calls = copies.filter({ has: page.getByRole('link', { name: 'calls', exact: true }) })
    await calls.getByText('Late', { exact: true }).waitFor()
    await calls.getByText(/was due 3 minutes ago/).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'account-late')
    await page.goto(`${world.service.url}/console/sync?instance=${id}`)
    const copy = page.getByRole('region', { name: 'calls', exact: true })
    await copy.getByText('Late', { exact: true }).waitFor()
    await copy
      .getByText(/was due 3 minutes ago/)
      .first()
      .waitFor()
    await copy.locator('summary').first().click()
    await copy.getByText(/it is due, was not read yet, and waits for its turn/).waitFor()
    await screenshot(page, 'sync-late')
    await page.goto(`${world.service.url}/console/instances`)
    const row = page.getByRole('row').filter({ hasText: 'Behind' })
    await row.getByRole('link', { name: 'Late' }).waitFor()
    await screenshot(page, 'accounts-late')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('that were chosen have their results when none is left in the list', async () => {
    const reason = { code: 'credentials_refused', detail: 'refused', since: 0, upstreamStatus: 401 }
    for (const name of ['First refused', 'Second refused'])
      await world.service.service.store.instances.setState(
        await world.service.connect('gong', { name }),
        { from: ['active'], to: 'auth_error', reason },
      )
    const { page, faults } = await world.enter('/instances?state=auth_error')
    await page.getByRole('link', { name: 'Second refused' }).waitFor()
    await page.getByRole('checkbox', { name: 'Choose all that are loaded' }).check()
    const bar = page.getByRole('toolbar', { name: 'Chosen accounts' })
    await bar.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Nothing matches').waitFor()
    const results = page.getByRole('dialog', { name: 'Check: 2 accounts' })
    await results.getByText('2 done.').waitFor()
    await results.getByRole('button', { name: 'Save as CSV' }).waitFor()
    await screenshot(page, 'bulk-emptied')
    await results.getByRole('button', { name: 'Close', exact: true }).last().click()
    await bar.waitFor({ state: 'detached' })
    expect(await page.getByText('Nothing matches').count()).toBe(1)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
