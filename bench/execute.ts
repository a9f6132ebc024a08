// CPU per call: the transport alone, and the whole client, beside undici and everybody's favourite client.
import type { Call, JiraSide } from './jira-sides.ts'
import { openClient, openRivals, openTransport, openUndici, sidesOf } from './jira-sides.ts'
import type { Load } from './measure.ts'
import { measureSides } from './measure.ts'
import type { Figure, Line, Row, Target } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'
import { startVendor } from './vendor.ts'

const CALLERS = [1, 16, 64]

const LOADS: Readonly<Record<Call, Omit<Load, 'callers'>>> = {
  record: { calls: 400, rounds: 25, warmUp: 8_000 },
  page: { calls: 60, rounds: 25, warmUp: 1_000 },
}

const TITLES: Readonly<Record<Call, string>> = {
  record: '4 KB record',
  page: '150 KB page of 50 records',
}

/** What must hold for a side, compared with `undici.request`. */
type Targets = Readonly<Record<Call, { readonly must: Target; readonly goal: Target }>>

const CLIENT_TARGETS: Targets = {
  record: { must: { atMost: 1.25 }, goal: { atMost: 1 } },
  page: { must: { atMost: 1.1 }, goal: { atMost: 1.03 } },
}

const TRANSPORT_TARGETS: Targets = {
  record: { must: { atMost: 1 }, goal: { atMost: 0.8 } },
  page: { must: { atMost: 1.1 }, goal: { atMost: 1 } },
}

/** Our transport and JSON.parse beside undici.request and JSON.parse. */
export const transportRow: Row = {
  name: 'transport',
  about: 'CPU per call of the transport with JSON.parse',
  async run() {
    using vendor = await startVendor()
    await using ours = openTransport(vendor.url)
    await using undici = openUndici(vendor.url)
    return await measureAll([ours, undici], CALLERS, (call, ratio) => [
      { ...ratio('tenon transport', 'undici.request'), ...TRANSPORT_TARGETS[call] },
    ])
  },
}

/** The whole client beside undici.request and JSON.parse. */
export const executeRow: Row = {
  name: 'execute',
  about: 'CPU per call of the whole client: checked, rendered, sent, read, wrapped',
  async run() {
    using vendor = await startVendor()
    await using ours = await openClient(vendor.url)
    await using undici = openUndici(vendor.url)
    return await measureAll([ours, undici], CALLERS, (call, ratio) => [
      { ...ratio('tenon', 'undici.request'), ...CLIENT_TARGETS[call] },
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
    return await measureAll([ours, ...rivals], [16], (call, ratio) =>
      rivals.map(({ name }) => ({
        ...ratio('tenon', name),
        must: { atMost: 1 },
        goal: name === 'jira.js' && call === 'record' ? { atMost: 1 / 3 } : null,
      })),
    )
  },
}

type Ratio = (of: string, to: string) => Omit<Figure, 'must' | 'goal'>

async function measureAll(
  all: readonly JiraSide[],
  callerCounts: readonly number[],
  figures: (call: Call, ratio: Ratio) => readonly Figure[],
): Promise<Line[]> {
  const lines: Line[] = []
  for (const call of ['record', 'page'] as const) {
    for (const callers of callerCounts) {
      const samples = await measureSides(await sidesOf(all, call), { ...LOADS[call], callers })
      const cpu = (name: string): number[] => (samples.get(name) ?? []).map(({ cpuUs }) => cpuUs)
      lines.push({
        title: `${TITLES[call]}, ${callers} ${callers === 1 ? 'caller' : 'callers'}`,
        unit: 'µs CPU per call',
        sides: all.map(({ name }) => ({ name, ...spreadOf(cpu(name)) })),
        figures: figures(call, (of, to) => ({
          name: `${of} / ${to}`,
          unit: '×',
          ...ratioOf(cpu(of), cpu(to)),
        })),
      })
    }
  }
  return lines
}
