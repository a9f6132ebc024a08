// What fills in demo values chooses the method that they are for, and says so.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld

describe.skipIf(chromium === null)('demo values of the sandbox', () => {
  beforeAll(async () => {
    world = await openConsole()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([
    {
      connector: 'jira',
      fill: 'credentials',
      says: 'E-mail and API token is chosen; its demo credentials and settings are filled in.',
      chosen: /^E-mail and API token You need/,
      width: 390,
    },
    {
      connector: 'facebook-marketing',
      fill: 'settings',
      says: /^The demo settings are filled in; .+, on the third party’s page stays chosen.$/,
      chosen: /on the third party’s page/,
      width: 1280,
    },
  ] as const)('of $connector: $fill', async ({ connector, fill, says, chosen, width }) => {
    const { page, faults } = await world.enter(`/instances/new?connector=${connector}`, {
      viewport: { width, height: 800 },
    })
    const method = page.getByRole('group', { name: 'How to connect' })
    // What works at once is chosen.
    await method.getByRole('radio', { checked: true, name: /Works at once/ }).waitFor()
    await page.getByText('works at once, with its demo credentials').waitFor()
    expect(await page.getByRole('button', { name: /^Fill in demo/ }).count()).toBe(1)
    await method.getByRole('radio', { name: /on the third party’s page/ }).check()
    expect(await method.getByText('Works at once in the sandbox.').count()).toBe(1)
    await page.getByRole('button', { name: `Fill in demo ${fill} and a user` }).click()
    await page.getByRole('status').getByText(says).waitFor()
    await method.getByRole('radio', { checked: true, name: chosen }).waitFor()
    await expectAccessible(page)
    await screenshot(page, `demo-${connector}-${width}`)
    await page
      .getByRole('button', {
        name: fill === 'settings' ? 'Go to the consent page' : 'Connect',
        exact: true,
      })
      .click()
    if (fill === 'settings') await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('The third party has accepted the credentials.').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
})
