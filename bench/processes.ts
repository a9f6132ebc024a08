// What more processes of `tenon serve` cost and bring on one PostgreSQL: processor time of a request, of the service's
// processes and of the database's sessions. Rates are those of this machine, which has all of them and the third party.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

import { startAcmeVendor } from '../test/chaos/acme-vendor.ts'
import {
  connectAcme,
  DEV_TOKEN,
  type Fleet,
  postgresFleet,
  type ServeProcess,
} from '../test/chaos/processes.ts'
import { eventually } from '../test/faults/resources.ts'
import { startPostgres } from './copy/stores.ts'
import { type LoadRequest, runLoad } from './load.ts'
import type { Line, Row } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'

const COUNTS = [1, 2] as const
const ROUNDS = 5
const CALLERS = 16
const CALLS = 1_500
const WARM_UP = 6_000
/** Of the kernel's counters, in a second. */
const CLOCK_TICKS = 100

interface Sample {
  readonly rate: number
  /** Microseconds of a request. */
  readonly serviceUs: number
  readonly databaseUs: number
  /** Of the database, of a request. */
  readonly transactions: number
  /** Of the requests, those of the process that had the most, in percent. */
  readonly largestPercent: number
}

export const processesRow: Row = {
  name: 'processes',
  about:
    'execute through 1 and 2 processes of tenon serve, each service with a database of its own',
  async run() {
    using _server = startPostgres()
    await using vendor = await startAcmeVendor()
    await using one = await postgresFleet()
    await using two = await postgresFleet()
    if (one === null || two === null) return []
    const sides = [await begin(one, 1, vendor.url), await begin(two, 2, vendor.url)] as const
    const samples = new Map<number, Sample[]>(COUNTS.map((count) => [count, []]))
    for (const { request } of sides) await runLoad(request, CALLERS, WARM_UP)
    for (let round = 0; round < ROUNDS; round++)
      for (const side of sides) samples.get(side.count)?.push(await measure(side))
    return linesOf(samples)
  },
}

interface Side {
  readonly count: number
  readonly fleet: Fleet
  readonly service: ServeProcess
  readonly request: LoadRequest
}

async function begin(fleet: Fleet, count: number, vendorUrl: string): Promise<Side> {
  const service = await fleet.start({ args: ['--processes', String(count)] })
  await eventually(async () => {
    const { body } = await service.call('GET', '/readyz')
    const { processes } = body as { readonly processes?: { readonly running: number } }
    return (processes?.running ?? 1) === count
  }, 120_000)
  const id = await connectAcme(service, vendorUrl, { api_key: 'key-of-acme' })
  const request: LoadRequest = {
    url: service.url,
    method: 'POST',
    path: `/api/v1/connectors/sources/${id}/execute`,
    headers: { authorization: `Bearer ${DEV_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entity: 'customers', action: 'list', params: {} }),
  }
  return { count, fleet, service, request }
}

async function measure({ count, fleet, service, request }: Side): Promise<Sample> {
  const used = async () => {
    const { text } = await service.call('GET', '/metrics')
    return { text, ...(await usedByDatabase(fleet)) }
  }
  const before = await used()
  const ms = await runLoad(request, CALLERS, CALLS)
  const after = await used()
  const between = (read: (of: typeof before) => number): number => read(after) - read(before)
  const shares = COUNTS.map((process) => between(({ text }) => requestsOf(text, process, count)))
  const all = shares.reduce((sum, share) => sum + share, 0)
  return {
    rate: (1000 * CALLS) / ms,
    serviceUs: (1e6 * between(({ text }) => sumOf(text, 'process_cpu_seconds_total'))) / CALLS,
    databaseUs: (1e6 * between(({ seconds }) => seconds)) / CALLS,
    transactions: between(({ transactions }) => transactions) / CALLS,
    largestPercent: (100 * Math.max(...shares)) / all,
  }
}

function linesOf(samples: ReadonlyMap<number, readonly Sample[]>): readonly Line[] {
  const of = (count: number, read: (sample: Sample) => number): readonly number[] =>
    (samples.get(count) ?? []).map(read)
  const line = (title: string, unit: string, read: (sample: Sample) => number): Line => ({
    title: `${title}, ${availableParallelism()} cores for all`,
    unit,
    sides: COUNTS.map((count) => ({
      name: count === 1 ? '1 process' : `${count} processes`,
      ...spreadOf(of(count, read)),
    })),
    figures: [
      {
        name: '2 processes / 1',
        unit: '×',
        ...ratioOf(of(2, read), of(1, read)),
        must: null,
        goal: null,
      },
    ],
  })
  return [
    line('requests', 'per second', ({ rate }) => rate),
    line('processor time of the service', 'µs a request', ({ serviceUs }) => serviceUs),
    line('processor time of PostgreSQL', 'µs a request', ({ databaseUs }) => databaseUs),
    line('transactions', 'a request', ({ transactions }) => transactions),
    line('requests of the busiest process', '%', ({ largestPercent }) => largestPercent),
  ]
}

function sumOf(text: string, name: string, process?: number): number {
  let sum = 0
  for (const line of text.split('\n')) {
    if (!line.startsWith(name) || line.startsWith('#')) continue
    if (process === undefined || line.includes(`process="${process}"`))
      sum += Number(line.split(' ').at(-1))
  }
  return sum
}

function requestsOf(text: string, process: number, count: number): number {
  if (count === 1) return process === 1 ? sumOf(text, 'tenon_http_requests_total') : 0
  return sumOf(text, 'tenon_http_requests_total', process)
}

/** Of the sessions of a database: seconds of processor time of those that last, and its transactions. */
async function usedByDatabase({
  database,
}: Fleet): Promise<{ readonly seconds: number; readonly transactions: number }> {
  const rows =
    (await database?.run(
      `select pid, (select xact_commit::int from pg_stat_database where datname = current_database()) as transactions
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )) ?? []
  let seconds = 0
  for (const { pid } of rows) {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    seconds += (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
  }
  return { seconds, transactions: Number(rows[0]?.['transactions'] ?? 0) }
}
