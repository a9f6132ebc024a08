// A large file through the client, beside the best raw pipe.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { buildPackage } from './build.ts'
import { BYTES, compareFiles, type Turn } from './download-turns.ts'
import type { Row } from './row.ts'
import { startVendor } from './vendor.ts'

interface Report extends Turn {
  readonly bytes: number
}

/** Each download in a process of its own, for the sake of its memory. */
export const downloadRow: Row = {
  name: 'download',
  about: '1 GiB through the client',
  async run() {
    buildPackage()
    using vendor = await startVendor()
    const { url } = vendor
    return [
      await compareFiles(
        () => download('raw', url),
        () => download('tenon', url),
      ),
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
