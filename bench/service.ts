// Requests a second through a whole service, each side a process of its own.
import { isDeepStrictEqual } from 'node:util'

import { buildPackage } from './build.ts'
import { askOnce, type LoadRequest, runLoad } from './load.ts'
import type { Line, Row } from './row.ts'
import { type Running, type RunningService, startProxy, startService } from './running.ts'
import { ratioOf, spreadOf } from './statistics.ts'
import { startVendor } from './vendor.ts'

const CALLERS = [1, 8, 64]
const RECORD_PATH = '/rest/api/3/issue/ACME-7'

interface ServedSide {
  readonly name: string
  readonly running: Running
  readonly request: LoadRequest
}

interface Turns {
  readonly callers: number
  readonly calls: number
  readonly rounds: number
  readonly warmUp: number
}

/** Execute against a proxy that knows nothing and promises nothing. */
export const serviceRow: Row = {
  name: 'service',
  about: 'execute through a service with SQLite and an application token',
  async run() {
    buildPackage()
    using vendor = await startVendor()
    await using proxy = await startProxy(vendor.url, RECORD_PATH)
    await using service = await startService()
    const jira = await service.connect('jira', vendor.url)
    const request = executeRequest(service, jira, 'get', { issueIdOrKey: 'ACME-7' })
    const sides: readonly ServedSide[] = [
      { name: 'node:http proxy', running: proxy, request: { ...request, url: proxy.url } },
      { name: 'tenon', running: service, request },
    ]
    await requireSame(sides)
    const lines: Line[] = []
    for (const callers of CALLERS) {
      lines.push(
        ...(await measure('4 KB record', sides, {
          callers,
          calls: callers === 1 ? 600 : 1500,
          rounds: 15,
          warmUp: 6000,
        })),
      )
    }
    return lines
  },
}

function executeRequest(
  { url, token }: RunningService,
  id: string,
  action: string,
  params: object,
): LoadRequest {
  return {
    url,
    method: 'POST',
    path: `/api/v1/connectors/sources/${id}/execute`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entity: 'issues', action, params }),
  }
}

/** Throws unless the service delivers what the vendor answers: else they are not comparable. */
async function requireSame([proxy, service]: readonly ServedSide[]): Promise<void> {
  if (proxy === undefined || service === undefined) return
  const raw: unknown = JSON.parse((await askOnce(proxy.request)).text)
  const { data } = JSON.parse((await askOnce(service.request)).text) as { readonly data: unknown }
  if (!isDeepStrictEqual(data, raw)) throw new Error('the service delivers something else')
}

/** The sides take turns, and begin in another order each round. */
async function measure(
  what: string,
  sides: readonly ServedSide[],
  { callers, calls, rounds, warmUp }: Turns,
): Promise<Line[]> {
  const rates = new Map<string, number[]>(sides.map(({ name }) => [name, []]))
  const cpus = new Map<string, number[]>(sides.map(({ name }) => [name, []]))
  for (const { request } of sides) await runLoad(request, callers, warmUp)
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(round + turn) % sides.length]
      if (side === undefined) continue
      const before = await side.running.usage()
      const ms = await runLoad(side.request, callers, calls)
      const after = await side.running.usage()
      rates.get(side.name)?.push((calls * 1000) / ms)
      cpus.get(side.name)?.push((after.cpuUs - before.cpuUs) / calls)
    }
  }
  const title = `${what}, ${callers} ${callers === 1 ? 'caller' : 'callers'}`
  const [first, second] = sides.map(({ name }) => name)
  const line = (
    unit: string,
    values: ReadonlyMap<string, readonly number[]>,
    isRate: boolean,
  ): Line => ({
    title,
    unit,
    sides: sides.map(({ name }) => ({ name, ...spreadOf(values.get(name) ?? []) })),
    figures: [
      {
        name: `${second} / ${first}`,
        unit: '×',
        ...ratioOf(values.get(second ?? '') ?? [], values.get(first ?? '') ?? []),
        must: isRate ? { atLeast: 0.8 } : null,
        goal: isRate ? { atLeast: 0.95 } : null,
      },
    ],
  })
  return [line('requests per second', rates, true), line('µs CPU per request', cpus, false)]
}
