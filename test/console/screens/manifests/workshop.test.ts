// Manifests, in a real browser against the sandbox.
import { IS_FULL } from '../../../fixtures/sizes.ts'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../../faults/resources.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld

/** Whether the editor has the keys. */
const IN_EDITOR = `document.activeElement?.shadowRoot?.activeElement?.matches('.cm-content') === true`

describe.skipIf(chromium === null)('manifests', () => {
  beforeAll(async () => {
    world = await openConsole()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([360, 390])(
    'on a phone of %i px problems stand above the editor, the rest behind tabs',
    async (width) => {
      const { page, faults } = await world.enter('/manifests?connector=gong', {
        viewport: { width, height: 800 },
      })
      await page.getByText('Version 1.0.0 · no errors').waitFor()
      const editor = page.getByRole('textbox', { name: 'Manifest' })
      await editor.click()
      await page.keyboard.press('Control+Home')
      // Keys of the console are letters here.
      await page.keyboard.type('# go? /v1 at once\ncolour: red\n', { delay: 5 })
      const findings = page.getByRole('region', { name: 'Findings' })
      await findings.getByRole('button', { name: '2:1' }).click()
      const frame = page.locator('.editor')
      const [list, area] = [await findings.boundingBox(), await frame.boundingBox()]
      expect(list !== null && area !== null && list.y + list.height <= area.y).toBe(true)
      expect(area?.height).toBeGreaterThanOrEqual(320)
      await page.getByRole('button', { name: 'Undo all changes' }).click()
      await findings.getByText('The linter finds nothing.').waitFor()
      for (const name of ['Run', 'Types', 'Changes']) {
        await page.getByRole('tab', { name }).click()
        await page.waitForLoadState('networkidle')
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
        await expectAccessible(page)
        await screenshot(page, `manifests-${name.toLowerCase()}-${width}`)
      }
      expect(await page.getByRole('tab', { name: /^Findings/ }).count()).toBe(0)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('a manifest is changed: findings at their lines, a run, types and changes', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong')
    await page.getByText('Version 1.0.0 · no errors').waitFor()
    await page.getByText('The linter finds nothing.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'manifests')

    await page.getByRole('tab', { name: 'Run' }).click()
    await page.getByLabel('Operation').selectOption({ label: 'calls.get' })
    const request = page.getByRole('region', { name: 'request 1 as curl' })
    await request.getByText(/https:\/\/api\.gong\.io\/v2\/calls\/\d+/).waitFor()
    await page.getByLabel('Parameters as JSON').fill('{"id":"7"}')
    await request.getByText('https://api.gong.io/v2/calls/7').waitFor()
    await page.getByLabel('Operation').selectOption({ label: 'users.list' })
    await page.getByRole('button', { name: 'Run in the sandbox' }).click()
    await page.getByRole('tree', { name: 'JSON' }).getByText('"emailAddress"').first().waitFor()
    await expectAccessible(page)
    await screenshot(page, 'manifests-run')

    await page.getByRole('tab', { name: 'Types' }).click()
    await page
      .getByRole('region', { name: 'TypeScript' })
      .getByText('export interface Gong')
      .first()
      .waitFor()

    const editor = page.getByRole('textbox', { name: 'Manifest' })
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('colour: red\n')
    await page.getByText('1 error · changed here').waitFor()
    await page.getByRole('tab', { name: 'Findings (1)' }).click()
    await page.getByRole('button', { name: /^\d+:\d+$/ }).click()
    await expectAccessible(page)
    await screenshot(page, 'manifests-findings')
    await page.getByRole('tab', { name: 'Changes' }).click()
    const lines = page.getByRole('region', { name: 'Changed lines' })
    await lines.getByText('colour: red').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    await page.getByText('Version 1.0.0 · no errors').waitFor()
    await page.getByText('Nothing differs from the served version.').waitFor()

    // Over what is chosen; the page's policy would refuse the style that a browser writes then.
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.type('[typed: over')
    await lines.getByText('[typed: over]').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('x')
    await expect.poll(() => editor.innerText()).toBe('x')
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    await page.getByText('Version 1.0.0 · no errors').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the border of the editor is moved by keys and dragged, and kept in the browser', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong')
    const editor = page.locator('.editor')
    await page.getByText('Version 1.0.0 · no errors').waitFor()
    const width = async (): Promise<number> => (await editor.boundingBox())?.width ?? 0
    const before = await width()
    const border = page.getByRole('slider', { name: 'Width of the editor' })
    await border.press('ArrowLeft')
    await expect.poll(width).toBeLessThan(before)
    await border.press('End')
    await expect.poll(width).toBeGreaterThan(before)
    const most = await width()
    await expectAccessible(page)
    await screenshot(page, 'manifests-split')
    const thumb = await page.locator('.divided-thumb').boundingBox()
    const [x, y] = [(thumb?.x ?? 0) + 12, (thumb?.y ?? 0) + 200]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 200, y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(width).toBeLessThan(most - 150)
    const kept = await width()
    await page.reload()
    await page.getByText('Version 1.0.0 · no errors').waitFor()
    await expect.poll(width).toBe(kept)
    await page.setViewportSize({ width: 1000, height: 860 })
    await border.waitFor({ state: 'hidden' })
    await expect.poll(width).toBeGreaterThan(700)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the editor offers what the schema allows, by the keyboard alone', async () => {
    const { page, faults } = await world.enter('/manifests')
    await page.evaluate(`sessionStorage.setItem('tenon.manifest.jira', 'manifest: 1\\n')`)
    await page.getByRole('combobox', { name: 'Connector' }).selectOption('jira')
    const editor = page.getByRole('textbox', { name: 'Manifest' })
    const options = page.getByRole('listbox', { name: 'Completions' })
    await editor.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: 'connector required' }).waitFor()
    await page.getByText('Name and version of the connector.').waitFor()
    // What is there already is not offered once more.
    expect(await page.getByRole('option', { name: 'manifest' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await options.waitFor({ state: 'detached' })

    // A key with a list of values opens the list.
    await page.keyboard.type('defa', { delay: 5 })
    await choose(page, 'defaults')
    await page.keyboard.type('pagin', { delay: 5 })
    await choose(page, 'pagination')
    await page.keyboard.type('ty', { delay: 5 })
    await choose(page, 'type required')
    await page.getByRole('option', { name: 'cursor' }).waitFor()
    await screenshot(page, 'manifests-completion')
    await page.keyboard.press('ArrowDown')
    await choose(page, 'page')
    await editor.getByText('type: page').waitFor()

    // The keyboard leaves the editor.
    await page.keyboard.press('Tab')
    expect(await editor.evaluate((node) => node.matches(':focus'))).toBe(false)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the palette gives the focus back into the editor', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong')
    const editor = page.getByRole('textbox', { name: 'Manifest' })
    const dialog = page.getByRole('dialog')
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+k')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => (await page.evaluate(IN_EDITOR)) === true)
    await page.keyboard.type('# one\n', { delay: 5 })
    await editor.getByText('# one').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the documentation of a key is shown under the pointer, and goes by Escape', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong')
    const editor = page.getByRole('textbox', { name: 'Manifest' })
    await editor.getByText('connector', { exact: true }).first().hover()
    const docs = page.getByRole('tooltip')
    await docs.getByText('Name and version of the connector.').waitFor()
    await docs.getByText('connector (required)').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'manifests-hover')
    await docs.hover()
    expect(await docs.isVisible()).toBe(true)
    await editor.focus()
    await page.keyboard.press('Escape')
    await docs.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('three ways to begin: a new one of the template works at once, and stays in the tab', async () => {
    const { page, faults } = await world.enter('/manifests')
    await page.getByRole('heading', { name: 'Build a connector' }).waitFor()
    for (const way of ['New from the template', 'From an OpenAPI file', 'From one that is served'])
      await page.getByRole('region', { name: way }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'manifests-begin')
    const name = page.getByLabel('Name of the connector')
    await name.fill('Acme CRM')
    await page.getByRole('button', { name: 'Begin' }).click()
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await name.fill('acme-crm')
    await name.press('Enter')
    await page.getByText('Version 0.1.0 · no errors').waitFor()
    await page.getByRole('textbox', { name: 'Manifest' }).getByText('Acme Crm').waitFor()
    await page.reload()
    await page.getByText('Version 0.1.0 · no errors · a draft, not saved').waitFor()
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByText('acme-crm is not served yet').waitFor()
    await page
      .getByRole('combobox', { name: 'Connector' })
      .getByText('acme-crm, a draft')
      .waitFor({ state: 'attached' })

    // Another one of the same name does not hide the first; one that has the name of what is served is compared with it.
    await page.getByRole('link', { name: 'New', exact: true }).click()
    await page.getByRole('link', { name: 'acme-crm' }).waitFor()
    await name.fill('acme-crm')
    await name.press('Enter')
    await page.getByRole('textbox', { name: 'Manifest' }).waitFor()
    await page.getByRole('link', { name: 'New', exact: true }).click()
    await page.getByRole('button', { name: 'Discard acme-crm (2)' }).click()
    await name.fill('gong')
    await page.getByText('gong is served already').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'manifests-kept')
    await name.press('Enter')
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByRole('region', { name: 'Changed lines' }).waitFor()
    await page.getByRole('link', { name: 'New', exact: true }).click()
    await page.getByRole('link', { name: 'acme-crm' }).click()
    await page.getByRole('textbox', { name: 'Manifest' }).getByText('Acme Crm').waitFor()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose an OpenAPI file' }).click()
    await choosing
    await expectAccessible(page)
    await screenshot(page, 'manifests-new')
    await page.getByLabel('Connector').selectOption('gong')
    await page.getByText('Version 1.0.0 · no errors').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an OpenAPI document becomes a draft, with notes of what a person must decide', async () => {
    const { page, faults } = await world.enter('/manifests')
    const choice = page.getByLabel('Draft from an OpenAPI document')
    const give = (text: string): Promise<void> =>
      choice.setInputFiles({
        name: 'acme.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })
    await give('hello')
    await page.getByText('acme.json is no OpenAPI document').first().waitFor()
    await give('x'.repeat(900_001))
    await page.getByText('acme.json has more than 900,000 bytes').waitFor()
    await expectAccessible(page)
    const item = { type: 'object', properties: { id: { type: 'string' } } }
    const content = { 'application/json': { schema: { type: 'array', items: item } } }
    const responses = { 200: { description: 'Customers', content } }
    await give(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Acme CRM', version: '1' },
        servers: [{ url: 'https://api.acme.example/v1' }],
        paths: { '/customers': { get: { summary: 'List customers', responses } } },
      }),
    )
    await page.getByText('Drafted: 1 entity, 1 action.').waitFor()
    await page.getByText('customers.list').first().waitFor()
    await page.getByRole('tab', { name: 'Findings (1)' }).waitFor()
    await page.getByRole('textbox', { name: 'Manifest' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'manifests-drafted')
    // A tab that is loaded again has the draft.
    await page.reload()
    await page.getByText('Drafted: 1 entity, 1 action.').waitFor()
    // What the editor refused is in the console of the browser, too.
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await page.context().close()
  })

  test('the documentation of a key is shown by the keyboard, to who sees it and to who hears it', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong')
    const editor = page.getByRole('textbox', { name: 'Manifest' })
    const docs = page.getByRole('tooltip')
    await editor.getByText('connector', { exact: true }).first().click()
    await page.keyboard.press('Control+Shift+Space')
    await docs.getByText('Name and version of the connector.').waitFor()
    await page.getByRole('status').getByText('Name and version of the connector.').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await docs.waitFor({ state: 'detached' })
    // At a value it is the key of the line.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Control+Shift+Space')
    await docs.getByText('type (required)').waitFor()
    await page.keyboard.press('ArrowUp')
    await docs.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+Shift+Space')
    await page.getByText('There is no documentation of this place.').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an OpenAPI document that is dropped onto the editor becomes a draft, and no text in it', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong')
    await page.getByText('Version 1.0.0 · no errors').waitFor()
    const editor = page.getByRole('textbox', { name: 'Manifest' })
    const paths = { '/pets': { get: { summary: 'List pets', responses: {} } } }
    const info = { title: 'Pet Store', version: '1' }
    const servers = [{ url: 'https://pets.example' }]
    const text = JSON.stringify({ openapi: '3.1.0', info, servers, paths })
    const dragged = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(text)}], 'pets.json', { type: 'application/json' }))
      return transfer
    })()`)
    const sent = { dataTransfer: dragged }
    await editor.dispatchEvent('dragover', sent)
    await page.locator('.drop-document.over').waitFor()
    await editor.dispatchEvent('drop', sent)
    await page.getByText('Drafted: 1 entity, 1 action.').waitFor()
    await editor.getByText('type: pet-store').waitFor()
    expect(await editor.getByText('"openapi":').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('without an account of the connector it is said how to connect one', async () => {
    const { page, faults } = await world.enter('/manifests?connector=github')
    await page.getByText(/^Version .* no errors$/).waitFor()
    await page.getByRole('tab', { name: 'Run' }).click()
    await page.getByLabel('Run against').selectOption('an account')
    await page.getByText('No account of github is connected yet.').waitFor()
    await page.getByText('There is no account to run it on.').waitFor()
    expect(await page.getByRole('combobox', { name: 'Account' }).count()).toBe(0)
    await expectAccessible(page)
    await screenshot(page, 'manifests-no-account')
    await page.getByRole('link', { name: 'Connect one' }).click()
    await page.waitForURL(/\/instances\/new\?connector=github$/)
    await page.getByText('Optional: Webhook secret.').first().waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'a draft runs on an account, next to what the third party sent; a change is asked for first, $width px wide',
    async ({ width, colorScheme }) => {
      const name = `Northwind ${width}`
      await world.service.connect('gong', { name })
      await world.service.connect('jira', { name: `Southwind ${width}` })
      const { page, faults } = await world.enter('/manifests?connector=gong', {
        viewport: { width, height: 900 },
        colorScheme,
      })
      await page.getByText('Version 1.0.0 · no errors').waitFor()
      await page.getByRole('tab', { name: 'Run' }).click()
      await page.getByLabel('Operation').selectOption({ label: 'users.list' })
      await page.getByLabel('Run against').selectOption('an account')
      // A click opens the list, which has accounts of this connector alone.
      const field = page.getByRole('combobox', { name: 'Account' })
      // A list that is open goes with the page that is scrolled or moves below it: first, what is shown is there.
      await page.getByText('Made with the demo values of the sandbox').waitFor()
      await page.getByText('https://api.gong.io').first().waitFor()
      await field.scrollIntoViewIfNeeded()
      await page.waitForLoadState('networkidle')
      const offered = page.getByRole('option')
      const wanted = offered.filter({ hasText: name })
      let texts: readonly string[] = []
      // A list that closed as the page moved is opened once more.
      const choose = async (): Promise<boolean> => {
        if (!(await wanted.isVisible())) await field.click()
        await wanted.waitFor({ timeout: 2_000 })
        texts = await offered.allInnerTexts()
        await wanted.click({ timeout: 2_000 })
        return true
      }
      await expect.poll(() => choose().catch(() => false), { timeout: 30_000 }).toBe(true)
      expect(texts.join()).not.toContain('Southwind')
      // Its own server, where the run goes.
      await page.getByText(`Made for ${name}`).waitFor()
      await page
        .getByText(/http:\/\/127\.0\.0\.1:\d+\/v2\/users/)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Run on this account' }).click()
      const sent = page.getByRole('region', { name: 'Requests and answers' })
      await sent.getByText(/It answered 200, application\/json/).waitFor()
      await sent.getByText('Basic ***').first().waitFor()
      await page
        .getByRole('region', { name: 'Records' })
        .getByText('"emailAddress"')
        .first()
        .waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      await expectAccessible(page)
      await screenshot(page, `manifests-account-${width}`)

      await page.getByLabel('Operation').selectOption({ label: 'calls_extensive.list' })
      await page.getByRole('button', { name: 'Run on this account' }).click()
      const question = page.getByRole('dialog', { name: `Run calls_extensive.list on ${name}?` })
      await question.getByText(/http:\/\/127\.0\.0\.1:\d+\/v2\/calls\/extensive/).waitFor()
      await expectAccessible(page)
      await screenshot(page, `manifests-account-question-${width}`)
      await question.getByRole('button', { name: 'Run it' }).click()
      await sent.getByText(/It answered 200/).waitFor()
      expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
      await page.context().close()
    },
  )

  // The screens of instances are looked at in the dark in every run.
  test.runIf(IS_FULL)('manifests are there in the dark', async () => {
    const { page, faults } = await world.enter('/manifests?connector=jira', {
      colorScheme: 'dark',
    })
    await page.getByText('The linter finds nothing.').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'manifests-dark')
    expect(faults).toEqual([])
    await page.context().close()
  })
})

/** Takes the option that is marked. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('option', { name, selected: true }).waitFor()
  // Waits for time: within 75 ms of the option's coming the editor takes Enter for a new line.
  await setTimeout(100)
  await page.keyboard.press('Enter')
}
