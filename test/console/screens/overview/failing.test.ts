// The failing syncs of the overview: of an outage one line, and those that fail for other reasons next to it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld

describe.skipIf(chromium === null)('failing syncs', () => {
  beforeAll(async () => {
    world = await openConsole()
    const failedAt = Date.now()
    const copy = { since: failedAt - 3_600_000, failures: 3, failedAt }
    const failed = { ...copy, code: 'upstream_failed', detail: 'Gong: calls.list failed' }
    const held = `Held back because another call failed: ${failed.detail}`
    const { syncFailures } = world.service.service.store
    for (let account = 1; account <= 4; account++) {
      const instanceId = await world.service.connect('gong', {
        name: `Outage ${account}`,
        external_user_id: `user-${account}`,
      })
      const since = failed.since + account
      await syncFailures.put({ ...failed, instanceId, entity: 'calls', since })
    }
    const alone = await world.service.connect('jira', {
      name: 'Alone',
      external_user_id: 'alone',
    })
    await syncFailures.put({ ...failed, instanceId: alone, entity: 'users', detail: held })
    await syncFailures.put({ ...failed, instanceId: alone, entity: 'issues' })
    const other = 'Jira: projects.list failed (status 404)'
    await syncFailures.put({ ...failed, instanceId: alone, entity: 'projects', detail: other })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('many accounts with one cause are one line; one reason is told once', async () => {
    const { page, faults } = await world.enter('/')
    const failing = page.getByRole('region', { name: 'Failing syncs' })
    const outage = failing.getByRole('link', { name: '4 of 4 accounts of gong' })
    expect(await outage.getAttribute('href')).toMatch(/sync=failing&connector_type=gong$/)
    const told = failing.getByRole('listitem').filter({ hasText: '4 of 4 accounts of gong' })
    // It comes with the list of connectors.
    await told.getByRole('link', { name: 'Status page of the third party' }).waitFor()
    const lines = (await told.innerText()).split('\n').filter((line) => line !== '')
    expect(lines.slice(-8)).toEqual([
      '4 of 4 accounts of gong',
      'Gong: calls.list failed upstream_failed',
      ...[1, 2, 3].map((account) => `Outage ${account}: calls for 1 hour`),
      'and 1 more. Last failure just now.',
      'Who acts: the third party. Status page of the third party',
      'Looks like the third party: 4 of 4 accounts of it fail.',
    ])
    const first = told.getByRole('link', { name: 'Outage 1' })
    expect(await first.getAttribute('href')).toMatch(/\/sync\?instance=/)
    await failing.getByRole('link', { name: 'Alone' }).waitFor()
    // Two reasons are two, also with one code; who acts on them is told once.
    const single = failing.getByRole('listitem').filter({ hasText: 'Alone' })
    const reasons = (await single.innerText()).split('\n').filter((line) => line !== '')
    expect(reasons.slice(-4).map((line) => line.replace(/ for \d.*?: /, ': '))).toEqual([
      'issues: Gong: calls.list failed upstream_failed. Held back: users',
      'projects: Jira: projects.list failed (status 404) upstream_failed',
      'Waiting for what fails: issue_comments, issue_worklogs',
      expect.stringMatching(/^Who acts: the third party\./),
    ])
    await failing.getByRole('link', { name: 'All 5 accounts with failing syncs' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'overview-outage')
    await outage.click()
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    await page.getByRole('link', { name: 'Outage 4' }).waitFor()
    expect(await page.getByRole('link', { name: 'Alone' }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the period is chosen, stands in the address, and goes along to the logs', async () => {
    const id = await world.service.connect('gong', { name: 'Called' })
    for (const action of ['list', 'none'])
      await world.service.call('POST', `/v1/connectors/sources/${id}/execute`, {
        entity: 'calls',
        action,
        params: action === 'list' ? {} : { wrong: 1 },
      })
    const { page, faults } = await world.enter('/overview')
    const day = page.getByRole('region', { name: 'Operations in the last 24 hours' })
    await day.getByRole('navigation', { name: 'Period' }).waitFor()
    for (const [words, title, minutes] of [
      ['7 days', 'the last 7 days', '10080'],
      ['Last hour', 'the last hour', '60'],
    ] as const) {
      await page.getByRole('link', { name: words, exact: true }).click()
      const card = page.getByRole('region', { name: `Operations in ${title}` })
      await card.getByRole('slider', { name: 'Operations and failures over time' }).waitFor()
      expect(new URL(page.url()).search).toBe(`?minutes=${minutes}`)
      const kinds = card.getByRole('list', { name: 'By kind' })
      const links = await kinds
        .getByRole('link')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href')))
      expect(links).toEqual([
        `/console/logs?kind=operation&minutes=${minutes}`,
        `/console/logs?kind=operation&status=failed&minutes=${minutes}`,
      ])
      expect(await kinds.innerText()).toMatch(/^Operations: \d+ in all, \d+ failed$/)
      const failing = page.getByRole('region', { name: 'Failing operations' })
      await failing
        .getByText(
          /between \w{3} \d+, \d\d:[0-5][05]:00 .+ and (?:now$|\w{3} \d+, \d\d:[0-5][05]:00)/,
        )
        .waitFor()
      await expectAccessible(page)
      await screenshot(page, `overview-${minutes}`)
    }
    // The same address shows the same again, and its numbers are found in the logs.
    await page.reload()
    await page
      .getByRole('region', { name: 'Failing operations' })
      .getByRole('link', { name: '1 of 1' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      minutes: '60',
      status: 'failed',
      kind: 'operation',
    })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an operation that failed with several codes is told with all of them', async () => {
    const { page, faults } = await world.enter('/instances')
    await page.route('**/logs/summary?*', async (route) => {
      const answer = await route.fetch()
      const figures = (await answer.json()) as object
      const [first_at, last_at] = ['2026-05-01T10:00:00Z', '2026-05-01T10:05:00Z']
      const codes = [
        { code: 'upstream_failed', calls: 2 },
        { code: 'credentials_refused', calls: 1 },
      ]
      const of = {
        connector_type: 'gong',
        entity: 'calls',
        calls: 4,
        failures: 3,
        first_at,
        last_at,
      }
      const failing = [
        { ...of, kind: 'operation', action: 'list', codes },
        { ...of, kind: 'draft', action: 'get', codes },
      ]
      await route.fulfill({ response: answer, json: { ...figures, failing } })
    })
    await page.goto(new URL('/console/overview', page.url()).href)
    const failing = page.getByRole('region', { name: 'Failing operations' })
    await failing.getByText('upstream_failed 2, credentials_refused 1').waitFor()
    expect(await failing.getByRole('listitem').count()).toBe(1)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('copies are told furthest behind first, first readings and what fails apart', async () => {
    const { page, faults } = await world.enter('/instances')
    await page.route('**/last-syncs?*', async (route) => {
      const ids = new URL(route.request().url()).searchParams.get('connector_ids') ?? ''
      const data = ids.split(',').map((connector_id, index) => ({
        connector_id,
        state: ['initial', 'error', 'suspicious'][index] ?? 'ready',
        running: false,
        failing: [],
        copies: 6,
        paused: index === 2 ? 1 : 0,
        last_synced_at: new Date().toISOString(),
        furthest_behind: {
          entity: 'calls',
          synced_at: index === 0 ? null : new Date(Date.now() - index * 3_600_000).toISOString(),
          late: index === 3,
          interval_seconds: 86_400,
        },
      }))
      await route.fulfill({ json: { data } })
    })
    await page.getByRole('link', { name: 'Overview' }).click()
    const card = page.getByRole('region', { name: 'Copies furthest behind' })
    await card.getByText('One account has a copy that was not read as a whole so far.').waitFor()
    await card.getByText('Accounts whose syncs fail are told above.').waitFor()
    await card.getByText(/^Paused by somebody: \w+( \d)? \(1 of 6 copies\)\./).waitFor()
    const told = await card.getByRole('listitem').locator('.fine').allInnerTexts()
    // There are as many accounts as the tests before have connected.
    expect(told[0]).toBe('calls as of 3 hours ago · late')
    expect(told.slice(-2)).toEqual([
      'calls as of 4 hours ago · as planned',
      'calls as of 2 hours ago · Suspicious',
    ])
    await expectAccessible(page)
    await screenshot(page, 'overview-behind')
    const heading = card.getByRole('heading').getByRole('link')
    expect(await heading.getAttribute('href')).toBe('/console/sync')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('copies furthest behind are asked for with the first paint, and their card has its place until it has words', async () => {
    const { page, faults } = await world.enter('/instances')
    const held: Record<string, () => void> = {}
    for (const name of ['summary', 'last-syncs'])
      await page.route(`**/${name}*`, async (route) => {
        await new Promise<void>((resolve) => (held[name] = resolve))
        await route.continue()
      })
    await page.getByRole('link', { name: 'Overview' }).click()
    // Neither waits for the other.
    await expect.poll(() => Object.keys(held).toSorted()).toEqual(['last-syncs', 'summary'])
    const card = page.getByRole('region', { name: /^Copies/ })
    held['summary']?.()
    await page.getByRole('region', { name: 'Slowest operations' }).waitFor()
    await card.getByText('Loading …').waitFor()
    held['last-syncs']?.()
    await card.getByRole('link', { name: 'All copies' }).waitFor()
    expect(await card.getByText('Loading …').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
