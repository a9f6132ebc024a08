// The copies of all accounts: what fails once, and who is furthest behind first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const HOUR = 3_600_000
let world: ConsoleWorld
/** What the service says of each; that of real copies is looked at in copies.test.ts. */
let syncs: readonly object[]

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
        // A moment that has passed.
        next_attempt_at: state === 'error' ? new Date(Date.now() - HOUR).toISOString() : null,
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
          'calls as of 1 day ago · Late read every hour · next attempt due 1 hour ago',
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

  test('say in the heading where there are more accounts than are looked at', async () => {
    const { page, faults } = await world.enter('/instances/new')
    await page.route('**/last-syncs?*', (route) => route.fulfill({ json: { data: syncs } }))
    await page.route('**/connectors?*limit=200*', async (route) => {
      const answer = await route.fetch()
      const { data, meta } = (await answer.json()) as { data: object[]; meta: object }
      await route.fulfill({ json: { data, meta: { ...meta, has_more: true, total: 1234 } } })
    })
    await page.goto(`${world.service.url}/console/sync`)
    const list = page.getByRole('region', {
      name: 'Late first, of the 200 accounts changed last and those that fail',
    })
    await list.getByText(/^Of 1,234 accounts 4 were looked at/).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
})
