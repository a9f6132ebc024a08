// The reference of the API in a real browser: read, filtered, and its requests sent with the session of the console.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { mountService } from '../../../src/hosting/doors.ts'
import { carry, passOnNode } from '../../../src/hosting/node-carrier.ts'
import { NodeArrival } from '../../../src/service/http/node-arrival.ts'
import { screenshot, type WatchedPage } from '../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../console-page.ts'

const PHONE = { viewport: { width: 390, height: 844 } }

/** Runs in the page: what reaches beyond its right edge, but for what scrolls in a box of its own. */
const WIDER = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
  .filter((each) => each.getBoundingClientRect().right > innerWidth)
  .map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 60))`

/** An account, by its id, in the form of an operation. */
async function choose(page: Page, id: string): Promise<void> {
  await page.getByRole('combobox', { name: 'connector_id' }).fill(id)
  await page.locator(`[role=option][data-key="${id}"]`).click()
}

describe.skipIf(chromium === null)('the reference of the API', () => {
  let world: ConsoleWorld
  let instance: string

  beforeAll(async () => {
    world = await openConsole()
    instance = await world.service.connect('jira', { name: 'Jira of ACME' })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
  })

  /** A page of it; `enter` goes in through the console. */
  async function open(
    path: string,
    options: Parameters<ConsoleWorld['enter']>[1] & { readonly signedIn?: boolean } = {},
  ): Promise<WatchedPage> {
    const { signedIn = true, ...context } = options
    const watched = await (signedIn ? world.enter('', context) : world.visit('', context))
    await watched.page.goto(`${world.service.url}/docs${path}`)
    await watched.page.getByRole('heading', { level: 1 }).waitFor()
    return watched
  }

  test.for([
    { name: 'light', scheme: 'light', path: '', width: 1280 },
    { name: 'dark', scheme: 'dark', path: '', width: 1280 },
    { name: 'execute-light', scheme: 'light', path: '#execute', width: 1440 },
    { name: 'execute-dark', scheme: 'dark', path: '#execute', width: 1280 },
    { name: 'phone', scheme: 'light', path: '', width: 390 },
    { name: 'execute-phone', scheme: 'dark', path: '#execute', width: 390 },
    { name: 'errors-phone', scheme: 'light', path: '/errors', width: 390 },
    { name: 'errors-dark', scheme: 'dark', path: '/errors', width: 1280 },
    { name: 'contents-light', scheme: 'light', path: '/contents', width: 1280 },
    { name: 'contents-phone', scheme: 'dark', path: '/contents', width: 390 },
    { name: 'guide-light', scheme: 'light', path: '/search', width: 1280 },
    { name: 'guide-phone', scheme: 'dark', path: '/operation', width: 390 },
    { name: 'connector-dark', scheme: 'dark', path: '/connectors/gong', width: 1280 },
    { name: 'changelog-phone', scheme: 'light', path: '/changelog', width: 390 },
  ] as const)('$name: nobody is kept out, and nothing is wider than the page', async (row) => {
    const { page, faults } = await open(row.path, {
      colorScheme: row.scheme,
      viewport: { width: row.width, height: 900 },
    })
    await expectAccessible(page)
    expect(await page.evaluate(WIDER)).toEqual([])
    await screenshot(page, `reference-${row.name}`)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('every operation of the document has its page', async () => {
    const { page, faults } = await open('')
    const document = (await (await fetch(`${world.service.url}/openapi.json`)).json()) as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, { readonly summary: string }>>>
      >
    }
    const summaries = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ summary }) => summary),
    )
    const menu = page.getByRole('navigation', { name: 'Operations' })
    expect(summaries.length).toBeGreaterThan(30)
    const links = await menu.getByRole('link').all()
    expect(links).toHaveLength(summaries.length)
    for (const link of links) {
      const address = (await link.getAttribute('href')) ?? ''
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`)
      await menu.locator(`[aria-current=page][href="${address}"]`).waitFor()
      const title = await page.getByRole('heading', { level: 1 }).textContent()
      expect(summaries).toContain(title)
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('from the list of all pages to one, from there to another, and back to the Markdown', async () => {
    const { page, faults } = await open('/contents', { signedIn: false })
    await page
      .getByRole('article')
      .getByRole('link', { name: 'Searching the synchronized copy' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Searching the synchronized copy' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs/search')
    // A link to a place of another page, as it stands in the files.
    await page.locator('article a[href$="/docs/operation#files-and-sockets"]').click()
    await page.getByRole('heading', { level: 1, name: 'Running the service' }).waitFor()
    await page.goto(`${world.service.url}/docs/events`)
    const anchors = page.getByRole('link', { name: /^Link to / })
    await anchors.first().waitFor()
    const [hash, heading] = [
      await anchors.first().getAttribute('href'),
      page.getByRole('article').getByRole('heading', { level: 2 }).first(),
    ]
    expect(`#${await heading.getAttribute('id')}`).toBe(hash)
    expect(await page.getByRole('link', { name: 'View as Markdown' }).getAttribute('href')).toBe(
      '/docs/events.md',
    )
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy page' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await (await fetch(`${world.service.url}/docs/events.md`)).text(),
    )
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the menu of the pages has the parts of the one that is shown', async () => {
    const { page, faults } = await open('/logs', { signedIn: false })
    const menu = page.getByRole('navigation', { name: 'Pages', exact: true })
    const shown = menu.locator('[aria-current=page]')
    await shown.waitFor()
    expect(await shown.getAttribute('href')).toBe('/docs/logs')
    const parts = menu.locator('li:has([aria-current=page]) ul a')
    const heading = page.getByRole('article').getByRole('heading', { level: 2 }).first()
    expect(await parts.first().getAttribute('href')).toBe(`#${await heading.getAttribute('id')}`)
    // A link that has only the name of its file has the title of its page.
    const guide = page.getByRole('article').getByRole('link', { name: 'The console', exact: true })
    expect(new URL((await guide.getAttribute('href')) ?? '').pathname).toBe('/docs/console')
    // One far down the list is in sight.
    await page.goto(`${world.service.url}/docs/connectors/gong`)
    await shown.filter({ hasText: 'Gong' }).waitFor()
    await expect.poll(async () => (await shown.boundingBox())?.y).toBeLessThan(860)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('words are found on all pages by keys alone, with the sentence that has them', async () => {
    const { page, faults } = await open('/logs', { signedIn: false })
    const menu = page.getByRole('navigation', { name: 'Pages', exact: true })
    const found = menu.getByRole('list', { name: 'Found' }).getByRole('link')
    await page.keyboard.press('/')
    // No heading has it.
    await page.keyboard.type('loopback')
    await menu.locator('mark', { hasText: 'loopback' }).first().waitFor()
    await menu.getByRole('searchbox').fill('files and sockets')
    await found.filter({ hasText: 'Files and sockets' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'reference-search')
    await page.keyboard.press('ArrowDown')
    const focused = page.locator('a:focus')
    expect(await focused.getAttribute('href')).toBe(await found.first().getAttribute('href'))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Running the service' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#files-and-sockets')
    await menu.getByRole('searchbox').fill('nothing has qwertz')
    await menu.getByText('Nothing in the documentation has these words.').waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('at the reference the same search finds operations first, and guides as well', async () => {
    const { page, faults } = await open('', { signedIn: false })
    const menu = page.getByRole('navigation', { name: 'Operations' })
    const found = menu.getByRole('list', { name: 'Found' }).getByRole('link')
    await menu.getByRole('searchbox').fill('waterfall')
    await found.first().waitFor()
    expect(await found.first().getAttribute('href')).toBe('/docs/console#logs')
    await menu.getByRole('searchbox').fill('log limit')
    await menu.locator('[href="/docs#listLogs.query.limit"]').click()
    await page.getByRole('heading', { level: 1, name: /List log entries/ }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a search that cannot read the pages says so, and tries again', async () => {
    const { page } = await open('/logs', { ...PHONE, signedIn: false })
    await page.route('**/texts.json', (route) => route.abort())
    const menu = page.getByRole('navigation', { name: 'Pages', exact: true })
    await menu.getByRole('searchbox').fill('sockets')
    await menu.getByRole('alert').getByText('cannot be read').waitFor()
    await page.unrouteAll()
    await menu.getByRole('button', { name: 'Try again' }).click()
    await menu
      .getByRole('link', { name: /sockets/i })
      .first()
      .waitFor()
    expect(await page.evaluate(WIDER)).toEqual([])
    await screenshot(page, 'reference-search-phone')
    await page.context().close()
  })

  test('a page that is not there says so, and leads to those that are', async () => {
    const { page, faults } = await open('/connectors/nothing', { signedIn: false })
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await expect.poll(() => page.title()).toBe('There is no such page · Tenon')
    await expectAccessible(page)
    await page.getByRole('article').getByRole('link', { name: 'all pages' }).click()
    await page.getByRole('article').getByRole('heading', { level: 2, name: 'Host apps' }).waitFor()
    // The browser tells of both answers: that there is no page, and no text of it.
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
    await page.context().close()
  })

  test.for([
    ['#nope', 'No operation is called nope; all of them are below.'],
    ['/errors#nope', 'No error code is called nope; all of them are below.'],
    ['/contents#nope', 'No part of this page is called nope; it begins here.'],
    ['/contents#%E0', 'No part of this page is called %E0; it begins here.'],
  ] as const)('what an address names and is not there is told: %s', async ([at, says]) => {
    const { page, faults } = await open(at, { signedIn: false })
    await page.getByText(says).waitFor()
    await expectAccessible(page)
    await screenshot(page, `not-there ${at.replaceAll(/\W+/g, '-')}`)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an operation, a code and a part that are there are told without such a word', async () => {
    const { page, faults } = await open('/errors#upstream_failed', { signedIn: false })
    await page.locator('[id="upstream_failed"]').waitFor()
    expect(await page.getByText('is called').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('each field has an address, and the language that was chosen stays on the next operation', async () => {
    const { page, faults } = await open('#listLogs.query.limit', { signedIn: false })
    await page.getByRole('heading', { level: 1, name: 'List log entries' }).waitFor()
    const field = page.locator('[id="listLogs.query.limit"]')
    const isSeen = async (): Promise<boolean> => {
      const { y = -1 } = (await field.boundingBox()) ?? {}
      return y >= 0 && y < 900
    }
    await expect.poll(isSeen).toBe(true)
    await field.getByRole('link', { name: 'Link to limit' }).click()
    expect(new URL(page.url()).hash).toBe('#listLogs.query.limit')
    // A member of a member, which is folded until the address leads into it.
    await page.goto(`${world.service.url}/docs#getLog.200.steps.method`)
    await page.reload()
    await page.locator('[id="getLog.200.steps.method"]').getByText('method').waitFor()
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.goto(`${world.service.url}/docs#listWebhooks`)
    await page.reload()
    await page.getByRole('tab', { name: 'Python', selected: true }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a request is sent with the session, and its answer is shown', async () => {
    const { page, faults } = await open('#getConnectorInstance')
    await choose(page, instance)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const answer = page.getByRole('region', { name: 'response', exact: true })
    await answer.getByText('"name": "Jira of ACME"').waitFor()
    // The code is that of the same request.
    await page.getByRole('region', { name: 'curl' }).getByText(instance).waitFor()
    await screenshot(page, 'reference-sent')
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('nothing made up stands in the path: accounts are chosen by name, and other ids are said where to find', async () => {
    const { page, faults } = await open('#getConnectorInstance')
    const account = page.getByRole('combobox', { name: 'connector_id' })
    expect(await account.inputValue()).toBe('')
    const curl = page.getByRole('region', { name: 'curl' })
    await curl.getByText('/connectors/{connector_id}').waitFor()
    // Without one it is not sent.
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    expect(await page.getByRole('region', { name: 'response', exact: true }).count()).toBe(0)
    await account.fill('Jira of')
    await page.getByRole('option', { name: 'Jira of ACME' }).click()
    await curl.getByText(instance).waitFor()
    await page.getByText(instance, { exact: true }).first().waitFor()
    await expectAccessible(page)
    await page.evaluate("location.hash = '#getWebhook'")
    expect(await page.getByRole('textbox', { name: 'webhook_id' }).inputValue()).toBe('')
    const listed = page.getByRole('region', { name: 'Send it' }).getByRole('link')
    expect(await listed.innerText()).toBe('GET /v1/webhooks')
    await listed.click()
    await page.getByRole('heading', { level: 1, name: /webhook/i }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an operation of an account runs, and names its connector in the command', async () => {
    const { page, faults } = await open('#execute')
    await choose(page, instance)
    const body = JSON.stringify({
      entity: 'issues',
      action: 'get',
      params: { issueIdOrKey: 'OPS-1' },
    })
    await page.getByLabel('Body').fill(body)
    await page.getByRole('tab', { name: 'Command line' }).click()
    await page.getByText(/npx tenon try jira issues\.get/).waitFor()
    await page.getByLabel('Body').press('Control+Enter')
    await page
      .getByRole('region', { name: 'response', exact: true })
      .getByText('"key": "OPS-1"')
      .waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the example of a body has what the account has, until somebody types one', async () => {
    const { page, faults } = await open('#execute')
    const body = page.getByLabel('Body')
    expect(await body.inputValue()).toContain('"calls"')
    await choose(page, instance)
    await expect.poll(() => body.inputValue()).not.toContain('"calls"')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page
      .getByRole('region', { name: 'response', exact: true })
      .getByText('"execution"')
      .waitFor()
    await body.fill('{"entity":"calls"}')
    await page.evaluate("location.hash = '#mintScopedToken'")
    const { external_user_id: user } = (
      await world.service.call('GET', `/v1/integrations/connectors/${instance}`)
    ).body as { readonly external_user_id: string }
    await page.getByRole('region', { name: 'curl' }).getByText(user).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('no example comes in under the hands of who types a body', async () => {
    const { page, faults } = await open('#execute')
    const body = page.getByLabel('Body')
    const answer = Promise.withResolvers<void>()
    await page.route('**/describe', async (route) => {
      await answer.promise
      await route.continue()
    })
    await choose(page, instance)
    await page.getByText(instance, { exact: true }).waitFor()
    await body.focus()
    const described = page.waitForResponse('**/describe')
    answer.resolve()
    await (await described).finished()
    await body.press('End')
    expect(await body.inputValue()).toContain('"calls"')
    // Left as it was, it has what the account has.
    await body.blur()
    await expect.poll(() => body.inputValue()).not.toContain('"calls"')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a refused request tells its problem, with the answer as it came', async () => {
    const { page, faults } = await open('#getWebhook')
    await page.getByRole('textbox', { name: 'webhook_id' }).fill('none')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alert').getByText('webhook_unknown').waitFor()
    await page.getByText('The response as it came (404)').click()
    await page
      .getByRole('region', { name: 'response', exact: true })
      .getByText('"code": "webhook_unknown"')
      .waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a deletion asks first', async () => {
    const gone = await world.service.connect('gong')
    const { page } = await open('#deleteConnectorInstance')
    await choose(page, gone)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const there = async (): Promise<number> =>
      (await world.service.call('GET', `/v1/integrations/connectors/${gone}`)).status
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor()
    expect(await there()).toBe(200)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(there).toBe(404)
    await page.context().close()
  })

  test('what stands in the body must be JSON before it is sent', async () => {
    const { page } = await open('#createWebhook')
    await page.getByLabel('Body').fill('{"url":')
    await page.getByText('This is not JSON yet').waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await page.context().close()
  })

  test('who is not signed in reads everything, and is shown the way', async () => {
    const { page, faults } = await open('#execute', { signedIn: false })
    await page.getByRole('link', { name: 'Sign in to the console' }).waitFor()
    await page.getByRole('region', { name: 'curl' }).waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a session that has ended is told where a request is sent, and the way back', async () => {
    const { page, faults } = await open('#listWebhooks')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await send.waitFor()
    await page.context().clearCookies()
    await send.click()
    await page.getByRole('link', { name: 'Sign in to the console' }).waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a service that does not answer is told, and asked again', async () => {
    const { page, faults } = await world.visit('', PHONE)
    await page.route('**/openapi.json', (route) => route.abort())
    await page.goto(`${world.service.url}/docs`)
    await page.getByRole('alert').getByText('The service does not answer').waitFor()
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Operations', exact: true, level: 2 }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a request is sent once, however often it is asked for meanwhile', async () => {
    const { page } = await open('#checkConnectorInstance')
    await choose(page, instance)
    let sent = 0
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/check', async (route) => {
      sent++
      await released
      await route.continue()
    })
    for (let press = 0; press < 3; press++)
      await page.getByRole('button', { name: 'Send', exact: true }).press('Control+Enter')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    release()
    await page.getByRole('region', { name: 'response', exact: true }).waitFor()
    expect(sent).toBe(1)
    await page.context().close()
  })

  test('the list opens, finds and closes on a phone', async () => {
    const { page } = await open('', PHONE)
    const menu = page.getByRole('navigation', { name: 'Operations' })
    expect(await menu.getByRole('link').count()).toBe(0)
    await menu.getByRole('button', { name: 'All operations' }).click()
    await menu.getByRole('link', { name: 'List the connector types' }).waitFor()
    await menu.getByRole('searchbox').fill('rotate secret')
    await menu.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: /Rotate the secret/ }).waitFor()
    await menu.getByRole('button', { name: 'All operations' }).waitFor()
    await page.context().close()
  })

  test('an error code has an address of its own', async () => {
    const { page, faults } = await open('/errors#params_invalid', { signedIn: false })
    const row = page.locator('#params_invalid')
    await row.getByText('Parameters are not valid').waitFor()
    await expect
      .poll(() =>
        page.evaluate(
          "document.getElementById('params_invalid').getBoundingClientRect().top < innerHeight",
        ),
      )
      .toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('below a path of a host app without a console it is there, and says so', async () => {
    const base = '/apps/tenon'
    let answer: RequestListener = () => {}
    const server = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const mounted = mountService<NodeArrival>(world.service.service, {
      passToMcp: passOnNode,
      consoleFolder: inject('consoleFolder'),
      doors: { console: false },
    })
    answer = (request, response) => {
      const place = { url: (request.url ?? '').slice(base.length), base, vouch: null }
      void carry(mounted, new NodeArrival(request, response, place), null)
    }
    const { page, faults } = await world.visit('', {})
    // The page before is of another origin.
    await page.goto('about:blank')
    await page.goto(`${origin}${base}/docs#listWebhooks`)
    await page.getByText('This service has no console').waitFor()
    await page.getByRole('link', { name: 'Errors' }).click()
    await page.getByRole('heading', { name: 'Error codes' }).waitFor()
    expect(faults.filter((fault) => !fault.startsWith('request to'))).toEqual([])
    await page.context().close()
    server.closeAllConnections()
    server.close()
  })
})
