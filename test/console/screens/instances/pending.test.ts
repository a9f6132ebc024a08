// An account that is connected while its third party is down: what its screens say of it until it is proved.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { eventually } from '../../../faults/resources.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let id: string

describe.skipIf(chromium === null)('an account that could not be checked', () => {
  beforeAll(async () => {
    world = await openConsole()
    world.service.vendor('gong').fail('*', { mode: 'status', status: 500, times: 100_000 })
    id = await world.service.connect('gong', { name: 'Northwind calls' })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'says what the check met and who acts, $width px wide',
    async ({ width, colorScheme }) => {
      const { page, faults } = await world.enter(`/instances/${id}`, {
        viewport: { width, height: 860 },
        colorScheme,
      })
      const state = page.getByRole('region', { name: 'State' })
      await state.getByText(/^The last check, .+ met no clear answer: .*\(status 500\)/).waitFor()
      await state.getByText('Who acts: the third party.').waitFor()
      // No process reads here: it stays due.
      await page.getByText('The first reading begins in a moment.').waitFor()
      const activity = page.getByRole('region', { name: 'Latest activity' })
      await activity
        .getByRole('listitem')
        .getByText('Check of the credentials, as the account was connected')
        .waitFor()
      await expectAccessible(page)
      await screenshot(page, `account-pending-${width}`)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('is not said to be read for the first time, and one whose credentials are refused not to be well', async () => {
    const { page, faults } = await world.enter('/overview')
    await page.getByText('One account has a copy that was not read as a whole so far.').waitFor()
    await world.show(page, `/search?instance=${id}`)
    await page.getByText('Nothing is copied yet').waitFor()
    const refused = await world.service.connect('jira', { name: 'Northwind issues' })
    world.service.vendor('jira').fail('*', { mode: 'status', status: 401, times: 100_000 })
    await world.service.call('POST', `/v1/integrations/connectors/${refused}/check`, {})
    const { instances } = world.service.service.store
    await eventually(async () => (await instances.find(refused))?.state === 'auth_error')
    await world.show(page, '/sync')
    const failing = page.getByRole('region', { name: 'Failing syncs' })
    await failing
      .getByText('No sync fails, but one account stands still, as its credentials are refused')
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sync-all-standing-still')
    // The search of it says why nothing is read.
    await world.show(page, `/search?instance=${refused}&entity=issues`)
    await page
      .getByText(
        /^issues are not read at present: .*until the user connects again.*\(status 401\).*Who acts: the owner of the account/,
      )
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'search-standing-still')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
