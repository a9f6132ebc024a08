// Requests a second through a whole service, each side a process of its own.
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { buildPackage } from './build.ts'
import { askOnce, type LoadRequest, runLoad } from './load.ts'
import type { Line, Row, Target } from './row.ts'
import { type Running, type RunningService, startProxy, startService } from './running.ts'
import { ratioOf, spreadOf } from './statistics.ts'
import { startVendor } from './vendor.ts'

const RECORD_PATH = '/rest/api/3/issue/ACME-7'

type Changes = readonly (readonly [before: string, after: string])[]

/** A listing whose records are looked at although nothing is dropped. */
const READING: Changes = [
  ['response: { records: $.issues }', 'response: { records: $.issues, drop: [no_such_member] }'],
]

/** Jira allows ten calls at once; a proxy knows no such limit. */
const UNLIMITED: Changes = [['limits:\n  concurrency: 10\n', 'limits:\n']]

interface ServedSide {
  readonly name: string
  readonly running: Running
  readonly request: LoadRequest
}

interface Turns {
  readonly callers: number
  readonly calls: number
  readonly rounds: number
  /** Of each side in a round; 1 where nothing is said. */
  readonly perRound?: number
  /** The compilers of a service need some ten thousand calls. */
  readonly warmUp: number
}

interface Comparison {
  readonly what: string
  /** The second is compared with the first. */
  readonly sides: readonly [ServedSide, ServedSide]
  readonly turns: Turns
  readonly must: Target | null
  readonly goal: Target | null
  /** Of the processor time. */
  readonly cpu?: Target
}

/** Execute against a proxy that knows nothing and promises nothing. */
export const serviceRow: Row = {
  name: 'service',
  about: 'execute through a service with SQLite and an application token',
  async run() {
    buildPackage()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'tenon-bench-manifest-'))
    using vendor = await startVendor()
    await using proxy = await startProxy(vendor.url, RECORD_PATH)
    await using service = await startService([
      await writeChanged(folder.path, 'jira-free', UNLIMITED),
    ])
    const jira = await service.connect('jira-free', vendor.url)
    const request = executeRequest(service, jira, 'get', { issueIdOrKey: 'ACME-7' })
    const sides = [
      { name: 'node:http proxy', running: proxy, request: { ...request, url: proxy.url } },
      { name: 'tenon', running: service, request },
    ] as const
    const [raw, ours] = await Promise.all(sides.map(async (side) => await answerOf(side.request)))
    requireSame((ours as { readonly data: unknown }).data, raw)
    const lines: Line[] = []
    for (const callers of [1, 8, 64]) {
      const turns = { callers, calls: callers === 1 ? 600 : 1500, rounds: 15, warmUp: 12_000 }
      const targets = { must: { atLeast: 0.8 }, goal: { atLeast: 0.95 } }
      lines.push(...(await compare({ what: '4 KB record', sides, turns, ...targets })))
    }
    return lines
  },
}

/** The same service with logs and without: what an entry per operation costs. */
export const serviceLogsRow: Row = {
  name: 'service-logs',
  about: 'execute through a service that keeps logs, and through one that keeps none',
  async run() {
    buildPackage()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'tenon-bench-manifest-'))
    using vendor = await startVendor()
    const manifest = await writeChanged(folder.path, 'jira-free', UNLIMITED)
    await using without = await startService([manifest], { logs: false })
    await using kept = await startService([manifest])
    const side = async (name: string, running: RunningService): Promise<ServedSide> => {
      const id = await running.connect('jira-free', vendor.url)
      return {
        name,
        running,
        request: executeRequest(running, id, 'get', { issueIdOrKey: 'ACME-7' }),
      }
    }
    return await compare({
      what: '4 KB record',
      sides: [await side('without logs', without), await side('with logs', kept)],
      // Short ones, so that a machine that is busy elsewhere disturbs both; entries are written twice a second.
      turns: { callers: 8, calls: 100, rounds: 24, perRound: 20, warmUp: 12_000 },
      must: null,
      goal: null,
      cpu: { atMost: 1.03 },
    })
  },
}

/** Records passed on as bytes, against the same records parsed and written again. */
export const servicePageRow: Row = {
  name: 'service-page',
  about: 'execute of a 150 KB page through a service, records untouched and records read',
  async run() {
    buildPackage()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'tenon-bench-manifest-'))
    using vendor = await startVendor()
    await using untouched = await startService()
    await using reading = await startService([
      await writeChanged(folder.path, 'jira-read', READING),
    ])
    const params = { jql: 'project = ACME', maxResults: 50 }
    const side = async (
      name: string,
      running: RunningService,
      type: string,
    ): Promise<ServedSide> => {
      const id = await running.connect(type, vendor.url)
      return { name, running, request: executeRequest(running, id, 'api_search', params) }
    }
    const sides = [
      await side('parsed and written', reading, 'jira-read'),
      await side('untouched', untouched, 'jira'),
    ] as const
    const [read, passed] = await Promise.all(
      sides.map(async ({ request }) => withoutExecution(await answerOf(request))),
    )
    requireSame(passed, read)
    return await compare({
      what: '150 KB page of 50 records',
      sides,
      turns: { callers: 8, calls: 150, rounds: 15, warmUp: 2_000 },
      must: { atLeast: 2 },
      goal: { atLeast: 2.5 },
    })
  },
}

/** The connector, changed, under a name of its own. */
async function writeChanged(folder: string, type: string, changes: Changes): Promise<string> {
  let text = await readFile(new URL('../manifests/jira.yaml', import.meta.url), 'utf8')
  for (const [before, after] of [['type: jira\n', `type: ${type}\n`], ...changes] as const) {
    if (!text.includes(before)) throw new Error(`manifests/jira.yaml has no ${before}`)
    text = text.replace(before, after)
  }
  const file = join(folder, `${type}.yaml`)
  await writeFile(file, text)
  return file
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

async function answerOf(request: LoadRequest): Promise<unknown> {
  return JSON.parse((await askOnce(request)).text)
}

function withoutExecution(envelope: unknown): unknown {
  const { data, meta } = envelope as { readonly data: unknown; readonly meta: unknown }
  return { data, meta }
}

/** Throws unless both sides deliver the same: else they are not comparable. */
function requireSame(ours: unknown, theirs: unknown): void {
  if (!isDeepStrictEqual(ours, theirs)) throw new Error('the two sides deliver different things')
}

/**
 * The sides take turns, and begin in another order each time. Rates count; CPU is there to explain them: all that a side
 * has used in a round, so that what it does behind the answers counts as well.
 */
async function compare({ what, sides, turns, must, goal, cpu }: Comparison): Promise<Line[]> {
  const { callers, calls, rounds, perRound = 1, warmUp } = turns
  const rates = new Map<string, number[]>(sides.map(({ name }) => [name, []]))
  const cpus = new Map<string, number[]>(sides.map(({ name }) => [name, []]))
  for (const { request } of sides) await runLoad(request, callers, warmUp)
  for (let round = 0; round < rounds; round++) {
    const before = await Promise.all(sides.map(({ running }) => running.usage()))
    const ms = new Map<string, number>()
    for (let turn = 0; turn < perRound; turn++)
      for (const { name, request } of (round + turn) % 2 === 0 ? sides : sides.toReversed())
        ms.set(name, (ms.get(name) ?? 0) + (await runLoad(request, callers, calls)))
    for (const [index, { name, running }] of sides.entries()) {
      const { cpuUs } = await running.usage()
      rates.get(name)?.push((perRound * calls * 1000) / (ms.get(name) ?? 0))
      cpus.get(name)?.push((cpuUs - (before[index]?.cpuUs ?? 0)) / (perRound * calls))
    }
  }
  const [{ name: theirs }, { name: ours }] = sides
  const lineOf = (
    unit: string,
    values: ReadonlyMap<string, readonly number[]>,
    targets: { readonly must: Target | null; readonly goal: Target | null },
  ): Line => ({
    title: `${what}, ${callers} ${callers === 1 ? 'caller' : 'callers'}`,
    unit,
    sides: sides.map(({ name }) => ({ name, ...spreadOf(values.get(name) ?? []) })),
    figures: [
      {
        name: `${ours} / ${theirs}`,
        unit: '×',
        ...ratioOf(values.get(ours) ?? [], values.get(theirs) ?? []),
        ...targets,
      },
    ],
  })
  return [
    lineOf('requests per second', rates, { must, goal }),
    lineOf('µs CPU per request', cpus, { must: cpu ?? null, goal: null }),
  ]
}
