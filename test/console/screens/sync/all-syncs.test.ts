// The copies of all accounts: what fails once, and who is furthest behind first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const HOUR = 3_600_000
let world: ConsoleWorld
/** What the service says of each; that of real copies is looked at in copies.test.ts. */
let syncs: readonly object[]

/** Of the copy that is named with the row, at a moment that has passed; another one is tried before it. */
function failingOf(state: string): readonly object[] {
  if (state !== 'error') return []
  const copy = { code: 'upstream_failed', next_attempt_at: null }
  const next_attempt_at = new Date(Date.now() - HOUR).toISOString()
  return [
    { ...copy, entity: 'users' },
    { ...copy, entity: 'calls', next_attempt_at },
  ]
}

describe.skipIf(chromium === null)('the syncs of all accounts', () => {
  beforeAll(async () => {
    world = await openConsole()
    const lines = [
      { name: 'An hour', state: 'ready', hours: 1 },
      { name: 'Never', state: 'initial', hours: null },
      { name: 'A day', state: 'error', hours: 24 },
      { name: 'Paused', state: 'paused', hours: undefined },
    ] as const
    const all: object[] = []
    for (const { name, state, hours } of lines) {
      const connector_id = await world.service.connect('gong', { name })
      const synced_at = hours == null ? null : new Date(Date.now() - hours * HOUR).toISOString()
      all.push({
        connector_id,
        account_state: 'active',
        state,
        running: false,
        last_synced_at: null,
        failing: failingOf(state),
        furthest_behind:
          hours === undefined
            ? null
            : { entity: 'calls', synced_at, late: state === 'error', interval_seconds: 3600 },
      })
      if (state !== 'error') continue
      const [since, failedAt] = [Date.now() - HOUR, Date.now()]
      const failure = { code: 'upstream_failed', detail: 'Gong: failed (status 500)', failures: 3 }
      const { syncFailures } = world.service.service.store
      await syncFailures.put({
        ...failure,
        instanceId: connector_id,
        entity: 'calls',
        since,
        failedAt,
      })
    }
    syncs = all
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'are listed, furthest behind first, $width px wide',
    async ({ width, colorScheme }) => {
      const { page, faults } = await world.enter('/instances/new', {
        viewport: { width, height: 844 },
        colorScheme,
      })
      await page.route('**/last-syncs?*', (route) => route.fulfill({ json: { data: syncs } }))
      await page.goto(`${world.service.url}/console/sync`)
      const failing = page.getByRole('region', { name: 'Failing syncs' })
      await failing.getByText('(status 500)').waitFor()
      const rows = page.getByRole('region', { name: 'Syncs of accounts' }).locator('tbody tr')
      await rows.first().waitFor()
      const told = (await rows.allInnerTexts()).map((text) => text.split(/\s*[\n\t]\s*/).slice(1))
      expect(told).toEqual([
        [
          'A day',
          'Failing',
          'calls as of 1 day ago · Late read every hour · next attempt due 1 hour ago · who acts: the third party',
          'user-1',
        ],
        ['An hour', 'Ready', 'calls as of 1 hour ago · as planned, read every hour', 'user-1'],
        ['Never', 'First reading', 'calls not read as a whole yet', 'user-1'],
        ['Paused', 'Paused', 'nothing is kept up', 'user-1'],
      ])
      await expectAccessible(page)
      await screenshot(page, `sync-all-${width}`)
      expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(width)
      await rows.getByRole('link', { name: 'An hour' }).click()
      await page.getByRole('heading', { level: 1, name: 'An hour' }).waitFor()
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('are narrowed by words, state, connector and syncs, which the address keeps', async () => {
    const jira = await world.service.connect('jira', { name: 'A tracker', external_user_id: 'zed' })
    const { page, faults } = await world.enter('/instances/new')
    const line = { connector_id: jira, state: 'ready', account_state: 'active', failing: [] }
    const data = [...syncs, { ...line, last_synced_at: null, furthest_behind: null, paused: 0 }]
    await page.route('**/last-syncs?*', (route) => route.fulfill({ json: { data } }))
    await page.goto(`${world.service.url}/console/sync`)
    const names = page.getByRole('region', { name: 'Syncs of accounts' }).locator('.row-name a')
    const failing = page.getByRole('region', { name: 'Failing syncs' })
    await failing.getByText('(status 500)').waitFor()
    const shown = (): Promise<readonly string[]> => names.allInnerTexts()
    const search = (): string => new URL(page.url()).search
    await expect.poll(shown).toEqual(['A day', 'An hour', 'Never', 'A tracker', 'Paused'])
    // A key leads to the words, which begin a name or a user, and those of the list walk through what is left.
    await page.keyboard.press('/')
    await page.keyboard.type('A')
    await expect.poll(shown).toEqual(['A day', 'An hour', 'A tracker'])
    expect(search()).toBe('?starts_with=A')
    expect(await failing.count()).toBe(0)
    await screenshot(page, 'sync-all-filtered')
    await expectAccessible(page)
    await page.getByLabel('Find').blur()
    for (const [key, name] of [
      ['j', 'A day'],
      ['j', 'An hour'],
      ['k', 'A day'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => page.locator(':focus').innerText()).toBe(name)
    }
    await page.getByLabel('Connector').selectOption('jira')
    await expect.poll(shown).toEqual(['A tracker'])
    expect(search()).toBe('?starts_with=A&connector_type=jira')
    await page.getByLabel('Find').fill('zed')
    await expect.poll(search).toBe('?starts_with=zed&connector_type=jira')
    await expect.poll(shown).toEqual(['A tracker'])
    await page.goto(`${world.service.url}/console/sync?sync=failing`)
    await expect.poll(shown).toEqual(['A day'])
    await page.getByLabel('State').selectOption('disabled')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('link', { name: 'Show all accounts' }).click()
    await failing.getByText('(status 500)').waitFor()
    await expect.poll(async () => (await shown()).length).toBe(5)
    expect(search()).toBe('')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('say how many are late of how many, where there are more accounts than the list has', async () => {
    const { page, faults } = await world.enter('/instances/new')
    await page.route('**/last-syncs?*', (route) => route.fulfill({ json: { data: syncs } }))
    const asked: string[] = []
    let isAllLate = true
    await page.route('**/connectors?*limit=200*', async (route) => {
      const { searchParams } = new URL(route.request().url())
      asked.push(searchParams.get('sync') ?? '')
      const answer = await route.fetch()
      const { data, meta } = (await answer.json()) as {
        data: object[]
        meta: { facets?: object }
      }
      const isLate = searchParams.get('sync') === 'late'
      const facets = { ...meta.facets, sync: [{ value: 'late', count: 321 }] }
      const more = isLate ? { has_more: !isAllLate } : { has_more: true, total: 1234, facets }
      await route.fulfill({ json: { data, meta: { ...meta, ...more } } })
    })
    await page.goto(`${world.service.url}/console/sync`)
    const list = page.getByRole('region', { name: 'Late first' })
    await list
      .getByText(
        /^321 of 1,234 accounts have a copy that is late\. All that are late are here\. Of the others, the ones that were changed last are here\./,
      )
      .waitFor()
    expect(new Set(asked)).toEqual(new Set(['', 'late']))
    await expectAccessible(page)
    await screenshot(page, 'sync-all-many')
    isAllLate = false
    await list
      .getByText(/Of those that are late, the 200 that were changed last are here\./)
      .waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
})
