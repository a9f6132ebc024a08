// The search screen: rows and JSON both ways, keys, problems at their rows, addresses, values, and the plan in words.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../faults/resources.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let gong: string

describe.skipIf(chromium === null)('search', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    gong = await world.service.connect('gong')
    // The copies are filled by jobs.
    await eventually(async () => {
      const { body } = await world.service.call('GET', `/v1/integrations/connectors/${gong}/sync`)
      const { data } = body as { data: { entity: string; state: string }[] }
      return data.find(({ entity }) => entity === 'calls')?.state === 'ready'
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('rows and JSON follow each other, in groups that are worked by keys', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`)
    const json = page.getByLabel('Query as JSON')
    await json.fill(
      '{"query":{"filter":{"and":[{"gt":{"duration":60}},{"not":{"or":[{"eq":{"isPrivate":true}}]}}]}},"limit":50}',
    )
    const group = page.getByRole('group', { name: 'Group 1' })
    expect(await group.getByLabel('Match').inputValue()).toBe('none')
    const first = page.getByRole('group', { name: 'Condition 1' })
    expect(await first.getByLabel('Field').inputValue()).toBe('duration')
    const handle = first.getByRole('button', { name: /^Move condition 1/ })
    await handle.press('ArrowDown')
    // It is in the group now, and the keyboard is still at it.
    const moved = page.locator('[data-handle]:focus')
    expect(await moved.getAttribute('aria-label')).toContain('Move condition 1')
    await expect
      .poll(async () => JSON.parse(await json.inputValue()))
      .toEqual({
        query: {
          filter: { not: { or: [{ gt: { duration: 60 } }, { eq: { isPrivate: true } }] } },
        },
        limit: 50,
      })
    // Out of it again, by drag.
    await page
      .getByRole('button', { name: /^Move condition 1/ })
      .dragTo(page.getByRole('group', { name: 'Conditions' }).getByText('Match').first())
    await expect
      .poll(async () => JSON.parse(await json.inputValue()))
      .toEqual({
        query: {
          filter: { and: [{ not: { eq: { isPrivate: true } } }, { gt: { duration: 60 } }] },
        },
        limit: 50,
      })
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a problem stands at its row, and the query in the address', async () => {
    const { page, faults } = await world.enter(
      `/search?instance=${gong}&entity=calls#query=${encodeURIComponent('{"query":{"filter":{"or":[{"eq":{"title":"x"}},{"eq":{"titel":"x"}}]}},"limit":10}')}`,
      { viewport: { width: 390, height: 844 } },
    )
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const second = page.getByRole('group', { name: 'Condition 2' })
    await second.getByText('did you mean "title"?').waitFor()
    expect(await second.getByLabel('Field').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await screenshot(page, 'search-problem-390')
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)
    await second.getByLabel('Field').fill('direction')
    await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toContain('direction')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('hits say how they were found, and their values narrow the search', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`, {
      colorScheme: 'dark',
    })
    await page.getByLabel('Sort by').selectOption('duration')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText(/No condition narrows it by an index, in the order/).waitFor()
    const values = page.getByRole('group', { name: 'Values of this page' })
    const [value] = await values.getByRole('button').all()
    const name = (await value?.getAttribute('aria-label')) ?? ''
    await value?.click()
    await page.getByText(/Found by the index/).waitFor()
    const [, field = '', wanted = ''] = /^(\S+) equals (.+), \d+ on/.exec(name) ?? []
    const added = page.getByRole('group', { name: /^Condition/ }).last()
    expect(await added.getByLabel('Field').inputValue()).toBe(field)
    expect(await page.getByLabel('Query as JSON').inputValue()).toContain(wanted)
    await page.getByRole('tab', { name: 'Saved' }).click()
    await page.getByLabel('Name').fill('Mine')
    await page.getByRole('button', { name: 'Save this search' }).click()
    const link = page.getByRole('link', { name: 'Mine' })
    expect(await link.getAttribute('href')).toContain('#query=')
    await page.getByRole('tab', { name: 'Hits' }).click()
    await page.getByRole('grid', { name: 'Records' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'search-found-dark')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
