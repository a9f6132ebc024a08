// The search screen: rows and JSON both ways, keys, problems at their rows, addresses, values, and the plan in words.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../faults/resources.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let gong: string

/** What the column of titles has. */
async function titlesOf(page: Page): Promise<readonly string[]> {
  const answer = page.getByRole('grid', { name: 'Records' })
  const heads = await answer.getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((head) => head.trim().startsWith('title'))
  const rows = await answer.getByRole('row').all()
  const texts = await Promise.all(
    rows.slice(1).map(async (row) => (await row.getByRole('gridcell').allInnerTexts())[at] ?? ''),
  )
  return texts
}

describe.skipIf(chromium === null)('search', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    gong = await world.service.connect('gong')
    // The copies are filled by jobs.
    await eventually(async () => {
      const { body } = await world.service.call('GET', `/v1/integrations/connectors/${gong}/sync`)
      const { data } = body as { data: { entity: string; state: string }[] }
      return ['calls', 'calls_extensive'].every((name) =>
        data.some(({ entity, state }) => entity === name && state === 'ready'),
      )
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('rows and JSON follow each other, in groups that are worked by keys', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`)
    await page.getByText('Conditions').click()
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

  test('hits are there on arrival; words and Enter find more, and stay in the address', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`)
    const grid = page.getByRole('grid', { name: 'Records' })
    await grid.waitFor()
    const [title = ''] = await titlesOf(page)
    const words = page.getByRole('searchbox', { name: 'Words' })
    // Every word, in any order and case.
    await words.fill(title.toUpperCase().split(' ').toReversed().join(' '))
    await words.press('Enter')
    await page.getByText(/^The latest first, by started\. The records were gone/).waitFor()
    const found = await titlesOf(page)
    expect(found[0]).toBe(title)
    // Why it was found is marked.
    const marks = await grid.locator('mark').allInnerTexts()
    const titled = title.split(/[^\p{L}\p{N}]+/u)
    expect(titled.filter((word) => !marks.includes(word))).toEqual([])
    expect(await words.evaluate((input) => input.matches(':focus'))).toBe(true)
    await grid.getByRole('button', { name: 'Record 1 as JSON' }).click()
    const sought = page.getByRole('dialog').getByLabel('Find in the JSON')
    expect(titled.map((word) => word.toLowerCase())).toContain(await sought.inputValue())
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await screenshot(page, 'search-words')
    await page.reload()
    await expect.poll(() => titlesOf(page)).toEqual(found)
    expect(await words.inputValue()).not.toBe('')
    expect(await page.getByRole('group', { name: /^Condition \d/ }).isVisible()).toBe(false)

    // What is found by a column far behind says where.
    await words.fill('zoom')
    await words.press('Enter')
    await page.getByText(/Each field was looked up in the index of words/).waitFor()
    await grid.getByRole('columnheader', { name: 'found in', exact: true }).waitFor()
    const places = await grid.locator('td:has(small)').allInnerTexts()
    // With what stands there, and all other places behind it.
    const place = /^(?:system|meetingUrl) .*zoom.*$/i
    expect(places.filter((each) => !place.test(each))).toEqual([])
    expect(places.length).toBeGreaterThan(0)
    await expectAccessible(page)

    await words.fill('nosuchwordanywhere')
    await words.press('Enter')
    await page.getByRole('heading', { name: 'No record matches' }).waitFor()
    await page.getByText(/^0 found · \d+ in the copy/).waitFor()
    // How nothing was found explains nothing.
    expect(await page.getByText(/an index/).count()).toBe(0)
    const mistakes = page.getByRole('checkbox', { name: 'Allow for mistakes' })
    expect(await mistakes.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Allow for mistakes' }).click()
    await page.getByText(/a longer one two; all words have to stand in one text/).waitFor()
    expect(await mistakes.isChecked()).toBe(true)
    expect(await words.inputValue()).toBe('nosuchwordanywhere')
    await page.getByText('No other records of this account have these words, or nearly.').waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('mistakes are allowed for by a switch, and the words stay where they were typed', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`, {
      viewport: { width: 390, height: 844 },
    })
    const grid = page.getByRole('grid', { name: 'Records' })
    const words = page.getByRole('searchbox', { name: 'Words' })
    const mistakes = page.getByRole('checkbox', { name: 'Allow for mistakes' })
    const hash = (): string => decodeURIComponent(new URL(page.url()).hash)
    await grid.waitFor()
    await words.fill('prcing')
    await words.press('Enter')
    await page.getByRole('heading', { name: 'No record matches' }).waitFor()
    // By keyboard, and it searches at once.
    await words.press('Tab')
    await page.keyboard.press('Space')
    await page.getByText(/^The best match first/).waitFor()
    await grid.waitFor()
    expect(await mistakes.evaluate((input) => input.matches(':focus'))).toBe(true)
    expect(await words.inputValue()).toBe('prcing')
    expect(await page.getByRole('group', { name: /^Condition 2/ }).count()).toBe(0)
    // What is nearly written so has no mark, and no column of marks.
    expect(await grid.getByRole('columnheader', { name: 'found in', exact: true }).count()).toBe(0)
    await expect.poll(hash).toBe('#query={"words":"prcing","mistakes":true}')
    expect((await mistakes.boundingBox())?.height).toBeGreaterThanOrEqual(24)
    await expectAccessible(page)
    await screenshot(page, 'search-mistakes-390')
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(390)

    // It goes along to other records, and by a saved search.
    await page.getByRole('tab', { name: 'Saved' }).click()
    await page.getByLabel('Name').fill('Nearly')
    await page.getByRole('button', { name: 'Save this search' }).click()
    await page.getByRole('combobox', { name: 'Records' }).selectOption('users')
    await expect.poll(() => page.url()).toContain('entity=users')
    expect([await words.inputValue(), await mistakes.isChecked()]).toEqual(['prcing', true])
    await words.fill('')
    await mistakes.uncheck()
    await page.getByRole('tab', { name: 'Saved' }).click()
    await page.getByRole('link', { name: 'Nearly' }).click()
    await expect.poll(() => page.url()).toContain('entity=calls')
    await page.getByText(/^The best match first/).waitFor()
    expect([await words.inputValue(), await mistakes.isChecked()]).toEqual(['prcing', true])

    // The JSON has it both ways.
    await page.getByText('Conditions').click()
    await page.getByText('Query as JSON', { exact: true }).click()
    const json = page.getByLabel('Query as JSON')
    const query = await json.inputValue()
    expect(query).toContain('"fuzzy"')
    await json.fill(query.replaceAll('fuzzy', 'keyword'))
    await expect.poll(() => mistakes.isChecked()).toBe(false)
    expect(await words.inputValue()).toBe('prcing')
    await mistakes.check()
    await expect.poll(() => json.inputValue()).toBe(query)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('words that these records do not have are looked for in the others', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=users`)
    const words = page.getByRole('searchbox', { name: 'Words' })
    // Where calls are held.
    await words.fill('zoom')
    await words.press('Enter')
    await page.getByText('Found in other records:').waitFor()
    const calls = page.getByRole('button', { name: /^Calls \d+$/ })
    await calls.waitFor()
    await expectAccessible(page)
    await calls.click()
    await page.getByRole('columnheader', { name: 'found in', exact: true }).waitFor()
    expect(await words.inputValue()).toBe('zoom')
    // Near the number of those that were found, with what else has the words.
    await page.getByText('Also found in:').waitFor()
    await page.getByRole('button', { name: /^Calls with details \d+$/ }).waitFor()
    await words.fill('nosuchwordanywhere')
    await words.press('Enter')
    await page.getByText('No other records of this account have these words.').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('it opens with records that come in by their date, and words go along to others', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}`)
    const records = page.getByRole('combobox', { name: 'Records' })
    await expect.poll(() => records.inputValue()).toBe('calls')
    const place = (): string => {
      const { search, hash } = new URL(page.url())
      return `${search}${decodeURIComponent(hash)}`
    }
    await expect.poll(place).toBe(`?instance=${gong}&entity=calls`)
    await page.getByRole('searchbox', { name: 'Words' }).fill('pricing')
    await expect.poll(place).toBe(`?instance=${gong}&entity=calls#query={"words":"pricing"}`)
    await records.selectOption('users')
    await expect.poll(place).toBe(`?instance=${gong}&entity=users#query={"words":"pricing"}`)
    expect(await page.getByRole('searchbox', { name: 'Words' }).inputValue()).toBe('pricing')
    // What was searched last is there again.
    await page.getByRole('navigation', { name: 'Screens' }).getByText('Overview').click()
    await page.goBack()
    await page.goto(`${world.service.url}/console/search?instance=${gong}`)
    await expect.poll(() => records.inputValue()).toBe('users')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('hits say how they were found, and their values narrow the search', async () => {
    const { page, faults } = await world.enter(`/search?instance=${gong}&entity=calls`, {
      colorScheme: 'dark',
    })
    await page.getByText('Conditions').click()
    const sort = page.getByLabel('Sort by')
    await expect.poll(() => sort.locator('option').first().innerText()).toBe('latest started first')
    await sort.selectOption('duration')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('In the order that was asked for. All records were asked for.').waitFor()
    // All hits are counted, of which the page has some.
    const values = page.getByRole('group', { name: /^Values of all \d+ found$/ })
    await values.waitFor()
    await page.getByText(/^\d+ found · Page 1 · 50 records/).waitFor()
    const [value] = await values.getByRole('button').all()
    const name = (await value?.getAttribute('aria-label')) ?? ''
    await value?.click()
    await page.getByText(/Found by the index/).waitFor()
    const [, field = '', wanted = ''] = /^(\S+) equals (.+), \d+ of/.exec(name) ?? []
    // In place of the empty row.
    const added = page.getByRole('group', { name: 'Condition 1', exact: true })
    expect(await added.getByLabel('Field').inputValue()).toBe(field)
    expect(await page.getByLabel('Query as JSON').inputValue()).toContain(wanted)
    const found = added.getByRole('textbox', { name: 'Value' })
    await added.getByLabel('Field').fill('direction')
    await found.fill('inbound')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('“done” is not “Done”').waitFor()
    await added.getByLabel('Field').fill(field)
    await found.fill(wanted)
    await page.getByRole('button', { name: 'Apply' }).click()
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

  test('a search that came before the first records is asked again, and no refusal stays', async () => {
    await using filling = await openConsole({ jobs: true })
    const { service } = filling
    service.vendor('gong').fail('calls.list', { mode: 'delay', delayMs: 8_000 })
    const id = await service.connect('gong')
    const { page, faults } = await filling.enter(`/search?instance=${id}&entity=calls`)
    await page.getByText('Nothing is copied yet').waitFor()
    await page.getByText(/ in the copy · .* as of/).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    // Refusals that are shown are the ones that came: the search before the first records.
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
    await page.context().close()
  })

  test('a search of a copy that is being filled follows it until it was read as a whole', async () => {
    await using filling = await openConsole({ jobs: true })
    const { service } = filling
    // The first page comes at once, and the second one once the search is there.
    service.vendor('gong').fail('calls.list', { mode: 'delay', delayMs: 15_000, skip: 1 })
    const id = await service.connect('gong')
    const path = `/v1/integrations/connectors/${id}/sync`
    const calls = async () => {
      const { body } = await service.call('GET', path)
      const { data } = body as {
        data: { entity: string; records: number; last_synced_at: string | null }[]
      }
      return data.find(({ entity }) => entity === 'calls')
    }
    await eventually(async () => ((await calls())?.records ?? 0) > 0)
    const { page, faults } = await filling.enter(`/search?instance=${id}&entity=calls`)
    const line = page.getByText(/in the copy · [\d.]+ ms/)
    await line.getByText('still filling').waitFor()
    expect(await line.innerText()).not.toMatch(/as of|never|stale/)
    await eventually(async () => ((await calls())?.last_synced_at ?? null) !== null)
    const records = (await calls())?.records ?? 0
    // Nobody has asked again.
    await page
      .getByText(`${records} found · Page 1 · 50 records · ${records} in the copy`)
      .waitFor()
    expect(await line.getByText(/still filling|stale|never/).count()).toBe(0)
    await page.getByRole('group', { name: `Values of all ${records} found` }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
})
