// Addresses that name what is not there: each screen says so, and shows nothing else as if it were that.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot } from '../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../console-page.ts'

let world: ConsoleWorld
let jira: string

describe.skipIf(chromium === null)('what an address names and what is not there', () => {
  beforeAll(async () => {
    world = await openConsole({ jobs: true })
    jira = await world.service.connect('jira')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([
    { at: '/search?instance=JIRA&entity=foo', says: 'There is no entity “foo”' },
    { at: '/explorer?instance=JIRA&entity=foo&action=get', says: 'There is no entity “foo”' },
    {
      at: '/explorer?instance=JIRA&entity=issues&action=foo',
      says: 'There is no operation “issues.foo”',
    },
    { at: '/instances/JIRA?view=foo', says: 'There is no tab “foo”: the overview is shown.' },
    {
      at: '/settings?part=foo',
      says: 'There is no part of the settings “foo”: Applications is shown.',
    },
    {
      at: '/settings?part=audit&hours=5',
      says: 'There is no period of hours “5”: events of any time are shown.',
    },
    {
      at: '/overview?minutes=5',
      says: 'There is no period of minutes “5”: the last 24 hours are shown.',
    },
    {
      at: '/logs?minutes=foo',
      says: 'There is no period of minutes “foo”: entries of any time are shown.',
    },
    {
      at: '/overview?minutes=zzz',
      says: 'There is no period of minutes “zzz”: the last 24 hours are shown.',
    },
    {
      at: '/logs?result=purple',
      says: 'There is no filter “result”: the entries are not narrowed by it.',
    },
    {
      at: '/instances?state=purple',
      says: 'There is no state “purple”: accounts in any state are shown.',
    },
    {
      at: '/sync?state=purple',
      says: 'There is no state “purple”: accounts in any state are shown.',
    },
    {
      at: '/instances?sync=purple',
      says: 'There is no kind of syncs “purple”: accounts with any syncs are shown.',
    },
    {
      at: '/sync?sync=purple',
      says: 'There is no kind of syncs “purple”: accounts with any syncs are shown.',
    },
    {
      at: '/instances/new?connector=nope',
      says: 'There is no connector “nope”: those that there are stand below.',
    },
    {
      at: '/manifests?connector=nope',
      says: 'There is no connector “nope”: a manifest can be begun below.',
    },
    {
      at: '/search?instance=JIRA&entity=issues#query={bad',
      says: 'The query in the address cannot be read: what stands below is searched in its place.',
    },
    {
      at: '/explorer?instance=JIRA&entity=issues&action=api_search#params={bad',
      says: 'The parameters in the address cannot be read: the form has what was there before.',
    },
    { at: '/manifests?draft=foo', says: 'There is no draft “foo”: what this tab has is below.' },
  ])('$at', async ({ at, says }) => {
    const { page, faults } = await world.enter(at.replace('JIRA', jira))
    await page.getByText(says).waitFor()
    await expectAccessible(page)
    await screenshot(page, `not-there ${at.slice(1, 9)}`)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an unknown entity leads to those that can be searched, and its address stays', async () => {
    const { page, faults } = await world.enter(`/search?instance=${jira}&entity=foo`)
    await page.getByText('There is no entity “foo”').waitFor()
    expect(page.url()).toMatch(/entity=foo$/)
    await page.getByRole('link', { name: 'Issues', exact: true }).click()
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
    expect(page.url()).toContain('entity=issues')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.for([
    { at: '/instances?connector_type=foo', label: 'Connector', shows: 'foo' },
    { at: '/logs?minutes=30', label: 'Time', shows: 'last 30 minutes' },
    { at: '/settings?part=audit&action=foo.bar', label: 'Action', shows: 'foo.bar' },
    { at: '/settings?part=audit&actor=foo', label: 'Who', shows: 'foo' },
  ])('a field of choice shows what narrows the list: $at', async ({ at, label, shows }) => {
    const { page, faults } = await world.enter(at)
    const chosen = page.getByRole('combobox', { name: label }).locator('option:checked')
    await chosen.filter({ hasText: shows }).waitFor({ state: 'attached', timeout: 20_000 })
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('the other tabs of an account are where they are', async () => {
    const { page } = await world.enter(`/instances/${jira}?view=logs`)
    await page.waitForURL(`**/logs?instance=${jira}`)
    expect(await page.getByText('There is no tab').count()).toBe(0)
    await page.context().close()
  })
})
