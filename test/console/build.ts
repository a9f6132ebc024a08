// Builds the console, once for all tests of its screens, into a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildConsole } from '../../scripts/build-console.ts'

declare module 'vitest' {
  interface ProvidedContext {
    consoleFolder: string
  }
}

export default async function build(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-console-'))
  await buildConsole(folder)
  project.provide('consoleFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}
