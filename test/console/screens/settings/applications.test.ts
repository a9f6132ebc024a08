// Applications in a real browser: what was refused of them, and where they may be used from.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditOf } from '../../../../src/service/audit.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld

describe.skipIf(chromium === null)('applications', () => {
  beforeAll(async () => {
    world = await openConsole()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  async function expectNoSideways(page: Page): Promise<void> {
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }

  test('refused uses are told at their application, and lead to the audit log', async () => {
    const { store } = world.service.service
    const refuse = async (why: string, outcome: string, address: string): Promise<void> =>
      await store.audit.append(
        auditOf(
          { organizationId: 'default', clientId: 'unknown', address },
          null,
          'access.refuse',
          {
            target: 'mintApplicationToken',
            outcome,
            members: [`first at ${new Date().toISOString()}`, why],
          },
        ),
      )
    await refuse('expired secret of app (default)', 'client_invalid, 1 time', '192.0.2.7')
    await refuse('wrong secret of app (default)', 'client_invalid, 1200 times', '203.0.113.9')
    for (const width of [1280, 390]) {
      const { page, faults } = await world.enter('/settings', { viewport: { width, height: 860 } })
      const row = page.getByRole('row', { name: /^first application/ })
      await row.getByText('1,201 refused in 24 hours').waitFor()
      await row
        .getByText(
          /wrong secret 1,200, expired secret 1; last just now from 203\.0\.113\.9 \(wrong secret\)/,
        )
        .waitFor()
      await expectNoSideways(page)
      await expectAccessible(page)
      await screenshot(page, `settings-refused-${width}`)
      await row.getByRole('link', { name: 'Refused uses' }).click()
      await expect.poll(() => page.getByRole('row', { name: /Had no access/ }).count()).toBe(2)
      expect(faults).toEqual([])
      await page.context().close()
    }
  })

  test.for([1280, 390])(
    'T13 a list of addresses without the own one is kept only after a question, %i px wide',
    async (width) => {
      const { applications } = world.service.service.store
      const { page, faults } = await world.enter('/settings', { viewport: { width, height: 860 } })
      const row = page.getByRole('row', { name: /^first application/ })
      const dialog = page.getByRole('dialog')
      const field = dialog.getByLabel('Allowed addresses, one per line')
      const kept = async (): Promise<unknown> =>
        (await applications.byClientId('default'))?.addresses
      await row.getByRole('button', { name: 'Change' }).click()
      await dialog.getByText('You come from 127.0.0.1.').waitFor()
      await field.fill('10/8')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog
        .getByText(/"10\/8" must be an IP address or a network/)
        .first()
        .waitFor()
      await field.fill('203.0.113.0/24')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('you will be refused from the next request on').waitFor()
      await dialog.getByRole('button', { name: 'Save without my address' }).waitFor()
      expect(await kept()).toEqual([])
      await expectNoSideways(page)
      await expectAccessible(page)
      await screenshot(page, `settings-addresses-asked-${width}`)
      await dialog.getByRole('button', { name: 'Add 127.0.0.1' }).click()
      expect(await field.inputValue()).toBe('203.0.113.0/24\n127.0.0.1')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row.getByText('May be used from 203.0.113.0/24, 127.0.0.1').waitFor()
      expect(await kept()).toEqual(['203.0.113.0/24', '127.0.0.1'])
      await expectNoSideways(page)
      await expectAccessible(page)
      await screenshot(page, `settings-addresses-${width}`)
      await row.getByRole('button', { name: 'Change' }).click()
      await field.fill('')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row.getByText(/^May be used from/).waitFor({ state: 'detached' })
      expect(await kept()).toEqual([])
      expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
      await page.context().close()
    },
  )
})
