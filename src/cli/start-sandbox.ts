// A sandbox for a manifest that a command names, with the demo data that lie beside it.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConnectorError } from '../errors.ts'
import type { Demo } from '../sandbox/data/demo.ts'
import { readDemo } from '../sandbox/data/read-demo.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts'
import type { FoundManifest } from './find-manifest.ts'

/** Starts it. Throws `manifest_invalid` when the demo data have problems. */
export async function startSandbox(
  { manifest, path }: FoundManifest,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const file = join(dirname(path), 'demo', `${manifest.type}.yaml`)
  return await createSandbox(
    manifest,
    existsSync(file) ? await demoIn(file, manifest) : null,
    options,
  )
}

async function demoIn(file: string, manifest: FoundManifest['manifest']): Promise<Demo> {
  const { demo, problems } = readDemo(await readFile(file), file, manifest)
  if (demo !== null) return demo
  const [first] = problems
  throw new ConnectorError(
    'manifest_invalid',
    `${file} has ${problems.length} problems, the first one in line ${first?.line ?? 1}: ${first?.message ?? ''}`,
    { details: { problems } },
  )
}
