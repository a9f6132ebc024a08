// A manifest of the host's own. The YAML parser is loaded only when somebody asks for one.
import { fileURLToPath } from 'node:url'
import type { Manifest } from '../manifest/manifest.ts'

/**
 * Loads a manifest from a file (path or file URL; YAML, JSON or compiled form) or from an object. Reads no network.
 *
 * Throws `manifest_invalid`; `details.problems` lists every problem with `file, line, column, rule, message, hint`.
 */
export async function loadManifest(source: string | URL | object): Promise<Manifest> {
  const {
    loadManifest: load,
    loadManifestFile,
    requireManifest,
  } = await import('../manifest/load.ts')
  if (source instanceof URL) return requireManifest(await loadManifestFile(fileURLToPath(source)))
  if (typeof source === 'string') return requireManifest(await loadManifestFile(source))
  return requireManifest(load({ object: source, file: 'manifest' }))
}
