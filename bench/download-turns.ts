// A large file moved by two sides in turn: what the rows of files compare, and by which figures.
import type { Figure, Line } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'

/** The size of the file. */
export const BYTES: number = 1024 ** 3

const ROUNDS = 5

/** One download or upload. `grownMiB`: at most, of resident memory. */
export interface Turn {
  readonly ms: number
  readonly cpuMs: number
  readonly grownMiB: number
}

/** How the raw side and the two together are called. */
interface Names {
  readonly title: string
  readonly raw: string
  readonly speed: Pick<Figure, 'must' | 'goal'>
}

const DOWNLOADS: Names = {
  title: '1 GiB, one reader',
  raw: 'undici.stream',
  speed: { must: { atLeast: 0.85 }, goal: { atLeast: 0.97 } },
}

/** Lets both sides move the file in turn. */
export async function compareFiles(
  raw: () => Promise<Turn>,
  ours: () => Promise<Turn>,
  names: Names = DOWNLOADS,
): Promise<Line> {
  const turns: { readonly raw: Turn; readonly ours: Turn }[] = []
  for (let round = 0; round < ROUNDS; round++) turns.push({ raw: await raw(), ours: await ours() })
  const pick = (side: 'raw' | 'ours', name: keyof Turn): number[] =>
    turns.map((turn) => turn[side][name])
  return {
    title: names.title,
    unit: 'ms',
    sides: [
      { name: names.raw, ...spreadOf(pick('raw', 'ms')) },
      { name: 'tenon', ...spreadOf(pick('ours', 'ms')) },
    ],
    figures: [
      {
        name: `speed, tenon / ${names.raw}`,
        unit: '×',
        ...ratioOf(pick('raw', 'ms'), pick('ours', 'ms')),
        ...names.speed,
      },
      {
        name: `CPU, tenon / ${names.raw}`,
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
        name: `memory, growth of ${names.raw}`,
        unit: 'MiB',
        ...spreadOf(pick('raw', 'grownMiB')),
        must: null,
        goal: null,
      },
    ],
  }
}
