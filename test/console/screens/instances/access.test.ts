// What the page of an account says of its access, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { consentedAccount } from '../../../fixtures/consented-account.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld

describe.skipIf(chromium === null)('the access of an account', () => {
  beforeAll(async () => {
    world = await openConsole()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('the end of the token is told, with what is granted and what is missing, by the operations that need it', async () => {
    const some = ['offline_access', 'read:jira-work', 'read:jira-user']
    const id = await consentedAccount(world.service, some)
    const { page, faults } = await world.enter(`/instances/${id}`, {
      viewport: { width: 390, height: 800 },
      colorScheme: 'dark',
    })
    const access = page.getByRole('region', { name: 'Access' })
    await access.getByText(/^expires in .*, renewed automatically$/).waitFor()
    await access.getByText(some.join(', '), { exact: true }).waitFor()
    await access.getByText('One scope is missing that the connector asks for').waitFor()
    const missing = access.getByRole('listitem').filter({ hasText: 'write:jira-work' })
    expect(await missing.innerText()).toMatch(/needed by issues\.create, .* and \d+ more$/)
    await expectAccessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await screenshot(page, 'instance-access')
    await access.getByRole('link', { name: 'Connect again' }).click()
    await page.waitForURL(`**/instances/${id}/reconnect`)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('with all scopes nothing is missing, and a key that nobody ends has no such part', async () => {
    const whole = await consentedAccount(world.service, null)
    const { page, faults } = await world.enter(`/instances/${whole}`)
    const access = page.getByRole('region', { name: 'Access' })
    await access.getByText('write:jira-work').waitFor()
    expect(await access.getByRole('link', { name: 'Connect again' }).count()).toBe(0)
    expect(await access.getByText('none', { exact: true }).count()).toBe(1)
    await world.show(page, `/instances/${await world.service.connect('gong')}`)
    await page.getByText('Access key', { exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await access.count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
