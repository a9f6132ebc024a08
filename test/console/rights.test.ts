// What a role may not do is disabled, and says why.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/display/rights.ts'
import { hashSecret, randomText } from '../../src/service/tokens/token-text.ts'
import { organizationEntry, PERSON } from '../contracts/store/rows.ts'
import { screenshot } from '../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from './console-page.ts'

let world: ConsoleWorld
let gong: string

const VIEWER = 'Your role is viewer; this needs '
const FOR_DEVELOPERS = `${VIEWER}developer`
const FOR_ADMINISTRATORS = `${VIEWER}administrator`

describe.skipIf(chromium === null)('rights at the console', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    gong = await world.service.connect('gong')
    await world.service.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hooks' })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)(
    'a viewer finds what changes something disabled, and reads why, $width px wide',
    async ({ width, colorScheme }) => {
      const { page, faults } = await world.visit('', {
        viewport: { width, height: 844 },
        colorScheme,
      })
      await signIn(page, 'viewer')
      // On a phone they are in the menu of the account.
      const inHead: Readonly<Record<string, string>> =
        width === 390 ? {} : { Check: FOR_DEVELOPERS, 'Re-authenticate': FOR_DEVELOPERS }
      for (const [path, wanted] of [
        ['/overview', { 'Connect an account': FOR_DEVELOPERS }],
        ['/instances', { 'Connect an account': FOR_DEVELOPERS }],
        [`/instances/${gong}`, inHead],
        [
          `/sync?instance=${gong}`,
          {
            ...inHead,
            'Synchronize now': FOR_DEVELOPERS,
            'Read everything again': FOR_DEVELOPERS,
            'Pause all': FOR_DEVELOPERS,
            'Save the schedule': FOR_DEVELOPERS,
          },
        ],
        ['/webhooks', { 'Add an endpoint': FOR_ADMINISTRATORS }],
      ] as const) {
        await page.goto(`${world.service.url}/console${path}`)
        await page
          .getByText(Object.keys(wanted).at(-1) ?? 'Latest activity', { exact: true })
          .waitFor()
        expect(await disabled(page)).toEqual(wanted)
        await expectAccessible(page)
        await screenshot(page, `rights-${/\w+/.exec(path)?.[0]}-${width}`)
      }
      await page.getByRole('link', { name: 'http://127.0.0.1:9/hooks' }).click()
      await page.getByText('Deliver again').first().waitFor()
      await page.getByText('Deliver again all that was not taken').waitFor()
      expect(await disabled(page)).toEqual({
        'Send a test': FOR_DEVELOPERS,
        Change: FOR_ADMINISTRATORS,
        'New secret': FOR_ADMINISTRATORS,
        Disable: FOR_ADMINISTRATORS,
        Delete: FOR_ADMINISTRATORS,
        'Deliver again': FOR_DEVELOPERS,
        'Deliver again all that was not taken': FOR_DEVELOPERS,
      })
      await reachesReasons(page)
      // A click does nothing.
      await page.goto(`${world.service.url}/console/instances`)
      await page.getByLabel('Choose gong').check()
      await page.getByRole('toolbar').getByText('Delete').click({ force: true })
      await page.getByRole('toolbar').getByText('Check').click({ force: true })
      expect(await page.getByRole('dialog').count()).toBe(0)
      await screenshot(page, `rights-bulk-${width}`)
      // Before the form is filled in, not at its last button.
      await page.goto(`${world.service.url}/console/instances/new?connector=gong`)
      await page.locator('form > .notice').first().getByText(FOR_DEVELOPERS).waitFor()
      const off = await disabled(page)
      expect(new Set(Object.values(off))).toEqual(new Set([FOR_DEVELOPERS]))
      expect(Object.keys(off)).toContainEqual(expect.stringMatching(/^Fill in demo/))
      expect(Object.keys(off)).toContainEqual(
        expect.stringMatching(/^(?:Connect|Go to the consent page)$/),
      )
      await expectAccessible(page)
      await screenshot(page, `rights-connect-${width}`)
      await page.goto(`${world.service.url}/console/search?instance=${gong}`)
      await page.getByRole('heading', { name: 'Records are not shown to your role' }).waitFor()
      await page.getByRole('button', { name: 'Search' }).click({ force: true })
      await page.keyboard.press('Control+Enter')
      await expectAccessible(page)
      const sent: string[] = []
      page.on('request', (request) => void sent.push(new URL(request.url()).pathname))
      await page.goto(
        `${world.service.url}/console/explorer?instance=${gong}&entity=calls&action=list`,
      )
      const run = page.getByRole('button', { name: 'Run' })
      await run.waitFor()
      for (let times = 0; times < 2; times++) await page.keyboard.press('Control+Enter')
      await run.click({ force: true })
      // What the press of a key begins is over when the browser has answered something else.
      await page.evaluate('fetch("/healthz")')
      expect(sent.filter((path) => path.endsWith('/execute'))).toEqual([])
      await page.goto(`${world.service.url}/console/manifests`)
      await page.getByRole('heading', { name: 'Manifests are not shown to your role' }).waitFor()
      // Nobody asked for what is refused: the audit log would say so.
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('a developer changes an account, and reads in its menu who deletes it', async () => {
    const { page, faults } = await world.visit()
    await signIn(page, 'developer')
    await page.goto(`${world.service.url}/console/instances/${gong}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    const remove = page.getByRole('menuitem', { name: 'Delete' })
    expect(await remove.isDisabled()).toBe(true)
    await remove.getByText('Your role is developer; this needs administrator').waitFor()
    expect(await page.getByRole('menuitem', { name: 'Rename' }).isDisabled()).toBe(false)
    await expectAccessible(page)
    await screenshot(page, 'rights-menu')
    expect(await disabled(page)).toEqual({})
    expect(faults).toEqual([])
    await page.context().close()
  })
})

async function signIn(page: Page, role: Role): Promise<void> {
  const text = randomText()
  const person = { ...PERSON, organizationId: 'default', subject: role, login: role, role }
  const session = { sessionHash: hashSecret(text), lifeMs: 3_600_000 }
  const entry = organizationEntry('default', 'console.sign_in')
  await world.service.service.store.people.signIn(person, session, entry)
  const { url } = world.service
  const name = `tenon-console-${new URL(url).port}`
  await page.context().addCookies([{ name, value: text, url }])
}

/** By a press and by the keyboard, next to what it is about. */
async function reachesReasons(page: Page): Promise<void> {
  const tip = page.getByRole('tooltip')
  expect(await tip.count()).toBe(0)
  const button = page.getByRole('button', { name: 'Send a test' })
  await button.click({ force: true })
  await tip.getByText(FOR_DEVELOPERS).waitFor()
  await page.keyboard.press('Tab')
  await tip.getByText(FOR_ADMINISTRATORS).waitFor()
  await expectAccessible(page)
  await screenshot(page, `rights-reason-${page.viewportSize()?.width}`)
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'detached' })
}

/** Of the buttons that cannot be pressed for the role: what they say, and why. */
async function disabled(page: Page): Promise<Readonly<Record<string, string>>> {
  const all = page.locator(':is(button, a, [role="link"])[aria-disabled="true"]:visible')
  const told = await all.evaluateAll((each) =>
    each.map((one) => [one.textContent.trim(), one.getAttribute('title') ?? ''] as const),
  )
  return Object.fromEntries(told)
}
