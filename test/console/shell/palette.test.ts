// Ctrl+K: what it finds, and what it does.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '../../../src/service/tokens/applications.ts'
import { screenshot } from '../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../console-page.ts'

let world: ConsoleWorld
let jira: string

describe.skipIf(chromium === null)('the palette', () => {
  beforeAll(async () => {
    world = await openConsole()
    const { service } = world
    jira = await service.connect('jira', { external_user_id: 'ada-42', name: 'Büro Zürich' })
    await service.connect('jira', { external_user_id: 'bob-43', name: 'Sales of Tallow' })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('points at no entry that is gone while another one has not been told yet', async () => {
    const { page } = await world.enter('/instances')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    const box = palette.getByRole('searchbox')
    await box.fill('zurich')
    await palette.locator('input[aria-activedescendant]').waitFor()
    // What is noted at each change of the page, before the test sees it.
    await page.evaluate(`(() => {
      window.gone = 0
      window.changes = 0
      const id = () => document.activeElement.getAttribute('aria-activedescendant')
      new MutationObserver(() => {
        window.changes += 1
        if (id() && !document.getElementById(id())) window.gone += 1
      }).observe(document.body, { childList: true, subtree: true })
    })()`)
    await box.fill('tallow')
    await palette.getByRole('menuitem').first().getByText('bob-43').waitFor()
    await palette.locator('input[aria-activedescendant]').waitFor()
    expect(await page.evaluate('window.gone')).toBe(0)
    expect(await page.evaluate('window.changes')).not.toBe(0)
    await page.context().close()
  })

  test('finds in spite of a wrong letter, leads to codes and documentation, shows keys, and closes at once', async () => {
    const { page, faults } = await world.enter('/overview')
    const palette = page.getByRole('dialog', { name: 'Find' })
    const box = palette.getByRole('searchbox')
    const first = palette.getByRole('menuitem').first()
    await page.keyboard.press('Control+k')
    for (const [typed, name] of [
      ['talolw', 'bob-43'],
      ['acounts', 'Accounts'],
      ['upstream_failed', 'Third party failed'],
    ] as const) {
      await box.fill(typed)
      await first.getByText(name).waitFor()
    }
    await screenshot(page, 'palette-code')
    await box.fill('docs')
    await palette.getByRole('menuitem', { name: 'API reference' }).waitFor()
    await box.fill('accounts')
    const screens = palette.getByRole('group', { name: 'Screens', exact: true })
    const keys = screens.getByRole('menuitem', { name: /^Accounts/ }).locator('kbd')
    expect(await keys.allInnerTexts()).toEqual(['G', 'A'])
    await expectAccessible(page)
    await screenshot(page, 'palette-keys')
    await box.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await box.fill('upstream_failed')
    await first.getByText('Third party failed').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/errors#upstream_failed$/)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('finds what there is by the words that people ask with', async () => {
    const { page, faults } = await world.enter(`/instances/${jira}`)
    await page.getByRole('heading', { level: 1, name: 'Büro Zürich' }).waitFor()
    const palette = page.getByRole('dialog', { name: 'Find' })
    const box = palette.getByRole('searchbox')
    await page.keyboard.press('Control+k')
    for (const [typed, name] of [
      ['logout', 'Sign out'],
      ['log out', 'Sign out'],
      ['sign off', 'Sign out'],
      ['stop syncing', 'Pause all copies'],
      ['stop sync', 'Pause all copies'],
      ['invite a colleague', 'People, roles'],
      ['errors today', 'Logs'],
      ['why failing', 'No account needs attention'],
      ['which accounts need me', 'No account needs attention'],
      ['remove account', 'Delete'],
      ['delete account', 'Delete'],
    ] as const) {
      await box.fill(typed)
      await palette.getByRole('menuitem').filter({ hasText: name }).first().waitFor()
    }
    await screenshot(page, 'palette-asked')
    const own = palette.getByRole('group', { name: 'Cannot be undone' })
    await own.getByRole('menuitem').filter({ hasText: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Büro Zürich?' })
    await question.getByRole('button', { name: 'Keep it' }).click()
    await question.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('finds pages, headings and texts of the documentation, and leads to its search', async () => {
    const { page, faults } = await world.enter('/overview')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const palette = page.getByRole('dialog', { name: 'Find' })
    const box = palette.getByRole('searchbox')
    const named = palette.getByRole('group', { name: 'Documentation', exact: true })
    const inTexts = named
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(asked.filter((path) => path.startsWith('/docs/'))).toEqual([])
    await page.keyboard.press('Control+k')
    for (const [typed, name] of [
      ['sandbox', 'Sandbox'],
      ['connect page', 'The connect page'],
      ['webhooks', 'Webhooks'],
      ['log entries newest', 'List log entries, newest first'],
    ] as const) {
      await box.fill(typed)
      await named.getByRole('menuitem').filter({ hasText: name }).first().waitFor()
    }
    // Words of a text alone are no name: what else is meant is offered first.
    await box.fill('first pause has one minute')
    await palette.getByText('To look elsewhere').waitFor()
    await inTexts.getByRole('menuitem').first().waitFor()
    expect(asked.filter((path) => path === '/docs/texts.json')).toHaveLength(1)
    await expectAccessible(page)
    await screenshot(page, 'palette-docs')
    await box.fill('sandbox')
    await named.getByRole('menuitem').first().waitFor()
    await inTexts.getByText('Search the documentation for “sandbox”').click()
    await page.waitForURL(/\/docs\/contents\?q=sandbox$/)
    const search = page.getByLabel('Search the documentation')
    expect(await search.inputValue()).toBe('sandbox')
    await page.getByRole('list', { name: 'Found' }).getByRole('link').first().waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('finds the operations of all connectors, and asks for the account then', async () => {
    const { page, faults } = await world.enter('/overview')
    const palette = page.getByRole('dialog', { name: 'Find' })
    const operations = palette.getByRole('group', { name: 'Operations' })
    const find = async (typed: string, name: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('searchbox').fill(typed)
      await operations.getByRole('menuitem').filter({ hasText: name }).first().click()
    }
    await find('jira issues get', 'issues.get')
    await page.getByRole('heading', { level: 1, name: 'issues.get' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'explorer-choose')
    const box = page.getByRole('combobox', { name: 'Account' })
    await box.fill('bob')
    await page.getByRole('option', { name: 'Sales of Tallow' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sales of Tallow' }).waitFor()
    await expect.poll(() => page.url()).toMatch(/entity=issues&action=get$/)
    // From then on on this account.
    await find('jira issues create', 'issues.create')
    await expect.poll(() => page.url()).toMatch(/instance=[^&]+&entity=issues&action=create/)
    await find('gong calls list', 'calls.list')
    await page.getByText('No account of Call analytics (Gong) is connected yet').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('finds the screens of what fails by the words for it, also in a question', async () => {
    const { page, faults } = await world.enter('/overview')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    const screens = palette.getByRole('group', { name: 'Screens', exact: true })
    for (const typed of ['why failing', 'what is broken?', 'fails', 'errors']) {
      await palette.getByRole('searchbox').fill(typed)
      for (const name of ['Sync', 'Logs'])
        await screens.getByRole('menuitem').filter({ hasText: name }).first().waitFor()
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('has its groups in one order, whatever was chosen before', async () => {
    const { page, faults } = await world.enter('/overview')
    const palette = page.getByRole('dialog', { name: 'Find' })
    const box = palette.getByRole('searchbox')
    const groups = palette.getByRole('group')
    const order = async (): Promise<readonly string[]> => {
      await box.fill('sales of')
      await groups.getByText('bob-43').first().waitFor()
      await groups.getByText('Search the documentation').waitFor()
      return await groups.locator('header').allInnerTexts()
    }
    await page.keyboard.press('Control+k')
    const first = await order()
    // The list goes along with the keys.
    await box.press('ArrowUp')
    const last = palette.getByText('Search the documentation')
    await expect
      .poll(() =>
        last.evaluate((each) => {
          const { bottom } = each.getBoundingClientRect()
          return bottom <= (each.closest('.palette')?.getBoundingClientRect().bottom ?? 0)
        }),
      )
      .toBe(true)
    await box.press('Home')
    await box.fill('sales of tallow')
    await palette.locator('input[aria-activedescendant]').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sales of Tallow' }).waitFor()
    await world.show(page, '/overview')
    await page.evaluate("localStorage.removeItem('tenon.accounts')")
    await page.keyboard.press('Control+k')
    expect(await order()).toEqual(first)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('has the screen of a name first, recents when nothing is typed, and gives the focus back', async () => {
    const { page, faults } = await world.enter('/overview')
    const palette = page.getByRole('dialog', { name: 'Find' })
    const first = palette.getByRole('menuitem').first()
    const opener = page.getByRole('button', { name: /^Find accounts/ })
    // A screen that comes takes the focus to its heading.
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await opener.focus()
    await page.keyboard.press('Control+k')
    const box = palette.getByRole('searchbox')
    await box.fill('accounts')
    await expect.poll(() => first.innerText()).toMatch(/^Accounts\s+G\s*A$/)
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('find')
    await page.keyboard.press('Control+k')
    await box.fill('accounts')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    await page.keyboard.press('Control+k')
    const recent = palette.getByRole('group', { name: 'Recent' })
    await recent.getByRole('menuitem', { name: /^Accounts/ }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('opens whatever a pasted id belongs to', async () => {
    const { service } = world
    const requestId = '01a221ab-0000-7000-8000-00000000abcd'
    await service.call(
      'POST',
      `/v1/connectors/sources/${jira}/execute`,
      { entity: 'issues', action: 'none', params: {} },
      { headers: { 'x-request-id': requestId } },
    )
    const webhook = await service.call('POST', '/v1/webhooks', {
      url: 'https://pasted.example/hook',
    })
    const application = await createApplication(service.service, {
      name: 'Pasted app',
      redirectUrls: [],
      organizationId: 'default',
    })
    const logged = await service.call('GET', `/v1/logs?request_id=${requestId}`)
    const [entry] = (logged.body as { readonly data: readonly { readonly id: string }[] }).data
    const { page, faults } = await world.enter('/overview')
    const palette = page.getByRole('dialog', { name: 'Find' })
    const first = palette.getByRole('menuitem').first()
    for (const [id, about, at] of [
      [jira, 'The account with this id', new RegExp(`/instances/${jira}$`)],
      [` ${entry?.id} `, 'The log entry with this id', new RegExp(`entry=${entry?.id}$`)],
      [requestId, 'Of the request with this id', new RegExp(`request_id=${requestId}&entry=`)],
      [
        (webhook.body as { readonly id: string }).id,
        'The webhook with this id',
        /\/webhooks\/[0-9a-f-]+$/,
      ],
      [application.clientId, 'The application with this id', /\/settings\?part=applications$/],
    ] as const) {
      // What the one before has opened may come over the palette.
      await world.show(page, '/overview')
      await page.keyboard.press('Control+k')
      await palette.getByRole('searchbox').fill(id)
      // Whether what it belongs to is known by then or not.
      if (id !== jira) await first.getByText(about).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toMatch(at)
      await palette.waitFor({ state: 'detached' })
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('offers a viewer nothing that only others may do', async () => {
    const { page, faults } = await world.enter('/overview')
    await page.route('**/console/api/v1/session', async (route) => {
      const response = await route.fetch()
      const person = { login: 'vera@example.com', name: 'Vera', role: 'viewer' }
      const session = { ...((await response.json()) as object), person }
      await route.fulfill({ response, json: session })
    })
    await page.reload()
    const palette = page.getByRole('dialog', { name: 'Find' })
    const items = palette.getByRole('menuitem')
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    await page.keyboard.press('Control+k')
    for (const [typed, offered, hidden] of [
      ['connect', 'Accounts', 'Connect an account'],
      ['audit', 'Search the documentation for “audit”', /^\s*Audit log\s*Settings/],
      ['webhook', 'Webhooks', 'Add a webhook endpoint'],
    ] as const) {
      await palette.getByRole('searchbox').fill(typed)
      await items.filter({ hasText: offered }).first().waitFor()
      expect(await items.filter({ hasText: hidden }).count()).toBe(0)
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([1280, 390])(
    'does what the buttons and the menu of the account do, %i px wide',
    async (width) => {
      const { page, faults } = await world.enter(`/instances/${jira}`, {
        viewport: { width, height: 844 },
      })
      await page.getByRole('heading', { level: 1, name: 'Büro Zürich' }).waitFor()
      const palette = page.getByRole('dialog', { name: 'Find' })
      const own = palette.getByRole('group', { name: 'Of Büro Zürich' })
      const choose = async (typed: string, name: string): Promise<void> => {
        await page.keyboard.press('Control+k')
        await palette.getByRole('searchbox').fill(typed)
        await own.getByRole('menuitem', { name }).click()
        await palette.waitFor({ state: 'detached' })
      }
      await choose('check', 'Check')
      await page.getByText('The third party accepted the credentials').waitFor()
      // What asks elsewhere asks here.
      await choose('disable', 'Disable')
      await page.getByRole('dialog', { name: 'Disable Büro Zürich?' }).waitFor()
      await page.keyboard.press('Escape')
      await choose('connect link', 'Make a connect link')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await choose('pause', 'Pause all copies')
      await page.getByText('Every entity is paused.').waitFor()
      await choose('resume', 'Resume all copies')
      await page.getByText('No entity is paused any more.').waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('counts the accounts that need somebody, and offers no list of none', async () => {
    const { page, faults } = await world.enter('/overview')
    await page.route(/connectors\?counts=true&limit=1$/, async (route) => {
      const answer = await route.fetch()
      const { data, meta } = (await answer.json()) as {
        data: object[]
        meta: { facets: { state: object[] } }
      }
      meta.facets.state.push({ value: 'auth_error', count: 3 })
      await route.fulfill({ json: { data, meta } })
    })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    await palette.getByRole('searchbox').fill('runbook')
    await palette
      .getByRole('menuitem', { name: /^Accounts that need re-authentication\s*3$/ })
      .waitFor()
    expect(await palette.getByText('Failing accounts').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('has the letters that were typed before it was loaded, and the page has none of them', async () => {
    const { page, faults } = await world.enter('/instances')
    let give: () => void = () => undefined
    const given = new Promise<void>((resolve) => (give = resolve))
    await page.route(/assets\/palette-.*\.js/, async (route) => {
      await given
      await route.continue()
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    // Of the page, g and s would lead to the search.
    await page.keyboard.type('gs tallow')
    give()
    const box = page.getByRole('dialog', { name: 'Find' }).getByRole('searchbox')
    await box.waitFor()
    await expect.poll(() => box.inputValue()).toBe('gs tallow')
    expect(new URL(page.url()).pathname).toMatch(/\/instances$/)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('marks what fails whatever its state is, and has nothing above the screens of who was typed', async () => {
    const own = await world.service.connect('jira', { name: 'Copies of Acme' })
    const other = await world.service.connect('jira', { name: 'Copies of Acme DE' })
    const { page, faults } = await world.enter(`/instances/${own}`)
    await page.getByRole('heading', { name: 'Copies of Acme' }).waitFor()
    await page.route('**/last-syncs?*', async (route) => {
      const ids = new URL(route.request().url()).searchParams.get('connector_ids') ?? ''
      const sync = {
        state: 'error',
        account_state: 'pending',
        running: false,
        copies: 6,
        paused: 0,
      }
      const data = ids.split(',').map((connector_id) => ({
        connector_id,
        ...(connector_id === other ? sync : { ...sync, state: 'ready' }),
        last_synced_at: null,
        furthest_behind: null,
      }))
      await route.fulfill({ json: { data } })
    })
    await page.route('**/integrations/connectors?*', async (route) => {
      const answer = await route.fetch()
      const { data, meta } = (await answer.json()) as { data: object[]; meta: object }
      await route.fulfill({
        json: { data: data.map((each) => ({ ...each, state: 'pending' })), meta },
      })
    })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    await palette.getByRole('searchbox').fill('copies of acme de')
    await palette
      .getByRole('menuitem', { name: /^Copies of Acme DE.*Pending\s*Failing$/ })
      .waitFor()
    await palette.getByRole('group', { name: 'Screens of accounts' }).waitFor()
    expect(await palette.getByRole('menuitem', { name: /^Check/ }).count()).toBe(0)
    await palette.getByRole('searchbox').fill('copies of acme')
    await palette.getByRole('group', { name: 'Of Copies of Acme' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('finds words anywhere, marks them, and offers commands and the screens of the account', async () => {
    const { page, faults } = await world.enter(`/instances/${jira}`)
    await page.getByRole('heading', { name: 'Büro Zürich' }).waitFor()
    const palette = page.getByRole('dialog', { name: 'Find' })
    const box = palette.getByRole('searchbox')
    const items = palette.getByRole('menuitem')
    const find = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k')
      await box.fill(words)
    }
    await find('zurich BUR')
    await items.first().getByText('ada-42').waitFor()
    await items.first().locator('mark').first().waitFor()
    expect(await items.first().locator('mark').allInnerTexts()).toEqual(['Bür', 'Zürich'])
    // By the beginning of the user, and a screen of an account that is not the one on the screen.
    await box.fill('bob-43 sync')
    await items.filter({ hasText: 'Sync' }).filter({ hasText: 'Sales of Tallow' }).waitFor()
    await box.fill('log')
    await palette.getByRole('group', { name: 'Of Büro Zürich' }).getByText('Logs').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'palette-words')
    for (const [typed, name] of [
      ['errors', 'Error codes'],
      ['synchronize', 'Sync'],
    ] as const) {
      await box.fill(typed)
      await items.filter({ hasText: name }).first().waitFor()
    }
    await box.fill('no such thing')
    await items.filter({ hasText: 'Accounts that begin with “no such thing”' }).waitFor()
    await items.filter({ hasText: 'Search the logs for “no such thing”' }).waitFor()
    await box.fill('issues create')
    await items.filter({ hasText: 'issues.create' }).first().waitFor()
    await box.fill('')
    await palette.getByRole('group', { name: 'Commands' }).waitFor()
    await page.keyboard.press('Escape')
    await find('dark')
    await items.filter({ hasText: 'Switch to dark' }).waitFor()
    await page.keyboard.press('Enter')
    await palette.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    const dark = page.getByRole('radio', { name: 'Dark', includeHidden: true })
    expect(await dark.isChecked()).toBe(true)
    await page.keyboard.press('Control+k')
    await palette.getByRole('group', { name: 'Recent' }).getByText('Switch to dark').waitFor()
    await screenshot(page, 'palette-recent')
    await box.fill('sheet')
    await items.filter({ hasText: 'Show all keys' }).click()
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await find('out')
    await items.filter({ hasText: 'Sign out' }).click()
    await page.getByLabel('Client secret').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
})
