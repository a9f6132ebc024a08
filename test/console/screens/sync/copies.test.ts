// Synchronization and search, in a real browser against the sandbox.
import { IS_FULL } from '../../../fixtures/sizes.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { paste } from '../../paste.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let gong: string

describe.skipIf(chromium === null)('sync and search', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    gong = await world.service.connect('gong')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('copies fill by themselves, are synchronized on demand, and tell their runs', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${gong}`)
    const users = page.getByRole('region', { name: 'users', exact: true })
    await users.getByText('Ready').waitFor()
    await page.getByRole('button', { name: 'Synchronize now' }).click()
    await users.getByText('Ready').click()
    await users.getByText('Last runs (2)').click()
    await users.getByRole('table').waitFor()
    // Each run is a point: no line tells something of the time between two of them.
    expect(await page.evaluate(COLOURED)).toBeGreaterThan(0)
    expect(await page.evaluate(COLOURED)).toBeLessThan(0.2)
    await expectAccessible(page)
    await screenshot(page, 'sync')
    await users.getByRole('button', { name: 'Show records' }).last().click()
    const changed = page.getByRole('dialog', { name: 'What this run changed of users' })
    await changed.getByText('added').first().waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sync-run-changes')
    expect(await changed.getByRole('link').first().getAttribute('href')).toContain(
      `/explorer?instance=${gong}&entity=users&action=get#params=`,
    )
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('As proposed').isChecked()).toBe(true)
    await page.getByLabel('As set here').check()
    await page.getByLabel('Every', { exact: true }).fill('2')
    await page.getByLabel('Unit').selectOption('hours')
    await page.getByText('That is every 2 hours.').waitFor()
    await expectAccessible(page)
    const kept = async (): Promise<object> => {
      const { body } = await world.service.call('GET', `/v1/integrations/connectors/${gong}`)
      // As the schema of the route says.
      return (body as { readonly sync: object }).sync
    }
    const before = await kept()
    await page.getByRole('button', { name: 'Save the schedule' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await kept()).toEqual({ ...before, interval_seconds: 7200 })
    await users.getByText('Read every 2 hours, set here').waitFor()
    await screenshot(page, 'sync-schedule')
    await page.getByLabel('As proposed').check()
    await page.getByRole('button', { name: 'Save the schedule' }).click()
    await users.getByText('Read every hour, the connector’s own').waitFor()
    expect(await kept()).toEqual(before)
    const screens = page.getByRole('navigation', { name: 'Screens' })
    await screens.getByRole('link', { name: 'Accounts' }).click()
    const row = page.getByRole('row', { name: /gong/ })
    await row.locator('td').nth(3).getByText('just now').waitFor()
    await screens.getByRole('link', { name: 'Sync' }).click()
    const all = page.getByRole('region', { name: 'Syncs of accounts' })
    await all.getByRole('row', { name: /gong Ready \w+ as of just now/ }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a run comes before older errors, the first cause is told, and an operator decides', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${gong}`, {
      viewport: { width: 390, height: 844 },
    })
    const users = page.getByRole('region', { name: 'users', exact: true })
    await users.getByText('Ready').waitFor()
    // Paused and on again, by the keyboard.
    await users.locator('summary').first().press('Enter')
    await users.getByRole('button', { name: 'Pause users' }).press('Enter')
    await users.getByText('Paused', { exact: true }).waitFor()
    await users.getByRole('button', { name: 'Resume users' }).press('Enter')
    await users.getByText('Ready').waitFor()
    const status = {
      ...STATUS,
      state: 'suspicious',
      missing: 120,
      reason: 'missing_records',
      last_error: HELD,
      first_error: {
        code: 'upstream_forbidden',
        detail: 'No scope',
        at: '2026-11-01T09:00:00Z',
        suspended_until: null,
        cause: null,
      },
      failures: 3,
    }
    const run = {
      ...RUN,
      phase: 'reading',
      slices_done: 0,
      waited_ms: 0,
      slices: 1,
      expected_total: null,
      percent: null,
      estimated_percent: 40,
      rows_per_second: 20,
      eta_seconds: null,
      resumed: false,
      attempt: 4,
    }
    let shown: object = { run, next_run_at: null }
    await page.route(`**/${gong}/sync?*`, (route) =>
      route.fulfill({ json: { data: [{ ...status, ...shown }] } }),
    )
    const things = page.getByRole('region', { name: 'things', exact: true })
    await things.getByText('Running').click()
    await things.getByText(/^about 40 % · 400 read/).waitFor()
    await things.getByText('Before this run: No scope').waitFor()
    // What it has read is kept, and nothing is under way.
    shown = { run, next_run_at: new Date(Date.now() + 60_000).toISOString() }
    await things.getByText('Failing', { exact: true }).waitFor()
    expect(await things.getByRole('progressbar').count()).toBe(0)
    // Not before what was known of the account a moment ago, when it was connected, is over.
    await things
      .getByText(/next attempt in /)
      .first()
      .waitFor()
    shown = { run: null }
    await things.getByText('Suspicious', { exact: true }).waitFor()
    await things.getByText('No scope upstream_forbidden, for').waitFor()
    expect(await things.innerText()).toContain('3 in a row')
    const told = await things.innerText()
    expect(told).toMatch(
      /The latest attempt was held back .*: It was silent upstream_timeout; the third party was left alone until /,
    )
    expect(told).toContain('Read every 15 minutes, the connector’s own')
    expect(told).toMatch(
      /^things\nSuspicious\n1,000 records\nas of .*\s+failed .*, 3 in a row, 120 missing\n/,
    )
    await things.getByText('Last runs (4, 2 failed)').click()
    await things.getByText(/attempt 4: another call had failed: It was silent/).waitFor()
    await things.getByText('held back, tried again').waitFor()
    await things.getByText('attempt 3: No scope').waitFor()
    await things.getByText('failed, tried again').waitFor()
    await things.getByText('30 new or changed, 5 removed').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sync-failing-390')
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)
    const undone = page.waitForRequest((request) => request.url().endsWith('/sync/undo'))
    await things.getByRole('button', { name: 'Bring back 5' }).click()
    expect((await undone).postDataJSON()).toEqual({ run_id: 'run-1' })
    await page.getByText('0 records are back.').waitFor()
    await things.getByRole('button', { name: 'Let the 120 missing records go' }).click()
    const question = page.getByRole('dialog')
    await question.getByText('Let 120 records of things go?').waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Keep them' }).click()
    expect(await question.count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([
    { width: 1280, lines: 2 },
    { width: 390, lines: 3 },
  ])(
    'a copy takes $lines lines at $width px, with all that came of it',
    async ({ width, lines }) => {
      const { page, faults } = await world.enter('/instances/new', {
        viewport: { width, height: 844 },
      })
      const hours = (count: number): string =>
        new Date(Date.now() + count * 3_600_000 + count).toISOString()
      const whole = { ...STATUS, records: 1_234_567, failures: 0, missing: null, reason: null }
      const calm = { ...whole, state: 'ready', run: null, last_error: null, first_error: null }
      const ran = { ...PAST, finished_at: hours(-11), changed: 138 }
      const attempt = { ...RUN, attempt: 15, goes_on: true }
      const data = [
        { ...calm, entity: 'calls_extensive', last_synced_at: hours(-11), runs: [ran] },
        {
          ...calm,
          entity: 'a_name_that_is_much_longer_than_what_there_is_room_for',
          state: 'error',
          failures: 12,
          missing: 120,
          last_error: HELD,
          first_error: FAULT,
          last_synced_at: hours(-11 * 24),
          run: attempt,
          next_run_at: hours(49 / 60),
        },
      ]
      await page.route(`**/${gong}/sync?*`, (route) => route.fulfill({ json: { data } }))
      await page.goto(`${world.service.url}/console/sync?instance=${gong}`)
      const rows = page.locator('.copy summary:has(h2)')
      await rows.nth(1).waitFor()
      const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight))
      for (const height of heights) expect(Math.round((height - 20) / 20)).toBe(lines)
      const times = rows.locator('.copy-times > span')
      expect(
        await times.evaluateAll(
          (all) =>
            all.filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)
              .length,
        ),
      ).toBe(0)
      expect(await rows.first().innerText()).toContain('138 new or changed')
      const name = rows.first().getByRole('heading')
      expect(await name.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
      await screenshot(page, `sync-lines-${width}`)
      await rows.nth(1).click()
      await page
        .getByText(/failed .*12 in a row, 120 missing · next attempt in 4\d minutes/)
        .waitFor()
      await expectAccessible(page)
      await screenshot(page, `sync-unfolded-${width}`)
      expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(width)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('an account that is not active says why nothing is synchronized', async () => {
    const path = `/v1/integrations/connectors/${gong}`
    expect((await world.service.call('PATCH', path, { enabled: false })).status).toBe(200)
    const { page, faults } = await world.enter(`/sync?instance=${gong}`)
    await page.getByText('Nothing is synchronized.').waitFor()
    await page
      .getByRole('region', { name: 'users', exact: true })
      .getByText('Stopped', { exact: true })
      .click()
    const buttons = ['Synchronize now', 'Read everything again', 'Pause all', 'Pause users']
    const disabled = buttons.map((name) => page.getByRole('button', { name }).isDisabled())
    expect(await Promise.all(disabled)).toEqual([true, true, true, true])
    await expectAccessible(page)
    expect((await world.service.call('PATCH', path, { enabled: true })).status).toBe(200)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a copy is searched by conditions, and the query stands beside', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=users`)
    await page.getByText('Conditions').click()
    const first = page.getByRole('group', { name: 'Condition 1' })
    await first.getByLabel('Field').fill('active')
    await first.getByRole('combobox', { name: 'Condition' }).selectOption('eq')
    await first.getByRole('combobox', { name: 'Value' }).selectOption('true')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    const second = page.getByRole('group', { name: 'Condition 2' })
    await second.getByLabel('Field').fill('emailAddress')
    await second.getByRole('combobox', { name: 'Condition' }).selectOption('like')
    await second.getByRole('textbox', { name: 'Value' }).fill('%tallow%')
    await page.getByLabel('Sort by').selectOption('lastName')
    await page.getByLabel('Page size').selectOption('10')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText(/\d+ (found|records) · \d+ in the copy/).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'search')
    expect(JSON.parse(await page.getByLabel('Query as JSON').inputValue())).toEqual({
      query: {
        filter: { and: [{ eq: { active: true } }, { like: { emailAddress: '%tallow%' } }] },
        sort: [{ lastName: 'desc' }],
      },
      limit: 10,
    })
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    expect(await page.getByRole('region', { name: 'TypeScript' }).innerText()).toContain(
      'gong.users.search({',
    )
    await using pasted = await paste(world.service.service.firstApplication?.clientSecret ?? '')
    const code = (name: string): Promise<string> => page.getByRole('region', { name }).innerText()
    const token = await code('token')
    const typescript = await code('TypeScript')
    await page.getByRole('tab', { name: 'Command line' }).click()
    const command = await code('command line')
    const [program, cli] = await Promise.all([
      pasted.program(typescript, token),
      pasted.shell(`${token}\n${command}`),
    ])
    expect(program).toContain('@tallow.example')
    expect(cli).toContain('@tallow.example')
    expect(faults).toEqual([])
    await page.context().close()
  })

  // The screens of instances are looked at in the dark in every run.
  test.runIf(IS_FULL)('search and sync are there in the dark', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`, {
      colorScheme: 'dark',
    })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText(/^Page 1 · /).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'search-dark')
    await page.goto(`${world.service.url}/console/sync?instance=${gong}`)
    await page.getByRole('region', { name: 'users', exact: true }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'sync-dark')
    expect(faults).toEqual([])
    await page.context().close()
  })
})

/** The part of the columns of a chart that have something of the colour of what was read. */
const COLOURED = `(() => {
  const chart = document.querySelector('.copy .chart')
  const canvas = chart.querySelector('canvas')
  const { width, height } = canvas
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
  const colour = getComputedStyle(chart.querySelector('.u-marker')).borderTopColor
  const wanted = colour.match(/\\d+/g).slice(0, 3).map(Number)
  const isColoured = (x) =>
    Array.from({ length: height }, (_, y) => 4 * (y * width + x)).some((at) =>
      wanted.every((part, index) => Math.abs(data[at + index] - part) < 8 && data[at + 3] > 250),
    )
  return Array.from({ length: width }, (_, x) => x).filter(isColoured).length / width
})()`

const RUN = {
  run_id: 'run-1',
  kind: 'full',
  started_at: new Date(Date.now() - 60_000).toISOString(),
  pages: 4,
  read: 400,
  changed: 30,
  unchanged: 370,
  removed: 5,
  left_out: null,
}
const PAST = {
  ...RUN,
  finished_at: new Date(Date.now() - 30_000).toISOString(),
  bound: null,
  limit: null,
  error: null,
  attempt: 1,
  goes_on: false,
}
const FAULT = {
  code: 'upstream_forbidden',
  detail: 'No scope',
  at: '2026-11-01T09:00:00Z',
  suspended_until: null,
  cause: null,
}
const HELD = {
  code: 'upstream_suspended',
  detail: 'It is left alone',
  at: '2026-11-01T10:00:00Z',
  suspended_until: '2026-11-01T10:00:30Z',
  cause: { code: 'upstream_timeout', detail: 'It was silent' },
}
const STATUS = {
  entity: 'things',
  waits_for: null,
  reads: 'everything',
  proposed_interval_seconds: 3600,
  full_interval_seconds: null,
  keys_interval_seconds: null,
  parent: null,
  complete: true,
  gaps: [],
  records: 1000,
  last_synced_at: '2026-11-01T08:00:00Z',
  lag_seconds: 5,
  next_run_at: null,
  interval_seconds: 900,
  interval_from: 'connector',
  bound: null,
  limit: null,
  left_out: null,
  runs: [
    { ...PAST, attempt: 4, goes_on: true, changed: 0, removed: 0, error: HELD },
    { ...PAST, attempt: 3, goes_on: true, changed: 0, removed: 0, error: FAULT },
    PAST,
    { ...PAST, run_id: 'run-0', changed: 0, removed: 0 },
  ],
}
