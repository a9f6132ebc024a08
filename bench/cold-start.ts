// From the start of the process to the first result.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { buildPackage } from './build.ts'
import type { Row } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'
import { startVendor } from './vendor.ts'

const ROUNDS = 15
const SIDES = ['empty', 'http', 'tenon'] as const
type SideName = (typeof SIDES)[number]

/** A fresh process each time; what an empty one takes is subtracted. */
export const coldStartRow: Row = {
  name: 'cold-start',
  about: 'time from import to the first result, beyond an empty process',
  async run() {
    buildPackage()
    using vendor = await startVendor()
    const times: Record<SideName, number[]> = { empty: [], http: [], tenon: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const side of SIDES) times[side].push(await millisecondsOf(side, vendor.url))
    }
    const beyond = (side: SideName): number[] =>
      times[side].map((ms, round) => ms - (times.empty[round] ?? 0))
    return [
      {
        title: 'one record with a fresh process',
        unit: 'ms since the process began',
        sides: [
          { name: 'empty process', ...spreadOf(times.empty) },
          { name: 'node:http', ...spreadOf(times.http) },
          { name: 'tenon', ...spreadOf(times.tenon) },
        ],
        figures: [
          {
            name: 'tenon − empty process',
            unit: 'ms',
            ...spreadOf(beyond('tenon')),
            must: { atMost: 100 },
            goal: { atMost: 50 },
          },
          {
            name: 'tenon / node:http, both − empty process',
            unit: '×',
            ...ratioOf(beyond('tenon'), beyond('http')),
            must: null,
            goal: { atMost: 1.4 },
          },
        ],
      },
    ]
  },
}

async function millisecondsOf(side: SideName, url: string): Promise<number> {
  const program = fileURLToPath(new URL(`programs/cold-${side}.mjs`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, url])
  return Number(stdout)
}
