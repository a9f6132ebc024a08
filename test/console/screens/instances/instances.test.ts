// Signing in and the instances, in a real browser against the sandbox.
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import {
  chooseAction,
  chromium,
  type ConsoleWorld,
  expectAccessible,
  openConsole,
} from '../../console-page.ts'

let world: ConsoleWorld

function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate((node) => node === node.ownerDocument.activeElement)
}

describe.skipIf(chromium === null)('sign-in and instances', () => {
  beforeAll(async () => {
    world = await openConsole()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('a wrong secret is refused with the way out, a right one opens the console', async () => {
    const { page, faults } = await world.visit('/instances')
    await page.getByLabel('Client id').fill('default')
    await page.getByLabel('Client secret').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('tenon apps rotate-secret')
    await expectAccessible(page)
    await screenshot(page, 'sign-in')
    await page
      .getByLabel('Client secret')
      .fill(world.service.service.firstApplication?.clientSecret ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'No account is connected yet' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'instances-empty')
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await expectAccessible(page)
    await screenshot(page, 'user-menu')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Client secret').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an account is connected by the form of its connector, with problems at their fields', async () => {
    const { page, faults } = await world.enter('/instances/new')
    const issues = page.getByRole('button', { name: /Issue tracking/ })
    const another = page.getByRole('button', { name: 'Choose another connector' })
    await issues.press('Enter')
    // The list closes, and its place keeps the focus: Enter opens it again at what was chosen.
    await expect.poll(() => hasFocus(another)).toBe(true)
    expect(await issues.count()).toBe(0)
    await another.press('Enter')
    await expect.poll(() => hasFocus(issues)).toBe(true)
    await expectAccessible(page)
    await screenshot(page, 'new-instance-choice')
    await issues.press('Enter')
    await page.getByLabel('E-mail and API token').check()
    await page.getByText('You need: E-mail address of the account, API token.').waitFor()
    // What is missing is seen with its label, below the bar.
    const user = page.getByLabel('User', { exact: true })
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect.poll(() => hasFocus(user)).toBe(true)
    const bar = await page.getByRole('banner').boundingBox()
    await expect
      .poll(async () => (await page.getByText('User', { exact: true }).boundingBox())?.y)
      .toBeGreaterThanOrEqual(bar?.height ?? Infinity)
    await user.fill('user-7')
    await page.getByRole('textbox', { name: 'E-mail address of the account' }).fill('nobody')
    expect(await page.getByRole('textbox', { name: 'API token' }).getAttribute('type')).toBe(
      'password',
    )
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'new-instance-problems')
    expect(
      await page.getByRole('textbox', { name: 'API token' }).getAttribute('aria-invalid'),
    ).toBe('true')
    // What fills in the fields stands above all of them.
    const filler = page.getByRole('button', { name: 'Fill in demo credentials and a user' })
    const fields = await page.locator('form :is(button, input)').all()
    expect(await fields[0]?.innerText()).toBe(await filler.innerText())
    await filler.click()
    await screenshot(page, 'new-instance')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('The third party has accepted the credentials.').waitFor()
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText('E-mail and API token').waitFor()
    const copies = page.getByRole('region', { name: 'Copies' })
    await copies.getByText('The first reading begins in a moment.').waitFor()
    await copies.getByRole('link', { name: 'explorer' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'instance')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an account is connected by consent at the third party', async () => {
    const { page, faults } = await world.enter('/instances/new?connector=gong')
    await page.getByLabel(/on the third party’s page/).check()
    await page.getByLabel('User', { exact: true }).fill('user-8')
    await page.getByRole('button', { name: 'Go to the consent page' }).click()
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sandbox-consent')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('link', { name: 'Start again' }).click()
    expect(await page.getByLabel('User', { exact: true }).inputValue()).toBe('user-8')
    await page.getByRole('button', { name: 'Go to the consent page' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('The third party has accepted the credentials.').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/instances\/[0-9a-f-]{36}$/)
    await page.getByRole('region', { name: 'Details' }).getByText('user-8').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what a consent would be refused for afterwards is said before it, and the form outlives the session', async () => {
    const { page, faults } = await world.enter('/instances/new?connector=facebook-marketing')
    await page.getByLabel(/on the third party’s page/).check()
    await page.getByLabel('User', { exact: true }).fill('user-9')
    await page.getByRole('button', { name: 'Go to the consent page' }).click()
    await page.getByText('must be given').waitFor()
    const accounts = page.getByLabel('Ids of the ad accounts to pull data from')
    expect(await accounts.getAttribute('aria-invalid')).toBe('true')
    expect(await accounts.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    // The way that was chosen stays; only what is asked for is filled in.
    await page.getByRole('button', { name: 'Fill in demo settings' }).click()
    expect(await accounts.inputValue()).not.toBe('')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Go to the consent page' }).click()
    await page.getByLabel('Client id').fill('default')
    await page
      .getByLabel('Client secret')
      .fill(world.service.service.firstApplication?.clientSecret ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByLabel('User', { exact: true }).inputValue()).toBe('user-9')
    await page.getByRole('button', { name: 'Go to the consent page' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('The third party has accepted the credentials.').waitFor()
    // Who typed is known, and nothing that was typed.
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual(['tenon.who /console'])
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a consent that did not start in this tab connects nothing', async () => {
    const { page } = await world.enter('/connected?secret_id=tenon_os_x&state=foreign')
    await page.getByText('This consent did not start here').waitFor()
    expect(page.url()).not.toContain('secret_id')
    await page.context().close()
  })

  test('the list is filtered, and an instance is checked, disabled, enabled, renamed and deleted', async () => {
    const id = await world.service.connect('gong', { name: 'To be deleted' })
    const { page, faults } = await world.enter('/instances')
    await page.getByRole('link', { name: 'To be deleted' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'instances')
    await page.getByLabel('State').selectOption('auth_error')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByLabel('State').selectOption('')
    await page.getByRole('link', { name: 'To be deleted' }).click()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText(/The third party accepted the credentials in \d+ ms/).waitFor()
    await chooseAction(page, 'Disable')
    const asked = page.getByRole('dialog', { name: 'Disable To be deleted?' })
    await asked.getByText('Nothing is deleted: credentials, copies and logs stay.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'instance-disable')
    await asked.getByRole('button', { name: 'Disable' }).click()
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText('Switched off here.').waitFor()
    await screenshot(page, 'instance-disabled')
    await state.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('not proved yet').waitFor()
    await chooseAction(page, 'Disable')
    await asked.getByRole('button', { name: 'Disable' }).click()
    await state.getByText('Switched off here.').waitFor()
    await chooseAction(page, 'Enable')
    await page.getByText('not proved yet').waitFor()
    await chooseAction(page, 'Rename')
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Renamed' }).waitFor()
    await world.service.call('PATCH', `/v1/integrations/connectors/${id}`, {
      sync: { enabled: false },
    })
    await page.reload()
    await page.locator('.screen-head').getByRole('link', { name: 'Paused' }).waitFor()
    await screenshot(page, 'instance-paused')
    await chooseAction(page, 'Delete')
    await expectAccessible(page)
    await screenshot(page, 'instance-delete')
    await page.getByRole('button', { name: 'Delete the instance' }).click()
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    expect((await world.service.call('GET', `/v1/integrations/connectors/${id}`)).status).toBe(404)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('settings are changed in place, and a link lets the user connect anew', async () => {
    const id = await world.service.connect('jira', { name: 'Jira Cloud' })
    const { page, faults } = await world.enter(`/instances/${id}`)
    await page
      .getByRole('navigation', { name: 'Of this account' })
      .getByRole('link', { name: 'Settings' })
      .click()
    await page.getByRole('button', { name: 'Change the settings' }).click()
    const issues = page.getByLabel('Issues expand')
    await issues.fill('everything')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await issues.getAttribute('aria-invalid')).toBe('true')
    await issues.fill('changelog')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are changed.').waitFor()
    const changed = await world.service.call('GET', `/v1/integrations/connectors/${id}`)
    expect(changed.body).toMatchObject({ config: { issues_expand: 'changelog' } })
    // The words of the form, and whose account it is; of its credentials the method alone.
    for (const [term, fact] of [
      ['Issues expand', /^changelog issues_expand$/],
      ['Name', /^Jira Cloud$/],
      ['User', /./],
      ['Credentials', /kept encrypted, and never shown$/],
    ] as const)
      await page
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${term}$`) })
        .locator('xpath=following-sibling::dd[1]')
        .filter({ hasText: fact })
        .waitFor()
    const again = page.getByRole('main').getByText('enters other credentials')
    expect(await again.getByRole('link', { name: 'Re-authenticate' }).getAttribute('href')).toMatch(
      /\/reconnect$/,
    )
    await expectAccessible(page)
    await screenshot(page, 'account-settings')
    await chooseAction(page, 'Make a connect link')
    const address = page.getByLabel('Return address')
    await expect
      .poll(() => address.locator('option').allInnerTexts())
      .toEqual(['http://localhost:3000/connected'])
    await expectAccessible(page)
    await address.selectOption('http://localhost:3000/connected')
    await page.getByRole('button', { name: 'Make the link' }).click()
    const link = page.getByRole('region', { name: 'connect link' })
    await link.waitFor()
    expect((await fetch(await link.innerText())).status).toBe(200)
    await expectAccessible(page)
    await screenshot(page, 'connect-link')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('new credentials replace the old ones, and refused ones do not', async () => {
    const id = await world.service.connect('gong', { name: 'Second Gong' })
    const { page, faults } = await world.enter(`/instances/${id}`)
    await page.getByRole('link', { name: 'Re-authenticate' }).click()
    await page.getByRole('textbox', { name: 'Access key', exact: true }).fill('wrong')
    await page.getByRole('textbox', { name: 'Secret of the access key' }).fill('wrong')
    await page.getByRole('button', { name: 'Replace the credentials' }).click()
    await page.getByText('The old credentials are still in place.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'reconnect-refused')
    await page.getByRole('button', { name: 'Fill in demo credentials' }).click()
    await page.getByRole('button', { name: 'Replace the credentials' }).click()
    await page.getByText('The third party has accepted the credentials.').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('everything is there in the dark and on a narrow screen', async () => {
    const { page, faults } = await world.enter('/instances', {
      colorScheme: 'dark',
      viewport: { width: 390, height: 800 },
    })
    await page.getByRole('table').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'instances-dark-narrow')
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.getByRole('link', { name: 'Connect an account' }).click()
    await page.getByRole('button', { name: /Advertising/ }).click()
    await page.getByLabel(/with tokens/).check()
    await expectAccessible(page)
    await screenshot(page, 'new-instance-dark')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the details of an account name its user, its connector and the server of its own', async () => {
    const serverUrl = world.service.vendor('gong').url
    const id = await world.service.connect('gong', {
      name: 'of its own',
      external_user_id: `u${'-long'.repeat(30)}\u202E`,
      server_url: serverUrl,
    })
    const { page, faults } = await world.enter(`/instances/${id}`, {
      viewport: { width: 390, height: 800 },
    })
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText(serverUrl, { exact: true }).waitFor()
    await details.getByText('instead of the third party').waitFor()
    await details.getByText('⟨U+202E⟩').waitFor()
    for (const name of ['Copy the id', 'Copy the user', 'Copy the address of the server'])
      await details.getByRole('button', { name, exact: true }).waitFor()
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)
    await expectAccessible(page)
    await screenshot(page, 'instance-details-390')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
