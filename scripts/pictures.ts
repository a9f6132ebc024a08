// Pictures of the console for the README and docs/console.md: a service with local vendors and some hours of made-up work.
// `npm run pictures` writes them to docs/pictures. Needs a Chromium.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

import { createSystemClock } from '../src/engine/adapters/system-clock.ts'
import { eventually } from '../test/faults/resources.ts'
import { findChromium, openBrowser } from '../test/fixtures/browser.ts'
import { signedIn } from '../test/fixtures/console-session.ts'
import { type RunningService, runService } from '../test/fixtures/running-service.ts'
import { buildConsole } from './build-console.ts'

const FOLDER = 'docs/pictures'
const HOUR_MS = 3_600_000
/** So long ago the work began. */
const HOURS = 11
const WRITTEN_MS = 1_500

const ACCOUNTS = [
  { type: 'gong', name: 'Northwind calls', external_user_id: 'northwind' },
  { type: 'jira', name: 'Contoso issues', external_user_id: 'contoso' },
  { type: 'jira', name: 'Fabrikam issues', external_user_id: 'fabrikam' },
  { type: 'stripe', name: 'Contoso payments', external_user_id: 'contoso' },
  { type: 'slack', name: 'Tailspin chat', external_user_id: 'tailspin' },
  { type: 'github', name: 'Fabrikam code', external_user_id: 'fabrikam' },
] as const

/** What is asked of an account of each connector, again and again. */
const CALLS = {
  gong: [{ entity: 'calls', action: 'list', params: { fromDateTime: '2024-01-01T00:00:00Z' } }],
  jira: [
    { entity: 'issues', action: 'api_search', params: { jql: 'project = OPS' } },
    { entity: 'users', action: 'list', params: {} },
  ],
  stripe: [{ entity: 'customers', action: 'list', params: {} }],
  slack: [{ entity: 'users', action: 'list', params: {} }],
  github: [{ entity: 'current_user', action: 'get', params: {} }],
} as const
const MISTAKE = { entity: 'issues', action: 'get', params: { issueIdOrKey: 'OPS-404' } }

interface Picture {
  readonly name: string
  readonly path: string
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
}

const real = createSystemClock()
let behindMs = 0
const consoleFolder = mkdtempSync(join(tmpdir(), 'tenon-pictures-'))
try {
  await buildConsole(consoleFolder)
  const clock = { ...real, now: () => real.now() - behindMs }
  await using running = await runService({ jobs: true, clock }, { consoleFolder })
  const ids = await work(running)
  await using browser = await openBrowser(await chromium())
  const { page } = await browser.page({ viewport: { width: 1280, height: 800 } }, [
    await signedIn(running),
  ])
  mkdirSync(FOLDER, { recursive: true })
  for (const { name, path, act } of picturesOf(ids)) {
    await page.goto(`${running.url}/console${path}`)
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
    await page.waitForLoadState('networkidle')
    await act?.(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}.png`, caret: 'hide' })
    }
  }
} finally {
  rmSync(consoleFolder, { recursive: true, force: true })
}

async function chromium(): Promise<NonNullable<Awaited<ReturnType<typeof findChromium>>>> {
  const found = await findChromium()
  if (found === null) throw new Error('no Chromium here: install one, or set CHROMIUM_PATH')
  return found
}

/** Hours of work, in the last of which one vendor fails. Gives the ids of the accounts by their names. */
async function work(running: RunningService): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  behindMs = HOURS * HOUR_MS
  for (const { type, ...more } of ACCOUNTS) ids.set(more.name, await running.connect(type, more))
  const gong = ids.get('Northwind calls') ?? ''
  await eventually(async () => (await syncsOf(running, gong)).every(isReady), 60_000)
  for (; behindMs > 0; behindMs -= HOUR_MS) {
    if (behindMs === HOUR_MS)
      running.vendor('gong').fail('*', { mode: 'status', status: 500, times: 100_000 })
    for (const { type, name } of ACCOUNTS) await callsOf(running, type, ids.get(name) ?? '')
    // Waits for time: entries of the log are written behind the answers, and each must be in its own hour.
    await sleep(WRITTEN_MS)
  }
  behindMs = 0
  await running.call('POST', `/v1/integrations/connectors/${gong}/sync`, {})
  await eventually(async () => (await syncsOf(running, gong)).some(isFailing), 60_000)
  return ids
}

async function callsOf(
  running: RunningService,
  type: keyof typeof CALLS,
  id: string,
): Promise<void> {
  const hour = HOURS - behindMs / HOUR_MS
  for (const body of CALLS[type])
    // More of it towards noon.
    for (let n = 0; n < 2 + ((hour * 5) % 7); n++)
      await running.call('POST', `/v1/connectors/sources/${id}/execute`, body)
  if (type === 'jira' && hour % 3 === 0)
    await running.call('POST', `/v1/connectors/sources/${id}/execute`, MISTAKE)
}

interface SyncOfEntity {
  readonly state: string
  readonly failures: number
}

async function syncsOf(running: RunningService, id: string): Promise<readonly SyncOfEntity[]> {
  const { body } = await running.call('GET', `/v1/integrations/connectors/${id}/sync`)
  return (body as { readonly data: readonly SyncOfEntity[] }).data
}

function isReady({ state }: SyncOfEntity): boolean {
  return state === 'ready'
}

function isFailing({ failures }: SyncOfEntity): boolean {
  return failures > 0
}

function picturesOf(ids: ReadonlyMap<string, string>): readonly Picture[] {
  const jira = ids.get('Contoso issues') ?? ''
  return [
    { name: 'overview', path: '/overview' },
    {
      name: 'explorer',
      path: `/explorer?instance=${jira}&entity=issues&action=api_search`,
      async act(page) {
        await page.getByLabel('jql').fill('project = OPS')
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await page.getByRole('grid').first().waitFor()
      },
    },
    {
      name: 'search',
      path: `/search?instance=${jira}&entity=issues`,
      async act(page) {
        await page.getByRole('searchbox').first().fill('login')
        await page.keyboard.press('Enter')
        await page.waitForLoadState('networkidle')
      },
    },
  ]
}
