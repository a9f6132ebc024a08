// `tenon serve --processes`: several processes on one port behave like one service, when one dies and when all are replaced.
import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../faults/resources.ts'
import { type AcmeVendor, startAcmeVendor } from './acme-vendor.ts'
import {
  connectAcme,
  execute,
  type Fleet,
  folderFleet,
  postgresFleet,
  type ServeProcess,
} from './processes.ts'

const CALLERS = 6
const WAIT_MS = 120_000

let vendor: AcmeVendor
let fleet: Fleet | null
let service: ServeProcess

beforeAll(async () => {
  vendor = await startAcmeVendor()
  fleet = await postgresFleet()
  if (fleet !== null) service = await fleet.start({ args: ['--processes', '2'] })
})
afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

/** The processes that took requests so far, by their numbers, in the order in which they began. */
function began(): readonly { readonly process: number; readonly pid: number }[] {
  return service
    .log()
    .filter(({ msg }) => msg === 'a process of the service takes requests')
    .map(({ process, pid }) => ({ process: Number(process), pid: Number(pid) }))
}

async function ready(): Promise<unknown> {
  return (await service.call('GET', '/readyz')).body
}

const BOTH = { status: 'ready', processes: { wanted: 2, running: 2 } }

async function bothRun(): Promise<void> {
  await eventually(async () => {
    const { processes } = (await ready()) as { readonly processes: { readonly running: number } }
    return processes.running === 2
  }, WAIT_MS)
  expect(await ready()).toMatchObject(BOTH)
}

/** Callers that go on whatever happens: the statuses that were answered, and what connections ended with. */
function keepAsking(id: string, agent: Agent | undefined) {
  const outcomes: (number | string)[] = []
  const ending = new AbortController()
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!ending.signal.aborted)
      outcomes.push(
        await execute(service, id, 'customers.list', {}, agent === undefined ? {} : { agent }).then(
          ({ status }) => status,
          (error: Error) => error.message,
        ),
      )
  })
  return {
    outcomes,
    async more(count: number) {
      const from = outcomes.length
      await eventually(() => outcomes.length >= from + count, WAIT_MS)
    },
    async end() {
      ending.abort()
      await Promise.all(callers)
    },
  }
}

test('two processes are one service: one port, one health, metrics of both', async (context) => {
  if (fleet === null) return context.skip('no PostgreSQL')
  await bothRun()
  // What a process writes into the log arrives behind what it says to the others.
  await expect
    .poll(() =>
      began()
        .map(({ process }) => process)
        .toSorted((a, b) => a - b),
    )
    .toEqual([1, 2])
  expect(service.output.err.match(/Tenon listens on/g)).toHaveLength(1)
  const { text } = await service.call('GET', '/metrics')
  expect(text).toMatch(/^process_start_time_seconds\{process="1"\} /m)
  expect(text).toMatch(/^process_start_time_seconds\{process="2"\} /m)
  expect(text.match(/^# TYPE tenon_http_requests_total /gm)).toHaveLength(1)
  expect((await service.call('GET', '/healthz')).status).toBe(200)
})

test('one that is killed under load is replaced; the other one answers meanwhile', async (context) => {
  if (fleet === null) return context.skip('no PostgreSQL')
  const id = await connectAcme(service, vendor.url, { api_key: 'key-of-acme' })
  const asking = keepAsking(id, undefined)
  await asking.more(20)
  const before = began()
  const killed = before.at(-1)
  if (killed === undefined) throw new TypeError('two processes began')
  process.kill(killed.pid, 'SIGKILL')
  await asking.more(20)
  await eventually(() => began().length === before.length + 1, WAIT_MS)
  await bothRun()
  const restarted = asking.outcomes.length
  await asking.more(20)
  await asking.end()
  expect(began().at(-1)?.process).toBe(killed.process)
  expect(service.log()).toContainEqual(
    expect.objectContaining({
      level: 'error',
      process: killed.process,
      signal: 'SIGKILL',
      again_in_ms: 1_000,
    }),
  )
  // What it had under way broke off; nothing else failed.
  const broken = asking.outcomes.filter((outcome) => outcome !== 200)
  expect(broken.filter((outcome) => typeof outcome === 'number')).toEqual([])
  expect(broken.length).toBeLessThanOrEqual(CALLERS)
  expect(new Set(asking.outcomes.slice(restarted))).toEqual(new Set([200]))
})

test.for([
  ['of their own', false],
  ['that are kept open', true],
] as const)(
  'SIGHUP replaces all under load, and no request on connections %s is lost',
  async ([, isKept], context) => {
    if (fleet === null) return context.skip('no PostgreSQL')
    const id = await connectAcme(service, vendor.url, { api_key: 'key-of-acme' })
    const agent = isKept ? new Agent({ keepAlive: true }) : undefined
    const asking = keepAsking(id, agent)
    await asking.more(20)
    const before = began()
    service.signal('SIGHUP')
    await eventually(() => began().length === before.length + 2, WAIT_MS)
    await asking.more(20)
    // Those that were replaced end by themselves when nobody uses their connections any more.
    const gone = before.slice(-2).map(({ pid }) => pid)
    await eventually(() => gone.every((pid) => !isAlive(pid)), WAIT_MS)
    await asking.more(20)
    await asking.end()
    agent?.destroy()
    expect(new Set(asking.outcomes)).toEqual(new Set([200]))
    expect(await ready()).toMatchObject(BOTH)
  },
)

test('SIGTERM ends all, and the command with them', async (context) => {
  if (fleet === null) return context.skip('no PostgreSQL')
  const pids = began().map(({ pid }) => pid)
  expect(await service.stop()).toEqual({ code: 0, signal: null })
  expect(pids.filter(isAlive)).toEqual([])
})

test('a data folder belongs to one process, and a setting that is wrong ends the command', async () => {
  await using folder = folderFleet()
  const refused = await folder.run(['serve', '--processes', '2'])
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('DATABASE_URL')])
  const away = { DATABASE_URL: 'postgres://127.0.0.1:1/none', TENON_MASTER_KEYS: 'no key' }
  const failed = await folder.run(['serve', '--processes', '2'], away)
  expect(failed.code).not.toBe(0)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
