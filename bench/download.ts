// A large file through the client, beside the best raw pipe.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { buildPackage } from './build.ts'
import type { Row } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'
import { startVendor } from './vendor.ts'

const BYTES = 1024 ** 3
const ROUNDS = 5

interface Report {
  readonly bytes: number
  readonly ms: number
  readonly cpuMs: number
  readonly grownMiB: number
}

/** Each download in a process of its own, for the sake of its memory. */
export const downloadRow: Row = {
  name: 'download',
  about: '1 GiB through the client',
  async run() {
    buildPackage()
    using vendor = await startVendor()
    const raw: Report[] = []
    const ours: Report[] = []
    for (let round = 0; round < ROUNDS; round++) {
      raw.push(await download('raw', vendor.url))
      ours.push(await download('tenon', vendor.url))
    }
    const pick = (reports: readonly Report[], name: keyof Report): number[] =>
      reports.map((report) => report[name])
    return [
      {
        title: '1 GiB, one reader',
        unit: 'ms',
        sides: [
          { name: 'undici.stream', ...spreadOf(pick(raw, 'ms')) },
          { name: 'tenon', ...spreadOf(pick(ours, 'ms')) },
        ],
        figures: [
          {
            name: 'speed, tenon / undici.stream',
            unit: '×',
            ...ratioOf(pick(raw, 'ms'), pick(ours, 'ms')),
            must: { atLeast: 0.85 },
            goal: { atLeast: 0.97 },
          },
          {
            name: 'CPU, tenon / undici.stream',
            unit: '×',
            ...ratioOf(pick(ours, 'cpuMs'), pick(raw, 'cpuMs')),
            must: null,
            goal: null,
          },
          {
            name: 'memory, growth of tenon',
            unit: 'MiB',
            ...spreadOf(pick(ours, 'grownMiB')),
            must: { atMost: 130 },
            goal: null,
          },
          {
            name: 'memory, growth of undici.stream',
            unit: 'MiB',
            ...spreadOf(pick(raw, 'grownMiB')),
            must: null,
            goal: null,
          },
        ],
      },
    ]
  },
}

async function download(side: 'raw' | 'tenon', url: string): Promise<Report> {
  const program = fileURLToPath(new URL(`programs/download-${side}.mjs`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, String(BYTES)])
  const report = JSON.parse(stdout) as Report
  if (report.bytes !== BYTES) throw new Error(`${side} received ${report.bytes} bytes`)
  return report
}
