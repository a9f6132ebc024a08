// Ten thousand accounts, some with hostile names: the frame, the overview, the list and the page of an account.
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../src/service/store/uuid.ts'
import { auditEntry, instanceRow } from '../contracts/store/rows.ts'
import { screenshot } from '../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from './console-page.ts'
import { expectScreensFit } from './every-screen.ts'

const COUNT = 10_000
const FIRST_AT = 1_795_000_000_000
/** What people may call an account, the newest first. */
const HOSTILE = [
  'W'.repeat(255),
  'a\u202Egnp.exe',
  '<img src=x onerror=alert(1)>',
  'حساب المبيعات',
  'Ωmega 🦊 of Tallow',
]

/** Accounts of Gong that were among the first, in their order. */
const LAGGING = [40, 42, 44]

let world: ConsoleWorld
let newest: string

async function accountOf(at: number): Promise<{ readonly id: string }> {
  const name = `Account ${String(at).padStart(5, '0')}`
  const { instances } = world.service.service.store
  const { rows } = await instances.list({ organizationId: 'default' }, { name, limit: 1 })
  const [row] = rows
  if (row === undefined) throw new TypeError(`there is no ${name}`)
  return row
}

describe.skipIf(chromium === null)('ten thousand accounts', () => {
  beforeAll(async () => {
    world = await openConsole()
    const { store } = world.service.service
    const rows = Array.from({ length: COUNT }, (_, at) => {
      const hostile = HOSTILE[COUNT - 1 - at]
      return instanceRow({
        id: uuidv7(FIRST_AT + at),
        organizationId: 'default',
        connectorType: at % 2 === 0 ? 'gong' : 'jira',
        externalUserId: `user-${at}`,
        authMethod: null,
        config: {},
        name: hostile ?? `Account ${String(at).padStart(5, '0')}`,
        state: at % 100 === 1 ? 'auth_error' : 'active',
        stateReason:
          at % 100 === 1
            ? {
                code: 'grant_refused',
                detail: 'invalid_grant',
                since: FIRST_AT,
                upstreamStatus: 400,
              }
            : null,
        createdAt: FIRST_AT + at,
        updatedAt: FIRST_AT + at,
      })
    })
    newest = rows.at(-1)?.id ?? ''
    for (let at = 0; at < COUNT; at += 100)
      await Promise.all(
        rows.slice(at, at + 100).map((row) =>
          store.instances.insert(row, null, {
            oauthSecretHash: null,
            audit: auditEntry(row),
          }),
        ),
      )
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('no screen is wider than its window, or keeps somebody out', async () => {
    const { page, faults } = await world.enter('/overview')
    await page
      .getByRole('region', { name: 'Needs a person' })
      .getByRole('listitem')
      .first()
      .waitFor()
    const hook = await world.service.call('POST', '/v1/webhooks', {
      url: 'http://127.0.0.1:9/hooks',
    })
    const { id: webhook } = hook.body as { readonly id: string }
    await expectScreensFit(world, page, {
      name: 'many',
      ids: { account: newest, webhook },
      walk: 1,
    })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the list draws what is seen, says how many there are, and Back leads to its place', async () => {
    const { page, faults } = await world.enter('/instances')
    await page.getByText('10,000 accounts').waitFor()
    expect(await page.getByText('a⟨U+202E⟩gnp.exe').count()).toBe(1)
    // 100 rows at a time are loaded.
    for (const name of ['Account 09870', 'Account 09700', 'Account 09500']) {
      const row = page.getByRole('link', { name })
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 600)
          return await row.count()
        })
        .toBe(1)
    }
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    const goal = page.getByRole('link', { name: 'Account 09500' })
    await goal.scrollIntoViewIfNeeded()
    const place = async () => Math.round((await goal.boundingBox())?.y ?? -1)
    const before = await place()
    await goal.click()
    await page.getByRole('heading', { name: 'Account 09500' }).waitFor()
    expect(await page.evaluate('window.scrollY')).toBe(0)
    await page.goBack()
    await expect.poll(place).toBe(before)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('it is filtered and sorted in its address, and its facets count', async () => {
    const { page, faults } = await world.enter('/instances')
    await page.getByText('10,000 accounts').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ACCOUNT 0012')
    await page.getByText('10 accounts of your users at third parties, filtered.').waitFor()
    // Where none begins with the words, those that have them are found, which is said.
    const find = page.getByRole('searchbox', { name: 'Find', exact: true })
    await find.fill('ount 00127')
    await page.getByText(/^None begins with “ount 00127”/).waitFor()
    await page.getByRole('link', { name: 'Account 00127' }).waitFor()
    await find.fill('ACCOUNT 0012')
    await page.getByText('10 accounts of your users at third parties, filtered.').waitFor()
    await page.getByLabel('Order').selectOption('name')
    await expect.poll(() => page.url()).toContain('sort=name')
    await page.getByLabel('State').selectOption('auth_error')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await find.fill('')
    await page.getByText('100 accounts of your users at third parties, filtered.').waitFor()
    expect(await page.getByLabel('State').locator('option').allInnerTexts()).toContain(
      'Needs re-authentication (100)',
    )
    await page.reload()
    await page.getByRole('link', { name: 'Account 00001' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what lags is told, although ten thousand others changed later', async () => {
    const { jobs } = world.service.service.store
    for (const at of LAGGING) {
      const { id: instanceId } = await accountOf(at)
      await jobs.put({ instanceId, kind: 'sync', key: 'users', delayMs: -3 * 3_600_000 })
    }
    const { page, faults } = await world.enter('/sync?sync=late')
    const names = page.getByRole('region', { name: 'Syncs of accounts' }).locator('.row-name a')
    const lagging = LAGGING.map((at) => `Account ${String(at).padStart(5, '0')}`)
    await expect.poll(async () => (await names.allInnerTexts()).toSorted()).toEqual(lagging)
    await page.goto(`${world.service.url}/console/sync`)
    await page.getByText(/^3 of [\d,]+ accounts have a copy that is late\./).waitFor()
    expect((await names.allInnerTexts()).slice(0, 3).toSorted()).toEqual(lagging)
    await screenshot(page, 'many-late')
    await page.getByRole('link', { name: 'Overview' }).click()
    const card = page.getByRole('region', { name: 'Copies' })
    await card.getByText(/3 of [\d,]+ accounts have a copy that is late or fails\./).waitFor()
    await screenshot(page, 'many-late-overview')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('several are changed at once, and each tells what became of it', async () => {
    const { page, faults } = await world.enter('/instances?starts_with=Account%200003')
    for (const at of [0, 1, 2]) await page.getByLabel(`Choose Account 0003${at}`).check()
    const bar = page.getByRole('toolbar', { name: 'Chosen accounts' })
    await bar.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Disable 3 accounts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disable: 3 accounts' })
    await dialog.getByText('3 done.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'many-bulk')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect.poll(() => page.getByText('Disabled', { exact: true }).count()).toBe(3)
    await page.getByLabel('Choose Account 00030').check()
    await bar.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('dialog').getByText('0 done, 1 failed.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Choose Account 00031').check()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Account 00031. The credentials are erased').waitFor()
    await page.getByRole('button', { name: 'Delete 1 account' }).click()
    await page.getByRole('dialog', { name: 'Delete: 1 account' }).getByText('1 done.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Choose Account 00031').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the palette and the keys lead anywhere', async () => {
    const { page, faults } = await world.enter(`/instances/${newest}`)
    await page.getByRole('heading', { level: 1, name: HOSTILE[0] ?? '' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    await palette.getByRole('searchbox').fill('user-4321')
    await palette.getByRole('menuitem', { name: /Account 04321/ }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'palette')
    // By the middle of a name, of one that is not among the last.
    await palette.getByRole('searchbox').fill('04322')
    await palette.getByRole('menuitem', { name: /Account 04322/ }).waitFor()
    // None that differs by a digit stands for one that is not there; of fewer digits, some id may have all.
    await palette.getByRole('searchbox').fill('Account 904321')
    await palette.getByText(/^(Nothing is called that\.|To look elsewhere)$/).waitFor()
    expect(await palette.getByRole('menuitem', { name: /^\W*Account \d/ }).count()).toBe(0)
    await palette.getByRole('searchbox').fill('user-4321')
    await palette.getByRole('menuitem', { name: /Account 04321/ }).click()
    await page.getByRole('heading', { name: 'Account 04321' }).waitFor()
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'keys')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.keyboard.press('Control+k')
    await palette.getByRole('searchbox').fill('API ref')
    await palette.getByRole('menuitem', { name: 'API reference' }).waitFor()
    await palette.getByRole('searchbox').fill('no such thing')
    await palette.getByText(/^(Nothing is called that\.|To look elsewhere)$/).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('on a phone a row says its state, its user and its copies, and a click on it opens it', async () => {
    const { page, faults } = await world.enter('/instances', {
      viewport: { width: 390, height: 800 },
    })
    const row = page.getByRole('row').filter({ hasText: 'Account 09990' })
    await row.waitFor()
    for (const shown of [row.locator('.badge').first(), row.getByText('user-9990')]) {
      const { x = 0, width = 0 } = (await shown.boundingBox()) ?? {}
      expect(x + width).toBeLessThan(390)
      expect(width).toBeGreaterThan(20)
    }
    await row.click({ position: { x: 300, y: 60 } })
    await page.getByRole('heading', { name: 'Account 09990' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('on a phone the menu is a drawer', async () => {
    const { page, faults } = await world.enter('/instances', {
      viewport: { width: 390, height: 800 },
    })
    const webhooks = page.getByRole('link', { name: 'Webhooks' })
    expect(await webhooks.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await webhooks.waitFor()
    await expectAccessible(page)
    await screenshot(page, 'drawer')
    const reference = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', {
      name: 'API reference',
    })
    expect(await reference.getAttribute('href')).toBe('/docs')
    await webhooks.click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(await webhooks.isVisible()).toBe(false)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('rows are gone through, chosen and opened by keys', async () => {
    const { page, faults } = await world.enter('/instances?starts_with=Account&sort=name')
    const list = page.getByRole('region', { name: 'Accounts', exact: true })
    await list.getByRole('link', { name: 'Account 00000' }).waitFor()
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent')
    const press = async (keys: string): Promise<void> => {
      for (const key of keys.split(' ')) await page.keyboard.press(key)
    }
    await press('j')
    await expect.poll(focused).toBe('Account 00000')
    await press('j j k')
    await expect.poll(focused).toBe('Account 00001')
    const bar = page.getByRole('toolbar', { name: 'Chosen accounts' })
    await press('x')
    await bar.getByText('1 account chosen').waitFor()
    await press('Shift+J Shift+J')
    await bar.getByText('3 accounts chosen').waitFor()
    await expect.poll(focused).toBe('Account 00003')
    await expectAccessible(page)
    await press('Escape')
    await bar.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Account 00003')
    // Further than what is drawn at first; the row is seen, not only there.
    await press(Array.from({ length: 60 }, () => 'j').join(' '))
    // Another test has deleted one of those before it.
    const place = (): Promise<unknown> =>
      page.evaluate("document.activeElement.closest('tr')?.ariaRowIndex")
    await expect.poll(place).toBe(String(63 + 2))
    const name = String(await focused())
    expect(
      await page.evaluate(`(() => {
        const { top, bottom } = document.activeElement.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })()`),
    ).toBe(true)
    await press('Enter')
    await page.getByRole('heading', { name, exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('all that match are chosen, beyond those that are loaded, changed, and saved as CSV', async () => {
    const { page, faults } = await world.enter('/instances?starts_with=user-98')
    // 98, 980 to 989, and 9800 to 9899.
    await page.getByText('111 accounts of your users at third parties, filtered.').waitFor()
    const lines = async (name: string): Promise<number> => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV' }).last().click()
      const file = await download
      expect(file.suggestedFilename()).toBe(name)
      return (await text(await file.createReadStream())).trimEnd().split('\r\n').length
    }
    expect(await lines('accounts.csv')).toBe(112)
    await page.getByLabel('Choose all that are loaded').check()
    const bar = page.getByRole('toolbar', { name: 'Chosen accounts' })
    await bar.getByText('100 accounts chosen').waitFor()
    await bar.getByRole('button', { name: 'Choose all 111' }).click()
    await bar.getByText('111 accounts chosen').waitFor()
    // The button is gone, and the keyboard goes on where it was.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('111 accounts chosen')
    expect(await bar.getByRole('button', { name: 'Choose all' }).count()).toBe(0)
    await expectAccessible(page)
    await screenshot(page, 'many-all-chosen')
    // Each deed with as many is asked first.
    await bar.getByRole('button', { name: 'Check' }).click()
    const question = page.getByRole('dialog', { name: 'Check 111 accounts?' })
    await question.getByText('and 103 more').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await bar.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Disable 111 accounts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disable: 111 accounts' })
    await dialog.getByText('111 done.').waitFor({ timeout: 60_000 })
    expect(await dialog.getByText('Disabled.').count()).toBe(111)
    expect(await lines('results.csv')).toBe(112)
    const { body } = await world.service.call(
      'GET',
      '/v1/integrations/connectors?starts_with=user-98&state=active&limit=1',
    )
    expect(body).toMatchObject({ data: [] })
    expect(faults).toEqual([])
    await page.context().close()
  })
})
