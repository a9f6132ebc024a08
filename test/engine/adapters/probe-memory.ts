// Runs memory-probe.ts.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface MemoryReport {
  /** Of the ConnectorError the call ended with. */
  readonly code: string | null
  readonly bytes: number
  /** Largest growth of the resident memory during the call. */
  readonly grownMiB: number
}

const ENOUGH_MIB = 64
const TRIES = 3

/**
 * Makes one call in a fresh process. The vendor must answer `/warm-up`. What is held grows each time; what waits for the
 * collector is chance, so a process that grew too much is followed by another one, and the least growth counts.
 */
export async function probeMemory(
  mode: 'stream' | 'send' | 'upload' | 'parts',
  url: string,
  file = '',
): Promise<MemoryReport> {
  let least = await probeOnce(mode, url, file)
  for (let at = 1; at < TRIES && least.grownMiB >= ENOUGH_MIB; at++) {
    const report = await probeOnce(mode, url, file)
    if (report.code !== least.code || report.grownMiB < least.grownMiB) least = report
  }
  return least
}

async function probeOnce(mode: string, url: string, file: string): Promise<MemoryReport> {
  const program = fileURLToPath(new URL('memory-probe.ts', import.meta.url))
  // Node lets some 64 MiB of read buffers gather before it looks for garbage. A small young generation makes it look
  // earlier, so that what is measured is what is held.
  const flags = ['--max-semi-space-size=1']
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    program,
    mode,
    url,
    file,
  ])
  return JSON.parse(stdout) as MemoryReport
}
