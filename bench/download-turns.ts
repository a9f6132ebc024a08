// A large file read by two sides in turn: what both rows of downloads compare, and by which figures.
import type { Line } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'

/** The size of the file. */
export const BYTES: number = 1024 ** 3

const ROUNDS = 5

/** One download. `grownMiB`: at most, of resident memory. */
export interface Turn {
  readonly ms: number
  readonly cpuMs: number
  readonly grownMiB: number
}

/** Lets both sides download in turn. */
export async function compareDownloads(
  raw: () => Promise<Turn>,
  ours: () => Promise<Turn>,
): Promise<Line> {
  const turns: { readonly raw: Turn; readonly ours: Turn }[] = []
  for (let round = 0; round < ROUNDS; round++) turns.push({ raw: await raw(), ours: await ours() })
  const pick = (side: 'raw' | 'ours', name: keyof Turn): number[] =>
    turns.map((turn) => turn[side][name])
  return {
    title: '1 GiB, one reader',
    unit: 'ms',
    sides: [
      { name: 'undici.stream', ...spreadOf(pick('raw', 'ms')) },
      { name: 'tenon', ...spreadOf(pick('ours', 'ms')) },
    ],
    figures: [
      {
        name: 'speed, tenon / undici.stream',
        unit: '×',
        ...ratioOf(pick('raw', 'ms'), pick('ours', 'ms')),
        must: { atLeast: 0.85 },
        goal: { atLeast: 0.97 },
      },
      {
        name: 'CPU, tenon / undici.stream',
        unit: '×',
        ...ratioOf(pick('ours', 'cpuMs'), pick('raw', 'cpuMs')),
        must: null,
        goal: null,
      },
      {
        name: 'memory, growth of tenon',
        unit: 'MiB',
        ...spreadOf(pick('ours', 'grownMiB')),
        must: { atMost: 130 },
        goal: null,
      },
      {
        name: 'memory, growth of undici.stream',
        unit: 'MiB',
        ...spreadOf(pick('raw', 'grownMiB')),
        must: null,
        goal: null,
      },
    ],
  }
}
