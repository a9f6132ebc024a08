// A manifest of the host's own. The YAML parser is loaded only when one is asked for.
import { fileURLToPath } from 'node:url'
import { ConnectorError } from '../errors.ts'
import { nodeCrypto } from '../late-modules.ts'
import type { Client } from './client.ts'
import type { AnySettings, Manifest, Settings } from './connectors.ts'

export interface LoadOptions {
  /** SHA-256 of the file, hexadecimal: a manifest that came from elsewhere is refused when it is another one. */
  readonly sha256?: string
}

/**
 * Loads a manifest from a file (path or file URL; YAML, JSON or compiled form) or from an object. Reads no network.
 *
 * The type arguments come from the generated file: `loadManifest<Acme, AcmeSettings>('manifests/acme.yaml')`.
 * Throws `manifest_invalid`; `details.problems` lists every problem with `file, line, column, rule, message, hint`.
 */
export async function loadManifest<T = Client, S extends Settings = AnySettings>(
  source: string | URL | object,
  options: LoadOptions = {},
): Promise<Manifest<T, S>> {
  const load = await import('../language/manifest/load.ts')
  if (typeof source !== 'string' && !(source instanceof URL)) {
    if (options.sha256 !== undefined)
      throw new TypeError('sha256 is of a file; an object has no bytes to compare')
    return load.requireManifest(load.loadManifest({ object: source, file: 'manifest' }))
  }
  const file = typeof source === 'string' ? source : fileURLToPath(source)
  if (options.sha256 !== undefined) await requireHash(file, options.sha256)
  return load.requireManifest(await load.loadManifestFile(file))
}

async function requireHash(file: string, wanted: string): Promise<void> {
  const { readFile } = await import('node:fs/promises')
  const found = nodeCrypto()
    .createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  if (found === wanted.toLowerCase().replace(/^sha256-/, '')) return
  throw new ConnectorError(
    'manifest_invalid',
    `${file} is not the file that was pinned: its SHA-256 is ${found}`,
    { details: { file, sha256: found } },
  )
}

/**
 * Loads all manifests of a folder (`*.yaml`, `*.yml`, `*.json`, no deeper), by connector type.
 *
 * Throws `manifest_invalid` with the problems of all files at once, also where two files have the same type or the
 * folder holds none.
 */
export async function loadManifests(folder: string | URL): Promise<ReadonlyMap<string, Manifest>> {
  const { loadManifestFile, manifestError } = await import('../language/manifest/load.ts')
  const files = await import('node:fs/promises')
  const paths = await import('node:path')
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder)
  const names = (await files.readdir(path))
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .toSorted()
  const results = await Promise.all(names.map((name) => loadManifestFile(paths.join(path, name))))
  const problems = results.flatMap((result) => (result.manifest === null ? result.problems : []))
  if (problems.length > 0) throw manifestError(problems)
  if (names.length === 0)
    throw new ConnectorError('manifest_invalid', `there is no manifest in ${path}`, {
      details: { problems },
    })
  const manifests = new Map<string, Manifest>()
  for (const { manifest } of results) {
    if (manifest === null) continue
    if (manifests.has(manifest.type))
      throw new ConnectorError('manifest_invalid', `two files of ${path} describe ${manifest.type}`)
    manifests.set(manifest.type, manifest)
  }
  return manifests
}
