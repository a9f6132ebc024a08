// What a screen tells stays true while somebody looks at it, though somebody else changes it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication, FIRST_ORGANIZATION } from '../../src/service/tokens/applications.ts'
import { eventually } from '../faults/resources.ts'
import { chromium, type ConsoleWorld, openConsole } from './console-page.ts'

/** Two rounds, each as late as it may be on a machine that has other work. */
const TOLD_MS = 120_000
/** Whether anything about accounts has changed. */
const WATCH = /connectors\?sort=-updated_at&limit=1&/

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

  test.for(['/overview', '/sync'])(
    '%s tells that what fails is being tried, and that it is well again, in whatever order its answers know',
    async (path) => {
      const { page, faults } = await world.enter('/instances/new')
      const { syncFailures } = world.service.service.store
      const since = Date.now()
      const failure = {
        entity: 'issues',
        code: 'upstream_failed',
        detail: 'Jira: 500',
        failures: 1,
      }
      // A turn that ends well would take it away.
      await eventually(async () => {
        const { body } = await world.service.call('GET', `/v1/integrations/connectors/${kept}/sync`)
        const { data } = body as { readonly data: readonly { readonly state: string }[] }
        return data.every(({ state }) => state === 'ready')
      })
      await syncFailures.put({ instanceId: kept, ...failure, since, failedAt: since })
      let isWell = false
      // What the copies themselves say of it.
      await page.route('**/last-syncs?*', async (route) => {
        const { data } = (await (await route.fetch()).json()) as {
          data: { connector_id: string }[]
        }
        const copy = { ...failure, next_attempt_at: new Date().toISOString() }
        const failing = { state: 'error', failing: [copy] }
        const told = data.map((each) => ({ ...each, ...(each.connector_id === kept && failing) }))
        await route.fulfill({ json: { data: isWell ? data : told } })
      })
      // The answers of one round are of two moments: this one is the last to know.
      let before: object = {}
      let isLate = true
      await page.route('**/failing-syncs', async (route) => {
        const json = (await (await route.fetch()).json()) as object
        if (!isWell) before = json
        await route.fulfill({ json: isWell && isLate ? before : json })
        if (isWell) isLate = false
      })
      await page.goto(`${world.service.url}/console${path}`)
      const card = page.getByRole('region', { name: 'Failing syncs' })
      await card.getByText('next attempt due now').waitFor()
      await syncFailures.remove(kept, 'issues')
      isWell = true
      await card.getByText('No sync fails.').waitFor({ timeout: TOLD_MS })
      expect(isLate).toBe(false)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test.for([
    ['/overview', 'Accounts with failing syncs1', 'Jira: 500'],
    ['/sync', 'Failing (1)', 'Jira: 500'],
    ['/instances', 'Failing (1)'],
  ] as const)(
    '%s at rest tells a first failure within five seconds of its clock',
    async ([path, ...words]) => {
      const { page, faults } = await world.enter('/instances/new')
      // It goes on only as far as it is told to.
      await page.clock.install()
      let watched = 0
      page.on('requestfinished', (request) => {
        if (WATCH.test(request.url())) watched++
      })
      await page.goto(`${world.service.url}/console${path}`)
      await expect
        .poll(async () => {
          await page.clock.runFor(100)
          return watched
        })
        .toBeGreaterThan(0)
      const areTold = async (): Promise<readonly boolean[]> => {
        const told = (await page.locator('main').textContent()) ?? ''
        return words.map((each) => told.includes(each))
      }
      expect(await areTold()).toEqual(words.map(() => false))
      const { syncFailures } = world.service.service.store
      const now = Date.now()
      await syncFailures.put({
        instanceId: kept,
        entity: 'issues',
        code: 'upstream_failed',
        detail: 'Jira: 500',
        failures: 1,
        since: now,
        failedAt: now,
      })
      let passedMs = 0
      await expect
        .poll(async () => {
          await page.clock.runFor(50)
          passedMs += 50
          return await areTold()
        })
        .toEqual(words.map(() => true))
      expect(passedMs).toBeLessThan(5_000)
      await syncFailures.remove(kept, 'issues')
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('the list of accounts tells that a sync is well again', async () => {
    const { page, faults } = await world.enter('/instances/new')
    let state = 'error'
    await page.route('**/last-syncs?*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { readonly data: readonly object[] }
      const data = answer.data.map((each) => ({ ...each, state, account_state: 'active' }))
      await route.fulfill({ json: { data } })
    })
    await page.goto(`${world.service.url}/console/instances`)
    const row = page.getByRole('row').filter({ hasText: 'Jira of Tallow' })
    await row.getByText('Failing').waitFor()
    state = 'ready'
    await row.getByText('Failing').waitFor({ state: 'detached', timeout: TOLD_MS })
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
