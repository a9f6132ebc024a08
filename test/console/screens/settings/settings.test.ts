// Settings in a real browser: people of a real OpenID provider, applications, the audit log, end users.
import { text } from 'node:stream/consumers'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '../../../../src/display/audit-actions.ts'
import { OPEN_ID_CALLBACK } from '../../../../src/service/console/open-id.ts'
import { auditOf } from '../../../../src/service/audit.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { type OpenIdProvider, runProvider } from '../../../fixtures/openid-provider.ts'
import { WEBP } from '../../../fixtures/pictures.ts'
import { freePort } from '../../../fixtures/postgres.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const LONG = 'a-very-long-name-without-any-break-'.repeat(6)

let provider: OpenIdProvider
let world: ConsoleWorld

describe.skipIf(chromium === null)('settings', () => {
  beforeAll(async () => {
    const port = await freePort()
    const accounts = {
      ada: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' },
      bob: { email: `${LONG.slice(0, 150)}@example.com`, email_verified: true },
    }
    provider = await runProvider(accounts, [`http://127.0.0.1:${port}${OPEN_ID_CALLBACK}`])
    world = await openConsole({
      port,
      oidcIssuer: provider.issuer,
      oidcClientId: provider.clientId,
      oidcClientSecret: provider.clientSecret,
      oidcAdministrators: ['ada@example.com'],
      oidcDefaultRole: 'viewer',
    })
    await world.service.connect('jira', { external_user_id: 'user-9' })
  })
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  async function signIn(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: /^Sign in at 127\.0\.0\.1/ }).click()
    await page.getByPlaceholder('Enter any login').fill(name)
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  }

  /** A line of the menu of the settings. */
  function part(page: Page, name: string): Locator {
    return page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name })
  }

  async function expectNoSideways(page: Page): Promise<void> {
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }

  test('a person signs in at the provider and comes back to the place they came for', async () => {
    const { page, faults } = await world.visit('/settings?part=people')
    await page.getByRole('button', { name: /^Sign in at/ }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sign-in-provider')
    await signIn(page, 'ada')
    await part(page, 'People').waitFor()
    expect(new URL(page.url()).search).toBe('?part=people')
    const ada = page.getByRole('row', { name: /^Ada Lovelace, ada@example\.com/ })
    await ada.getByText('This is you').waitFor()
    await ada.getByText('active just now').waitFor()
    expect(await ada.getByRole('link', { name: 'What they did' }).getAttribute('href')).toContain(
      'part=audit&actor=person%3Aada%40example.com',
    )
    await page.locator('summary', { hasText: 'developer' }).click()
    await page.getByText('Run operations, read and search records').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'settings-people')
    // Her own role is not lowered by a slip, the last one's less than any.
    const role = page.getByLabel('Role of ada@example.com')
    await role.selectOption('administrator')
    await page.waitForLoadState('networkidle')
    await role.selectOption('viewer')
    const question = page.getByRole('dialog', {
      name: 'Take the role administrator from ada@example.com?',
    })
    await question.getByText('This is you').waitFor()
    await question.getByText('No other administrator has signed in yet').waitFor()
    await question.getByText('A viewer may not:').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'settings-people-lowered')
    await question.getByRole('button', { name: 'Keep the role' }).click()
    expect(await role.inputValue()).toBe('administrator')
    // The page of the provider is not ours.
    expect(faults.filter((fault) => !fault.includes('fonts.googleapis.com'))).toEqual([])
  })

  test('a viewer sees no settings, until an administrator gives another role', async () => {
    const { page: bob } = await world.visit('/settings', { viewport: { width: 390, height: 800 } })
    await signIn(bob, 'bob')
    await bob.getByRole('heading', { name: 'Settings are for administrators' }).waitFor()
    await expectNoSideways(bob)
    const { page } = await world.enter('/settings?part=people')
    // The selection shows the role that is kept, which is read again once the service has changed it.
    const changed = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByLabel(/^Role of a-very-long/).selectOption('administrator')
    expect((await changed).status()).toBe(200)
    await bob.reload()
    await part(bob, 'Applications').waitFor()
    await page
      .getByRole('row', { name: /a-very-long/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Let in again' }).waitFor()
    await bob.reload()
    await bob.getByRole('button', { name: /^Sign in at/ }).waitFor()
    expect(await bob.getByRole('navigation', { name: 'Screens' }).count()).toBe(0)
  })

  test('an application is made, changed, given another secret and disabled', async () => {
    const { page, faults } = await world.enter('/settings')
    await page.getByRole('button', { name: 'Add an application' }).click()
    await page.getByLabel('Name').fill(LONG)
    await page.getByLabel(/^Redirect addresses/).fill('http://evil.example/x')
    await page.getByRole('button', { name: 'Add the application' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await expectAccessible(page)
    await page.getByLabel(/^Redirect addresses/).fill('https://app.example.com/connected')
    await page.getByRole('button', { name: 'Add the application' }).click()
    const secret = page.getByRole('region', { name: 'secret' })
    const first = await secret.innerText()
    expect(first).toMatch(/^tenon_cs_/)
    await screenshot(page, 'settings-secret')
    await page.getByRole('button', { name: 'I have kept it' }).click()
    const row = page.getByRole('row', { name: new RegExp(LONG.slice(0, 40)) })
    await row.getByText('https://app.example.com/connected').waitFor()
    await row.getByRole('button', { name: 'New secret' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('The present secret').selectOption('is good for one more hour')
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16)
    await dialog.getByLabel('The new secret ends').fill(soon)
    await expectAccessible(page)
    await screenshot(page, 'settings-new-secret')
    await dialog.getByRole('button', { name: 'Make a new secret' }).click()
    await secret.waitFor()
    expect(await secret.innerText()).not.toBe(first)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await row
      .getByText(/^Secret made just now by .*, last used never Secret ends [A-Z0-9]/)
      .waitFor()
    await row.getByText('The one before is good until').waitFor()
    await expectAccessible(page)
    const button = await row.getByRole('button', { name: 'Disable' }).boundingBox()
    const table = await page.getByRole('region', { name: 'Known applications' }).boundingBox()
    expect(button && button.x + button.width).toBeLessThan(table ? table.x + table.width : 0)
    await screenshot(page, 'settings-secrets')
    await row.getByRole('button', { name: 'End it now' }).click()
    await row.getByText('The one before').waitFor({ state: 'detached' })
    await row.getByRole('link', { name: 'Log entries' }).waitFor()
    await row.getByRole('button', { name: 'Disable' }).click()
    await page
      .getByText(
        'None of the secrets it has now was used yet. The logs have no operation of it in the last 24 hours; they do not have its other calls.',
      )
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'settings-disable')
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled').waitFor()
    await expectAccessible(page)
    await row.getByRole('button', { name: 'New secret' }).click()
    await dialog.getByText('It is disabled: it gets no token').waitFor()
    expect(await dialog.getByText('without a call that fails').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    // On a phone a row has all that it has, one thing below the other.
    await page.setViewportSize({ width: 390, height: 800 })
    const { x = 0, width = 0 } =
      (await row.getByRole('button', { name: 'Enable' }).boundingBox()) ?? {}
    expect(x + width).toBeLessThan(390)
    await expectNoSideways(page)
    await expectAccessible(page)
    await screenshot(page, 'settings-applications-390')
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  })

  test('a secret that nobody used for long is named, unless its application is disabled', async () => {
    const { page } = await world.enter('/overview')
    const days = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString()
    await page.route('**/settings/applications', async (route) => {
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { data: readonly object[] }
      const [first] = data
      const like = (name: string, secret: object, more: object = {}): object => ({
        ...first,
        client_id: name,
        name,
        disabled_at: null,
        secret: { made_by: null, made_at: days(200), ends_at: null, ...secret },
        ...more,
      })
      const json = [
        like('idle', { used_at: days(100) }),
        like('never used', { used_at: null }),
        like('in use', { used_at: days(3) }),
        like('off', { used_at: days(100) }, { disabled_at: days(1) }),
      ]
      await route.fulfill({ json: { data: json } })
    })
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const told = async (name: string): Promise<readonly string[]> =>
      await page
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .locator('.badge')
        .allInnerTexts()
    await page.getByText('Not used for 100 days').waitFor()
    expect(await Promise.all(['idle', 'never used', 'in use', 'off'].map(told))).toEqual([
      ['Not used for 100 days', 'Enabled'],
      ['Not used for 200 days', 'Enabled'],
      ['Enabled'],
      ['Disabled'],
    ])
    await expectAccessible(page)
  })

  test('P11 the picture of an application is chosen, seen, kept and taken away', async () => {
    const { page, faults } = await world.enter('/settings')
    const row = page.getByRole('row', { name: /^first application/ })
    const open = () => row.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog')
    const picture = dialog.getByRole('img', { name: 'The picture' })
    const file = dialog.getByLabel('Picture on the connect page')
    await open()
    await file.setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<svg/>'),
    })
    await dialog.getByText('This file is no picture').waitFor()
    await file.setInputFiles({ name: 'x.gif', mimeType: 'image/gif', buffer: WEBP })
    await picture.waitFor()
    await expectAccessible(page)
    await screenshot(page, 'settings-logo')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await world.service.service.store.applications.logo('default')).toEqual(
      new Uint8Array(WEBP),
    )
    await page.reload()
    await open()
    await picture.waitFor()
    // In the middle of what was drawn.
    const pixel = `[...document.querySelector('canvas').getContext('2d').getImageData(12, 8, 1, 1).data]`
    expect(await page.evaluate(pixel)).toMatchObject({ 3: 255 })
    await dialog.getByRole('button', { name: 'Take it away' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await world.service.service.store.applications.logo('default')).toBe(null)
    expect(faults).toEqual([])
  })

  test('connectors say what has to be set up at the vendor', async () => {
    const { page } = await world.enter('/settings?part=connectors')
    const jira = page.locator('summary', { hasText: 'Jira' })
    await jira.getByText(/^\d+ accounts?$/).waitFor()
    await jira.click()
    await page.getByRole('link', { name: 'Its accounts' }).click()
    await page.waitForURL(/\/instances\?connector_type=jira$/)
    await page.goBack()
    await page.locator('summary', { hasText: 'Gong' }).click()
    const address = page.getByText(`${world.service.url}/v1/oauth/callback/gong`)
    await address.waitFor()
    expect(await address.count()).toBe(1)
    const guide = page.locator('details[open]')
    await guide.getByText('which some vendors take for trials').waitFor()
    await guide.getByText('the sandbox, for its local vendor').waitFor()
    await guide.getByRole('button', { name: 'Copy the scopes' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'settings-connectors')
  })

  test.for([1280, 390])(
    'each part says what it is for, next to a menu, %i px wide',
    async (width) => {
      const { page, faults } = await world.enter('/settings', { viewport: { width, height: 860 } })
      for (const [name, about] of [
        ['Connectors', 'how each vendor gets to know this service'],
        ['People', 'what they may do here'],
        ['Audit log', 'Who did what'],
        ['End users', 'everything that is kept of one user'],
        ['Applications', 'Your apps that call this service'],
      ] as const) {
        await part(page, name).click()
        await page.getByRole('region', { name, exact: true }).getByText(about).waitFor()
        expect(await part(page, name).getAttribute('aria-current')).toBe('page')
        await page.waitForLoadState('networkidle')
        await expectNoSideways(page)
        await expectAccessible(page)
        await screenshot(page, `settings-${name.toLowerCase().replace(' ', '-')}-${width}`)
      }
      const menu = (await part(page, 'People').boundingBox()) ?? { x: 0, y: 0 }
      const card = (await page
        .getByRole('region', { name: 'Applications', exact: true })
        .boundingBox()) ?? { x: 0, y: 0 }
      expect(width === 1280 ? menu.x < card.x && menu.y < card.y + 80 : menu.y < card.y).toBe(true)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('the audit log is exported as it is filtered, by an exact time, with what was denied', async () => {
    const { store } = world.service.service
    const refused = auditOf(
      { organizationId: 'default', clientId: 'default' },
      null,
      'access.refuse',
      {
        target: 'deleteConnectorInstance',
        outcome: 'scope_denied, 3 times',
      },
    )
    await store.audit.append(refused)
    const { page, faults } = await world.enter('/settings?part=audit&status=failed')
    await page.getByText('Events are kept for 90 days.').waitFor()
    const row = page.getByRole('row', { name: /Had no access/ })
    await row.getByText('Denied', { exact: true }).waitFor()
    await row.getByText('scope_denied, 3 times').waitFor()
    await row.getByText('Delete accounts', { exact: true }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Outcome', exact: true }).inputValue()).toBe(
      'failed',
    )
    await page
      .getByRole('combobox', { name: 'Time', exact: true })
      .selectOption('between two moments')
    await page.getByLabel('Before').fill('2020-01-01T00:00:00')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('heading', { name: 'No event fits' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Before').fill('2100-01-01T00:00:00')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await row.waitFor()
    await expectAccessible(page)
    await expectNoSideways(page)
    await screenshot(page, 'settings-audit-denied')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('tenon-audit.csv')
    const lines = (await text(await file.createReadStream())).trimEnd().split('\r\n')
    expect(lines.slice(1).every((line) => !line.includes(',done,'))).toBe(true)
    expect(lines.join('\n')).toContain('"scope_denied, 3 times"')
    await row.getByRole('link', { name: /first application/ }).click()
    await page.waitForURL(/\?part=audit&actor=default$/)
    expect(await page.getByRole('combobox', { name: 'Who', exact: true }).inputValue()).toBe(
      'default',
    )
    expect(faults).toEqual([])
  })

  test('the audit log is filtered, and an end user is exported and erased', async () => {
    const { page } = await world.enter('/settings?part=audit', {
      viewport: { width: 390, height: 800 },
      colorScheme: 'dark',
    })
    const show = () => page.getByRole('button', { name: 'Show', exact: true }).click()
    // Names, with the ids behind them; the filters know both.
    const created = page.getByRole('row', { name: /Connected an account/ }).first()
    await created.getByText('first application').waitFor()
    await created.getByRole('link', { name: 'jira', exact: true }).waitFor()
    await page
      .getByRole('combobox', { name: 'Who', exact: true })
      .selectOption({ label: 'Ada Lovelace' })
    await show()
    await page
      .getByRole('rowheader', { name: /^Signed in to the console/ })
      .first()
      .waitFor()
    await created.waitFor({ state: 'detached' })
    await page
      .getByRole('combobox', { name: 'Who', exact: true })
      .selectOption({ label: 'Anybody' })
    await page.getByRole('combobox', { name: 'Account' }).fill('jir')
    await page.getByRole('option', { name: /jira/ }).click()
    await show()
    await created.waitFor()
    await page
      .getByRole('rowheader', { name: /^Signed in to the console/ })
      .first()
      .waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Any account' }).click()
    const asked = page.waitForRequest((request) => /\/audit\?.*from=/.test(request.url()))
    await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('last hour')
    await show()
    const from = new URL((await asked).url()).searchParams.get('from') ?? ''
    expect(Math.abs(Date.parse(from) - (Date.now() - 3_600_000))).toBeLessThan(600_000)
    await created.waitFor()
    // The list of actions is whole, in groups, and what is asked for is in the address.
    const action = page.getByRole('combobox', { name: 'Action', exact: true })
    expect(await action.locator('optgroup').count()).toBe(Object.keys(AUDIT_ACTIONS).length)
    await page
      .getByRole('combobox', { name: 'Who', exact: true })
      .selectOption({ label: 'first application' })
    await action.selectOption('person.update')
    await show()
    await page
      .getByRole('rowheader', { name: /^Changed what a person may do/ })
      .first()
      .waitFor()
    expect(new URL(page.url()).searchParams.get('action')).toBe('person.update')
    await expectAccessible(page)
    await expectNoSideways(page)
    await screenshot(page, 'settings-audit-phone')
    // A row has two lines.
    const { height = 0 } = (await page.getByRole('row').nth(1).boundingBox()) ?? {}
    expect(height).toBeLessThan(72)
    await part(page, 'End users').click()
    const user = page.getByRole('combobox', { name: 'End user' })
    await user.fill('user-unknown')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText('Nothing of user-unknown is kept, but for the audit log.').waitFor()
    await user.fill('user-9')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText(/^Exported \d+ entries of user-9/).waitFor()
    await page.getByRole('button', { name: /^Erase everything/ }).click()
    const dialog = page.getByRole('dialog')
    const sure = dialog.getByRole('button', { name: 'Erase everything' })
    expect(await sure.isDisabled()).toBe(true)
    await dialog
      .getByText(/^1 account with credentials, [\d,]+ records? in their copies, and the tokens/)
      .waitFor()
    await dialog.getByLabel('Type the id of the user').fill('user-9')
    await expectAccessible(page)
    await sure.click()
    await page.getByText('Erased 1 account of user-9').waitFor()
    await expectNoSideways(page)
    const left = await world.service.call(
      'GET',
      '/v1/integrations/connectors?external_user_id=user-9',
    )
    expect(left.body).toMatchObject({ data: [] })
  })
})
