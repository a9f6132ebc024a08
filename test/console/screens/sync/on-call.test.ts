// What somebody on call does who is told that the syncs of one customer have failed for an hour: find which, since when,
// why, what was tried, and when it is tried next, without asking anybody.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../../../src/engine/adapters/system-clock.ts'
import { eventually } from '../../../faults/resources.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const NAME = 'Northwind calls'
const HOUR = 3_600_000
let world: ConsoleWorld
let gong: string
/** How far the clock of the service is behind: an hour while the failures begin. */
let behindMs = 0

interface Copy {
  readonly entity: string
  readonly state: string
  readonly failures: number
  readonly first_error: Cause | null
}

interface Cause {
  readonly detail: string
  readonly cause?: Cause | null
}

async function copies(): Promise<readonly Copy[]> {
  const { body } = await world.service.call('GET', `/v1/integrations/connectors/${gong}/sync`)
  // As the schema of the route says.
  return (body as { readonly data: readonly Copy[] }).data
}

const synchronize = (...entities: readonly string[]): Promise<unknown> =>
  world.service.call('POST', `/v1/integrations/connectors/${gong}/sync`, { entities })

describe.skipIf(chromium === null)('somebody on call', () => {
  beforeAll(async () => {
    const real = createSystemClock()
    const clock = { ...real, now: () => real.now() - behindMs }
    world = await openConsole({ jobs: true, clock })
    gong = await world.service.connect('gong', { name: NAME, external_user_id: 'northwind' })
    await world.service.connect('jira', { name: 'Healthy' })
    await eventually(async () => (await copies()).every(({ state }) => state === 'ready'))
    const all = await copies()
    world.service.vendor('gong').fail('*', { mode: 'status', status: 500, times: 100_000 })
    behindMs = HOUR
    // No token is valid an hour before it was made: what follows asks the store.
    const { jobs, syncFailures } = world.service.service.store
    for (const { entity: key } of all) await jobs.put({ instanceId: gong, kind: 'sync', key })
    await eventually(async () => (await syncFailures.of([gong])).length === all.length)
    // An hour later one is tried once more, before the others.
    behindMs = 0
    await synchronize('users')
    await eventually(async () =>
      (await copies()).some(({ entity, failures }) => entity === 'users' && failures > 1),
    )
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('finds which syncs fail, since when, why, what was sent, and what comes next', async () => {
    const { page, faults } = await world.enter('')
    const failing = page.getByRole('region', { name: 'Failing syncs' })
    await failing.getByText('(status 500)').first().waitFor()
    const statusPage = { name: 'Status page of the third party' }
    const up = failing.getByRole('link', statusPage).first()
    expect([
      await up.getAttribute('href'),
      await up.getAttribute('target'),
      await up.getAttribute('rel'),
    ]).toEqual(['https://status.gong.io', '_blank', 'noreferrer'])
    await expectAccessible(page)
    await screenshot(page, 'on-call-1-overview')
    await failing.getByRole('link', { name: NAME }).click()

    // The cause stands once above all that fail with it, and each of them in a line.
    const box = page.getByRole('region', { name: 'Failing copies' })
    await box.getByText('(status 500)').waitFor()
    const cause = await box.innerText()
    expect(cause).toMatch(
      /^(?:5 of 5 copies fail|\d of 5 copies fails?, and \d (?:is|are) held back)\.\n/,
    )
    expect(cause).toMatch(/\(status 500\).*upstream_failed, for 1 hour \(since /)
    expect(cause).toMatch(/Who acts: the third party\. .*The next attempt is /)
    expect(cause).not.toContain('upstream_suspended')
    const toLogs = box.getByRole('link', { name: 'What failed, in the logs' })
    expect(await toLogs.getAttribute('href')).toMatch(
      /\/logs\?instance=.+&kind=sync&entity=\w+&status=failed$/,
    )
    const users = page.getByRole('region', { name: 'users', exact: true })
    await users.getByText('Failing', { exact: true }).waitFor()
    const line = await users.innerText()
    expect(line).toMatch(/\d+ records\nas of .*\nfailed .*, \d+ in a row\n/)
    expect(line).toMatch(/next attempt in /)
    expect(line).not.toContain('(status 500)')
    await expectAccessible(page)
    await screenshot(page, 'on-call-2-lines')
    await users.getByText('Failing', { exact: true }).click()
    expect(await users.innerText()).toMatch(/\(status 500\).*upstream_failed, for 1 hour \(since /)
    await users.getByText(/^Last runs \(\d+, \d+ failed\)$/).click()
    await users.getByText('failed, tried again').first().waitFor()
    await expectAccessible(page)
    await screenshot(page, 'on-call-2-sync')

    await users.getByRole('link', { name: 'What was sent, in the logs' }).click()
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/logs')
    await page.getByRole('navigation', { name: 'Of this account' }).waitFor()
    await page.getByRole('button', { name: 'users', exact: true }).last().waitFor()
    await screenshot(page, 'on-call-3-logs')
    await page.getByRole('button', { name: 'users', exact: true }).last().click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('(status 500). The third party said: "').first().waitFor()
    // Of the oldest one, and then of the one after it.
    await sheet.getByRole('heading', { name: 'Sync of users' }).waitFor()
    await sheet.getByRole('link', statusPage).waitFor()
    await sheet.getByText(/^Entry (\d+) of the \1 shown$/).waitFor()
    expect(await sheet.locator('.badge.bad').first().innerText()).toBe('third party 500')
    await page.keyboard.press('k')
    const first = sheet.getByRole('definition').getByRole('link', { name: 'upstream_failed' })
    expect(await first.getAttribute('href')).toMatch(/\/docs\/errors#upstream_failed$/)
    const next = sheet.getByRole('term').filter({ hasText: 'Next attempt' })
    expect(await next.locator('xpath=following-sibling::dd[1]').innerText()).toMatch(
      /^\w{3} \d+, \d\d:\d\d:\d\d UTC$/,
    )
    const sync = sheet.getByRole('link', { name: 'Sync of this account' })
    expect(await sync.getAttribute('href')).toMatch(new RegExp(`/sync\\?instance=${gong}$`))
    await expectAccessible(page)
    await screenshot(page, 'on-call-4-entry')
    await page.keyboard.press('Escape')

    await page.goto(`${world.service.url}/console/instances`)
    await page.getByLabel('Syncs').selectOption('failing')
    await page.getByText(/^1 account of your users at third parties, filtered/).waitFor()
    await screenshot(page, 'on-call-5-accounts')
    // The palette has the same words, whatever it was found by.
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    for (const typed of ['northwind', 'northwind failing']) {
      await palette.getByRole('searchbox').fill(typed)
      const found = palette.getByRole('group', { name: 'Accounts', exact: true })
      await found.getByRole('menuitem').filter({ hasText: NAME }).getByText('Failing').waitFor()
    }
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: NAME }).click()
    const account = page.getByRole('region', { name: 'Failing copies' })
    await account.getByText('(status 500)').first().waitFor()
    await account
      .getByText(/Who acts: the third party/i)
      .first()
      .waitFor()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByText('Connected an account').waitFor()
    await changes.getByRole('link', { name: 'Audit log of this account' }).waitFor()
    expect(await account.getByText('(status 500)').count()).toBe(1)
    expect(await account.getByRole('link', statusPage).count()).toBe(1)
    // What fails comes before credentials that are good, and those say when that was found.
    const notices = page.locator('.notice.state')
    await notices.getByText(/^Last accepted in a check .+\(/).waitFor()
    expect(
      await notices.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))),
    ).toEqual(['Failing copies', 'State'])
    await expectAccessible(page)
    await screenshot(page, 'on-call-6-account')

    // The explorer says until when nothing is sent, and what the third party answered before.
    await eventually(async () => {
      const path = `/api/v1/connectors/sources/${gong}/execute`
      const operation = { entity: 'users', action: 'list', params: {} }
      const { body } = await world.service.call('POST', path, operation)
      return (body as { code?: string }).code === 'upstream_suspended'
    })
    await page.goto(
      `${world.service.url}/console/explorer?instance=${gong}&entity=users&action=list`,
    )
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const alert = page.getByRole('alert')
    await alert.getByText(/it is left alone for now\. .+\(status 500\)/).waitFor()
    await alert.getByText(/^The third party is left alone until .*\d:\d\d:\d\d/).waitFor()
    await alert.getByRole('link', { name: 'upstream_suspended' }).waitFor()
    await screenshot(page, 'on-call-8-explorer')

    // Who searches the copy is told why it does not get any younger.
    await page.goto(`${world.service.url}/console/search?instance=${gong}&entity=users`)
    const told = page.getByText(
      /^The last sync of the copy failed: .*\(status 500\).*upstream_failed\. (The next attempt|It is being tried again now)/,
    )
    await told.waitFor()
    await expectAccessible(page)
    await screenshot(page, 'on-call-9-search')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('is told by an account whose credentials are refused what that means for its copies', async () => {
    const jira = await world.service.connect('jira', { name: 'Southwind issues' })
    world.service.vendor('jira').fail('*', { mode: 'status', status: 401, times: 100_000 })
    await world.service.call('POST', `/v1/integrations/connectors/${jira}/sync`, {})
    const { instances } = world.service.service.store
    await eventually(async () => (await instances.find(jira))?.state === 'auth_error')
    const { page, faults } = await world.enter(`/sync?instance=${jira}`)
    await page.getByText('Nothing is synchronized.').waitFor()
    // What stands still was paused by nobody: there is nothing to resume.
    await page.getByRole('button', { name: 'Pause all' }).waitFor()
    await page.goto(`${world.service.url}/console/instances/${jira}`)
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText(/^Who acts: the owner of the account/).waitFor()
    // The cause and who acts stand once, also where the copies failed with it.
    const stopped = page.getByRole('region', { name: 'Failing copies' })
    await stopped.getByText(/^For the reason above: /).waitFor()
    expect(await page.getByText(/^Who acts: /).count()).toBe(1)
    expect(await page.getByText(/\(status 401\)/).count()).toBe(1)
    const failed = state.getByRole('link', { name: 'What failed, in the logs' })
    expect(await failed.getAttribute('href')).toMatch(/\/logs\?instance=.+&entry=/)
    await page
      .getByRole('region', { name: 'Changes' })
      .getByText('New state Needs re-authentication')
      .waitFor()
    await screenshot(page, 'on-call-7-account')
    const changed = page.getByRole('region', { name: 'Changes' })
    await changed.getByRole('link', { name: 'Audit log of this account' }).click()
    await page.getByRole('button', { name: 'Any account' }).waitFor()
    await page.getByRole('table').getByText('Connected an account').waitFor()
    await page.goto(`${world.service.url}/console/sync?instance=${jira}`)
    const issues = page.getByRole('region', { name: 'issues', exact: true })
    await issues.getByText('Stopped', { exact: true }).click()
    await issues.getByText(/^Issue tracking .* \(status 401\)/).waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    await screenshot(page, 'on-call-7-refused')
    await world.show(page, '')
    await page.getByRole('region', { name: 'Needs a person' }).getByText('Southwind').waitFor()
    const failing = page.getByRole('region', { name: 'Failing syncs' })
    await failing.getByText(NAME).waitFor()
    expect(await failing.getByText('Southwind').count()).toBe(0)
    // The account was looked at last: the palette has what cannot be done with it, and why.
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    await palette.getByRole('searchbox').fill('sync now')
    const why = 'Synchronize now: not until its user connects again'
    await palette.getByRole('menuitem').filter({ hasText: why }).click()
    await page.getByRole('region', { name: 'State' }).waitFor()
    await page.goto(`${world.service.url}/console/search?instance=${jira}&entity=issues`)
    await page
      .getByText(
        /^issues are not read at present: .*\(status 401\).*Who acts: the owner of the account/,
      )
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'on-call-10-search')
    await world.show(page, '')
    await screenshot(page, 'on-call-8-overview')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('finds the same on a phone', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${gong}`, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    const users = page.getByRole('region', { name: 'users', exact: true })
    await users.getByText('Failing', { exact: true }).click()
    await users.getByText(/^Last runs/).click()
    await users.getByText('failed, tried again').first().waitFor()
    await expectAccessible(page)
    await screenshot(page, 'on-call-9-sync-390')
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)
    await users.getByRole('link', { name: 'What was sent, in the logs' }).click()
    await page.getByRole('button', { name: 'users', exact: true }).last().waitFor()
    await screenshot(page, 'on-call-9-logs-390')
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)
    await page.getByRole('button', { name: 'users', exact: true }).last().click()
    await page.getByRole('dialog').getByText('(status 500)').first().waitFor()
    await screenshot(page, 'on-call-9-entry-390')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an account that was connected while the third party was down is synchronized, and says so', async () => {
    const late = await world.service.connect('gong', { name: 'Connected late' })
    const path = `/v1/integrations/connectors/${late}`
    const stateOf = async (): Promise<unknown> =>
      ((await world.service.call('GET', path)).body as { readonly state: unknown }).state
    expect(await stateOf()).toBe('pending')
    const { page } = await world.enter(`/sync?instance=${late}`)
    const again = page.getByRole('button', { name: 'Synchronize now' })
    await again.waitFor()
    expect(await again.isEnabled()).toBe(true)
    expect(await page.getByText('Nothing is synchronized').count()).toBe(0)
    await page.context().close()
  })
})
