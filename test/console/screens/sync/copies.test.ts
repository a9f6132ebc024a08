// Synchronization and search, in a real browser against the sandbox.
import { IS_FULL } from '../../../fixtures/sizes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { paste } from '../../paste.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let gong: string

describe.skipIf(chromium === null)('sync and search', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    gong = await world.service.connect('gong')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('copies fill by themselves, are synchronized on demand, and tell their runs', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${gong}`)
    const users = page.getByRole('region', { name: 'users', exact: true })
    await users.getByText('Ready').waitFor()
    await page.getByRole('button', { name: 'Synchronize now' }).click()
    await users.getByText('Last runs (2)').waitFor()
    await users.getByText('Last runs (2)').click()
    await users.getByRole('table').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sync')
    await page.getByLabel('Seconds between runs, at least 30').fill('60')
    await page.getByRole('button', { name: 'Save the schedule' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await world.service.call('GET', `/v1/integrations/connectors/${gong}`)
    expect(body).toMatchObject({ sync: { enabled: true, interval_seconds: 60 } })
    await page.getByRole('link', { name: 'Accounts' }).click()
    const row = page.getByRole('row', { name: /gong/ })
    await row.locator('td').nth(3).getByText('just now').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a copy is searched by conditions, and the query stands beside', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=users`)
    const first = page.getByRole('group', { name: 'Condition 1' })
    await first.getByLabel('Field').fill('active')
    await first.getByRole('combobox', { name: 'Condition' }).selectOption('eq')
    await first.getByRole('combobox', { name: 'Value' }).selectOption('true')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    const second = page.getByRole('group', { name: 'Condition 2' })
    await second.getByLabel('Field').fill('emailAddress')
    await second.getByRole('combobox', { name: 'Condition' }).selectOption('like')
    await second.getByRole('textbox', { name: 'Value' }).fill('%tallow%')
    await page.getByLabel('Sort by').selectOption('lastName')
    await page.getByLabel('Page size').selectOption('10')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText(/^Page 1 · \d+ of \d+ records in the copy/).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'search')
    expect(JSON.parse(await page.getByRole('region', { name: 'query' }).innerText())).toEqual({
      query: {
        filter: { and: [{ eq: { active: true } }, { like: { emailAddress: '%tallow%' } }] },
        sort: [{ lastName: 'desc' }],
      },
      limit: 10,
    })
    await page.getByRole('tab', { name: 'Code' }).click()
    expect(await page.getByRole('region', { name: 'TypeScript' }).innerText()).toContain(
      'gong.users.search({',
    )
    await using pasted = await paste(world.service.service.firstApplication?.clientSecret ?? '')
    const code = (name: string): Promise<string> => page.getByRole('region', { name }).innerText()
    const token = await code('token')
    const [program, cli] = await Promise.all([
      pasted.program(await code('TypeScript'), token),
      pasted.shell(`${token}\n${await code('command line')}`),
    ])
    expect(program).toContain('@tallow.example')
    expect(cli).toContain('@tallow.example')
    expect(faults).toEqual([])
    await page.context().close()
  })

  // The screens of instances are looked at in the dark in every run.
  test.runIf(IS_FULL)('search and sync are there in the dark', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`, {
      colorScheme: 'dark',
    })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText(/^Page 1 · /).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'search-dark')
    await page.goto(`${world.service.url}/console/sync?instance=${gong}`)
    await page.getByRole('region', { name: 'users', exact: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sync-dark')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
