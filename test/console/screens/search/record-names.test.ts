// What values that name other records are called, in tables and JSON: by the account's copies, and where they lack one.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../faults/resources.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let gong: string
let stripe: string

async function isRead(id: string, entities: readonly string[]): Promise<boolean> {
  const { body } = await world.service.call('GET', `/v1/integrations/connectors/${id}/sync`)
  const { data } = body as { data: { entity: string; state: string }[] }
  return entities.every((name) =>
    data.some(({ entity, state }) => entity === name && state === 'ready'),
  )
}

async function execute(
  id: string,
  entity: string,
  action: string,
  params: object,
): Promise<unknown> {
  const path = `/v1/connectors/sources/${id}/execute`
  const { status, body } = await world.service.call('POST', path, { entity, action, params })
  expect(status).toBe(200)
  return body
}

/** How many searches of users the logs have. */
async function searches(): Promise<number> {
  const query = `connector_id=${gong}&entity=users&action=search&limit=100`
  const { body } = await world.service.call('GET', `/v1/logs?${query}`)
  return (body as { data: unknown[] }).data.length
}

/** The cells of a column. */
async function cellsOf(page: Page, title: string): Promise<readonly Locator[]> {
  const grid = page.getByRole('grid', { name: 'Records' })
  const heads = await grid.getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((head) => head.trim() === title)
  const rows = await grid.getByRole('row').all()
  return rows.slice(1).map((row) => row.getByRole('gridcell').nth(at))
}

/** Shows a column that is hidden at first. */
async function showColumn(page: Page, title: string): Promise<void> {
  await page.getByText(/^Columns \(/).click()
  await page.getByRole('checkbox', { name: title, exact: true }).check()
  await page.getByText(/^Columns \(/).click()
}

describe.skipIf(chromium === null)('names of records that values name', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    ;[gong, stripe] = await Promise.all([
      world.service.connect('gong'),
      world.service.connect('stripe'),
    ])
    // The copies are filled by jobs.
    await eventually(async () => await isRead(gong, ['calls', 'users']))
    await eventually(async () => await isRead(stripe, ['charges', 'customers']))
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('hits show names that lead to their records, with the id where it is looked for', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`)
    const grid = page.getByRole('grid', { name: 'Records' })
    await grid.waitFor()
    await showColumn(page, 'primaryUserId')
    const names = new Map(
      world.service
        .vendor('gong')
        .records('users')
        // As the demo data has them.
        .map((user) => user as Record<'id' | 'firstName' | 'lastName', string>)
        .map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]),
    )
    const [first] = await cellsOf(page, 'primaryUserId')
    if (first === undefined) throw new TypeError('there are no hits')
    await first.getByRole('link').waitFor()
    for (const cell of await cellsOf(page, 'primaryUserId')) {
      const id = (await cell.getAttribute('title')) ?? ''
      expect(await cell.innerText()).toBe(names.get(id))
    }
    const id = (await first.getAttribute('title')) ?? ''
    const name = names.get(id) ?? ''
    await expectAccessible(page)
    await screenshot(page, 'search-names')
    // By keyboard: the line below has the value itself, and the way to the record.
    await first.focus()
    const line = page.getByText(`primaryUserId ${id} ${name}`)
    await line.getByRole('link', { name }).waitFor()
    await page.getByRole('button', { name: 'Copy primaryUserId' }).waitFor()
    // In the JSON of a record it stands behind the value.
    await grid.getByRole('button', { name: 'Record 1 as JSON' }).click()
    const dialog = page.getByRole('dialog')
    const part = dialog.getByRole('treeitem', { name: /"primaryUserId":/ })
    expect(await part.innerText()).toMatch(new RegExp(`"${id}"\\s+${name}`))
    await expectAccessible(page)
    await screenshot(page, 'search-names-json')
    await part.getByRole('link', { name }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('entity')).toBe('users')
    expect(decodeURIComponent(new URL(page.url()).hash)).toContain(`{"eq":{"id":"${id}"}}`)
    await page.getByText(/^1 found ·/).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    const [mail] = await cellsOf(page, 'lastName')
    expect(name.endsWith((await mail?.innerText()) ?? 'none')).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a name among the same records leads from one to the other, and the record that was open is closed', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=users`)
    await showColumn(page, 'managerId')
    const link = page.getByRole('grid', { name: 'Records' }).getByRole('link').first()
    const name = await link.innerText()
    // So do the values that are counted.
    const values = page.getByRole('group', { name: /^Values of all/ })
    const value = values.getByRole('button', { name: new RegExp(`^managerId equals ${name}, `) })
    expect(await value.getAttribute('title')).toMatch(/^\d+$/)
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name }) })
    await row.first().getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('treeitem', { name: /"managerId":/ })
      .getByRole('link')
      .click()
    await page.getByText(/^1 found ·/).waitFor()
    expect(await dialog.count()).toBe(0)
    const [found] = await cellsOf(page, 'lastName')
    expect(name.endsWith((await found?.innerText()) ?? 'none')).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a condition has the name next to the id, where the name is known', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=users`)
    const values = page.getByRole('group', { name: /^Values of all/ })
    const value = values.getByRole('button', { name: /^managerId equals \D+, / }).first()
    const [, name = ''] =
      /^managerId equals (.+), /.exec((await value.getAttribute('aria-label')) ?? '') ?? []
    const id = (await value.getAttribute('title')) ?? ''
    await value.click()
    await page.getByText(`managerId equals ${id} (${name})`).waitFor()
    await page.getByText('Conditions').click()
    const condition = page.getByRole('group', { name: 'Condition 1', exact: true })
    const input = condition.getByRole('textbox', { name: 'Value' })
    expect(await input.inputValue()).toBe(id)
    const told = condition.getByText(name, { exact: true })
    await told.waitFor()
    expect(await input.getAttribute('aria-describedby')).toBe(await told.getAttribute('id'))
    await expectAccessible(page)
    await screenshot(page, 'search-named-condition')
    // Of what nobody knows it says nothing.
    await input.fill('1')
    await told.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the explorer asks once for what a page names, and that is no entry of the logs', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${gong}&entity=calls&action=list#params=${encodeURIComponent('{"fromDateTime":"2020-01-01","toDateTime":"2040-01-01"}')}`,
    )
    const before = await searches()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.headers()['x-tenon-console-own'] === 'names') asked.push(request.postData() ?? '')
    })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('grid', { name: 'Records' }).waitFor()
    await showColumn(page, 'primaryUserId')
    const [first] = await cellsOf(page, 'primaryUserId')
    await first?.getByRole('link').waitFor()
    await page.getByRole('tab', { name: 'JSON' }).click()
    const part = page.getByRole('treeitem', { name: /"primaryUserId":/ }).first()
    await part.getByRole('link').waitFor()
    await page.getByRole('tab', { name: 'Table' }).click()
    await (await cellsOf(page, 'id'))[0]?.waitFor()
    expect(asked).toHaveLength(1)
    const { entity, params } = JSON.parse(asked[0] ?? '{}') as {
      entity: string
      params: { fields: string[] }
    }
    expect({ entity, fields: params.fields }).toEqual({
      entity: 'users',
      fields: ['id', 'firstName', 'lastName', 'title', 'emailAddress'],
    })
    // What comes behind it in the logs is there, and it is not.
    await execute(gong, 'users', 'search', { query: {}, limit: 1 })
    await expect.poll(searches).toBe(before + 1)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what the copy does not have keeps its id', async () => {
    const charges = world.service.vendor('stripe').records('charges')
    const [gone, kept] = [...new Set(charges.map(({ customer }) => customer ?? ''))]
    await execute(stripe, 'customers', 'delete', { customer: gone })
    const query = JSON.stringify({ filter: { in: { customer: [gone, kept] } } })
    const { page, faults } = await world.enter(
      `/search?instance=${stripe}&entity=charges#query=${encodeURIComponent(query)}`,
    )
    await page.getByRole('grid', { name: 'Records' }).waitFor()
    await showColumn(page, 'customer')
    await page.getByRole('grid', { name: 'Records' }).getByRole('link').first().waitFor()
    const customers = world.service.vendor('stripe').records('customers')
    const name = customers.find(({ id }) => id === kept)?.['name']
    const texts = await Promise.all(
      (await cellsOf(page, 'customer')).map(async (cell) => await cell.innerText()),
    )
    expect(new Set(texts)).toEqual(new Set([gone, name]))
    await expectAccessible(page)
    await screenshot(page, 'search-names-missing')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
