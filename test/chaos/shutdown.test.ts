// The end of a process, ordered and not: every request that was let in gets an answer.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../faults/resources.ts'
import { type AcmeVendor, CLIENT, startAcmeVendor } from './acme-vendor.ts'
import {
  connectAcme,
  DEV_TOKEN,
  execute,
  type Fleet,
  folderFleet,
  SCALE,
  type ServeProcess,
} from './processes.ts'
import { sized } from '../fixtures/sizes.ts'

const CYCLES = sized(1, 5) * SCALE
const REQUESTS_PER_SECOND = 50

let vendor: AcmeVendor
const fleets: Fleet[] = []

beforeAll(async () => {
  vendor = await startAcmeVendor()
})
afterAll(async () => {
  for (const fleet of fleets) await fleet[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

/** A process with an embedded store of its own, and an instance. */
async function started(
  env: Readonly<Record<string, string>> = {},
): Promise<[ServeProcess, string, Fleet]> {
  const fleet = folderFleet()
  fleets.push(fleet)
  const one = await fleet.start({ env })
  return [one, await connectAcme(one, vendor.url, { api_key: 'key-of-acme' }), fleet]
}

interface Sent {
  readonly id: string
  /** A status, or what the socket said. */
  readonly result: number | string
}

/** Reads and writes at 50 a second, half of them over connections that stay open, until the process is gone. */
async function load(
  { call, child }: ServeProcess,
  instance: string,
  name: string,
): Promise<readonly Sent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const sent: Promise<Sent>[] = []
  for (let count = 0; child.exitCode === null; count++) {
    const id = `${name}-${count}`
    const [operation, params] =
      count % 4 < 2
        ? (['customers.list', {}] as const)
        : (['customers.create', { name: id }] as const)
    sent.push(
      execute({ call }, instance, operation, params, {
        headers: { 'x-request-id': id },
        ...(count % 2 === 0 ? { agent } : {}),
      }).then(
        ({ status }) => ({ id, result: status }),
        (error: NodeJS.ErrnoException) => ({ id, result: error.code ?? error.message }),
      ),
    )
    // Waits for time: it is a rate.
    await sleep(1000 / REQUESTS_PER_SECOND)
  }
  const all = await Promise.all(sent)
  agent.destroy()
  return all
}

test(`X1 of ${CYCLES} ends under load at ${REQUESTS_PER_SECOND} requests/s none leaves an accepted request unanswered`, async () => {
  const cycles = await Promise.all(
    Array.from({ length: CYCLES }, async (_, cycle) => {
      // Waits for time: the cycles end one after the other.
      await sleep(150 * cycle)
      const [one, instance] = await started()
      const loading = load(one, instance, `cycle-${cycle}`)
      // A machine with more to do than this answers late.
      const loaded = (): readonly unknown[] =>
        one
          .log()
          .filter(
            (line) => line['msg'] === 'request' && String(line['request_id']).startsWith('cycle-'),
          )
      await eventually(() => loaded().length > 15, 20_000)
      // Waits for time: each cycle ends at another moment of the load.
      await sleep(60 * cycle)
      const end = await one.stop()
      return { end, sent: await loading, log: one.log() }
    }),
  )
  for (const { end, sent, log } of cycles) {
    expect(end).toEqual({ code: 0, signal: null })
    const answered = sent.filter(({ result }) => typeof result === 'number')
    expect(answered.length).toBeGreaterThan(15)
    expect(answered.filter(({ result }) => result !== 200 && result !== 503)).toEqual([])
    // What got no answer was never let in: not in the log, not at the vendor.
    const unanswered = sent.filter(({ result }) => typeof result !== 'number')
    const known = new Map(log.map((line) => [line['request_id'], line['code']]))
    expect(unanswered.filter(({ id }) => known.has(id) || vendor.created.has(id))).toEqual([])
    expect([...known.values()]).not.toContain('aborted')
    // And what was answered with success happened once.
    for (const { id, result } of sent)
      if (vendor.created.has(id)) expect([result, vendor.created.get(id)]).toEqual([200, 1])
  }
})

/** Sends SIGTERM and waits until the process has noticed it. */
async function beginStop(one: ServeProcess): Promise<{ readonly end: ServeProcess['ended'] }> {
  const end = one.stop()
  await eventually(() => one.log().some(({ msg }) => msg === 'shutting down'))
  return { end }
}

describe.concurrent('X1 what is in flight at SIGTERM', () => {
  test('a request and refreshes come to their end, a connection that stayed open hears 503, a new one nothing', async () => {
    const [one, , fleet] = await started({ TENON_DRAIN_MS: '0' })
    const { refresh_token } = vendor.provider.connect()
    const instance = await connectAcme(one, vendor.url, { refresh_token, ...CLIENT })
    const agent = new Agent({ keepAlive: true })
    const askAgain = () => one.call('GET', '/v1/connectors', undefined, { agent })
    const abandoned = await connectAcme(one, vendor.url, {
      refresh_token: vendor.provider.connect().refresh_token,
      ...CLIENT,
    })
    const gate = vendor.hold('/token')
    const running = execute(one, instance, 'customers.list')
    const impatient = execute(
      one,
      abandoned,
      'customers.list',
      {},
      { headers: { prefer: 'wait=1' } },
    )
    await gate.arrived(2)
    expect((await impatient).body).toMatchObject({ code: 'deadline_exceeded' })
    expect((await askAgain()).status).toBe(200)
    const { end } = await beginStop(one)
    let open = await askAgain()
    while (open.status === 200) open = await askAgain()
    const fresh = await execute(one, instance, 'customers.list').then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    )
    expect([
      open.status,
      open.headers['connection'],
      open.headers['retry-after'],
      open.body,
    ]).toEqual([503, 'close', '1', expect.objectContaining({ code: 'shutting_down' })])
    expect(fresh).toBe('ECONNREFUSED')
    gate.open()
    expect((await running).status).toBe(200)
    expect((await end).code).toBe(0)
    // What the refreshes brought was stored, also where nobody waited any more: another process goes on with it.
    const { refreshes } = vendor.provider.counters
    const next = await fleet.start()
    expect((await execute(next, instance, 'customers.list')).status).toBe(200)
    expect((await execute(next, abandoned, 'customers.list')).status).toBe(200)
    expect(vendor.provider.counters.refreshes).toBe(refreshes)
    expect(vendor.provider.counters.replays).toBe(0)
  })

  test('a download arrives whole', async () => {
    const [one, instance] = await started()
    const bytes = 24 * 1024 ** 2
    const response = await fetch(`${one.url}/api/v1/connectors/sources/${instance}/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEV_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        entity: 'files',
        action: 'download',
        params: { bytes: String(bytes) },
      }),
    })
    const { end } = await beginStop(one)
    let received = 0
    for await (const chunk of response.body ?? []) received += (chunk as Uint8Array).length
    expect([response.status, received]).toEqual([200, bytes])
    expect((await end).code).toBe(0)
  })

  test('readiness says no while it drains, and everything else goes on', async () => {
    const [one, instance] = await started({ TENON_DRAIN_MS: '10000' })
    const { end } = await beginStop(one)
    let ready = await one.call('GET', '/readyz')
    while (ready.status === 200) ready = await one.call('GET', '/readyz')
    const work = await execute(one, instance, 'customers.list')
    expect([ready.status, ready.body, work.status, work.headers['connection']]).toEqual([
      503,
      expect.objectContaining({ checks: expect.objectContaining({ process: 'draining' }) }),
      200,
      'close',
    ])
    expect((await end).code).toBe(0)
  })

  test('a second signal ends it at once with 1', async () => {
    const [one, instance] = await started()
    const gate = vendor.hold('POST /customers')
    const running = execute(one, instance, 'customers.create', { name: 'second signal' }).catch(
      () => 'broke off',
    )
    await gate.arrived()
    await beginStop(one)
    // The write is still held at the vendor: nothing but the second signal ends the process.
    expect(await one.stop()).toEqual({ code: 1, signal: null })
    expect(await running).toBe('broke off')
    gate.open()
  })
})
