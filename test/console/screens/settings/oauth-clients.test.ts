// Settings without an OpenID provider in a real browser: the OAuth client of a connector at its guide, and the roles.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld

describe.skipIf(chromium === null)('OAuth clients', () => {
  beforeAll(async () => {
    world = await openConsole({
      mode: 'dev',
      oauthClients: { jira: { id: 'of-the-operator', secret: 'operator-secret' } },
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('a client is kept at the guide of its connector, changed and removed; its secret is never shown', async () => {
    const { page, faults } = await world.enter('/settings?part=connectors', {
      viewport: { width: 390, height: 800 },
      colorScheme: 'dark',
    })
    const clients = world.service.service.oauthClients
    const gong = page.locator('summary', { hasText: 'Gong' })
    await gong.getByText('Client is missing').waitFor()
    await gong.click()
    const form = page.getByRole('form', { name: 'OAuth client of Call analytics (Gong)' })
    await form.getByLabel('Client id').fill('gong-client')
    await form.getByLabel('Client secret').fill('gong-secret-1')
    expect(await form.getByLabel('Client secret').getAttribute('type')).toBe('password')
    await form.getByRole('button', { name: 'Keep this client' }).click()
    await form.getByText('Saved. It is used from now on.').waitFor()
    await gong.getByText('OAuth client is set').waitFor()
    expect(clients.of('default', 'gong')).toMatchObject({ secret: 'gong-secret-1' })
    expect(await form.getByLabel('Client secret').inputValue()).toBe('')
    await page.getByText('an administrator, here').waitFor()
    await expectAccessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await screenshot(page, 'settings-client-phone')
    // Another id leaves the secret as it is.
    await form.getByLabel('Client id').fill('renamed')
    await form.getByLabel('Client id').press('Enter')
    await expect
      .poll(() => clients.of('default', 'gong'))
      .toMatchObject({ id: 'renamed', secret: 'gong-secret-1' })
    expect(await page.content()).not.toContain('gong-secret-1')
    await form.getByRole('button', { name: 'Remove the client' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await gong.getByText('Client is missing').waitFor()
    expect(clients.of('default', 'gong')).toBe(null)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what the settings have goes before a client that is kept, and is told', async () => {
    const body = { connector_type: 'jira', client_id: 'hidden', client_secret: 's' }
    await world.service.call('POST', '/v1/oauth-clients', body)
    const { page, faults } = await world.enter('/settings?part=connectors')
    await page.locator('summary', { hasText: 'Jira' }).click()
    const form = page.getByRole('form', { name: /Jira/ })
    await form.getByText('is not used: the settings go before it').waitFor()
    expect(await form.getByLabel('Client id').count()).toBe(0)
    await expectAccessible(page)
    await screenshot(page, 'settings-client-hidden')
    await form.getByRole('button', { name: 'Remove the client' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('without a provider, People says how to set one up, and what each role may do', async () => {
    const { page, faults } = await world.enter('/settings?part=people', {
      viewport: { width: 390, height: 800 },
    })
    await page.getByText('Nobody has signed in yet').waitFor()
    await page.getByText(`${world.service.url}/console/api/v1/session/open-id`).waitFor()
    await page.getByText('TENON_OIDC_ISSUER=https://…').waitFor()
    const roles = page.locator('summary')
    expect(await roles.locator('strong').allInnerTexts()).toEqual([
      'viewer',
      'developer',
      'administrator',
    ])
    await roles.filter({ hasText: 'developer' }).click()
    await page.getByText('All that a viewer may, and:').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Run operations, read and search records$/ })
      .waitFor()
    await expectAccessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await screenshot(page, 'settings-roles-phone')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
