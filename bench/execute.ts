// CPU per call: the transport alone, and the whole client, beside undici and everybody's favourite client.
import { type Body, pageIn, recordIn, usersIn } from './jira-bodies.ts'
import {
  type JiraSide,
  openClient,
  openHandler,
  openRivals,
  openTransport,
  openUndici,
  PAGE,
  RECORD,
  sidesOf,
} from './jira-sides.ts'
import { type Load, measureSides } from './measure.ts'
import type { Figure, Line, Row, Target } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'
import { startVendor } from './vendor.ts'

const CALLERS = [1, 16, 64]

/** How often a body is asked for, and what its calls may cost of those of `undici.request`. */
interface Measured {
  readonly body: Body
  readonly load: Omit<Load, 'callers'>
  readonly must: Target
  readonly goal: Target
}

const RECORD_LOAD = { calls: 400, rounds: 25, warmUp: 8_000 }
const PAGE_LOAD = { calls: 60, rounds: 25, warmUp: 1_000 }

/** Bodies of every size, so that nothing is tuned for one of them. */
const BODIES: readonly Measured[] = (['ascii', 'wide', 'japanese'] as const).flatMap((writing) => {
  const page = { must: { atMost: 1.1 }, goal: { atMost: 1 } }
  return [
    {
      body: recordIn(writing),
      load: RECORD_LOAD,
      must: { atMost: 1.25 },
      goal: { atMost: 1 },
    },
    {
      body: pageIn(writing, 5, '16 KB'),
      load: { calls: 250, rounds: 25, warmUp: 4_000 },
      ...page,
    },
    {
      body: usersIn(writing),
      load: { calls: 100, rounds: 25, warmUp: 2_000 },
      must: { atMost: 1.1 },
      goal: { atMost: 1.05 },
    },
    { body: pageIn(writing, 50, '150 KB'), load: PAGE_LOAD, ...page },
    { body: pageIn(writing, 320, '1 MB'), load: { calls: 64, rounds: 9, warmUp: 150 }, ...page },
  ]
})

/** Our transport and JSON.parse beside undici.request and JSON.parse. */
export const transportRow: Row = {
  name: 'transport',
  about: 'CPU per call of the transport with JSON.parse',
  async run() {
    using vendor = await startVendor()
    await using ours = openTransport(vendor.url)
    await using undici = openUndici(vendor.url)
    const measured: readonly Measured[] = [
      { body: RECORD, load: RECORD_LOAD, must: { atMost: 1 }, goal: { atMost: 0.8 } },
      { body: PAGE, load: PAGE_LOAD, must: { atMost: 1.1 }, goal: { atMost: 1 } },
    ]
    return await measureAll([ours, undici], measured, CALLERS, ({ must, goal }, ratio) => [
      { ...ratio('tenon transport', 'undici.request'), must, goal },
    ])
  },
}

/** The whole client, and a handler that does nothing else, beside undici.request and JSON.parse. */
export const executeRow: Row = {
  name: 'execute',
  about: 'CPU per call of the whole client: checked, rendered, sent, read, wrapped',
  async run() {
    using vendor = await startVendor()
    await using ours = await openClient(vendor.url)
    await using undici = openUndici(vendor.url)
    await using handler = openHandler(vendor.url)
    const sides = [ours, undici, handler]
    return await measureAll(sides, BODIES, CALLERS, ({ must, goal }, ratio) => [
      { ...ratio('tenon', 'undici.request'), must, goal },
      { ...ratio('own dispatch handler', 'undici.request'), must: null, goal: null },
    ])
  },
}

/** The whole client beside other clients. */
export const rivalsRow: Row = {
  name: 'rivals',
  about: 'CPU per call of the whole client beside other clients, 16 callers',
  async run() {
    using vendor = await startVendor()
    await using ours = await openClient(vendor.url)
    const rivals = await openRivals(vendor.url)
    const must = { atMost: 1 }
    const measured: readonly Measured[] = [
      { body: RECORD, load: RECORD_LOAD, must, goal: { atMost: 1 / 3 } },
      { body: PAGE, load: PAGE_LOAD, must, goal: must },
    ]
    return await measureAll([ours, ...rivals], measured, [16], ({ body, goal }, ratio) =>
      rivals.map(({ name }) => ({
        ...ratio('tenon', name),
        must,
        goal: name === 'jira.js' && body === RECORD ? goal : null,
      })),
    )
  },
}

type Ratio = (of: string, to: string) => Omit<Figure, 'must' | 'goal'>

async function measureAll(
  all: readonly JiraSide[],
  bodies: readonly Measured[],
  callerCounts: readonly number[],
  figures: (measured: Measured, ratio: Ratio) => readonly Figure[],
): Promise<Line[]> {
  const lines: Line[] = []
  for (const measured of bodies) {
    const { body, load } = measured
    for (const callers of callerCounts) {
      const samples = await measureSides(await sidesOf(all, body), { ...load, callers })
      const cpu = (name: string): number[] => (samples.get(name) ?? []).map(({ cpuUs }) => cpuUs)
      lines.push({
        title: `${body.title}, ${callers} ${callers === 1 ? 'caller' : 'callers'}`,
        unit: 'µs CPU per call',
        sides: all.map(({ name }) => ({ name, ...spreadOf(cpu(name)) })),
        figures: figures(measured, (of, to) => ({
          name: `${of} / ${to}`,
          unit: '×',
          ...ratioOf(cpu(of), cpu(to)),
        })),
      })
    }
  }
  return lines
}
