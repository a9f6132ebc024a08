// How long the console takes from an input to the next paint, with 1,000 rows on the screen.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { buildConsole } from '../scripts/build-console.ts'
import { findChromium, openBrowser } from '../test/fixtures/browser.ts'
import { runService } from '../test/fixtures/running-service.ts'
import type { Row } from './row.ts'
import { spreadOf } from './statistics.ts'

const ROWS = 1_000
const ROUNDS = 3
/** What is pressed in a round, each so many times: moving, paging, sorting, widening. */
const KEYS = ['ArrowDown', 'ArrowRight', 'PageDown', 'Control+Home', 'Control+End', 'ArrowLeft']
const HEAD_KEYS = ['Enter', 'Shift+ArrowRight', 'Shift+ArrowLeft']
const TIMES = 10

/** Taken by the page itself: the frame behind the one in which the input was handled has been painted before. */
const WATCH = `(() => {
  window.latencies = []
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.latencies.push(performance.now() - timeStamp)
        port2.postMessage(null)
      }), { capture: true })
})()`

export const consoleRow: Row = {
  name: 'console',
  about: 'time from an input to the next paint, in a grid of 1,000 rows and in their JSON',
  async run() {
    const found = await findChromium()
    if (found === null) throw new Error('no Chromium: install one, or set CHROMIUM_PATH')
    const folder = await mkdtemp(join(tmpdir(), 'tenon-bench-console-'))
    try {
      await buildConsole(folder)
      await using service = await runService({}, { consoleFolder: folder })
      await using browser = await openBrowser(found)
      const jira = await service.connect('jira')
      const { page } = await browser.page()
      const place = `/explorer?instance=${jira}&entity=issues&action=api_search`
      await signIn(page, service, place)
      const worst: number[] = []
      const middle: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const taken = (await latenciesOf(page)).toSorted((a, b) => a - b)
        worst.push(taken[Math.ceil(taken.length * 0.95) - 1] ?? Number.NaN)
        middle.push(spreadOf(taken).median)
      }
      return [
        {
          title: `${ROWS} rows of a grid, and their JSON, by keys`,
          unit: 'ms from input to paint',
          sides: [{ name: 'median', ...spreadOf(middle) }],
          figures: [
            {
              name: '95 of 100',
              unit: 'ms',
              ...spreadOf(worst),
              must: { atMost: 100 },
              goal: { atMost: 50 },
            },
          ],
        },
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function signIn(
  page: Page,
  { service, url }: Awaited<ReturnType<typeof runService>>,
  place: string,
): Promise<void> {
  const { clientId = '', clientSecret = '' } = service.firstApplication ?? {}
  await page.goto(`${url}/console${place}`)
  await page.getByLabel('Client id').fill(clientId)
  await page.getByLabel('Client secret').fill(clientSecret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const records = Array.from({ length: ROWS }, (_none, index) => ({
    id: String(index + 1),
    count: (index * 7919) % ROWS,
    name: `Record ${index + 1}`,
    status: { name: index % 3 === 0 ? 'Open' : 'Done' },
    created: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
    tags: ['a', 'b', String(index)],
  }))
  await page.route('**/execute', (route) =>
    route.fulfill({ json: { data: records, meta: { has_more: false }, execution: EXECUTION } }),
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('grid', { name: 'Records' }).waitFor()
  await page.evaluate(WATCH)
}

async function latenciesOf(page: Page): Promise<readonly number[]> {
  await page.evaluate('window.latencies.length = 0')
  await page.getByRole('tab', { name: 'Table' }).click()
  await page.getByRole('columnheader', { name: 'count' }).focus()
  for (let time = 0; time < TIMES; time++)
    for (const key of HEAD_KEYS) await page.keyboard.press(key)
  await page.keyboard.press('ArrowDown')
  for (let time = 0; time < TIMES; time++) for (const key of KEYS) await page.keyboard.press(key)
  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.getByRole('tree', { name: 'JSON' }).focus()
  for (let time = 0; time < TIMES; time++)
    for (const key of ['ArrowDown', 'Enter', 'PageDown', 'End', 'Home'])
      await page.keyboard.press(key)
  await page.getByLabel('Find in the JSON').pressSequentially('record 500')
  return (await page.evaluate('window.latencies')) as readonly number[]
}

const EXECUTION = {
  request_id: 'request-1',
  connector_id: 'instance-1',
  connector_type: 'jira',
  connector_version: '1.0.0',
  upstream_requests: 1,
  took_ms: 5,
}
