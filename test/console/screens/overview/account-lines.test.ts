// Accounts that fail together: each has a line with what fails of it, for how long, and when that is tried next.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HELD_BACK } from '../../../../src/copy/sync/run-record.ts'
import { screenshot } from '../../../fixtures/browser.ts'
import { chromium, type ConsoleWorld, expectAccessible, openConsole } from '../../console-page.ts'

const MINUTE = 60_000
const EU = 'Jira of the Amalgamated Widget Works, branch office for Central and Northern Europe'
const DE = 'Jira of Acme DE'

const COMMENTS = 'Jira Cloud: issue_comments.list failed (status 500)'
const ISSUES = 'Jira Cloud: issues.api_search failed (status 500)'
const PROJECTS = 'Jira Cloud: projects.search was refused (status 429)'

let world: ConsoleWorld
const ids = new Map<string, string>()
/** What the copies themselves say of it: the moments of their next attempts, from now; null: it is being tried. */
const PLANNED: Readonly<Record<string, readonly (readonly [string, string, number | null])[]>> = {
  [EU]: [
    ['issue_comments', 'upstream_failed', 8.5],
    ['projects', 'upstream_rate_limited', null],
  ],
  [DE]: [
    ['users', 'upstream_failed', 1.5],
    ['issues', 'upstream_failed', 3.5],
  ],
}

describe.skipIf(chromium === null)('accounts that fail together', () => {
  beforeAll(async () => {
    world = await openConsole()
    const now = Date.now()
    const put = async (
      name: string,
      entity: string,
      code: string,
      detail: string,
      minutes: number,
    ): Promise<void> => {
      const since = now - minutes * MINUTE
      const copy = { entity, code, detail, since, failures: 2, failedAt: now }
      await world.service.service.store.syncFailures.put({
        ...copy,
        instanceId: ids.get(name) ?? '',
      })
    }
    const connect = async (name: string, type: string, user: string): Promise<void> => {
      ids.set(name, await world.service.connect(type, { name, external_user_id: user }))
    }
    await connect(EU, 'jira', 'acme-1')
    await connect(DE, 'jira', 'acme-1')
    await put(EU, 'issue_comments', 'upstream_failed', COMMENTS, 7)
    await put(EU, 'projects', 'upstream_rate_limited', PROJECTS, 2)
    await put(DE, 'issues', 'upstream_failed', ISSUES, 5)
    await put(DE, 'users', 'upstream_failed', HELD_BACK + ISSUES, 4)
    for (let account = 1; account <= 7; account++) {
      await connect(`Calls ${account}`, 'gong', 'calls-1')
      await put(`Calls ${account}`, 'calls', 'upstream_timeout', 'Gong: calls.list failed', 30)
    }
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.for([
    { path: '/overview', width: 1280, colorScheme: 'light' },
    { path: '/overview', width: 390, colorScheme: 'dark' },
    { path: '/sync', width: 1280, colorScheme: 'dark' },
    { path: '/sync', width: 390, colorScheme: 'light' },
  ] as const)('have a line each at $path, $width px wide', async ({ path, width, colorScheme }) => {
    const { page, faults } = await world.enter('/instances/new', {
      viewport: { width, height: 844 },
      colorScheme,
    })
    await page.route('**/last-syncs?*', async (route) => {
      const answer = await route.fetch()
      const { data } = (await answer.json()) as { readonly data: { connector_id: string }[] }
      const told = data.map((each) => {
        const name = [...ids].find(([, id]) => id === each.connector_id)?.[0] ?? ''
        const failing = (PLANNED[name] ?? []).map(([entity, code, minutes]) => ({
          entity,
          code,
          next_attempt_at:
            minutes === null ? null : new Date(Date.now() + minutes * MINUTE).toISOString(),
        }))
        return { ...each, failing, ...(failing.length > 0 && { state: 'error' }) }
      })
      await route.fulfill({ json: { data: told } })
    })
    await page.goto(`${world.service.url}/console${path}`)
    const failing = page.getByRole('region', { name: 'Failing syncs' })
    const user = failing.getByRole('listitem').filter({ hasText: '2 accounts of acme-1' })
    await user.getByText('being tried now').waitFor()
    await user.getByRole('link', { name: 'Status page of the third party' }).waitFor()
    const lines = (await user.innerText()).split('\n').filter((line) => line !== '')
    expect(lines).toEqual([
      '2 accounts of acme-1',
      'Jira Cloud: more than one operation failed (status 500) upstream_failed',
      `${EU}: issue_comments for 7 minutes, next attempt in 8 minutes. Also projects for 2 minutes, being tried now: upstream_rate_limited`,
      `${DE}: issues for 5 minutes, next attempt in 3 minutes. Held back: users. Waiting for what fails: issue_comments, issue_worklogs`,
      'Last failure just now.',
      'Who acts: the third party.',
      'Who acts: nobody, as it is over when the third party allows more calls; where it comes often, ask there for a higher limit, or call less often.',
      'jira: Status page of the third party',
    ])
    const many = failing.getByRole('listitem').filter({ hasText: '7 accounts of calls-1' })
    expect(await many.getByRole('link', { name: /^Calls \d$/ }).count()).toBe(5)
    const more = many.getByRole('link', { name: 'and 2 more' })
    expect(await more.getAttribute('href')).toMatch(/external_user_id=calls-1&sync=failing$/)
    await expectAccessible(page)
    await screenshot(page, `account-lines${path.replace('/', '-')}-${width}`)
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(width)
    expect(faults).toEqual([])
    await page.context().close()
  })
})
