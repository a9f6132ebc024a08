// Builds the package, because that is what users run: one bundle, prebuilt connectors.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import type * as Package from '../src/index.ts'

let isBuilt = false

/** Builds once per run. Throws when the build fails. */
export function buildPackage(): void {
  if (isBuilt) return
  const program = fileURLToPath(new URL('../scripts/build.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('the package could not be built')
  isBuilt = true
}

/** The built package. */
export async function loadPackage(): Promise<typeof Package> {
  buildPackage()
  return (await import(new URL('../dist/index.js', import.meta.url).href)) as typeof Package
}
