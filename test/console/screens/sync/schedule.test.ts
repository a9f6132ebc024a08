// The schedule of an account in a real browser: a save changes what was changed in the form, and nothing else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let gong: string

const save = { name: 'Save the schedule' }

async function kept(): Promise<unknown> {
  const { body } = await world.service.call('GET', `/v1/integrations/connectors/${gong}`)
  // As the schema of the route says.
  return (body as { readonly sync: object }).sync
}

async function set(sync: object): Promise<void> {
  const { status } = await world.service.call('PATCH', `/v1/integrations/connectors/${gong}`, {
    sync,
  })
  expect(status).toBe(200)
}

describe.skipIf(chromium === null)('the schedule', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    gong = await world.service.connect('gong')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('what was paused on the same page stays paused when an untouched form is saved', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${gong}`)
    await page.getByRole('button', { name: 'Pause all' }).click()
    await page.getByText('Every entity is paused.').waitFor()
    const paused = page.getByRole('note', { name: 'Paused' })
    await paused.getByText(/nothing is read until somebody resumes them.* Paused by /).waitFor()
    expect(await page.getByRole('button', { name: 'Synchronize now' }).isDisabled()).toBe(true)
    const automatic = page.getByLabel('Synchronize automatically')
    await expect.poll(() => automatic.isChecked()).toBe(false)
    const before = await kept()
    expect(before).toMatchObject({ enabled: false })
    await page.getByRole('button', save).click()
    await page.getByText('Nothing was changed.').waitFor()
    expect(await kept()).toEqual(before)
    await page.getByRole('button', { name: 'Resume all' }).click()
    await page.getByText('No entity is paused any more.').waitFor()
    await expect.poll(() => automatic.isChecked()).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what was paused elsewhere stays paused when another interval is saved', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${gong}`)
    await page.getByLabel('As set here').check()
    await set({ enabled: false, entities: { users: { enabled: false } } })
    await page.getByLabel('Every', { exact: true }).fill('2')
    await page.getByLabel('Unit').selectOption('hours')
    await page.getByRole('button', save).click()
    await page.getByText('Saved.').waitFor()
    expect(await kept()).toMatchObject({
      enabled: false,
      interval_seconds: 7200,
      entities: { users: { enabled: false } },
    })
    await set({ enabled: true, entities: { users: null }, interval_seconds: null })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([1280, 390])(
    'what is proposed stays in sight, and is gone back to, %i px wide',
    async (width) => {
      const { page, faults } = await world.enter(`/sync?instance=${gong}`, {
        viewport: { width, height: 844 },
      })
      const back = page.getByRole('button', { name: 'Back to what is proposed' })
      await page.getByRole('button', save).waitFor()
      expect(await back.count()).toBe(0)
      await page.getByLabel('As set here').check()
      await page.getByLabel('Every', { exact: true }).fill('2')
      await page.getByLabel('Unit').selectOption('hours')
      await page.getByRole('button', save).click()
      await page.getByText('Saved.').waitFor()
      const row = page
        .getByRole('region', { name: 'Schedule of each entity' })
        .getByRole('row', { name: /users/ })
      await row.getByText('(proposed: every hour)').waitFor()
      expect(await row.innerText()).toContain('every 2 hours')
      expect(
        await page
          .getByLabel(/^As proposed/)
          .locator('xpath=..')
          .innerText(),
      ).toContain('Every hour: ')
      await expectAccessible(page)
      await screenshot(page, `sync-schedule-${width}`)
      expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(width)
      // What was saved is not told any more where something else is so since.
      await page.getByRole('button', { name: 'Pause all' }).click()
      await page.getByText('Every entity is paused.').waitFor()
      await expect.poll(() => page.getByText('Saved.').count()).toBe(0)
      await page.getByRole('button', { name: 'Resume all' }).click()
      await page.getByText('No entity is paused any more.').waitFor()
      await back.click()
      await page.getByText('The schedule is as proposed again.').waitFor()
      await expect.poll(() => back.count()).toBe(0)
      expect(await row.innerText()).toContain('every hour')
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('less than the least is refused at the field, with the way out', async () => {
    const { page, faults } = await world.enter(`/sync?instance=${gong}`)
    const before = await kept()
    await page.getByLabel('As set here').check()
    await page.getByLabel('Unit').selectOption('seconds')
    const every = page.getByLabel('Every', { exact: true })
    await every.fill('-5')
    await page.getByRole('button', save).click()
    const alert = page.getByRole('alert').filter({ hasText: 'At least 30 seconds' })
    await alert.waitFor()
    expect(await every.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await screenshot(page, 'sync-schedule-refused')
    expect(await kept()).toEqual(before)
    await page.getByRole('button', { name: 'Take 30 seconds' }).click()
    expect(await every.inputValue()).toBe('30')
    expect(await alert.count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
