// Versions that are published from the console, in a real browser against the sandbox.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

let world: ConsoleWorld
let text: string

describe.skipIf(chromium === null)('publishing', () => {
  beforeAll(async () => {
    world = await openConsole({ connectors: ['gong'], publishOrganization: 'default' })
    text = (await world.service.service.workshop?.textOf('gong')) ?? ''
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** The editor with this text. */
  async function write(page: Page, changed: string): Promise<void> {
    const kept = JSON.stringify(changed)
    await page.evaluate(`sessionStorage.setItem('tenon.manifest.gong', ${kept})`)
    await page.reload()
    await page.getByText('changed here, not saved').waitFor()
  }

  const version = (number: string, title: string): string =>
    text
      .replace('version: 1.0.0', `version: ${number}`)
      .replace('title: Call analytics (Gong)', `title: ${title}`)

  test('a version is published, with what it means in words; the list has who and when', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong')
    await write(page, version('1.0.1', 'Calls'))
    await page.getByRole('button', { name: 'Publish …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish gong?' })
    await dialog.getByText('No account has major 1 yet; 1.0.0 of the package serves it.').waitFor()
    await dialog.getByText('Then the published 1.0.1 serves').waitFor()
    await dialog.getByText('1.0.0 → 1.0.1; the changes ask for a patch step.').waitFor()
    await dialog.getByText('Note: gong 1.0.0 of the package is not served while').waitFor()
    await expectAccessible(page)
    await screenshot(page, 'manifests-publish')
    await dialog.getByLabel('What is new').fill('A shorter title')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('gong 1.0.1 is published. The published 1.0.1 serves now.').waitFor()
    await page.getByText('To publish it, change it first.').waitFor()
    await page.getByText('Version 1.0.1 · no errors').waitFor()
    expect(await page.getByText('changed here').count()).toBe(0)
    await page.getByRole('tab', { name: 'Versions' }).click()
    const row = page.getByRole('row', { name: '1.0.1' })
    await row.getByText('Serves').waitFor()
    await row.getByText('A shorter title').waitFor()
    await row.getByText('by first application').waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('what breaks is refused with the way out', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong')
    const broken = version('1.0.2', 'Calls').replace(
      /\n {2}library_folders:\n[^]*?(?=\n {2}\w)/,
      '',
    )
    expect(broken.length).toBeLessThan(text.length - 100)
    await write(page, broken)
    await page.getByRole('button', { name: 'Publish …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish gong?' })
    await dialog.getByRole('alert').getByText('make connector.version 2.0.0').waitFor()
    expect(await dialog.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an earlier version is brought back, and the packaged one when none is published', async () => {
    const { page, faults } = await world.enter('/manifests?connector=gong', {
      viewport: { width: 390, height: 844 },
    })
    await write(page, version('1.0.3', `Calls ${'of a very long name '.repeat(8)}`.trim()))
    await page.getByRole('button', { name: 'Publish …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Version 1.0.3 · no errors').waitFor()
    await page.getByRole('tab', { name: 'Versions' }).click()
    const rowOf = (number: string) => page.getByRole('row', { name: number })
    await rowOf('1.0.1').getByRole('button', { name: 'Roll back …' }).click()
    const back = page.getByRole('dialog', { name: 'Roll back to gong 1.0.1?' })
    await expectAccessible(page)
    await screenshot(page, 'manifests-roll-back-phone')
    await back.getByRole('button', { name: 'Roll back' }).click()
    await page.getByText('Version 1.0.1 · no errors').waitFor()
    await rowOf('1.0.1').getByText('Serves').waitFor()
    await rowOf('1.0.3').getByText('Earlier').waitFor()
    await screenshot(page, 'manifests-versions-phone')
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(390)
    await rowOf('1.0.1').getByRole('button', { name: 'Unpublish …' }).click()
    const end = page.getByRole('dialog', { name: 'Unpublish gong 1.0.1?' })
    await end.getByText('Then 1.0.0 of the package serves').waitFor()
    await end.getByRole('button', { name: 'Unpublish' }).click()
    await page.getByText('Version 1.0.0 · no errors').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })
})
