// Three processes on one PostgreSQL keep the rates of a third party together.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createHttpVendor, sendJson } from '../faults/http-vendor.ts'
import { eventually } from '../faults/resources.ts'
import { RUNS_LONG } from '../fixtures/sizes.ts'
import { connectAcme, execute, keepCalling, postgresFleet, SCALE } from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-rates-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Few enough for a busy machine to make so many calls. */
const PER_SECOND = SCALE > 1 ? 10 : 5
/**
 * How much of a rate is used up, before a kill and after it: a twentieth goes with the way of counting, and the first
 * second is short of nothing. A machine that is busy with others makes fewer calls, so there it only has to go on: one
 * that let this process wait for so long, and one of continuous integration.
 */
function usedAtLeast(stallMs: number): readonly [whole: number, afterKill: number] {
  return SCALE > 1 && stallMs < 100 ? [0.75, 0.6] : [0.2, 0.2]
}
/** On the way from the grant to the vendor requests lose up to so much, on a machine that others use as well. */
const ON_THE_WAY_MS = 750

/** The longest time that this process, which is the vendor, could not look at its clock. */
function watchStalls(): { readonly worstMs: number; stop(): void } {
  let worstMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    worstMs = Math.max(worstMs, now - last - 10)
    last = now
  }, 10)
  return {
    get worstMs() {
      return worstMs
    },
    stop: () => clearInterval(timer),
  }
}

/** Acme with rates, and a vendor that notes when it was asked. */
async function metered(context: { skip: (note: string) => never }, limits: string) {
  const fleet = (await postgresFleet()) ?? context.skip('no PostgreSQL')
  const manifest = join(mkdtempSync(join(folder, 'm-')), 'acme.yaml')
  const text = readFileSync(join(import.meta.dirname, 'acme.yaml'), 'utf8')
  writeFileSync(manifest, text.replace(/^limits: .*$/m, `limits: ${limits}`))
  const at: number[] = []
  let refuse = 0
  const vendor = await createHttpVendor(async (_request, response) => {
    at.push(performance.now())
    if (refuse > 0) {
      refuse--
      response.setHeader('retry-after', '12')
      return sendJson(response, { error: 'slow down' }, { status: 429 })
    }
    sendJson(response, { items: [] })
  })
  const start = (count: number) => fleet.startAll(count, { env: { TENON_MANIFESTS: manifest } })
  return {
    start,
    at,
    url: vendor.url,
    refuseOne: () => void (refuse = 1),
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]()
      await vendor[Symbol.asyncDispose]()
    },
  }
}

/** The most of these moments that any span of so many milliseconds holds. */
function mostWithin(ms: number, at: readonly number[]): number {
  return Math.max(...at.map((from) => at.filter((time) => time >= from && time < from + ms).length))
}

test('U1 three processes together stay within a rate, use it up, and one that is killed keeps nothing of it', async (context) => {
  await using set = await metered(context, `{ rate: [${PER_SECOND}/s, 100000/d] }`)
  const [one, two, doomed] = await set.start(3)
  if (one === undefined || two === undefined || doomed === undefined) throw new Error('three')
  const id = await connectAcme(one, set.url, { api_key: 'key-of-acme' })
  const stalls = watchStalls()
  const began = performance.now()
  const calling = keepCalling(
    [one, two].flatMap((process) =>
      Array.from({ length: 6 }, () => () => execute(process, id, 'customers.list')),
    ),
  )
  const dying = Array.from({ length: 6 }, async () => {
    while (await execute(doomed, id, 'customers.list').catch(() => null));
  })
  // Waits for time: what is counted are calls per second.
  await sleep(3000 * SCALE)
  await doomed.kill()
  await Promise.all(dying)
  const killedAt = performance.now()
  // Waits for time: as long as before.
  await sleep(3000 * SCALE)
  const endedAt = performance.now()
  await calling.end()
  const seen = set.at.filter((time) => time < endedAt)
  stalls.stop()
  const [used, usedAfterKill] = usedAtLeast(stalls.worstMs)
  // What arrives within such a span left within whole seconds.
  const lateMs = ON_THE_WAY_MS + stalls.worstMs
  const seconds = Math.ceil((lateMs + 500) / 1000)
  expect(mostWithin(seconds * 1000 - lateMs, seen)).toBeLessThanOrEqual(PER_SECOND * seconds)
  const allowed = (ms: number): number => (PER_SECOND * ms) / 1000
  expect(seen.length).toBeLessThanOrEqual(allowed(endedAt - began) + PER_SECOND)
  if (SCALE > 1)
    console.log(`${seen.length} of ${allowed(endedAt - began)}, late by ${lateMs} ms at most`)
  expect(seen.length).toBeGreaterThan(used * allowed(endedAt - began))
  const after = seen.filter((time) => time >= killedAt)
  expect(after.length).toBeGreaterThan(usedAfterKill * allowed(endedAt - killedAt))
  expect([...calling.statuses.keys()]).toEqual([200])
})

test('U1 the quota of a day is one for all processes, outlives them, and its end is told at once', async (context) => {
  await using set = await metered(context, '{ rate: 40/d }')
  const [one, two] = await set.start(2)
  if (one === undefined || two === undefined) throw new Error('two')
  const id = await connectAcme(one, set.url, { api_key: 'key-of-acme' })
  const call = (process: typeof one) => execute(process, id, 'customers.list')
  for (let turn = 0; turn < 10; turn++) expect((await call(turn % 2 ? one : two)).status).toBe(200)
  await two.kill()
  const [three] = await set.start(1)
  if (three === undefined) throw new Error('one more')
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => call(index % 2 ? one : three)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
  expect(set.at).toHaveLength(40)
  const late = await call(three)
  expect(late.body).toMatchObject({ code: 'upstream_rate_limited', retryable: true })
  expect(Number(late.headers['retry-after'])).toBeGreaterThan(20 * 3600)
})

test.runIf(RUNS_LONG)(
  'U1 a silence that one process was asked for is kept by the others',
  async (context) => {
    await using set = await metered(context, '{ concurrency: 10 }')
    const [one, two] = await set.start(2)
    if (one === undefined || two === undefined) throw new Error('two')
    const id = await connectAcme(one, set.url, { api_key: 'key-of-acme' })
    await Promise.all([one, two].map((process) => execute(process, id, 'customers.list')))
    set.refuseOne()
    const asked = set.at.length
    const refused = execute(one, id, 'customers.list')
    await eventually(() => set.at.length > asked)
    const ask = async (): Promise<unknown> =>
      (await execute(two, id, 'customers.list', {}, { headers: { prefer: 'wait=1' } })).body
    // Within moments the other one has heard of it; then it asks no more.
    await expect.poll(ask).toMatchObject({ code: 'upstream_rate_limited' })
    const before = set.at.length
    expect(await ask()).toMatchObject({ code: 'upstream_rate_limited' })
    expect(set.at).toHaveLength(before)
    expect((await refused).status).toBe(200)
  },
)
