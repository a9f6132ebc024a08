// The resident memory of a service comes back once the load is over, under Linux.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createHttpVendor, sendJson } from '../faults/http-vendor.ts'
import { eventually } from '../faults/resources.ts'
import { RUNS_LONG } from '../fixtures/sizes.ts'
import { type Answer, execute, folderFleet } from './processes.ts'

const COPIES = 8
const RECORDS = 20_000
const PAGE = 1_000
/** MiB above what it was before: pages of databases and heaps that are kept for the next load. */
const MAX_KEPT = 350

const WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ')

function text(n: number): string {
  return Array.from(
    { length: 40 },
    (_, at) => `${WORDS[(n * 7 + at * 3) % WORDS.length]}${(n * at) % 997}`,
  ).join(' ')
}

test.runIf(RUNS_LONG && existsSync('/proc/self/status'))(
  `X4 half a minute after ${COPIES} syncs of ${RECORDS} records, searches and large pages the resident memory is at most ${MAX_KEPT} MiB above the one before`,
  async () => {
    await using vendor = await createHttpVendor(({ url }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://vendor')
      const at = Number(searchParams.get('cursor') ?? 0)
      const items = Array.from({ length: PAGE }, (_, n) => ({
        id: `n${at + n}`,
        text: text(at + n),
        updated: '2026-01-01T00:00:00Z',
      }))
      const isLast = pathname === '/customers' || at + PAGE >= RECORDS
      sendJson(response, isLast ? { items } : { items, next: String(at + PAGE) })
    })
    await using fleet = folderFleet()
    const manifests = ['acme.yaml', 'notes.yaml'].map((file) => join(import.meta.dirname, file))
    const serve = await fleet.start({
      env: { TENON_MANIFESTS: manifests.join(','), TENON_CONNECTORS: 'acme,notes' },
    })
    const residentMib = (): number => {
      const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${serve.pid}/status`, 'utf8')) ?? []
      return Number(kib) / 1024
    }
    const connect = async (connector_type: string): Promise<string> => {
      const { body } = await serve.call('POST', '/v1/integrations/connectors?check=false', {
        external_user_id: 'user-1',
        connector_type,
        name: connector_type,
        credentials: { api_key: 'key-of-notes' },
        server_url: vendor.url,
      })
      return (body as { readonly id: string }).id
    }
    const customers = await connect('acme')
    const before = residentMib()
    let peak = before
    const copies: string[] = []
    for (let n = 0; n < COPIES; n++) copies.push(await connect('notes'))
    const isFilled = async (id: string): Promise<boolean> => {
      peak = Math.max(peak, residentMib())
      const { body } = await serve.call('GET', `/v1/integrations/connectors/${id}/sync`)
      return (body as { data?: readonly { complete: boolean }[] }).data?.[0]?.complete === true
    }
    for (const id of copies) await eventually(() => isFilled(id), 600_000)
    const ask = async (n: number): Promise<Answer> =>
      n % 4 === 0
        ? await execute(serve, customers, 'customers.list')
        : await execute(serve, copies[n % COPIES] ?? '', 'notes.search', {
            query: { filter: { keyword: { text: WORDS[n % WORDS.length] ?? '' } } },
          })
    for (let round = 0; round < 4; round++)
      await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n)))
    peak = Math.max(peak, residentMib())
    // Waits for time: threads look after themselves every five seconds.
    await sleep(30_000)
    const after = residentMib()
    process.stdout.write(
      `resident: ${Math.round(before)} MiB before, ${Math.round(peak)} at most, ${Math.round(after)} behind the load\n`,
    )
    expect(after - before).toBeLessThan(MAX_KEPT)
    expect((await ask(1)).status).toBe(200)
    await serve.stop()
  },
)
