// Starts the third party of the benchmark.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Vendor extends Disposable {
  /** `http://127.0.0.1:port` */
  readonly url: string
}

/** In a process of its own, so that its work is not counted as ours. */
export async function startVendor(): Promise<Vendor> {
  return await startProgram('vendor', [])
}

/** A third party with so many issues of the copies. */
export async function startIssues(records: number): Promise<Vendor> {
  return await startProgram('issues', [String(records)])
}

async function startProgram(name: string, args: readonly string[]): Promise<Vendor> {
  const child = fork(fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)), args)
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => void child.kill(),
  }
}
