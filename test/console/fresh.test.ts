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

  test('tells at once what one has changed oneself, in the parts that did not change it', async () => {
    const { page } = await world.enter(`/sync?instance=${kept}`)
    await page.getByRole('button', { name: 'Pause all' }).click()
    await page.getByText('Every entity is paused.').waitFor()
    await page.getByRole('button', { name: 'Resume all' }).waitFor()
    expect(await page.getByRole('button', { name: 'Pause all' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume all' }).click()
    await page.getByText('No entity is paused any more.').waitFor()
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
