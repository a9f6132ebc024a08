// A sandbox for a manifest that a command names, with the demo data that lie beside it.
import { loadDemo } from '../sandbox/open-sandbox.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts'
import type { FoundManifest } from './find-manifest.ts'

/** Starts it. Throws `manifest_invalid` when the demo data have problems. */
export async function startSandbox(
  { manifest, path }: FoundManifest,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  return await createSandbox(manifest, await loadDemo(path, manifest), options)
}
