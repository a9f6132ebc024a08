// What a form sends is sent once: whatever keys are pressed meanwhile, and where an answer was lost.
import type { Locator, Page, Route } from 'playwright-core'
import { IS_FULL } from '../../fixtures/sizes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../console-page.ts'

let world: ConsoleWorld
let jira: string
let hook: string

const ISSUE = {
  fields: {
    project: { key: 'OPS' },
    issuetype: { name: 'Task' },
    summary: 'Oil the hinge',
  },
}

describe.skipIf(chromium === null)('what is sent', () => {
  beforeAll(async () => {
    world = await openConsole()
    jira = await world.service.connect('jira', { name: 'Jira of Tallow' })
    const made = await world.service.call('POST', '/v1/webhooks', {
      url: 'http://127.0.0.1:9/hooks',
    })
    hook = (made.body as { readonly id: string }).id
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const click = (name: string) => (page: Page) =>
    page.getByRole('button', { name, exact: true }).click()

  const pick = (name: string) => async (page: Page) => {
    await click('More actions')(page)
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  const forms = [
    {
      name: 'an operation that changes data',
      path: '/explorer?instance=JIRA&entity=issues&action=update',
      prepare: (page: Page) => page.getByLabel('issueIdOrKey').fill('OPS-1'),
      send: 'Run and change data',
    },
    {
      name: 'an operation that reads',
      path: '/explorer?instance=JIRA&entity=issues&action=get',
      prepare: (page: Page) => page.getByLabel('issueIdOrKey').fill('OPS-1'),
      send: 'Run',
    },
    { name: 'a search', path: '/search?instance=JIRA&entity=issues', send: 'Search' },
    {
      name: 'a new account',
      path: '/instances/new?connector=jira',
      prepare: async (page: Page) => {
        await page.getByLabel('E-mail and API token').check()
        await click('Fill in demo credentials and a user')(page)
      },
      send: 'Connect',
    },
    {
      name: 'a new account by consent',
      path: '/instances/new?connector=facebook-marketing',
      prepare: async (page: Page) => {
        await page.getByLabel(/on the third party’s page/).check()
        await click('Fill in demo settings and a user')(page)
      },
      send: 'Go to the consent page',
    },
    {
      name: 'new credentials',
      path: '/instances/JIRA/reconnect',
      prepare: click('Fill in demo credentials'),
      send: 'Replace the credentials',
    },
    {
      name: 'settings',
      path: '/instances/JIRA?view=settings',
      prepare: click('Change the settings'),
      send: 'Save',
    },
    { name: 'a name', path: '/instances/JIRA', prepare: pick('Rename'), send: 'Save' },
    {
      name: 'a deletion',
      path: '/instances/JIRA',
      prepare: pick('Delete'),
      send: 'Delete the instance',
    },
    { name: 'a check', path: '/instances/JIRA', send: 'Check' },
    { name: 'a run', path: '/sync?instance=JIRA', send: 'Synchronize now' },
    { name: 'a schedule', path: '/sync?instance=JIRA', send: 'Save the schedule' },
    {
      name: 'a new endpoint',
      path: '/webhooks/new',
      prepare: (page: Page) => page.getByLabel('Address').fill('http://127.0.0.1:9/new'),
      send: 'Add the endpoint',
    },
    {
      name: 'a changed endpoint',
      path: '/webhooks/HOOK',
      prepare: click('Change'),
      send: 'Save',
    },
    {
      name: 'a new secret',
      path: '/webhooks/HOOK',
      prepare: click('New secret'),
      send: 'Make a new secret',
    },
    { name: 'a test event', path: '/webhooks/HOOK', send: 'Send a test' },
  ]
  // They share the button that sends; `npm run test:full` tries each of them.
  const tried = forms.filter((_, at) => IS_FULL || at % 3 === 0)

  test.for(tried)('$name is sent once while its request runs', async ({ path, prepare, send }) => {
    const { page } = await world.enter(path.replace('JIRA', jira).replace('HOOK', hook))
    const button = page.getByRole('button', { name: send, exact: true })
    await prepare?.(page)
    await button.waitFor()
    expect(await requestsOf(page, button)).toBe(1)
    await page.context().close()
  })

  test('a sign-in is sent once while its request runs', async () => {
    const { page } = await world.visit()
    await page.getByLabel('Client id').fill('default')
    await page.getByLabel('Client secret').fill('wrong')
    expect(await requestsOf(page, page.getByRole('button', { name: 'Sign in' }))).toBe(1)
    await page.context().close()
  })

  test('Ctrl + Enter during a run writes once, and the next run is another write', async () => {
    const { page, faults } = await enterCreate()
    const before = created()
    const held = await holdWrites(page)
    const field = page.getByLabel('summary')
    for (let times = 0; times < 3; times += 1) await field.press('Control+Enter')
    const keyOf = async (route: Route): Promise<string | null> =>
      route.request().headerValue('idempotency-key')
    const first = await held.first
    await first.continue()
    await page.getByText(/ms · 1 upstream request/).waitFor()
    expect(held.requests).toHaveLength(1)
    expect(created() - before).toBe(1)
    await field.press('Control+Enter')
    await expect.poll(() => held.requests.length).toBe(2)
    const second = held.requests[1]
    await second?.continue()
    await page.getByText(/ms · 1 upstream request/).waitFor()
    expect(created() - before).toBe(2)
    const keys = await Promise.all(held.requests.map(keyOf))
    expect(keys).toEqual([expect.any(String), expect.any(String)])
    expect(new Set(keys).size).toBe(2)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([
    { name: 'cut', lose: cutOff },
    { name: 'stopped', lose: stopWaiting },
    { name: 'lost with the page', lose: reloadMeanwhile },
  ])('a write whose answer was $name is not made again', async ({ lose }) => {
    const { page, faults } = await enterCreate()
    const before = created()
    await lose(page, () => page.getByLabel('summary').press('Control+Enter'))
    await page.getByText('No answer to this change has come').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'explorer-no-answer')
    expect(created() - before).toBe(1)
    await page.getByRole('button', { name: 'Run and change data' }).click()
    await page.getByText('answered before, not sent again').waitFor()
    expect(created() - before).toBe(1)
    expect(await page.getByText('No answer to this change has come').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an operation that deletes asks first, and names what is deleted', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=delete`,
    )
    await page.getByLabel('issueIdOrKey').fill('OPS-3')
    await page.getByLabel('issueIdOrKey').press('Control+Enter')
    const question = page.getByRole('dialog', { name: 'Delete OPS-3?' })
    await question.waitFor()
    expect(await question.innerText()).toContain('Jira of Tallow')
    await expectAccessible(page)
    await screenshot(page, 'explorer-delete')
    const held = await holdWrites(page)
    await question.getByRole('button', { name: 'Keep it' }).click()
    await question.waitFor({ state: 'detached' })
    await askSomethingElse(page)
    expect(held.requests).toEqual([])
    await page.getByRole('button', { name: 'Run and change data' }).click()
    await question.getByRole('button', { name: 'Delete', exact: true }).click()
    const first = await held.first
    // While it runs nothing is asked, and nothing is sent.
    await page.getByLabel('issueIdOrKey').press('Control+Enter')
    await askSomethingElse(page)
    expect(await question.count()).toBe(0)
    expect(held.requests).toHaveLength(1)
    await first.continue()
    await page.getByText(/ms · 1 upstream request/).waitFor()
    const deleted = world.service.vendor('jira').requests().at(-1)
    expect(`${deleted?.method} ${deleted?.target}`).toBe('DELETE /rest/api/3/issue/OPS-3')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the deletion of an endpoint names its address', async () => {
    const { page } = await world.enter(`/webhooks/${hook}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete http://127.0.0.1:9/hooks?' })
    await question.waitFor()
    expect(await question.isVisible()).toBe(true)
    await expectAccessible(page)
    await screenshot(page, 'webhook-delete')
    await page.context().close()
  })
})

/** An issue as it is to be made, typed into the explorer. */
async function enterCreate(): ReturnType<ConsoleWorld['enter']> {
  const entered = await world.enter(`/explorer?instance=${jira}&entity=issues&action=create`)
  const { page } = entered
  await page.getByLabel('as JSON', { exact: true }).check()
  await page.getByLabel('Parameters as JSON').fill(JSON.stringify(ISSUE))
  await page.getByLabel('as JSON', { exact: true }).uncheck()
  return entered
}

/** How many issues the third party was asked to make. */
function created(): number {
  return world.service
    .vendor('jira')
    .requests()
    .filter(({ method, target }) => method === 'POST' && target === '/rest/api/3/issue').length
}

interface Held {
  /** Requests of the page that are no GET; each waits until it is continued. */
  readonly requests: readonly Route[]
  readonly first: Promise<Route>
}

async function holdWrites(page: Page): Promise<Held> {
  const requests: Route[] = []
  const { promise: first, resolve } = Promise.withResolvers<Route>()
  await page.route('**/console/api/**', (route) => {
    if (route.request().method() === 'GET' || suggests(page, route)) return route.continue()
    requests.push(route)
    resolve(route)
    return undefined
  })
  return { requests, first }
}

/** A field of the explorer asks for suggestions by an operation of its own, while somebody types. */
function suggests(page: Page, route: Route): boolean {
  const { pathname, searchParams } = new URL(page.url())
  if (!pathname.endsWith('/explorer')) return false
  const { action } = (route.request().postDataJSON() ?? {}) as { readonly action?: string }
  return action !== undefined && action !== searchParams.get('action')
}

/** Sends as somebody does who presses keys faster than the page says that it is at work, and later again: how often. */
async function requestsOf(page: Page, button: Locator): Promise<number> {
  // Its words change while it is at work.
  const handle = await button.elementHandle()
  const sendThrice = () =>
    handle?.evaluate((node) => {
      for (let times = 0; times < 3; times += 1)
        if (node.form === null) node.click()
        else node.form.requestSubmit()
    })
  const held = await holdWrites(page)
  await sendThrice()
  await held.first
  await sendThrice()
  await askSomethingElse(page)
  return held.requests.length
}

/** Requests of a page are seen in their order: behind the answer, all earlier ones were. */
async function askSomethingElse(page: Page): Promise<void> {
  await page.evaluate(`fetch('/console/api/v1/session', { headers: { 'x-tenon-console': '1' } })`)
}

/** The third party has made the change, and the connection breaks before the browser hears of it. */
async function cutOff(page: Page, run: () => Promise<void>): Promise<void> {
  await page.route('**/execute', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await run()
  await page.getByRole('alert').waitFor()
  await page.unroute('**/execute')
}

/** As above, but somebody stops waiting. */
async function stopWaiting(page: Page, run: () => Promise<void>): Promise<void> {
  const { promise: made, resolve } = Promise.withResolvers<void>()
  await page.route('**/execute', async (route) => {
    await route.fetch()
    resolve()
  })
  await run()
  await made
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.unroute('**/execute')
}

/** As above, but the page is loaded again. */
async function reloadMeanwhile(page: Page, run: () => Promise<void>): Promise<void> {
  const { promise: made, resolve } = Promise.withResolvers<void>()
  await page.route('**/execute', async (route) => {
    await route.fetch()
    resolve()
  })
  await run()
  await made
  await page.reload()
  await page.unroute('**/execute')
}
