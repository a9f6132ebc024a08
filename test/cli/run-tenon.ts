// Runs the real command line as a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { bareEnvironment } from '../fixtures/bare-environment.ts'

export const BIN = fileURLToPath(new URL('../../bin/tenon.js', import.meta.url))

export interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs `tenon` with these arguments in a folder; without `env` nothing of our own environment is seen. */
export async function tenon(
  args: readonly string[],
  options: { readonly folder?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Run> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: options.folder ?? dirname(BIN),
    env: { ...bareEnvironment, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  await once(child, 'close')
  const [out, err] = await output
  return { code: child.exitCode, out, err }
}

/** A new folder with these files. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-cli-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}
