// The console below a path of a host app: its files, its API, its links, and addresses that are opened directly.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { mountService } from '../../src/hosting/doors.ts'
import { carry, passOnNode } from '../../src/hosting/node-carrier.ts'
import { NodeArrival } from '../../src/service/http/node-arrival.ts'
import { joinBrowser, type OpenBrowser } from '../fixtures/browser.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { chromium } from './console-page.ts'

const BASE = '/apps/tenon'

describe.skipIf(chromium === null)('below a path', () => {
  let world: RunningService
  let browser: OpenBrowser
  let origin: string
  let answer: RequestListener
  const server = createServer((request, response) => answer(request, response))

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    world = await runService({ publicUrl: origin + BASE })
    const mounted = mountService<NodeArrival>(world.service, {
      passToMcp: passOnNode,
      consoleFolder: inject('consoleFolder'),
    })
    answer = (request, response) => {
      const { url = '' } = request
      // What is not below the path is the host's.
      if (!url.startsWith(`${BASE}/`)) return void response.writeHead(404).end()
      const place = { url: url.slice(BASE.length), base: BASE, vouch: null }
      void carry(mounted, new NodeArrival(request, response, place), null)
    }
    browser = await joinBrowser(chromium ?? '')
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await world[Symbol.asyncDispose]()
  })

  test('people sign in, follow links, go back, and open addresses directly', async () => {
    const { page, faults } = await browser.page()
    const { clientId = '', clientSecret = '' } = world.service.firstApplication ?? {}
    await page.goto(`${origin}${BASE}/console`)
    await page.getByLabel('Client id').fill(clientId)
    await page.getByLabel('Client secret').fill(clientSecret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const screens = page.getByRole('navigation', { name: 'Screens' })
    await screens.waitFor()
    const place = (): string => page.url().slice(origin.length)
    const first = place()
    expect(first).toMatch(/^\/apps\/tenon\/console(\/|$)/)
    await screens.getByRole('link', { name: 'Webhooks' }).click()
    await expect.poll(place).toBe(`${BASE}/console/webhooks`)
    await page.goBack()
    await expect.poll(place).toBe(first)
    await page.goto(`${origin}${BASE}/console/instances/new?connector=jira`)
    await page.getByLabel('E-mail and API token').check()
    await page.getByRole('button', { name: 'Fill in demo credentials' }).click()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page
      .getByRole('navigation', { name: 'Of this account' })
      .getByRole('link', { name: 'Explorer' })
      .click()
    await page.getByRole('link', { name: 'issues.get', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'issues.get', exact: true }).waitFor()
    expect(place()).toMatch(/^\/apps\/tenon\/console\//)
    expect(faults).toEqual([])
  })

  test('its files come from below the path, and packed', async () => {
    const page = await (await fetch(`${origin}${BASE}/console/any/place`)).text()
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name = '']) => name)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      expect(file).toMatch(/^\/apps\/tenon\/console\/assets\//)
      const got = await fetch(origin + file, { headers: { 'accept-encoding': 'br' } })
      const length = (await got.text()).length
      expect([file, got.status, got.headers.get('content-encoding')]).toEqual([
        file,
        200,
        length < 1024 ? null : 'br',
      ])
    }
  })
})
