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

/** Makes one call in a fresh process. The vendor must answer `/warm-up`. */
export async function probeMemory(
  mode: 'stream' | 'send' | 'upload' | 'parts',
  url: string,
  file = '',
): Promise<MemoryReport> {
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
