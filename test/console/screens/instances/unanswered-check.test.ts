// A check that the third party did not answer, at an account whose credentials it has accepted before.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let id: string

describe.skipIf(chromium === null)('a check without an answer', () => {
  beforeAll(async () => {
    world = await openConsole()
    id = await world.service.connect('jira', { name: 'Northwind issues' })
    world.service
      .vendor('jira')
      .fail('*', { mode: 'rate-limited', retryAfter: 3_000, times: 100_000 })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'is told next to what is known, by whether the third party was asked, $width px wide',
    async ({ width, colorScheme }) => {
      const { page, faults } = await world.enter(`/instances/${id}`, {
        viewport: { width, height: 860 },
        colorScheme,
      })
      const { last_checked_at: at } = (
        await world.service.call('GET', `/v1/integrations/connectors/${id}`)
      ).body as { readonly last_checked_at: string }
      const state = page.getByRole('region', { name: 'State' })
      const accepted = state.getByText(/^Last accepted in a check .+/)
      const check = async (words: RegExp, line: RegExp): Promise<void> => {
        if (width < 800) await page.getByRole('button', { name: 'More actions' }).click()
        const role = width < 800 ? 'menuitem' : 'button'
        await page.getByRole(role, { name: 'Check', exact: true }).click()
        await page.getByText(words).waitFor()
        await state.getByText(line).waitFor()
        expect(await accepted.locator('time').getAttribute('datetime')).toBe(at)
      }
      // The first check of all is the one that is sent.
      if (width === 1280)
        await check(
          /^The third party gave no clear answer: .*\(status 429\).* It can be asked again from \w{3} \d/,
          /^The last check, .+ met no clear answer: .*\(status 429\)/,
        )
      const sentNothing =
        /^The last check, .+ sent nothing: .*the rate limit of the third party is used up/i
      await check(
        /^The third party was not asked: the rate limit of the third party is used up.* It can be asked again from \w{3} \d/,
        sentNothing,
      )
      // It is told once, and is what it is among what happened lately.
      const activity = page.getByRole('region', { name: 'Latest activity' })
      await activity.getByText('nothing sent').first().waitFor()
      await page.getByRole('group', { name: /^Last error/ }).waitFor({ state: 'detached' })
      await expectAccessible(page)
      await screenshot(page, `account-unanswered-check-${width}`)
      await page.reload()
      await state.getByText(sentNothing).waitFor()
      expect(await accepted.locator('time').getAttribute('datetime')).toBe(at)
      await state.getByText('The third party has accepted the credentials.').waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
  )
})
