// A large file through the client in parts, beside the same parts read into one buffer and sent by undici.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { buildPackage } from './build.ts'
import { BYTES, compareFiles, type Turn } from './download-turns.ts'
import type { Row } from './row.ts'
import { startVendor } from './vendor.ts'

interface Report extends Turn {
  readonly bytes: number
}

const NAMES = { title: '1 GiB, a path, parts of 8 MiB', raw: 'undici.request' }

/** Each upload in a process of its own, for the sake of its memory. */
export const uploadRow: Row = {
  name: 'upload',
  about: '1 GiB through the client, in parts',
  async run() {
    buildPackage()
    using vendor = await startVendor()
    const folder = await mkdtemp(join(tmpdir(), 'tenon-bench-'))
    try {
      const path = join(folder, 'file')
      await writeFile(path, '')
      await truncate(path, BYTES)
      const upload = (side: 'raw' | 'tenon') => () => uploadBy(side, vendor.url, path)
      const speed = { must: null, goal: null }
      return [await compareFiles(upload('raw'), upload('tenon'), { ...NAMES, speed })]
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

async function uploadBy(side: 'raw' | 'tenon', url: string, path: string): Promise<Report> {
  const program = fileURLToPath(new URL(`programs/upload-${side}.mjs`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, path])
  const report = JSON.parse(stdout) as Report
  if (report.bytes !== BYTES) throw new Error(`${side} sent ${report.bytes} bytes`)
  return report
}
