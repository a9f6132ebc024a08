// How long the console takes from an input to the next paint, with 1,000 rows on the screen.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { buildConsole } from '../scripts/build-console.ts'
import { findChromium, openBrowser } from '../test/fixtures/browser.ts'
import { runService } from '../test/fixtures/running-service.ts'
import type { Line, Row } from './row.ts'
import { spreadOf } from './statistics.ts'

const ROWS = 1_000
const ROUNDS = 3
/** What is pressed in a round, each so many times: moving, paging, sorting, widening. */
const KEYS = ['ArrowDown', 'ArrowRight', 'PageDown', 'Control+Home', 'Control+End', 'ArrowLeft']
const HEAD_KEYS = ['Enter', 'Shift+ArrowRight', 'Shift+ArrowLeft']
const TREE_KEYS = ['ArrowDown', 'Enter', 'PageDown', 'End', 'Home']
const SOUGHT = 'record 500'
const TIMES = 10
/** Modifiers are pressed as keys of their own and change nothing on the screen: they would only lower the figures. */
const MODIFIERS = ['Shift', 'Control']
/** Milliseconds between two keys: a key that is held down repeats at most 30 times a second. */
const RATES = [
  { gap: 33, title: 'keys held down, 30 a second', must: { atMost: 100 }, goal: { atMost: 50 } },
  { gap: 0, title: 'keys as fast as a program sends them', must: null, goal: null },
] as const

/** Taken by the page itself: the frame behind the one in which the input was handled has been painted before. */
const WATCH = `(() => {
  window.latencies = []
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, ({ timeStamp, key }) => {
      if (${JSON.stringify(MODIFIERS)}.includes(key)) return
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.latencies.push(performance.now() - timeStamp)
        port2.postMessage(null)
      })
    }, { capture: true })
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
      const lines: Line[] = []
      for (const rate of RATES) lines.push(await measure(page, rate))
      return lines
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function measure(page: Page, rate: (typeof RATES)[number]): Promise<Line> {
  const worst: number[] = []
  const middle: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const taken = (await latenciesOf(page, rate.gap)).toSorted((a, b) => a - b)
    worst.push(taken[Math.ceil(taken.length * 0.95) - 1] ?? Number.NaN)
    middle.push(spreadOf(taken).median)
  }
  return {
    title: `${ROWS} rows of a grid, and their JSON, ${rate.title}`,
    unit: 'ms from input to paint',
    sides: [{ name: 'median', ...spreadOf(middle) }],
    figures: [
      { name: '95 of 100', unit: 'ms', ...spreadOf(worst), must: rate.must, goal: rate.goal },
    ],
  }
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

async function latenciesOf(page: Page, gap: number): Promise<readonly number[]> {
  const press = async (key: string): Promise<void> => {
    await setTimeout(gap)
    await page.keyboard.press(key)
  }
  await page.evaluate('window.latencies.length = 0')
  await page.getByRole('tab', { name: 'Table' }).click()
  await page.getByRole('columnheader', { name: 'count' }).focus()
  for (let time = 0; time < TIMES; time++) for (const key of HEAD_KEYS) await press(key)
  await press('ArrowDown')
  for (let time = 0; time < TIMES; time++) for (const key of KEYS) await press(key)
  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.getByRole('tree', { name: 'JSON' }).focus()
  for (let time = 0; time < TIMES; time++) for (const key of TREE_KEYS) await press(key)
  const find = page.getByLabel('Find in the JSON')
  await find.fill('')
  await find.pressSequentially(SOUGHT, { delay: gap })
  const presses = TIMES * (HEAD_KEYS.length + KEYS.length + TREE_KEYS.length) + 1 + SOUGHT.length
  const clicks = 2
  for (let looks = 0; looks < 200; looks++) {
    const taken = (await page.evaluate('window.latencies')) as readonly number[]
    if (taken.length >= presses + clicks) return taken
    await setTimeout(50)
  }
  throw new Error(`not every one of ${presses + clicks} inputs was timed`)
}

const EXECUTION = {
  request_id: 'request-1',
  connector_id: 'instance-1',
  connector_type: 'jira',
  connector_version: '1.0.0',
  upstream_requests: 1,
  took_ms: 5,
}
