// Webhooks, in a real browser, with a receiver on this machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../../../src/client/webhooks/verify-webhook.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

interface Got {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let world: ConsoleWorld
let address: string
let status = 204
const got: Got[] = []
const receiver = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    // Of a request from our own sender, which repeats none.
    const headers = request.headers as Readonly<Record<string, string>>
    got.push({ headers, body: Buffer.concat(parts).toString() })
    response.writeHead(status).end()
  })
})

describe.skipIf(chromium === null)('webhooks', () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    // A server that listens has an address.
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
    world = await openConsole({ jobs: true })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    receiver.closeAllConnections()
    await new Promise((resolve) => receiver.close(resolve))
  })

  test('an endpoint is added, its secret is shown once and verifies what arrives', async () => {
    const { page, faults } = await world.enter('/webhooks')
    await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'webhooks-empty')
    await page.getByRole('link', { name: 'Add the first endpoint' }).click()
    await page.getByLabel('Address').fill('https://10.0.0.1/hooks')
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'webhook-new-refused')
    await page.getByLabel('Address').fill(address)
    await page.getByLabel('Some of them').check()
    expect(await page.getByRole('button', { name: 'Add the endpoint' }).isDisabled()).toBe(true)
    await page.getByLabel('connector.created').check()
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    await page.getByRole('heading', { name: 'The endpoint is ready' }).waitFor()
    const secret = await page.getByRole('region', { name: 'secret' }).innerText()
    await expectAccessible(page)
    await screenshot(page, 'webhook-secret')
    await page.getByRole('link', { name: 'I have kept it' }).click()

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The address accepted the test event').waitFor()
    const [trial] = got
    expect(verifyWebhook(trial?.headers ?? {}, trial?.body ?? '', secret)).toMatchObject({
      type: 'webhook.test',
    })
    expect(await page.content()).not.toContain(secret)

    await world.service.connect('gong')
    const row = page.getByRole('row', { name: /connector\.created/ })
    await row.getByText('Delivered').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'webhook')
    const before = got.length
    await row.getByRole('button', { name: 'Deliver again: connector.created' }).click()
    await expect.poll(() => got.length).toBeGreaterThan(before)
    expect(got.at(-1)?.headers['webhook-id']).toBe(got.at(-2)?.headers['webhook-id'])
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an endpoint tells what its address answers, is changed, switched off and deleted', async () => {
    const made = await world.service.call('POST', '/v1/webhooks', { url: address })
    const { id } = made.body as { readonly id: string }
    const { page, faults } = await world.enter(`/webhooks/${id}`, { colorScheme: 'dark' })
    status = 500
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The address answered 500').waitFor()
    status = 204
    await expectAccessible(page)
    await screenshot(page, 'webhook-refused-dark')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Description').fill('Staging')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Staging').waitFor()
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByText('Old secret signs until').waitFor()
    expect(await page.getByRole('region', { name: 'secret' }).innerText()).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Switched off here.').waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Events are delivered as they happen.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the endpoint' }).click()
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    expect((await world.service.call('GET', `/v1/webhooks/${id}`)).status).toBe(404)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an endpoint that takes no events is failing, and its account tells of them in one line', async () => {
    const made = await world.service.call('POST', '/v1/webhooks', { url: address })
    const { id } = made.body as { readonly id: string }
    status = 500
    const account = await world.service.connect('jira')
    const { page, faults } = await world.enter(`/webhooks/${id}`)
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText('Failing', { exact: true }).waitFor()
    await state.getByText(/Your app has not taken the latest .*: 500\./).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'webhook-failing')
    await page.goto(`${world.service.url}/console/overview`)
    const needs = page.getByRole('region', { name: 'Needs a person' })
    const told = needs
      .getByRole('listitem')
      .filter({ hasText: 'Your app has not taken the latest' })
    expect(await told.getByRole('link').first().getAttribute('href')).toMatch(/\/webhooks\/[^/]+$/)
    await needs
      .getByText(/, the last try .*\. Who acts: your app\.$/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await screenshot(page, 'overview-webhook')
    await page.goto(`${world.service.url}/console/webhooks`)
    await page
      .getByRole('row', { name: /Failing/ })
      .first()
      .waitFor()
    await page.goto(`${world.service.url}/console/instances/${account}`)
    const activity = page.getByRole('region', { name: 'Latest activity' })
    await activity.getByRole('link', { name: /event deliver.* to your app/ }).waitFor()
    await activity.getByText(/^\d+ failed$/).waitFor()
    await page.goto(`${world.service.url}/console/webhooks/${id}`)
    const deliveries = page.getByRole('region', { name: 'Deliveries', exact: true })
    const whose = deliveries.locator(`a[href$="/instances/${account}"]`).first()
    await whose.waitFor()
    await deliveries.getByRole('button', { name: 'Deliver again all that was not taken' }).click()
    const question = page.getByRole('dialog', { name: 'Deliver again what was not taken?' })
    await question.waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Deliver them again' }).click()
    await deliveries.getByText(/^\d+ events? (is|are) on the way once more/).waitFor()
    await screenshot(page, 'webhook-failed-again')
    status = 204
    // What is delivered again is told as the row below tells it.
    await deliveries
      .getByRole('button', { name: /^Deliver again: / })
      .first()
      .click()
    await deliveries.getByText(/ was sent once more, with the same id: delivered\.$/).waitFor()
    await deliveries.getByText('Delivered', { exact: true }).first().waitFor()
    await deliveries.getByText(/^Attempts are counted since the event happened/).waitFor()
    await world.service.call('DELETE', `/v1/webhooks/${id}`)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for(['light', 'dark'] as const)(
    'on a phone nothing of an endpoint is beyond the edge, %s',
    async (colorScheme) => {
      const url = 'https://hooks.northwind.example/integrations/tenon/events-of-accounts'
      const made = await world.service.call('POST', '/v1/webhooks', { url })
      const { id } = made.body as { readonly id: string }
      await world.service.connect('gong')
      const viewport = { width: 390, height: 844 }
      const { page, faults } = await world.enter('/webhooks', { viewport, colorScheme })
      const table = page.getByRole('region', { name: 'Endpoints' })
      const link = table.getByRole('link', { name: url })
      await link.waitFor()
      const isWhole = (box: { scrollWidth: number; clientWidth: number }): boolean =>
        box.scrollWidth <= box.clientWidth
      expect(await table.evaluate(isWhole)).toBe(true)
      await expectAccessible(page)
      await screenshot(page, `webhooks-390-${colorScheme}`)
      await page.goto(`${world.service.url}/console/webhooks/${id}`)
      const deliveries = page.getByRole('region', { name: 'Latest deliveries' })
      await deliveries.getByText('connector.created').waitFor()
      expect(await deliveries.evaluate(isWhole)).toBe(true)
      await expectAccessible(page)
      await screenshot(page, `webhook-390-${colorScheme}`)
      await deliveries.getByRole('button', { name: 'connector.created', exact: true }).click()
      const sent = page.getByRole('dialog', { name: 'connector.created' })
      await sent.getByText(/"connector_type": "gong"/).waitFor()
      await expectAccessible(page)
      await screenshot(page, `webhook-sent-390-${colorScheme}`)
      await page.keyboard.press('Escape')
      await world.service.call('DELETE', `/v1/webhooks/${id}`)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )
})
