// One browser, two people: what one of them typed, ran or drafted is not there for the next.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '../../src/service/tokens/applications.ts'
import { chromium, type ConsoleWorld, openConsole } from './console-page.ts'

let world: ConsoleWorld
let jira: string
let other: { readonly clientId: string; readonly clientSecret: string }

describe.skipIf(chromium === null)('one browser, two people', () => {
  beforeAll(async () => {
    world = await openConsole()
    jira = await world.service.connect('jira', { name: 'Jira of Tallow' })
    other = await createApplication(world.service.service, {
      organizationId: 'other',
      name: 'other',
      redirectUrls: [],
    })
  })

  test('K9 after a session that expired the next person finds nothing of the one before', async () => {
    const { page, faults } = await world.enter(explorer())
    await leaveTraces(page)
    await goOnWithout(page)
    expect(await keptIn(page)).toContain('OPS-3')
    await signIn(page, other)
    await page.getByRole('heading', { name: 'No account is connected yet' }).waitFor()
    expect(await keptIn(page)).not.toMatch(/OPS-3|secret words/)
    expect(await page.getByText('Jira of Tallow').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('K9 the one who was there goes on with what they typed', async () => {
    const { page, faults } = await world.enter(explorer())
    await leaveTraces(page)
    await goOnWithout(page)
    await signIn(page, firstApplication())
    await page.getByRole('link', { name: 'Jira of Tallow' }).waitFor()
    expect(await keptIn(page)).toContain('OPS-3')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('K9 a tab that is open begins again when another one signs out, and signs somebody else in', async () => {
    const { page: first, faults } = await world.enter(explorer())
    await leaveTraces(first)
    const second = await first.context().newPage()
    await second.goto(`${world.service.url}/console/instances`)
    await second.getByRole('button', { name: 'Signed in as' }).click()
    await second.getByRole('button', { name: 'Sign out' }).click()
    await first.getByLabel('Client secret').waitFor()
    expect(await keptIn(first)).not.toMatch(/OPS-3|secret words/)
    await signIn(second, other)
    await second.getByRole('heading', { name: 'No account is connected yet' }).waitFor()
    await first.goto(`${world.service.url}/console/instances`)
    await first.getByRole('heading', { name: 'No account is connected yet' }).waitFor()
    // While one tab shows an organisation, a session of another one begins in the next tab.
    await second.context().clearCookies()
    await second.reload()
    await signIn(second, firstApplication())
    await second.getByRole('link', { name: 'Jira of Tallow' }).waitFor()
    await first.getByRole('link', { name: 'Jira of Tallow' }).waitFor()
    expect(faults).toEqual([])
    await first.context().close()
  })
})

const explorer = (): string => `/explorer?instance=${jira}&entity=issues&action=get`

/** Something typed, a run, and a manifest that is worked on. */
async function leaveTraces(page: Page): Promise<void> {
  await page.getByLabel('issueIdOrKey').fill('OPS-3')
  await page.getByLabel('issueIdOrKey').press('Control+Enter')
  await page.getByText(/ms · 1 upstream request/).waitFor()
  await page.evaluate("sessionStorage.setItem('tenon.manifest.draft.acme', 'secret words')")
}

/** Ends the session, and goes on to another screen, which meets that. */
async function goOnWithout(page: Page): Promise<void> {
  // The screen asks again on its own: what it asks waits until the other one is opened.
  const opened = Promise.withResolvers<undefined>()
  await page.route('**/console/api/**', async (route) => {
    await opened.promise
    await route.continue()
  })
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Accounts', exact: true }).first().click()
  await page.waitForURL('**/instances')
  opened.resolve(undefined)
  await page.getByText('Your session is over.').waitFor()
  await page.unroute('**/console/api/**')
}

async function signIn(
  page: Page,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<void> {
  await page.getByLabel('Client id').fill(clientId)
  await page.getByLabel('Client secret').fill(clientSecret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

function firstApplication(): { readonly clientId: string; readonly clientSecret: string } {
  const { firstApplication: first } = world.service.service
  if (first === null) throw new TypeError('the store is new')
  return first
}

async function keptIn(page: Page): Promise<string> {
  return String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'))
}
