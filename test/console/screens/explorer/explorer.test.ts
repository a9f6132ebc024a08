// The explorer, in a real browser against the sandbox.
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { sized } from '../../../fixtures/sizes.ts'
import { paste } from '../../paste.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

let world: ConsoleWorld
let jira: string
let gong: string

describe.skipIf(chromium === null)('explorer', () => {
  beforeAll(async () => {
    world = await openConsole()
    jira = await world.service.connect('jira')
    gong = await world.service.connect('gong')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('an operation is chosen, run, paged through, and its records are read', async () => {
    const { page, faults } = await world.enter('/explorer')
    await page.getByRole('combobox', { name: 'Account' }).fill(jira)
    await page.getByRole('option', { name: /jira/ }).click()
    await page.getByRole('link', { name: 'issues.api_search' }).click()
    await page.getByLabel('jql').fill('project = OPS')
    await page.getByLabel('maxResults').fill('5')
    await page.getByLabel('jql').press('Control+Enter')
    await page.getByText(/^Page 1 · 5 records · \d+ ms · 1 upstream request/).waitFor()
    expect(await page.getByRole('gridcell', { name: 'OPS-1', exact: true }).count()).toBe(1)
    await expectAccessible(page)
    await screenshot(page, 'explorer')
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText(/^Page 2 · 5 records/).waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByText(/^Page 1 · 5 records/).waitFor()
    await page.getByRole('button', { name: 'Record 1 as JSON' }).click()
    expect(await page.getByRole('dialog').innerText()).toContain('"key": "OPS-1"')
    await expectAccessible(page)
    await screenshot(page, 'explorer-record')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Table' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tree', { name: 'JSON' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([
    { asked: 'entity=comments', says: 'There is no entity “comments”' },
    { asked: 'entity=comments&action=list', says: 'There is no entity “comments”' },
    { asked: 'entity=issues&action=all', says: 'There is no operation “issues.all”' },
    { asked: 'entity=issues', says: 'Choose an operation' },
    { asked: '', says: 'Choose an operation' },
  ])('an address that names "$asked": $says', async ({ asked, says }) => {
    const { page, faults } = await world.enter(`/explorer?instance=${jira}&${asked}`)
    await page.getByText(says, { exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the list of accounts stays open while the page scrolls', async () => {
    const viewport = { width: 1280, height: 420 }
    const { page, faults } = await world.enter(`/explorer?instance=${jira}`, { viewport })
    const box = page.getByRole('combobox', { name: 'Account' })
    await box.click()
    const option = page.getByRole('option', { name: /gong/ })
    await option.waitFor()
    const scrolled = await page.evaluate<number>(`new Promise((done) => {
      addEventListener('scroll', () => requestAnimationFrame(() => done(scrollY)), { once: true })
      scrollBy(0, 40)
    })`)
    expect(scrolled).toBeGreaterThan(0)
    expect(await option.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await option.waitFor({ state: 'detached' })
    await box.click()
    await option.click()
    await page.getByRole('heading', { level: 1, name: /gong/ }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  const widths = [
    { width: 1280, colorScheme: 'dark', beside: true },
    { width: 390, colorScheme: 'dark', beside: false },
    { width: 1279, colorScheme: 'light', beside: false },
    { width: 1920, colorScheme: 'light', beside: true },
  ] as const
  test.for(widths.slice(0, sized(2, 4)))(
    'at $width pixels the result stands beside the form: $beside',
    async ({ width, colorScheme, beside }) => {
      const { page, faults } = await world.enter(
        `/explorer?instance=${jira}&entity=issues&action=api_search`,
        { colorScheme, viewport: { width, height: 900 } },
      )
      await page.getByLabel('jql').fill('project = OPS')
      await page.getByLabel('jql').press('Control+Enter')
      await page.getByText(/\d+ ms · 1 upstream request/).waitFor()
      const boxOf = async (selector: string) => {
        const box = await page.locator(selector).boundingBox()
        if (box === null) throw new Error(`${selector} is not shown`)
        return box
      }
      const [form, result] = [await boxOf('form.params'), await boxOf('section.result')]
      expect(result.x >= form.x + form.width).toBe(beside)
      expect(result.y >= form.y + form.height).toBe(!beside)
      expect(result.x + result.width).toBeLessThanOrEqual(width)
      // Columns give way before they are out of sight: behind that of the numbers, as a whole.
      const grid = await boxOf('.grid-box')
      const heads = await page.getByRole('columnheader').all()
      const ends = await Promise.all(
        heads.map(async (head) => {
          const { x = 0, width: own = 0 } = (await head.boundingBox()) ?? {}
          return x + own
        }),
      )
      const seen = ends.filter((end) => end <= grid.x + grid.width + 1)
      expect(seen.length - 1).toBeGreaterThanOrEqual(width < 760 ? 1 : 3)
      expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(width)
      await expectAccessible(page)
      await screenshot(page, `explorer-${width}-${colorScheme}`)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('problems of parameters stand at their fields', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=api_search`,
    )
    await page.getByLabel('maxResults').fill('many')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('maxResults').getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await screenshot(page, 'explorer-problems')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what came of a run is seen and has the focus, and a failure leaves no older answer', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=get`,
    )
    await page.getByLabel('issueIdOrKey').fill('OPS-1')
    await page.getByLabel('issueIdOrKey').press('Control+Enter')
    await page.getByText(/ms · 1 upstream request/).waitFor()
    const result = page.getByRole('region', { name: 'Result' })
    const isFocused = (): Promise<boolean> =>
      result.evaluate((node) => node === node.ownerDocument.activeElement)
    expect(await isFocused()).toBe(true)
    expect(await result.innerText()).toContain('OPS-1')
    await page.getByLabel('issueIdOrKey').fill('OPS-99999')
    await page.getByLabel('issueIdOrKey').press('Control+Enter')
    await page.getByRole('alert').waitFor()
    expect(await isFocused()).toBe(true)
    expect(await result.innerText()).not.toContain('OPS-1')
    const { y = 0, height = 0 } = (await page.getByRole('alert').boundingBox()) ?? {}
    expect(y >= 0 && y + height <= 860).toBe(true)
    const meaning = page.getByRole('alert').getByRole('link', { name: 'upstream_not_found' })
    expect(await meaning.getAttribute('href')).toMatch(/\/docs\/errors#upstream_not_found$/)
    await page.getByRole('alert').getByText('the third party answered 404').waitFor()
    await page.getByRole('link', { name: 'This call in the logs' }).click()
    await page.getByText('upstream_not_found').first().waitFor()
    await page.getByText('Entries are kept for 7 days; parameters and answers are not').waitFor()
    await page.getByRole('button', { name: 'issues.get' }).first().click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('an operator can switch that on with TENON_LOGS_CONTENT').waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.goBack()
    await page.reload()
    expect(await page.getByLabel('issueIdOrKey').inputValue()).toBe('OPS-99999')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the account that was looked at last is chosen', async () => {
    const { page } = await world.enter(`/explorer?instance=${gong}`)
    await page.getByRole('navigation', { name: 'Operations' }).waitFor()
    const screens = page.getByRole('navigation', { name: 'Screens' })
    await screens.getByRole('link', { name: 'Search', exact: true }).click()
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
    expect(page.url()).toContain(gong)
    // To look at its details counts.
    await page.goto(`${world.service.url}/console/instances/${jira}`)
    await page.getByRole('link', { name: 'Re-authenticate' }).waitFor()
    await screens.getByRole('link', { name: 'Search', exact: true }).click()
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
    expect(page.url()).toContain(jira)
    // Syncs are of all accounts until one is chosen.
    await screens.getByRole('link', { name: 'Sync', exact: true }).click()
    await page.getByRole('heading', { name: 'Late first' }).waitFor()
    await page.context().close()
  })

  test('a write is named as one, sends what the form says, and shows its request masked', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=create`,
      { colorScheme: 'dark' },
    )
    await page.getByLabel('as JSON', { exact: true }).check()
    await page
      .getByLabel('Parameters as JSON')
      .fill(
        '{"fields":{"project":{"key":"OPS"},"issuetype":{"name":"Task"},"summary":"Oil the hinge"}}',
      )
    await page.getByLabel('as JSON', { exact: true }).uncheck()
    expect(await page.getByLabel('summary').inputValue()).toBe('Oil the hinge')
    await page.getByLabel('labels').fill('winter\nhinge')
    await page.getByRole('tab', { name: 'Request' }).click()
    const request = page.getByRole('region', { name: 'request 1 as curl' })
    await request.filter({ hasText: '"labels":["winter","hinge"]' }).waitFor()
    expect(await request.innerText()).toContain("'authorization: Basic ***'")
    await expectAccessible(page)
    await screenshot(page, 'explorer-write-dark')
    await page.getByRole('button', { name: 'Run and change data' }).click()
    await page.getByText(/ms · 1 upstream request/).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a change that failed midway says what was done, here and in the logs', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=update`,
    )
    await page.getByLabel('as JSON', { exact: true }).check()
    await page
      .getByLabel('Parameters as JSON')
      .fill('{"issueIdOrKey":"OPS-2","fields":{"labels":["a"]},"transition":{"id":"999999"}}')
    await page.getByRole('button', { name: 'Run and change data' }).click()
    const words = 'Done: edit. Not done: transition. Repeat only what is missing.'
    await page.getByRole('alert').getByText(words).waitFor()
    expect(await page.getByText('Nobody knows').count()).toBe(0)
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Logs' })
      .click()
    await page
      .getByRole('button', { name: /issues\.update/ })
      .first()
      .click()
    await page.getByRole('dialog').getByText(words).waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('media is downloaded, and the call is copied as code', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${gong}&entity=call_audio&action=download`,
    )
    await page.getByLabel('callIds').fill('2056412393452171628')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save the file' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toMatch(/\.mp3$/)
    await screenshot(page, 'explorer-download')
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByRole('tab', { name: 'TypeScript' }).click()
    expect(await page.getByRole('region', { name: 'TypeScript' }).innerText()).toContain(
      'await gong.call_audio.download({',
    )
    await using pasted = await paste(world.service.service.firstApplication?.clientSecret ?? '')
    const code = (name: string): Promise<string> => page.getByRole('region', { name }).innerText()
    const token = await code('token')
    await page.getByRole('tab', { name: 'Command line' }).click()
    expect(
      await pasted.shell(`${token}\n${await code('command line')}\nwc -c < call_audio`),
    ).toMatch(/^[1-9]\d+$/m)
    await expectAccessible(page)
    await screenshot(page, 'explorer-code')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what is copied works where it is pasted: TypeScript, curl, Python and command line', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=api_search`,
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
    await page.getByLabel('jql').fill("project = OPS AND summary ~ 'login'")
    await page.getByLabel('maxResults').fill('2')
    await page.getByRole('tab', { name: 'Code' }).click()
    const copied = async (name: string): Promise<string> => {
      if (name !== 'token') await page.getByRole('tab', { name: new RegExp(name, 'i') }).click()
      await page.getByRole('button', { name: `Copy ${name}` }).click()
      return await page.evaluate('navigator.clipboard.readText()')
    }
    const token = await copied('token')
    await using pasted = await paste(world.service.service.firstApplication?.clientSecret ?? '')
    const [python, curlText, typescript, command] = [
      await copied('Python'),
      await copied('curl'),
      await copied('TypeScript'),
      await copied('command line'),
    ]
    const [curl, program, cli, printed] = await Promise.all([
      pasted.shell(`${token}\n${curlText}`),
      pasted.program(typescript, token),
      pasted.shell(`${token}\n${command}`),
      // Not every machine has it.
      hasPython ? pasted.shell(`${token}\npython3 - <<'END'\n${python}\nEND`) : '[]',
    ])
    if (hasPython) expect(JSON.parse(printed)).toHaveLength(2)
    expect(JSON.parse(curl)).toMatchObject({ data: expect.any(Array), meta: { has_more: true } })
    expect(program).toMatch(/key: 'OPS-\d+'/)
    expect(cli).toMatch(/OPS-\d+/)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('numbers that are moments are shown as such, in tables and JSON, and picked in a calendar', async () => {
    const stripe = await world.service.connect('stripe')
    const { page, faults } = await world.enter(
      `/explorer?instance=${stripe}&entity=invoices&action=list`,
    )
    const form = page.locator('form.params')
    const after = form.getByRole('textbox', { name: 'gte' })
    await form.locator('summary', { hasText: 'created' }).click()
    await form.getByLabel('Choose a moment').nth(1).fill('2026-03-01T10:00')
    const picked = Number(await after.inputValue())
    expect(new Date(picked * 1000).toISOString()).toContain('2026-03-01T')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const grid = page.getByRole('grid', { name: 'Records' })
    const heads = await grid.getByRole('columnheader').allInnerTexts()
    const at = heads.findIndex((head) => head.trim() === 'created')
    const cell = grid.getByRole('row').nth(1).getByRole('gridcell').nth(at)
    expect(await cell.innerText()).toMatch(/^[A-Z][a-z]{2} \d+, 2026, \d\d:\d\d$/)
    await page.getByRole('tab', { name: 'JSON' }).click()
    // With the number that the third party has sent.
    await page
      .getByRole('treeitem', { name: /^"created": 17\d{8} [A-Z][a-z]{2} \d+, 2026/ })
      .first()
      .waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('ids of nineteen digits keep them all', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${gong}&entity=calls_extensive&action=list`,
    )
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('tab', { name: 'JSON' }).click()
    const text = await page.getByRole('tree', { name: 'JSON' }).innerText()
    expect(text).toMatch(/"id": "?\d{19}"?/)
    expect(text).not.toMatch(/"id": \d+0{3}\b/)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('Ctrl + Enter runs it right after arrival, from anywhere; the code fits at 1280 pixels', async () => {
    const { page, faults } = await world.enter(
      `/explorer?instance=${jira}&entity=issues&action=get#params=${encodeURIComponent('{"issueIdOrKey":"OPS-1"}')}`,
    )
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('1 upstream request').waitFor()
    await page.getByRole('searchbox', { name: 'Filter the operations' }).press('Control+Enter')
    await expect.poll(() => result.getByText('1 upstream request').count()).toBe(1)
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByRole('tab', { name: 'curl' }).click()
    const curl = page.getByRole('region', { name: 'curl' })
    expect((await curl.boundingBox())?.width).toBeGreaterThan(440)
    // The language is that of the reference, and of the next visit.
    await page.getByRole('tab', { name: 'Python' }).press('ArrowRight')
    await page.reload()
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByRole('region', { name: 'command line' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'explorer-code-tabs')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('without an account it says what to do', async () => {
    const { page, faults } = await world.enter('/explorer')
    await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'explorer-empty')
    expect(faults).toEqual([])
    await page.context().close()
  })
})
