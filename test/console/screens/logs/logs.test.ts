// The logs in a real browser against the sandbox: found, followed, looked at, opened in the explorer, exported.
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let jira: string

async function run(issue: string, requestId: string): Promise<void> {
  const path = `/api/v1/connectors/sources/${jira}/execute`
  const body = { entity: 'issues', action: 'get', params: { issueIdOrKey: issue } }
  await world.service.call('POST', path, body, { headers: { 'x-request-id': requestId } })
}

describe.skipIf(chromium === null)('logs', () => {
  beforeAll(async () => {
    world = await openConsole({ logsContent: true })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('entries appear as they happen; filters are in the address; one is looked at and run again', async () => {
    const { page, faults } = await world.enter('/logs')
    await page.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor()
    await expectAccessible(page)
    jira = await world.service.connect('jira', {
      external_user_id: `${'long-'.repeat(50)}\u202Eend`,
    })
    await run('OPS-1', 'good')
    await run('OPS-99999', 'bad')
    await page.getByText('404 upstream_not_found').waitFor()
    // A click anywhere on a row means the entry, where the code is a link.
    expect(await page.getByRole('link', { name: 'upstream_not_found' }).count()).toBe(0)
    await page.getByText('200', { exact: true }).first().waitFor()
    await expectAccessible(page)
    await screenshot(page, 'logs')

    // Words, from anywhere on the page, and marked where they stand.
    await page.keyboard.press('/')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.and(page.locator(':focus')).waitFor()
    await search.fill('NOT_found said')
    await page.waitForURL(/text=NOT_found/)
    await page.getByText('200', { exact: true }).first().waitFor({ state: 'detached' })
    await expect
      .poll(() => page.getByRole('table').locator('mark').allInnerTexts())
      .toEqual(expect.arrayContaining(['not_found', 'said']))
    await expectAccessible(page)
    await screenshot(page, 'logs-words')
    await search.fill('')
    await page.getByText('200', { exact: true }).first().waitFor()

    await page.getByLabel('Result').selectOption('failed')
    await page.getByText('200', { exact: true }).first().waitFor({ state: 'detached' })
    await page.getByText('More filters').click()
    await page.getByLabel('Request id').fill('bad')
    await page.waitForURL(/status=failed.*request_id=bad|request_id=bad.*status=failed/)
    await page.getByRole('button', { name: 'issues.get' }).click()
    const sheet = page.getByRole('dialog')
    const requests = sheet.getByRole('region', { name: 'Requests to the third party' })
    await requests.getByText('/rest/api/3/issue/{}').waitFor()
    const meaning = sheet.getByRole('link', { name: 'upstream_not_found' })
    expect(await meaning.getAttribute('href')).toMatch(/\/docs\/errors#upstream_not_found$/)
    await sheet.getByText('long-⟨U+202E⟩end').waitFor()
    await sheet.getByText(/\(status 404\)\. The third party said: ".+"/).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'logs-entry')
    await sheet.getByText('the caller, who has to change the request').waitFor()
    // The address is that of the entry, for whom it is passed on to.
    await page.reload()
    await sheet.getByText('Parameters', { exact: true }).click()
    await sheet.getByText('OPS-99999').first().waitFor()
    await page.getByRole('link', { name: 'Open in the explorer with these parameters' }).click()
    expect(await page.getByLabel('issueIdOrKey').inputValue()).toBe('OPS-99999')
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
    await page.context().close()
  })

  test('a chart has what the filters find, and a bar of it narrows the list to its time', async () => {
    const { page, faults } = await world.enter('/logs?kind=operation&minutes=60')
    const over = page.getByRole('region', { name: 'Entries over time', exact: true })
    await over.getByText(/^2 entries, 1 failed\./).waitFor()
    await page.getByLabel('Result').selectOption('failed')
    await over.getByText(/^1 entry, 1 failed\./).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'logs-chart')
    const chart = over.getByRole('slider', { name: 'Entries and failures over time' })
    await chart.focus()
    await chart.press('End')
    while (!/ 1 entry,/.test((await chart.getAttribute('aria-valuetext')) ?? ''))
      await chart.press('ArrowLeft')
    await chart.press('Enter')
    await page.waitForURL(/from=.*to=/)
    const { searchParams } = new URL(page.url())
    const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''))
    expect([60_000, 120_000]).toContain((to ?? 0) - (from ?? 0))
    expect(searchParams.get('minutes')).toBeNull()
    await over.getByText(/^1 entry, 1 failed\./).waitFor()
    await page.getByText('404 upstream_not_found').waitFor()
    expect(
      await page.getByRole('combobox', { name: 'Time' }).locator('option:checked').innerText(),
    ).toMatch(/^\w{3} \d\d:\d\d to \d\d:\d\d$/)
    await page.goBack()
    await page.waitForURL(/minutes=60/)
    // Drawn over: all of it, by the pointer.
    const { x = 0, y = 0, width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
    await page.mouse.move(x + 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 2, y + height / 2, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL(/from=.*to=/)
    await over.getByText(/^1 entry, 1 failed\./).waitFor()
    await page.getByRole('combobox', { name: 'Time' }).selectOption('any time')
    await page.waitForURL((url) => !url.searchParams.has('from'))
    await page.goto(page.url() + '&from=no+time%00')
    await page.getByText('Request is not well-formed').first().waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the overview counts them, and leads to those that fail', async () => {
    const { page, faults } = await world.enter('/')
    const failing = page.getByRole('region', { name: 'Failing operations' })
    await failing.getByRole('link', { name: 'upstream_not_found' }).waitFor()
    // With the accounts for which it failed.
    const logs = failing.getByRole('link', { name: 'jira', exact: true })
    expect(await logs.getAttribute('href')).toContain(
      `/logs?instance=${jira}&status=failed&kind=operation&entity=issues&action=get`,
    )
    await failing.getByText('1 of 2').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'logs-overview')
    const chart = page.getByRole('slider', { name: 'Operations and failures over time' })
    await chart.press('End')
    // Its hour, or the one before where it has just begun.
    if (!/ [1-9]\d* operations?,/.test((await chart.getAttribute('aria-valuetext')) ?? ''))
      await chart.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /^\w{3} \d\d:\d\d to \d\d:\d\d: (?:1 operation|2 operations), [01] failed$/,
    )
    await page.locator('.chart-tip').waitFor()
    expect(await page.getByRole('list', { name: 'Legend' }).innerText()).toContain('Of them failed')
    await screenshot(page, 'overview-chart')
    // Times below the chart are whole hours of a day, six hours apart.
    const times = await page.locator('.chart-times time').allInnerTexts()
    expect(times.length).toBeGreaterThan(2)
    for (const time of times) expect(['00:00', '06:00', '12:00', '18:00']).toContain(time)
    await page.getByText('As a table').click()
    const table = page.getByRole('region', { name: 'Operations and failures over time' })
    await table
      .getByRole('cell', { name: /^[12]$/ })
      .first()
      .waitFor()
    await expectAccessible(page)
    await page.locator('.chart-place').hover()
    await page.locator('.chart-tip').waitFor()
    await failing.getByRole('link', { name: 'jira.issues.get' }).click()
    await page.getByText('404 upstream_not_found').waitFor()
    expect(await page.getByText('200', { exact: true }).count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('connector_type')).toBe('jira')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what matches nothing says so, and the filters are cleared; entries are exported', async () => {
    const { page, faults } = await world.enter('/logs?code=quota&kind=operation')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await page.getByRole('button', { name: 'issues.get' }).first().waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const table = await text(await (await saving).createReadStream())
    expect(table.split('\r\n')[0]).toContain('id,kind,at,connector_id')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the logs of one account, on a phone in the dark', async () => {
    const { page, faults } = await world.enter(`/instances/${jira}`, {
      viewport: { width: 390, height: 800 },
      colorScheme: 'dark',
    })
    await page.getByRole('main').getByRole('link', { name: 'Logs', exact: true }).click()
    await page.getByText('One account only.').waitFor()
    // The result stands in the first line, within the page.
    const failed = page.getByText('404 upstream_not_found')
    const { x = 0, width: wide = 0 } = (await failed.boundingBox()) ?? {}
    expect(x + wide).toBeLessThan(390)
    await screenshot(page, 'logs-phone-list')
    await page
      .getByRole('row')
      .filter({ has: failed })
      .click({ position: { x: 4, y: 4 } })
    await page.getByRole('dialog').getByText('Request id').waitFor()
    await expectAccessible(page)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(390)
    await screenshot(page, 'logs-phone')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an open entry leads to those next to it by buttons and keys, and has a link of its own', async () => {
    jira = await world.service.connect('jira')
    for (let at = 0; at < 51; at++) await run('OPS-2', `step-${at}`)
    const { page, faults } = await world.enter(`/logs?instance=${jira}&kind=operation`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'issues.get' }).first().click()
    const sheet = page.getByRole('dialog')
    const told = async (place: string, id: string): Promise<void> => {
      await sheet.getByText(place, { exact: true }).waitFor()
      await sheet.getByText(id, { exact: true }).waitFor()
    }
    await told('Entry 1 of the 50 shown', 'step-50')
    expect(await sheet.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true)
    await page.keyboard.press('j')
    await told('Entry 2 of the 50 shown', 'step-49')
    await page.keyboard.press('ArrowDown')
    await told('Entry 3 of the 50 shown', 'step-48')
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowUp')
    await told('Entry 1 of the 50 shown', 'step-50')
    await sheet.getByRole('button', { name: 'Next' }).click()
    await told('Entry 2 of the 50 shown', 'step-49')
    await expectAccessible(page)
    await screenshot(page, 'logs-steps')
    await page.getByText(/^Entries are kept for 7 days; parameters .+ newest 200/).waitFor()
    await sheet.getByRole('button', { name: 'Copy link to this entry' }).click()
    await sheet.getByText('Copied').waitFor()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    await sheet.getByRole('button', { name: 'Copy as JSON' }).click()
    await expect
      .poll(async () => await page.evaluate<string>('navigator.clipboard.readText()'))
      .toContain('"request_id": "step-49"')
    const others = sheet.getByRole('list', { name: 'All entries of' }).getByRole('link')
    const queries = await others.evaluateAll((all) =>
      all.map((each) => `${each.textContent}: ${each.getAttribute('href')?.split('?')[1]}`),
    )
    expect(queries).toEqual([
      `this account: instance=${jira}`,
      'this user: external_user_id=user-1',
      'this connector: connector_type=jira',
      'issues.get: entity=issues&action=get',
    ])
    // At the last one those before it are loaded.
    for (let at = 3; at <= 50; at++) await page.keyboard.press('j')
    await told('Entry 50 of the 51 shown', 'step-1')
    await page.keyboard.press('j')
    await told('Entry 51 of the 51 shown', 'step-0')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('entry')).toBeNull()
    await page.goto(link)
    await sheet.getByText('step-49', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a click on a row opens it, its account is named, and Back leads to where the list was', async () => {
    jira = await world.service.connect('jira')
    await run('OPS-99999', 'oldest')
    for (let at = 0; at < 60; at++) await run('OPS-2', `many-${at}`)
    const { page, faults } = await world.enter(`/logs?kind=operation`, {
      viewport: { width: 1280, height: 400 },
    })
    const named = page.getByRole('link', { name: 'jira', exact: true })
    await named.first().waitFor()
    await page.getByRole('button', { name: 'Show earlier entries' }).click()
    // Another one is of an earlier test.
    const oldest = page.getByRole('row').filter({ hasText: '404 upstream_not_found' }).first()
    await screenshot(page, 'logs-earlier')
    await oldest.waitFor()
    await oldest.scrollIntoViewIfNeeded()
    const place = async () => Math.round((await oldest.boundingBox())?.y ?? -1)
    const before = await place()
    await oldest.getByText('Operation').click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Request id').waitFor()
    await sheet.getByRole('link', { name: 'jira', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'jira' }).waitFor()
    await page.goBack()
    await sheet.getByText('Request id').waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(place).toBe(before)
    // What was opened from the list leaves one way back.
    await oldest.getByRole('button').click()
    await sheet.waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?kind=operation')
    await expect.poll(place).toBe(before)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the filters have an account, what is known to choose from, and two moments', async () => {
    const { page, faults } = await world.enter('/logs?connector_type=jira')
    for (const known of [
      'gong',
      'issues',
      'upstream_not_found',
      'delivery_failed',
      'user-1',
      '503',
    ])
      await page.locator(`datalist option[value="${known}"]`).waitFor({ state: 'attached' })
    await page.getByLabel('Third party answered').fill('404')
    await page.waitForURL(/upstream_status=404/)
    await page.getByRole('button', { name: 'issues.get' }).first().waitFor()
    await page.getByRole('combobox', { name: 'Time' }).selectOption('between two moments')
    await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00:00')
    await page.waitForURL(/from=2020-01-01/)
    await page.getByLabel('Before', { exact: true }).fill('2020-01-02T00:00:00')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'logs-filters')
    await page.getByLabel('Before', { exact: true }).fill('')
    await page.getByRole('button', { name: 'issues.get' }).first().waitFor()
    await page.getByRole('combobox', { name: 'Account' }).click()
    await page.getByRole('option').first().click()
    await page.waitForURL(/upstream_status=404.*instance=|instance=.*upstream_status=404/)
    await page.getByRole('link', { name: 'Show all' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([1280, 390])(
    'an account tells its last error, however much has gone well since, %i px wide',
    async (width) => {
      await run('OPS-99999', 'last')
      for (const issue of ['OPS-1', 'OPS-2', 'OPS-3', 'OPS-4', 'OPS-5', 'OPS-6'])
        await run(issue, 'well')
      await world.service.service.logs.flush()
      const { page, faults } = await world.enter(`/instances/${jira}`, {
        viewport: { width, height: 900 },
        colorScheme: width === 390 ? 'dark' : 'light',
      })
      const told = page.getByRole('group', { name: 'Last error' })
      await told.getByText('upstream_not_found').waitFor()
      await told.getByText('6 calls since went well.').waitFor()
      await expectAccessible(page)
      await screenshot(page, `account-last-error-${width}`)
      await told.getByRole('link', { name: 'issues.get' }).click()
      await page
        .getByRole('dialog')
        .getByText('the caller, who has to change the request')
        .waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
  )
})
