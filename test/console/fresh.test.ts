// What a screen tells stays true while somebody looks at it, though somebody else changes it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication, FIRST_ORGANIZATION } from '../../src/service/tokens/applications.ts'
import { chromium, type ConsoleWorld, openConsole } from './console-page.ts'

/** Two rounds, each as late as it may be on a machine that has other work. */
const TOLD_MS = 120_000

let world: ConsoleWorld
let kept: string
let changed: string

describe.skipIf(chromium === null)('an open screen', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    kept = await world.service.connect('jira', { name: 'Jira of Tallow' })
    changed = await world.service.connect('gong', { name: 'Gong of Tallow' })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
  })

  test('tells what others have changed meanwhile, in all of its parts, without a reload', async () => {
    const places = [
      ['/overview', 'Disabled1'],
      ['/instances', 'Gong, renamed'],
      [`/instances/${changed}`, 'Gong, renamed'],
      [`/sync?instance=${changed}`, 'Nothing is synchronized.'],
      ['/settings?part=audit', 'Changed an account'],
      ['/settings?part=applications', 'Named afterwards'],
    ] as const
    const pages = await Promise.all(
      places.map(async ([path, words]) => {
        const { page, faults } = await world.enter(path)
        await page
          .locator('main')
          .getByText(/Tallow|Accounts1|Accounts2|Enabled/)
          .first()
          .waitFor()
        expect([path, await page.getByText(words, { exact: false }).count()]).toEqual([path, 0])
        return { page, path, words, faults }
      }),
    )
    await world.service.call('PATCH', `/v1/integrations/connectors/${changed}`, {
      name: 'Gong, renamed',
      enabled: false,
    })
    await createApplication(world.service.service, {
      name: 'Named afterwards',
      organizationId: FIRST_ORGANIZATION,
      redirectUrls: [],
    })
    for (const { page, words, faults } of pages) {
      await page.getByText(words).first().waitFor({ timeout: TOLD_MS })
      expect(faults).toEqual([])
    }
    const sync = pages[3]?.page
    await sync?.getByText('Disabled').first().waitFor()
    expect(await sync?.getByText('Active').count()).toBe(0)
    await Promise.all(pages.map(({ page }) => page.context().close()))
  })

  test.for(['/overview', '/sync'])('%s tells soon that what failed is well again', async (path) => {
    const { page, faults } = await world.enter('/instances/new')
    const { syncFailures } = world.service.service.store
    const failure = { instanceId: kept, entity: 'issues', code: 'upstream_failed', failures: 1 }
    const [since, failedAt] = [Date.now(), Date.now()]
    await syncFailures.put({ ...failure, detail: 'Jira: 500', since, failedAt })
    const at = new Date(Date.now() + 1_000).toISOString()
    // What the copies themselves say of it.
    await page.route('**/last-syncs?*', async (route) => {
      const { data } = (await (await route.fetch()).json()) as { data: { connector_id: string }[] }
      const failing = { state: 'error', next_attempt_at: at }
      const told = data.map((each) => ({ ...each, ...(each.connector_id === kept && failing) }))
      await route.fulfill({ json: { data: told } })
    })
    await page.goto(`${world.service.url}/console${path}`)
    const card = page.getByRole('region', { name: 'Failing syncs' })
    await card.getByText('It is being tried now.').waitFor()
    await syncFailures.remove(kept, 'issues')
    const ended = Date.now()
    await card.getByText('No sync fails.').waitFor()
    // The usual round would be three times as late.
    expect(Date.now() - ended).toBeLessThan(6_000)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('tells at once what one has changed oneself, in the parts that did not change it', async () => {
    const { page } = await world.enter(`/sync?instance=${kept}`)
    await page.getByRole('button', { name: 'Pause all' }).click()
    await page.getByText('Every entity is paused.').waitFor()
    await page.getByRole('button', { name: 'Resume all' }).waitFor()
    expect(await page.getByRole('button', { name: 'Pause all' }).count()).toBe(0)
    // However long the lines take, the sentence waits for them.
    const held: (() => void)[] = []
    let isHeld = true
    await page.route('**/sync?history=true', async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    const changed = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Resume all' }).click()
    await changed
    await expect.poll(() => held.length).toBeGreaterThan(0)
    expect(await page.getByText('No entity is paused any more.').count()).toBe(0)
    isHeld = false
    held.forEach((go) => go())
    await page.getByText('No entity is paused any more.').waitFor()
    const lines = page.locator('.copy summary')
    expect(await lines.filter({ hasText: 'Paused' }).count()).toBe(0)
    await page.context().close()
  })

  test('resumes what was paused one by one', async () => {
    const at = `/v1/integrations/connectors/${kept}`
    const { body } = await world.service.call('GET', `${at}/sync`)
    const { data } = body as { readonly data: readonly { readonly entity: string }[] }
    const entities = Object.fromEntries(data.map(({ entity }) => [entity, { enabled: false }]))
    await world.service.call('PATCH', at, { sync: { entities } })
    const { page, faults } = await world.enter(`/sync?instance=${kept}`)
    await page.getByRole('button', { name: 'Resume all' }).click()
    await page.getByRole('button', { name: 'Pause all' }).waitFor()
    expect(await page.getByRole('button', { name: /^Resume/ }).count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
