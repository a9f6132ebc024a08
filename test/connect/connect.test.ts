// The connect page and its widget in a real browser, inside a page of another site.
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { expectAccessible } from '../fixtures/accessible.ts'
import { findChromium, screenshot, type WatchedPage } from '../fixtures/browser.ts'
import { PNG } from '../fixtures/pictures.ts'
import { type HostApp, openHostApp } from './host-app.ts'

const chromium = await findChromium()
if (chromium === null)
  process.stderr.write('no Chromium here: the tests of the connect page are skipped\n')

const SECRET = 'demo-access-key-secret'

describe.skipIf(chromium === null)('the connect page', () => {
  let app: HostApp

  beforeAll(async () => {
    if (chromium === null) throw new TypeError('tests without a browser are skipped')
    app = await openHostApp(chromium, inject('consoleFolder'))
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const connectedOf = async (user: string) =>
    (
      (
        await app.service.call(
          'GET',
          `/v1/integrations/connectors?external_user_id=${user}&state=active`,
        )
      ).body as { readonly data: readonly { readonly id: string }[] }
    ).data.map(({ id }) => id)

  /** Faults of a page beyond that a frame of the service loads what is the service's. */
  const faultsOf = ({ faults }: WatchedPage) =>
    faults.filter((fault) => fault !== `request to ${app.service.url}`)

  async function clickOpen(page: Page): Promise<FrameLocator> {
    await page.getByRole('button', { name: 'Connect an account' }).click()
    return page.frameLocator('iframe')
  }

  async function heard(page: Page, words: RegExp): Promise<string> {
    await expect.poll(() => page.locator('output').innerText()).toMatch(words)
    return await page.locator('output').innerText()
  }

  test('credentials: refused ones are told, right ones connect, and the host hears of it', async () => {
    const link = await app.link({ external_user_id: 'frame', connector_types: ['gong'] })
    const watched = await app.embed(link)
    const { page } = watched
    const frame = await clickOpen(page)
    const monogram = frame.locator('svg.tile')
    expect((await monogram.locator('text').textContent())?.trim()).toBe('Go')
    const fill = await monogram
      .locator('rect')
      .evaluate((node) => node.ownerDocument.defaultView?.getComputedStyle(node).fill)
    expect(fill).toMatch(/^oklch\(0\.92 0\.05 /)
    await frame.getByRole('link', { name: /Access key/ }).click()
    await frame.getByLabel('Access key', { exact: true }).fill('DEMOACCESSKEY')
    const secret = frame.getByLabel('Secret of the access key')
    expect(await secret.getAttribute('type')).toBe('password')
    await secret.fill('wrong')
    await screenshot(page, 'connect-widget-form')
    await frame.getByRole('button', { name: 'Connect' }).click()
    const alert = frame.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('Gong refused these credentials')
    expect(await alert.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    // What was refused is marked, and what only others can read is folded.
    for (const field of [frame.getByLabel('Access key', { exact: true }), secret]) {
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(await field.getAttribute('aria-describedby')).toMatch(/^refused /)
    }
    const wrong = await frame.locator('.wrong').allInnerTexts()
    expect(wrong).toEqual(['One of the fields that are marked is wrong:'])
    expect(await alert.innerText()).not.toMatch(/status 401|Request/)
    await alert.getByText('For developers').click()
    await alert.getByText(/status 401/).waitFor()
    await alert.getByText(/^Request \S+$/).waitFor()
    await expectAccessible(page)
    // Only what is wrong has to be typed again.
    expect(await secret.inputValue()).toBe('wrong')
    await screenshot(page, 'connect-widget-refused')
    await secret.fill(SECRET)
    await frame.getByRole('button', { name: 'Connect' }).click()
    await frame.getByRole('heading', { name: 'Gong is connected' }).waitFor()
    await screenshot(page, 'connect-widget-connected')
    const [id] = await connectedOf('frame')
    expect(await heard(page, /^connected/)).toBe(`connected gong ${id};`)
    await frame.getByRole('link', { name: /Return to/ }).click()
    expect(await heard(page, /closed/)).toBe(`connected gong ${id};closed;`)
    expect(await page.locator('dialog').count()).toBe(0)
    expect(await page.evaluate('document.body.dataset.failed')).toBe(
      'credentials_refused: Gong refused these credentials',
    )
    expect(await page.evaluate('document.body.dataset.events')).toBe(
      'opened ways form credentials_refused connected connected closed',
    )
    expect(faultsOf(watched)).toEqual([])
    await page.context().close()
  })

  test('the block of the documentation embeds the page, and hears of its end', async () => {
    const link = await app.link({ external_user_id: 'documented', connector_types: ['gong'] })
    const query = new URLSearchParams({ link }).toString()
    const { page } = await app.visit(`${app.origin}/documented?${query}`)
    const frame = await clickOpen(page)
    await frame.getByRole('link', { name: /Sign in with Gong/ }).click()
    await agreeBeside(page, frame)
    await frame.getByRole('link', { name: /Return to/ }).click()
    expect(await heard(page, /refreshed/)).toBe(
      `told ${(await connectedOf('documented'))[0]};refreshed;`,
    )
    await page.context().close()
  })

  test('consent: the third party opens in a window beside the frame, which goes on by itself', async () => {
    const link = await app.link({ external_user_id: 'consent', connector_types: ['gong'] })
    const watched = await app.embed(link)
    const { page } = watched
    const frame = await clickOpen(page)
    await frame.getByRole('link', { name: /Sign in with Gong/ }).click()
    await agreeBeside(page, frame)
    await frame.getByRole('heading', { name: 'Gong is connected' }).waitFor()
    const [id] = await connectedOf('consent')
    expect(await heard(page, /^connected/)).toBe(`connected gong ${id};`)
    // The window of the consent closes itself.
    await expect.poll(() => page.context().pages().length).toBe(1)
    expect(faultsOf(watched)).toEqual([])
    await page.context().close()
  })

  test('a consent that fails is told in the frame, and can be tried again', async () => {
    app.service.vendor('gong').fail('oauth.token', { mode: 'status', status: 500, times: 1 })
    const link = await app.link({ external_user_id: 'consent-fails', connector_types: ['gong'] })
    const { page } = await app.embed(link)
    const frame = await clickOpen(page)
    await frame.getByRole('link', { name: /Sign in with Gong/ }).click()
    await agreeBeside(page, frame)
    await frame.getByRole('alert').waitFor()
    expect(await frame.getByRole('alert').innerText()).toContain('Gong is not working right now')
    await screenshot(page, 'connect-widget-consent-failed')
    await agreeBeside(page, frame)
    await frame.getByRole('heading', { name: 'Gong is connected' }).waitFor()
    await page.context().close()
  })

  test('P11 the picture of the application is seen in the frame, on a phone and in the dark', async () => {
    const { applications } = app.service.service.store
    await applications.update('default', { logo: PNG })
    const link = await app.link({ external_user_id: 'logo', connector_types: ['gong'] })
    for (const options of [
      {},
      { viewport: { width: 390, height: 700 }, colorScheme: 'dark' },
    ] as const) {
      const watched = await app.embed(link, options)
      const frame = await clickOpen(watched.page)
      const picture = frame.getByRole('img', { name: 'first application' })
      await expect
        .poll(() => picture.evaluate((node) => Reflect.get(node, 'naturalWidth')))
        .toBe(24)
      await expectAccessible(watched.page)
      await screenshot(watched.page, `connect-logo-${options.colorScheme ?? 'light'}`)
      expect(faultsOf(watched)).toEqual([])
      await watched.page.context().close()
    }
    await applications.update('default', { logo: null })
  })

  test('in a window of its own the host hears of it, too', async () => {
    const link = await app.link({ external_user_id: 'popup', connector_types: ['gong'] })
    const { page } = await app.embed(link, { mode: 'popup' })
    const opened = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Connect an account' }).click()
    const popup = await opened
    await popup.getByRole('link', { name: /Access key/ }).click()
    await popup.getByLabel('Access key', { exact: true }).fill('DEMOACCESSKEY')
    await popup.getByLabel('Secret of the access key').fill(SECRET)
    await popup.getByRole('button', { name: 'Connect' }).click()
    await popup.getByRole('link', { name: /Return to/ }).click()
    const [id] = await connectedOf('popup')
    expect(await heard(page, /closed/)).toBe(`connected gong ${id};closed;`)
    expect(popup.isClosed()).toBe(true)
    await page.context().close()
  })

  test('a consent from a window of its own opens one more, and the host hears of it', async () => {
    const link = await app.link({ external_user_id: 'popup-consent', connector_types: ['gong'] })
    const { page } = await app.embed(link, { mode: 'popup' })
    const opened = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Connect an account' }).click()
    const popup = await opened
    await popup.getByRole('link', { name: /Sign in with Gong/ }).click()
    await agreeBeside(page, popup)
    await popup.getByRole('heading', { name: 'Gong is connected' }).waitFor()
    const [id] = await connectedOf('popup-consent')
    expect(await heard(page, /^connected/)).toBe(`connected gong ${id};`)
    await page.context().close()
  })

  test('an origin that the session does not name can neither frame the page nor hear it', async () => {
    const link = await app.link({ connector_types: ['gong'] })
    const at = app.origin.replace('localhost', '127.0.0.1')
    const { page } = await app.embed(link, { at })
    await page.getByRole('button', { name: 'Connect an account' }).click()
    await page
      .getByRole('alert')
      .getByText('The link is over, or may not be opened in this page')
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'connect-widget-not-shown')
    expect(await page.evaluate('document.body.dataset.failed')).toBe(
      `not_shown: the page was not shown: the link is over or was used, or its session has no allowed_origin or another one than ${at}`,
    )
    const { height = 0 } = (await page.locator('dialog').boundingBox()) ?? {}
    expect(height).toBeLessThan(320)
    expect(await page.evaluate('document.body.dataset.last')).toBe(undefined)
    await page.getByRole('button', { name: 'Close' }).click()
    await heard(page, /^closed/)
    await page.context().close()
  })

  test('in German: the page, and what stands around it', async () => {
    const link = await app.link({ external_user_id: 'deutsch', connector_types: ['gong'] })
    const { page } = await app.embed(link, { lang: 'de', viewport: { width: 390, height: 780 } })
    const frame = await clickOpen(page)
    await frame.getByRole('link', { name: 'Bei Gong anmelden' }).click()
    await frame.getByText('Sie werden gebeten').waitFor()
    await screenshot(page, 'connect-widget-german')
    expect(await page.locator('dialog').getAttribute('aria-label')).toBe('Ein Konto verbinden')
    const beside = page.context().waitForEvent('page')
    await frame.getByRole('button', { name: 'Weiter zu Gong' }).click()
    await frame.getByRole('heading', { name: 'Weiter bei Gong' }).waitFor()
    await (await beside).getByRole('button', { name: 'Allow' }).click()
    await frame.getByRole('heading', { name: 'Gong ist verbunden' }).waitFor()
    await page.context().close()
  })

  test('messages of others are not heard', async () => {
    const link = await app.link({ connector_types: ['gong'] })
    const { page } = await app.embed(link)
    const frame = await clickOpen(page)
    await frame.getByRole('link', { name: /Access key/ }).waitFor()
    // Messages arrive in the order in which they were sent.
    await page.evaluate(`new Promise((resolve) => {
      const message = { source: 'tenon-connect', type: 'connected', connection: 'forged', connector: 'x' }
      addEventListener('message', ({ data }) => data === 'last' && resolve())
      window.postMessage(message, '*')
      dispatchEvent(new MessageEvent('message', { data: message, origin: ${JSON.stringify(app.service.url)}, source: window }))
      dispatchEvent(new MessageEvent('message', { data: message, origin: ${JSON.stringify(app.service.url)} }))
      window.postMessage('last', '*')
    })`)
    expect(await page.locator('output').innerText()).toBe('')
    await page.context().close()
  })

  test.for([
    { name: 'in a frame', framed: true },
    { name: 'on a whole page', framed: false },
  ])('$name a form is sent once while its request runs', async ({ name, framed }) => {
    const link = await app.link({ external_user_id: name, connector_types: ['gong'] })
    const { page } = await (framed ? app.embed(link) : app.visit(link))
    const place = framed ? await clickOpen(page) : page
    await place.getByRole('link', { name: /Access key/ }).click()
    await place.getByLabel('Access key', { exact: true }).fill('DEMOACCESSKEY')
    await place.getByLabel('Secret of the access key').fill(SECRET)
    const sent: string[] = []
    page.context().on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await place.locator('form').evaluate((form) => {
      for (let times = 0; times < 3; times += 1) form.requestSubmit()
    })
    await place.getByRole('heading', { name: 'Gong is connected' }).waitFor()
    expect(sent).toEqual([link])
    await page.context().close()
  })

  test('the keyboard alone is enough', async () => {
    const link = await app.link({ external_user_id: 'keyboard', connector_types: ['gong'] })
    const { page } = await app.embed(link)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const frame = page.frameLocator('iframe')
    await frame.getByRole('link', { name: /Access key/ }).waitFor()
    const focused = () => frame.locator(':focus')
    await tabTo(page, () => frame.getByRole('link', { name: /Access key/ }))
    await page.keyboard.press('Enter')
    await tabTo(page, () => frame.getByLabel('Access key', { exact: true }))
    await page.keyboard.type('DEMOACCESSKEY')
    // Between them is the way to the vendor's help.
    await tabTo(page, () => frame.getByLabel('Secret of the access key'))
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await frame.getByRole('alert').waitFor()
    expect(await focused().innerText()).toContain('Gong refused these credentials')
    await tabTo(page, () => frame.getByLabel('Secret of the access key'))
    await page.keyboard.press('Control+A')
    await page.keyboard.type(SECRET)
    await page.keyboard.press('Enter')
    await frame.getByRole('heading', { name: 'Gong is connected' }).waitFor()
    expect(await focused().innerText()).toBe('Gong is connected')
    await page.keyboard.press('Escape')
    expect(await heard(page, /closed/)).toMatch(/^connected gong .*;closed;$/)
    // Where it was before.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Connect an account')
    await page.context().close()
  })

  test('a whole page: reconnecting by consent, and the way back to the host', async () => {
    const id = await app.service.connect('gong', {
      external_user_id: 'again',
      name: 'Gong of ACME',
    })
    const link = await app.link({ external_user_id: 'again', instance_id: id })
    const watched = await app.visit(link)
    const { page } = watched
    await page.getByRole('heading', { name: /Reconnect Gong/ }).waitFor()
    expect(await page.getByLabel('Access key', { exact: true }).count()).toBe(1)
    await expectAccessible(page)
    await screenshot(page, 'connect-again')
    await page.getByRole('link', { name: 'Another way' }).click()
    await page.getByRole('link', { name: /Sign in with Gong/ }).click()
    await page.getByRole('button', { name: 'Continue to Gong' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Gong is connected again' }).waitFor()
    expect(page.url()).toBe(link)
    await page.getByRole('link', { name: /Return to/ }).click()
    await page.waitForURL(`${app.returnUrl}?connection=${id}`)
    expect(await connectedOf('again')).toEqual([id])
    expect(watched.faults).toEqual([])
    await page.context().close()
  })

  test('words narrow a long choice, and a pasted address is taken apart, on a phone in the dark', async () => {
    const link = await app.link({ external_user_id: 'narrowed' })
    const { page, faults } = await app.visit(link, {
      viewport: { width: 320, height: 800 },
      colorScheme: 'dark',
    })
    const choices = page.locator('.choices').getByRole('link')
    expect(await choices.count()).toBeGreaterThan(5)
    await page.getByRole('searchbox', { name: 'Find' }).fill('nothing-like-it')
    await page.getByText('Nothing has these words.').waitFor()
    expect(await choices.count()).toBe(0)
    await page.getByRole('button', { name: 'Show all' }).click()
    expect(await choices.count()).toBeGreaterThan(5)
    // A word of what it is about.
    await page.getByRole('searchbox', { name: 'Find' }).fill('disputes')
    await expect.poll(() => choices.count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Find' }).fill('jira CLOUD')
    await expect.poll(() => choices.count()).toBe(1)
    await expectAccessible(page)
    await screenshot(page, 'connect-narrowed')
    await choices.click()
    await page.getByRole('link', { name: /E-mail and API token/ }).click()
    const subdomain = page.getByLabel('Subdomain')
    await subdomain.fill('https://tallow-demo.atlassian.net/jira/your-work')
    await page.getByLabel('E-mail address of the account').fill('maren.osterloh@tallow.example')
    await page.getByLabel('API token').fill('wrong')
    await screenshot(page, 'connect-examples')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Taken from the address that you entered.').waitFor()
    expect(await subdomain.inputValue()).toBe('tallow-demo')
    await expectAccessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await screenshot(page, 'connect-taken')
    await page.getByLabel('API token').fill('demo-api-token')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Subdomain: tallow-demo').waitFor()
    await screenshot(page, 'connect-connected')
    expect(await connectedOf('narrowed')).toHaveLength(1)
    // The same site once more: the page asks which connection is meant, and keeps the secret that was typed.
    const second = await app.link({ external_user_id: 'narrowed', connector_types: ['jira'] })
    await page.goto(second)
    await page.getByRole('link', { name: /E-mail and API token/ }).click()
    await page.getByLabel('Subdomain').fill('tallow-demo')
    await page.getByLabel('E-mail address of the account').fill('maren.osterloh@tallow.example')
    await page.getByLabel('API token').fill('demo-api-token')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('Jira Cloud is connected already: tallow-demo').waitFor()
    await expectAccessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await screenshot(page, 'connect-known')
    await page.getByRole('button', { name: 'Reconnect' }).click()
    // Not the question, which begins with the same words.
    await page.getByRole('heading', { name: /^Jira Cloud is connected(?: again)?$/ }).waitFor()
    expect(await connectedOf('narrowed')).toHaveLength(1)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('works without scripts', async () => {
    const link = await app.link({ external_user_id: 'no-script', connector_types: ['jira'] })
    const { page } = await app.visit(link, { javaScriptEnabled: false })
    await page.getByRole('link', { name: /E-mail and API token/ }).click()
    await page.getByLabel('E-mail address of the account').fill('maren.osterloh@tallow.example')
    await page.getByLabel('API token').fill('demo-api-token')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.locator('[aria-invalid=true]').count()).toBe(2)
    await page.getByLabel('API token').fill('demo-api-token')
    await page.getByLabel('Subdomain').fill('tallow-demo')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('heading', { name: 'Jira Cloud is connected' }).waitFor()
    expect(await connectedOf('no-script')).toHaveLength(1)
    await page.context().close()
  })

  test('and a consent does, too', async () => {
    const link = await app.link({ external_user_id: 'no-script-2', connector_types: ['gong'] })
    const { page } = await app.visit(`${link}?connector=gong&way=oauth`, {
      javaScriptEnabled: false,
    })
    await page.getByRole('button', { name: 'Continue to Gong' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Gong is connected' }).waitFor()
    expect(await connectedOf('no-script-2')).toHaveLength(1)
    await page.context().close()
  })

  test.for([
    { lang: 'en', scheme: 'light', width: 1280, use: 'Use Cloud ID instead', more: 'More about “' },
    { lang: 'de', scheme: 'dark', width: 1280, use: 'Stattdessen Cloud-ID', more: 'Mehr zu „' },
    { lang: 'de', scheme: 'light', width: 390, use: 'Stattdessen Cloud-ID', more: 'Mehr zu „' },
    { lang: 'en', scheme: 'dark', width: 390, use: 'Use Cloud ID instead', more: 'More about “' },
  ] as const)(
    'a form is in sight as a whole, in our type face: $lang, $scheme, $width wide',
    async ({ lang, scheme, width, use, more }) => {
      const link = await app.link({ external_user_id: `face-${lang}`, lang })
      const { page, faults } = await app.visit(`${link}&connector=jira&way=api_token`, {
        colorScheme: scheme,
        viewport: { width, height: 900 },
      })
      await page.evaluate('document.fonts.ready.then(() => undefined)')
      expect(await page.evaluate(`document.fonts.check('15px Inter')`)).toBe(true)
      expect(
        await page.evaluate(
          `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`,
        ),
      ).toContain('Inter')
      const name = `connect-jira-${lang}-${scheme}-${width}`
      await screenshot(page, name)
      const height = await page.evaluate('document.documentElement.scrollHeight')
      expect(height).toBe(900)
      await expectAccessible(page)
      await page.getByText(use).click()
      await page.getByText(more).click()
      await page.locator('[id="config.cloud_id"]').fill('1')
      await expectAccessible(page)
      await screenshot(page, `${name}-open`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test.for(['light', 'dark'] as const)('every state of it is accessible, %s', async (scheme) => {
    const link = await app.link({ external_user_id: `look-${scheme}` })
    const { page, faults } = await app.visit(link, {
      colorScheme: scheme,
      viewport: { width: 900, height: 860 },
    })
    const look = async (name: string): Promise<void> => {
      await expectAccessible(page)
      await screenshot(page, `connect-${name}-${scheme}`)
    }
    await look('choice')
    await page.getByRole('link', { name: /Jira/ }).click()
    await look('ways')
    await page.getByRole('link', { name: /E-mail and API token/ }).click()
    await look('form')
    await page.getByLabel('E-mail address of the account').fill('maren.osterloh@tallow.example')
    await page.getByLabel('API token').fill('demo-api-token')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('alert').waitFor()
    await look('problems')
    await page.getByLabel('Subdomain').fill('tallow-demo')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('heading', { name: 'Jira Cloud is connected' }).waitFor()
    await look('connected')
    await page.goto(`${await app.link()}?connector=facebook-marketing`)
    await look('consent')
    await page.setViewportSize({ width: 390, height: 780 })
    await page.goto(`${await app.link({ lang: 'de' })}&connector=slack&way=oauth`)
    await look('narrow')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.goto(`${app.service.url}/connect/never`)
    await look('over')
    expect(faults).toEqual([])
    await page.context().close()
  })
})

/** Goes on to the third party, which opens in a window beside, and agrees there. */
async function agreeBeside(page: Page, connect: Pick<Page, 'getByRole'>): Promise<void> {
  const beside = page.context().waitForEvent('page')
  await connect.getByRole('button', { name: 'Continue to Gong' }).click()
  await (await beside).getByRole('button', { name: 'Allow' }).click()
}

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, wanted: () => ReturnType<Page['locator']>): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    const has = await wanted().evaluate((node) => node === node.ownerDocument.activeElement)
    if (has) return
    await page.keyboard.press('Tab')
  }
  throw new Error('the keyboard does not get there')
}
