// The audit log in a real browser: many events, hostile names, and one of them looked into.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditAction } from '../../../../src/display/audit-actions.ts'
import { createSystemClock } from '../../../../src/engine/adapters/system-clock.ts'
import { type Actor, auditOf } from '../../../../src/service/audit.ts'
import { createApplication } from '../../../../src/service/tokens/applications.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const LONG = 'a-very-long-name-without-any-break-'.repeat(6)
const HOSTILE = `<img src=x onerror=alert(1)>\u202Eevil ${LONG}`
const ADDRESS = '203.0.113.7'
const MEMBERS = Array.from({ length: 20 }, (_, at) => `member_${at}_of_the_settings`)
const LOOKED_INTO = 'Changed an account'
/** Those that the tests have made, and no sign-in. */
const MADE = `/settings?part=audit&address=${ADDRESS}`

/** Of two lines. */
const MAX_ROW_PX = 72

let world: ConsoleWorld
let account = ''

describe.skipIf(chromium === null)('the audit log', () => {
  beforeAll(async () => {
    world = await openConsole()
    account = await world.service.connect('jira', { external_user_id: 'user-9', name: HOSTILE })
    const { store } = world.service.service
    const { clientId } = await createApplication(
      { store, clock: createSystemClock() },
      { name: HOSTILE.slice(0, 200), organizationId: 'default', redirectUrls: [] },
    )
    const application: Actor = {
      organizationId: 'default',
      clientId,
      address: ADDRESS,
      tokenHash: 'ab12'.repeat(16),
    }
    const append = (
      action: AuditAction,
      about: Parameters<typeof auditOf>[3],
      by = application,
    ): Promise<void> => store.audit.append(auditOf(by, `request-${action}`, action, about))
    for (let at = 0; at < 60; at++)
      await append(
        'execute.update',
        { instanceId: account, target: `issues.update.${at}` },
        { ...application, address: '203.0.113.8' },
      )
    await append('instance.update', { instanceId: account, target: account, members: MEMBERS })
    const login = `${LONG.slice(0, 150)}@example.com`
    const person = { login, role: 'developer' } as const
    await append(
      'person.update',
      { target: `person:${login}`, members: ['role from viewer to developer'] },
      { ...application, person },
    )
    await append('execute.delete', { target: LONG, outcome: 'upstream_unreachable, uncertain' })
    await append('manifest.publish', { target: 'jira 1.2.0', members: ['from file 1.1.0'] })
    await append('token.mint', { target: HOSTILE })
    await append('access.refuse', {
      instanceId: account,
      target: 'deleteConnectorInstance',
      outcome: 'scope_denied, 3 times',
      members: [
        'first at 2026-11-01T08:00:00.000Z',
        'last at 2026-11-01T08:00:31.000Z',
        'your role is viewer; this needs developer',
      ],
    })
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  const row = (page: Page, name: string | RegExp) =>
    page.getByRole('region', { name: 'Events' }).getByRole('row', { name }).first()
  const sheet = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
  const focused = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).and(page.locator(':focus'))

  async function expectNoSideways(page: Page): Promise<void> {
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }

  test('an event is opened by key and by click, and the row gets the focus back', async () => {
    const { page, faults } = await world.enter(MADE)
    const open = row(page, /Changed an account/).getByRole('button', { name: LOOKED_INTO })
    await open.focus()
    await page.keyboard.press('Enter')
    await sheet(page, LOOKED_INTO).getByText('member_19_of_the_settings').waitFor()
    expect(
      await sheet(page, LOOKED_INTO)
        .getByRole('listitem')
        .filter({ hasText: /^member_/ })
        .count(),
    ).toBe(20)
    await page.keyboard.press('Escape')
    await focused(page, LOOKED_INTO).waitFor()
    expect(page.url()).toMatch(new RegExp(`address=${ADDRESS}$`))
    await row(page, /Had no access/)
      .getByText('Denied', { exact: true })
      .click()
    const refused = sheet(page, 'Had no access')
    await refused.getByText(ADDRESS).waitFor()
    await refused.getByText('3 times').waitFor()
    await refused.getByText('your role is viewer; this needs developer').waitFor()
    await refused.getByRole('link', { name: 'scope_denied' }).waitFor()
    for (const moment of ['2026-11-01T08:00:00.000Z', '2026-11-01T08:00:31.000Z'])
      for (const place of [refused, row(page, /Had no access/)])
        await place.locator(`time[datetime="${moment}"]`).waitFor()
    await page.keyboard.press('Escape')
    await focused(page, 'Had no access').waitFor()
    expect(faults).toEqual([])
  })

  test('Previous and Next lead through the events, by button and by key', async () => {
    const { page } = await world.enter(MADE)
    await row(page, /Had no access/)
      .getByRole('button', { name: 'Had no access' })
      .click()
    const first = sheet(page, 'Had no access')
    await first.getByText('Entry 1 of the 6 shown').waitFor()
    expect(await first.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true)
    await first.getByRole('button', { name: 'Next' }).click()
    await sheet(page, 'Minted a token').getByText('Entry 2 of the 6 shown').waitFor()
    await page.keyboard.press('j')
    await sheet(page, 'Published a manifest').getByText('Entry 3 of the 6 shown').waitFor()
    await page.keyboard.press('ArrowUp')
    await sheet(page, 'Minted a token').waitFor()
    // One step back leads to the list, not through all that was looked at.
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toMatch(new RegExp(`address=${ADDRESS}$`))
  })

  test('a copied link opens the same event, on the page that is shown or not', async () => {
    const { store } = world.service.service
    const events = await store.audit.list(
      { organizationId: 'default' },
      { instanceId: account, limit: 200 },
    )
    const oldest = events.at(-1)
    const { page } = await world.enter(
      `/settings?part=audit&event=${encodeURIComponent(`${account}:${oldest?.seq}`)}`,
    )
    const opened = sheet(page, 'Connected an account')
    await opened.getByText(account, { exact: true }).first().waitFor()
    expect(await opened.getByRole('button', { name: 'Next' }).count()).toBe(0)
    await opened.getByText(/^1 of the chain/).waitFor()
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
    await world.show(page, '/settings?part=audit&event=org%3Adefault%3A9999')
    await page.getByRole('heading', { name: 'No such event' }).waitFor()
    await expectAccessible(page)
  })

  test('from an event there are ways to all that have something in common, and each can be taken away', async () => {
    const { page } = await world.enter('/settings?part=audit')
    const asked = (): URLSearchParams => new URL(page.url()).searchParams
    for (const [words, name, value, chip] of [
      ['from this address', 'address', ADDRESS, 'From'],
      ['with this token', 'token', 'ab12ab12ab12', 'With token or session'],
      ['of this request', 'request_id', 'request-access.refuse', 'Of request'],
      ['on this', 'target', 'deleteConnectorInstance', 'On'],
    ] as const) {
      await row(page, /Had no access/)
        .getByRole('button', { name: 'Had no access' })
        .click()
      const ways = page.getByRole('list', { name: 'All events' })
      await ways.getByRole('link', { name: words, exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(asked().get(name)).toBe(value)
      await page.getByText(`${chip} ${value}`).waitFor()
      await row(page, /Had no access/).waitFor()
      await page.getByRole('button', { name: 'Any', exact: true }).click()
      await page.getByText(`${chip} ${value}`).waitFor({ state: 'detached' })
      expect(asked().get(name)).toBe(null)
    }
    await row(page, /Had no access/)
      .getByRole('button', { name: 'Had no access' })
      .click()
    await page.getByRole('link', { name: 'of this account', exact: true }).click()
    await page.waitForURL(new RegExp(`connector_id=${account}`))
    await page.getByRole('button', { name: 'Any account' }).waitFor()
    await row(page, /Published a manifest/).waitFor({ state: 'detached' })
  })

  test('words find events, and a thing that was changed leads to its screen', async () => {
    const { page } = await world.enter('/settings?part=audit')
    await page.getByRole('searchbox', { name: 'Search' }).fill('PUBLISH 1.2.0')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await row(page, /Had no access/).waitFor({ state: 'detached' })
    const published = row(page, /Published a manifest/)
    await published.getByRole('link', { name: /jira 1\.2\.0/ }).click()
    await page.waitForURL(/\/manifests\?connector=jira$/)
    await page.goBack()
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing-has-this-word')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('heading', { name: 'No event fits' }).waitFor()
    expect(new URL(page.url()).searchParams.get('text')).toBe('nothing-has-this-word')
    await page.getByRole('link', { name: 'All that is recorded' }).waitFor()
  })

  test('the button Check is an event of the one who pressed it; states are told as everywhere', async () => {
    const { page, faults } = await world.enter(`/instances/${account}`)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('accepted the credentials in').waitFor()
    await world.show(page, `/settings?part=audit&connector_id=${account}&text=check`)
    await row(page, /Checked the credentials of an account/)
      .getByText('first application')
      .waitFor()
    await world.show(page, `/settings?part=audit&connector_id=${account}&action=instance.state`)
    await row(page, /Changed the state/)
      .getByText('Active', { exact: true })
      .waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  test.for([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('nothing is cut off or in the way, %i px wide, %s', async ([width, colorScheme]) => {
    const { page, faults } = await world.enter(MADE, {
      viewport: { width, height: 860 },
      colorScheme,
    })
    await row(page, /Had no access/).waitFor()
    await expectNoSideways(page)
    await expectAccessible(page)
    // Its reason is longer.
    const refused = await row(page, /Had no access/).boundingBox()
    expect(refused?.height).toBeLessThan(MAX_ROW_PX)
    const name = (part: string): string => `audit-${part}-${width}-${colorScheme}`
    await screenshot(page, name('list'))
    await row(page, /Had no access/)
      .getByRole('button', { name: 'Had no access' })
      .click()
    await sheet(page, 'Had no access').getByText(ADDRESS).waitFor()
    await expectAccessible(page)
    await screenshot(page, name('refused'))
    for (const step of ['Minted a token', 'Published a manifest', 'Tried to delete a record']) {
      await page.keyboard.press('j')
      await sheet(page, step).waitFor()
    }
    await screenshot(page, name('uncertain'))
    for (const step of ['Changed what a person may do', LOOKED_INTO]) {
      await page.keyboard.press('j')
      await sheet(page, step).waitFor()
    }
    await expectAccessible(page)
    expect(
      await page
        .getByRole('dialog')
        .evaluate(
          (dialog: { scrollWidth: number; clientWidth: number }) =>
            dialog.scrollWidth <= dialog.clientWidth,
        ),
    ).toBe(true)
    await screenshot(page, name('members'))
    await page.keyboard.press('Escape')
    await world.show(page, `${MADE}&target=${LONG}`)
    await page.getByText(`From ${ADDRESS}`).waitFor()
    await expectNoSideways(page)
    await screenshot(page, name('narrowed'))
    expect(faults).toEqual([])
  })
})
