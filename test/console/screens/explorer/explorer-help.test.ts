// What the explorer does for people who work in it: filter, calendars, suggestions, addresses, history, files.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const DEPOT = join(import.meta.dirname, '../../../service/depot.yaml')

let world: ConsoleWorld
let jira: string
let gong: string

describe.skipIf(chromium === null)('explorer at work', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    jira = await world.service.connect('jira')
    gong = await world.service.connect('gong')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('operations are filtered by their words, and a parameter is filled from the account', async () => {
    const { page, faults } = await world.enter(`/explorer?instance=${jira}`)
    await page.getByLabel('Filter the operations').fill('issue assign')
    const operations = page.getByRole('navigation', { name: 'Operations' })
    expect(await operations.getByRole('link').allInnerTexts()).toEqual(['issues_assignee.update'])
    await operations.getByRole('link').click()
    const field = page.getByLabel('issueIdOrKey')
    const list = page.locator(`datalist#${selectorOf(await field.getAttribute('list'))} option`)
    // The form may be drawn once more behind the first focus.
    await expect
      .poll(async () => {
        await field.blur()
        await field.focus()
        return await list.count()
      })
      .toBeGreaterThan(5)
    expect(await list.first().innerText()).toMatch(/OPS-\d+ · /)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a parameter is filled from a copy that had nothing when somebody came to it first', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues_assignee&action=update`,
    )
    let isEmpty = true
    let asked = 0
    await page.route('**/execute', async (route) => {
      asked++
      const answer = await route.fetch()
      const json = (await answer.json()) as object
      const none = { ...json, ...('hits' in json ? { hits: [] } : { data: [] }) }
      await route.fulfill({ response: answer, json: isEmpty ? none : json })
    })
    const field = page.getByLabel('issueIdOrKey')
    const list = page.locator(`datalist#${selectorOf(await field.getAttribute('list'))} option`)
    const comeAgain = async (): Promise<void> => {
      await field.blur()
      await field.focus()
    }
    // The copy and the listing.
    await expect
      .poll(async () => {
        await comeAgain()
        return asked
      })
      .toBeGreaterThan(1)
    expect(await list.count()).toBe(0)
    isEmpty = false
    await expect
      .poll(async () => {
        await comeAgain()
        return await list.count()
      })
      .toBeGreaterThan(5)
    // What is known is not asked for again.
    const known = asked
    await comeAgain()
    await comeAgain()
    expect(asked).toBe(known)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an example fills in what is empty, and runs', async () => {
    const path = `/explorer?instance=${jira}&entity=issues&action=get`
    const { page, faults } = await world.enter(path)
    const fill = page.getByRole('button', { name: 'Fill in an example' })
    await fill.click()
    await page.getByText('Filled in.').waitFor()
    expect(await page.getByLabel('issueIdOrKey').inputValue()).not.toBe('')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText(/ms · 1 upstream request/).waitFor()
    // What was typed stays, as JSON too.
    await page.getByLabel('issueIdOrKey').fill('OPS-3')
    await page.getByRole('checkbox', { name: 'as JSON' }).check()
    await fill.click()
    await page.getByText('There is nothing to fill in.').waitFor()
    expect(await page.getByLabel('Parameters as JSON').inputValue()).toContain('"OPS-3"')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => page.getByLabel('Parameters as JSON').inputValue()).toBe('{}')
    await fill.click()
    await expect
      .poll(() => page.getByLabel('Parameters as JSON').inputValue())
      .toContain('issueIdOrKey')
    await expectAccessible(page)
    await screenshot(page, 'explorer-example')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('of a third party, an example is of the own records, and nothing is made up', async () => {
    const { page, faults } = await world.enter('', { viewport: { width: 360, height: 800 } })
    await page.route('**/api/v1/session', async (route) => {
      const response = await route.fetch()
      const session = (await response.json()) as object
      await route.fulfill({ response, json: { ...session, demo: null } })
    })
    await page.goto(
      `${world.service.url}/console/explorer?instance=${jira}&entity=issues&action=get`,
    )
    await page.getByRole('button', { name: 'Fill in an example' }).click()
    await expect.poll(() => page.getByLabel('issueIdOrKey').inputValue()).not.toBe('')
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(360)
    await screenshot(page, 'explorer-example-360')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText(/ms · 1 upstream request/).waitFor()
    await page.goto(
      `${world.service.url}/console/explorer?instance=${jira}&entity=issues&action=api_search`,
    )
    await page.getByLabel('jql').waitFor()
    expect(await page.getByRole('button', { name: 'Fill in an example' }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a moment is picked in local time and sent in UTC', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${gong}&entity=calls&action=list`,
      { timezoneId: 'Europe/Berlin' },
    )
    await page.getByLabel('Choose a moment').first().fill('2026-01-31T10:00')
    await expect
      .poll(() => page.getByLabel('fromDateTime').inputValue())
      .toBe('2026-01-31T09:00:00Z')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an address has the parameters behind its #, where no server sees them', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=api_search#params=${encodeURIComponent('{"jql":"project = OPS","maxResults":2}')}`,
    )
    expect(await page.getByLabel('jql').inputValue()).toBe('project = OPS')
    await page.getByLabel('maxResults').fill('3')
    await expect
      .poll(() => decodeURIComponent(new URL(page.url()).hash))
      .toBe('#params={"jql":"project = OPS","maxResults":3}')
    // What is typed comes back with the address alone, in another tab.
    const other = await world.enter(new URL(page.url()).href.split('/console')[1])
    expect(await other.page.getByLabel('maxResults').inputValue()).toBe('3')
    await other.page.context().close()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('runs and saved calls come back with their parameters, by the keyboard alone', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=get`,
      { viewport: { width: 390, height: 844 } },
    )
    await page.getByLabel('issueIdOrKey').fill('OPS-3')
    await page.getByLabel('issueIdOrKey').press('Control+Enter')
    await page.getByText(/ms · 1 upstream request/).waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByLabel('Name').fill('The third one')
    await page.getByLabel('Name').press('Enter')
    await page.getByRole('link', { name: 'The third one' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'explorer-history-390')
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)
    await page.goto(`${world.service.url}/console/explorer?instance=${jira}`)
    await page.getByRole('link', { name: 'The third one' }).press('Enter')
    expect(await page.getByLabel('issueIdOrKey').inputValue()).toBe('OPS-3')
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Forget The third one' }).click()
    await page.getByText('None is saved yet.').waitFor()
    // The run; the list of operations is folded on a phone.
    expect(await page.getByRole('link', { name: 'issues.get' }).count()).toBe(1)
    // The next person at this browser sees none of it.
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('OPS-3')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a grid of 1,000 rows draws those that are seen, and is worked by keys', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=api_search`,
    )
    const records = Array.from({ length: 1000 }, (_none, index) => ({
      id: String(index + 1),
      count: (index * 7919) % 1000,
      name: index === 3 ? `=1+1 ${'long '.repeat(60)}` : `Record ${index + 1}`,
      created: '2026-11-01T12:00:00Z',
    }))
    await page.route('**/execute', (route) =>
      route.fulfill({ json: { ...ENVELOPE, data: records } }),
    )
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const grid = page.getByRole('grid', { name: 'Records' })
    await grid.waitFor()
    expect(await grid.getAttribute('aria-rowcount')).toBe('1001')
    expect(await grid.getByRole('row').count()).toBeLessThan(80)
    const focused = () => page.locator('[data-at]:focus')
    await grid.getByRole('columnheader', { name: 'count' }).focus()
    await page.keyboard.press('Enter')
    expect(await grid.locator('th[aria-sort="ascending"]').innerText()).toContain('count')
    await page.keyboard.press('ArrowDown')
    expect(await focused().innerText()).toBe('0')
    await page.keyboard.press('Control+End')
    await expect.poll(() => focused().getAttribute('data-at')).toMatch(/^999 /)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').getByRole('tree').innerText()).toContain('"count": 999')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused().getAttribute('data-at')).toBe('999 0')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const saved = await (await saving).createReadStream()
    const csv = Buffer.concat(await Array.fromAsync(saved)).toString('utf8')
    expect(csv.split('\r\n')).toHaveLength(1002)
    expect(csv).toContain("'=1+1")
    await expectAccessible(page)
    await screenshot(page, 'grid-1000')
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe.skipIf(chromium === null)('files', () => {
  test('a file is chosen and sent as it is, and says how far it is', async () => {
    await using depots = await openConsole({ manifests: [DEPOT], connectors: ['depot'] })
    const depot = await depots.service.connect('depot')
    const { page, faults } = await depots.enter(
      `/explorer?instance=${depot}&entity=files&action=create`,
    )
    await page.getByLabel('content').setInputFiles({
      name: 'plan.txt',
      mimeType: 'text/plain',
      buffer: Buffer.alloc(300_000, 'a'),
    })
    // The service has made the change, and its answer is lost on the way.
    const keys: (string | undefined)[] = []
    await page.route('**/execute', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      const answer = await route.fetch()
      await (keys.length === 1 ? route.abort() : route.fulfill({ response: answer }))
    })
    await page.getByRole('button', { name: 'Run and change data' }).click()
    await page.getByText('No answer to this change has come.').waitFor()
    await page.getByRole('button', { name: 'Run and change data' }).click()
    await page.getByText(/ms · 1 upstream request/).waitFor()
    expect(keys).toEqual([expect.stringMatching(/^[\d-]+$/), keys[0]])
    await page.getByText('answered before, not sent again').waitFor()
    expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([])
    await page.context().close()
  })
})

/** An id as a selector has it. */
function selectorOf(id: string | null): string {
  return (id ?? '').replaceAll(/[^\w-]/g, String.raw`\$&`)
}

const ENVELOPE = {
  meta: { has_more: false },
  execution: {
    request_id: 'request-1',
    connector_id: 'instance-1',
    connector_type: 'jira',
    connector_version: '1.0.0',
    upstream_requests: 1,
    took_ms: 5,
  },
}
