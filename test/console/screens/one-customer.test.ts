// What somebody on call asks about one customer: which of its accounts fail, and whether it is the only one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../console-page.ts'

const SIZES = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

const BADGES = {
  'contoso failing': 'Failing',
  'tallow failing': 'Needs re-authentication',
  'contoso disabled': 'Disabled',
} as const

let world: ConsoleWorld
const ids = new Map<string, string>()

describe.skipIf(chromium === null)('the accounts of one customer', () => {
  beforeAll(async () => {
    world = await openConsole()
    const { syncFailures } = world.service.service.store
    const failedAt = Date.now()
    const failure = { since: failedAt - 3_600_000, failures: 3, failedAt, entity: 'users' }
    const detail = 'failed (status 500)'
    const connect = async (type: string, name: string, user: string, code: string | null) => {
      const instanceId = await world.service.connect(type, { name, external_user_id: user })
      ids.set(name, instanceId)
      if (code !== null) await syncFailures.put({ ...failure, instanceId, code, detail })
    }
    await connect('gong', 'Contoso calls', 'contoso', 'upstream_failed')
    await connect('jira', 'Contoso issues', 'contoso', 'upstream_forbidden')
    await connect('stripe', 'Contoso payments', 'contoso', 'upstream_timeout')
    await connect('slack', 'Contoso chat', 'contoso', null)
    await connect('github', 'Contoso code', 'contoso', null)
    await connect('gong', 'Fabrikam calls', 'fabrikam', 'upstream_failed')
    await connect('gong', 'Contoso of Fabrikam', 'fabrikam', 'upstream_failed')
    await connect('gong', 'Tallow calls', 'tallow', null)
    await connect('jira', 'Tallow issues of the north', 'tallow', null)
    await connect('stripe', 'Northwind payments', 'northwind', 'upstream_timeout')
    await connect('slack', 'Northwind chat', 'northwind', null)
    const reason = { code: 'grant_refused', detail: 'invalid_grant', since: 0, upstreamStatus: 400 }
    for (const name of ['Tallow calls', 'Tallow issues of the north', 'Northwind chat'])
      await world.service.service.store.instances.setState(ids.get(name) ?? '', {
        from: ['active'],
        to: 'auth_error',
        reason: { ...reason, since: failedAt },
      })
    await world.service.call('PATCH', `/v1/integrations/connectors/${ids.get('Contoso code')}`, {
      enabled: false,
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for(SIZES)('are found by a word for their state at $width', async (size) => {
    const { width, colorScheme } = size
    const { page, faults } = await world.enter('/overview', {
      viewport: { width, height: 800 },
      colorScheme,
    })
    const palette = page.getByRole('dialog', { name: 'Find' })
    const items = palette.getByRole('menuitem')
    await page.keyboard.press('Control+k')
    for (const [typed, name, accounts] of [
      [
        'contoso failing',
        'Accounts of user contoso: failing (3 of 5)',
        ['Contoso of Fabrikam', 'Contoso payments', 'Contoso issues', 'Contoso calls'],
      ],
      [
        'tallow failing',
        'Accounts of user tallow: needs re-authentication (2 of 2)',
        ['Tallow calls', 'Tallow issues of the north'],
      ],
      ['contoso disabled', 'Accounts of user contoso: disabled (1 of 5)', ['Contoso code']],
    ] as const) {
      await palette.getByRole('searchbox').fill(typed)
      await items.filter({ hasText: name }).waitFor()
      const group = palette.getByRole('group', { name: 'Accounts', exact: true })
      const shown = group.getByRole('menuitem')
      await expect.poll(() => shown.count()).toBe(accounts.length)
      for (const account of accounts)
        await shown.filter({ hasText: account }).filter({ hasText: BADGES[typed] }).waitFor()
      // No name is cut, so that none looks like that of its sister.
      const cut = await shown.locator('.goal-name').evaluateAll((all) =>
        all.flatMap((name) => {
          const isWhole =
            name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight
          return isWhole ? [] : [name.textContent]
        }),
      )
      expect(cut).toEqual([])
      await screenshot(page, `palette-${typed.replace(' ', '-')}-${width}`)
    }
    await expectAccessible(page)
    await palette.getByRole('searchbox').fill('contoso')
    await items.filter({ hasText: 'All accounts of user contoso (5, 3 failing)' }).waitFor()
    await items.filter({ hasText: 'Contoso code' }).filter({ hasText: 'Disabled' }).waitFor()
    await screenshot(page, `palette-customer-${width}`)
    await items.filter({ hasText: 'All accounts of user contoso' }).click()
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    expect(new URL(page.url()).search).toBe('?external_user_id=contoso')
    await page.keyboard.press('Control+k')
    await palette.getByRole('searchbox').fill('failing contoso')
    await items.filter({ hasText: 'Failing: all 4 accounts that begin with “contoso”' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?starts_with=contoso&sync=failing')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for(SIZES)('have one list, failing or refused, at $width', async (size) => {
    const { width, colorScheme } = size
    const { page, faults } = await world.enter('/overview', {
      viewport: { width, height: 800 },
      colorScheme,
    })
    const states = page.getByRole('list', { name: 'Accounts by state' })
    await states.getByRole('link', { name: 'Needs attention 9' }).waitFor()
    const card = page.getByRole('region', { name: 'Failing and refused together' })
    const told = card.getByRole('listitem')
    await told.first().waitFor()
    const lines = (await told.allInnerTexts()).map((each) =>
      each
        .split('\n')
        .filter((line) => line !== '')
        .slice(-2),
    )
    expect(lines).toEqual([
      [
        '2 accounts of northwind need attention',
        '1 with failing syncs, 1 that needs re-authentication: Northwind payments, Northwind chat',
      ],
      [
        '4 accounts of gong need attention',
        '3 with failing syncs, 1 that needs re-authentication: Contoso of Fabrikam, Fabrikam calls, Contoso calls, Tallow calls',
      ],
    ])
    const behind = page.getByRole('region', { name: /^Copies/ })
    await behind
      .getByText(/^One account is disabled \(Contoso code\): nothing of it is kept up\.$/)
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, `customer-attention-${width}`)
    await card.getByRole('link', { name: '2 accounts of northwind' }).click()
    await page.getByText('2 accounts of your users at third parties, filtered').waitFor()
    expect(new URL(page.url()).search).toBe('?external_user_id=northwind&sync=attention')
    await page
      .getByRole('combobox', { name: 'Syncs' })
      .getByText('Needs attention (2)')
      .waitFor({ state: 'attached' })
    for (const name of ['Northwind payments', 'Northwind chat'])
      await page.getByRole('link', { name, exact: true }).waitFor()
    await screenshot(page, `accounts-attention-${width}`)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for(SIZES)(
    'are told at the page of one of them, and on the overview at $width',
    async (size) => {
      const { width, colorScheme } = size
      const { page, faults } = await world.enter('/overview', {
        viewport: { width, height: 800 },
        colorScheme,
      })
      const failing = page.getByRole('region', { name: 'Failing syncs' })
      const lines = (): Promise<string[]> => failing.getByRole('listitem').allInnerTexts()
      // One user by its accounts, whatever they fail with; one vendor by its share.
      await failing.getByRole('link', { name: '3 of 4 accounts of gong' }).waitFor()
      const [vendor = '', customer = ''] = await lines()
      expect(vendor).toMatch(/Looks like the third party: 3 of 4 accounts of it fail/)
      // Each cause of them with its words, as of a single account.
      expect(customer).toMatch(/2 accounts of contoso/)
      for (const code of ['upstream_forbidden', 'upstream_timeout'])
        expect(customer).toMatch(
          new RegExp(`Contoso \\w+: users for 1 hour: failed \\(status 500\\) ${code}`),
        )
      expect(await failing.getByRole('link', { name: 'Contoso issues' }).count()).toBe(1)
      const waiting = page.getByRole('region', { name: 'Needs a person' })
      await waiting.getByRole('link', { name: '2 accounts of tallow' }).waitFor()
      await expectAccessible(page)
      await screenshot(page, `customer-overview-${width}`)
      await failing.getByRole('link', { name: '2 accounts of contoso' }).click()
      await page.getByText(/^3 accounts of your users at third parties, filtered/).waitFor()
      expect(new URL(page.url()).search).toBe('?external_user_id=contoso&sync=failing')

      for (const [name, told] of [
        [
          'Contoso chat',
          [
            '3 other accounts of this user are failing: Contoso payments, Contoso issues, Contoso calls.',
          ],
        ],
        [
          'Contoso issues',
          ['2 other accounts of this user are failing: Contoso payments, Contoso calls.'],
        ],
        [
          'Tallow calls',
          ['Tallow issues of the north, another account of this user, needs re-authentication.'],
        ],
        [
          'Northwind chat',
          [
            'All accounts of this user that need attention',
            'Northwind payments, another account of this user, is failing.',
          ],
        ],
      ] as const) {
        await page.goto(`${world.service.url}/console/instances/${ids.get(name)}`)
        const others = page.getByRole('region', { name: 'Other accounts' })
        await others.waitFor()
        const paragraphs = (await others.getByRole('paragraph').allInnerTexts()).toSorted()
        expect(paragraphs).toEqual(told)
        await expectAccessible(page)
        await screenshot(page, `customer-${name.replace(' ', '-')}-${width}`)
      }
      await page.goto(`${world.service.url}/console/instances/${ids.get('Fabrikam calls')}`)
      await page.getByRole('heading', { name: 'Details' }).waitFor()
      await page.goto(`${world.service.url}/console/overview`)
      await page
        .getByRole('region', { name: /^Copies/ })
        .getByText(/^3 accounts stand still and need re-authentication/)
        .waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('the third party is blamed by an account as by the overview', async () => {
    const { page, faults } = await world.enter('/overview')
    const id = ids.get('Fabrikam calls') ?? ''
    let code = 'upstream_failed'
    await page.route(`**/connectors/${id}/sync`, async (route) => {
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { readonly data: object[] }
      const at = new Date().toISOString()
      const error = { code, detail: 'failed', at, suspended_until: null, cause: null }
      const failing = { state: 'error', failures: 1, last_error: error, first_error: error }
      await route.fulfill({ json: { data: data.map((copy) => ({ ...copy, ...failing })) } })
    })
    const others = page.getByRole('region', { name: 'Other accounts' })
    const open = async (): Promise<void> => {
      await page.goto(`${world.service.url}/console/instances/${id}`)
      await page.getByRole('region', { name: 'Failing copies' }).getByText(code).first().waitFor()
    }
    await open()
    await others
      .getByText(
        '3 of 4 accounts of gong are failing: that looks like the third party, and not like this customer.',
      )
      .waitFor()
    // It answers: other accounts that fail otherwise say nothing of that.
    code = 'upstream_not_found'
    await open()
    await others.getByText(/another account of this user, is failing/).waitFor()
    expect(await others.getByText(/third party/).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
