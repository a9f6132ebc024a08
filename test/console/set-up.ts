// Builds the console into a folder of its own, and starts a browser: once for all tests of its screens.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildConsole } from '../../scripts/build-console.ts'
import { findChromium, serveBrowser } from '../fixtures/browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    consoleFolder: string
    /** The address of the browser; null: there is none. */
    browser: string | null
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-console-'))
  const [, chromium] = await Promise.all([buildConsole(folder), findChromium()])
  if (chromium === null)
    process.stderr.write('no Chromium here: the tests of the console are skipped\n')
  const browser = chromium === null ? null : await serveBrowser(chromium)
  project.provide('consoleFolder', folder)
  project.provide('browser', browser?.address ?? null)
  return async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  }
}
