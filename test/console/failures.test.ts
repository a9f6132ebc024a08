// What people see when something fails: the service is away, the session is over, a third party fails or is slow.
import { beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from './console-page.ts'

let world: ConsoleWorld
let jira: string

describe.skipIf(chromium === null)('failures', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    jira = await world.service.connect('jira', { name: 'Jira of Tallow' })
  })

  const search = (): string => `/explorer?instance=${jira}&entity=issues&action=api_search`

  test('a third party that fails is told with its answer and the way out', async () => {
    world.service.vendor('jira').fail('issues.create', { mode: 'status', status: 500 })
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=create`,
    )
    await page.getByLabel('as JSON', { exact: true }).check()
    await page
      .getByLabel('Parameters as JSON')
      .fill(
        '{"fields":{"project":{"key":"OPS"},"issuetype":{"name":"Task"},"summary":"Oil the hinge"}}',
      )
    await page.getByRole('button', { name: 'Run and change data' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Look at the third party before you repeat it.').waitFor()
    await alert.getByText('What the third party answered (500)').click()
    await expectAccessible(page)
    await screenshot(page, 'failure-vendor')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a slow answer shows that it is waited for, and the wait can be stopped', async () => {
    world.service.vendor('jira').fail('issues.api_search', { mode: 'delay', delayMs: 30_000 })
    const { page, faults } = await world.enter(search())
    await page.getByLabel('jql').fill('project = OPS')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Running … 1 s').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'failure-slow')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Running …').waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText(/upstream request/).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a search that cannot be is refused with its place', async () => {
    const { page, faults } = await world.enter(`/search?instance=${jira}&entity=issues`)
    await page.getByText('Conditions').click()
    await page.getByRole('combobox', { name: 'Field' }).fill('none.such')
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('fuzzy')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'failure-search')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an account that is not there, and an address that leads nowhere', async () => {
    const { page, faults } = await world.enter('/instances/0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10')
    await page.getByText('Go back to the list of accounts.').waitFor()
    await expectAccessible(page)
    await page.goto(`${world.service.url}/console/nowhere`)
    await page.getByText('This address leads nowhere').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'nowhere')
    await page.getByRole('button', { name: 'Find something else' }).click()
    await page.getByRole('dialog', { name: 'Find' }).waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('list', { name: 'What there is' })
      .getByRole('link', { name: 'Accounts' })
      .click()
    await page.getByRole('link', { name: 'Jira of Tallow' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an address that is guessed leads to the screen that it means', async () => {
    const { page, faults } = await world.enter('/overview')
    const id = '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10'
    for (const [guessed, meant] of [
      ['/accounts', '/instances'],
      ['/Accounts/', '/instances'],
      ['//logs/', '/logs'],
      ['/connections?state=disabled', '/instances?state=disabled'],
      [`/accounts/${id}`, `/instances/${id}`],
      [`/account/${id}/logs`, `/logs?instance=${id}`],
      ['/webhook/new', '/webhooks/new'],
      ['/audit', '/settings?part=audit'],
      ['/settings/end-users', '/settings?part=users'],
      ['/dashboard', '/overview'],
    ] as const) {
      await page.goto(`${world.service.url}/console${guessed}`)
      await page.waitForURL(`${world.service.url}/console${meant}`)
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a session that is over is told, and the place is kept', async () => {
    const { page, faults } = await world.enter('/instances')
    await page.waitForLoadState('networkidle')
    // The list asks again on its own: what it asks waits until the account is opened.
    const opened = Promise.withResolvers<undefined>()
    await page.route('**/console/api/**', async (route) => {
      await opened.promise
      await route.continue()
    })
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Jira of Tallow' }).click()
    await page.waitForURL(`**/instances/${jira}`)
    opened.resolve(undefined)
    await page.getByText('Your session is over.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'failure-session')
    await page.getByLabel('Client id').fill('default')
    await page
      .getByLabel('Client secret')
      .fill(world.service.service.firstApplication?.clientSecret ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Jira of Tallow' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('while the service is away a screen keeps what it showed, and goes on when it is back', async () => {
    const { page } = await world.enter(`/sync?instance=${jira}`)
    const issues = page.getByRole('region', { name: 'issues', exact: true })
    await issues.waitFor()
    await page.route('**/console/api/**', (route) => route.abort('connectionrefused'))
    await page.getByRole('button', { name: 'Synchronize now' }).click()
    await page.getByRole('alert').getByText('The service does not answer').first().waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await issues.isVisible()).toBe(true)
    await expectAccessible(page)
    await screenshot(page, 'failure-away')
    await page.unroute('**/console/api/**')
    const again = page.getByRole('button', { name: 'Try again' })
    const isGone = again.waitFor({ state: 'detached' })
    // The screen may ask again before the click.
    await Promise.any([again.click(), isGone])
    await isGone
    await page.context().close()
  })

  test('a service that has ended is told on a screen that is open, and on the first one', async () => {
    const { page } = await world.enter(`/instances/${jira}`)
    await page.getByRole('button', { name: 'Check' }).waitFor()
    // The other screens are loaded as well.
    await page.waitForLoadState('networkidle')
    await world.service[Symbol.asyncDispose]()
    await page.getByRole('button', { name: 'Check' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Is it still running?').waitFor()
    await expectAccessible(page)
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Logs' })
      .click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await screenshot(page, 'failure-ended')
    expect(await page.getByRole('heading', { name: 'Logs' }).isVisible()).toBe(true)
    await page.context().close()
  })
})
