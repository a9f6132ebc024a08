// The connectors that come with the package, by name: built modules; in a checkout their YAML.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConnectorError } from '../errors.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { FROM_SOURCES, packageFile } from '../package-file.ts'
import type { Manifest as GivenManifest, Settings } from './connectors.ts'

/** The packaged manifest of a type. Throws `connector_unknown`, with the way to a manifest of one's own. */
export async function loadPackaged(type: string): Promise<Manifest> {
  if (/^[a-z][a-z0-9-]*$/.test(type)) {
    const manifest = FROM_SOURCES ? await readSource(type) : await loadBuilt(type)
    if (manifest !== null) return manifest
  }
  throw new ConnectorError(
    'connector_unknown',
    `there is no packaged connector "${type}"; load a manifest of your own with loadManifest('manifests/${type}.yaml'), and in a bundle import the packaged ones: connect(jira, …) with jira from 'tenon/jira'`,
    { details: { connector: type } },
  )
}

/** What a host's manifest holds besides the members that hosts are told of. Throws TypeError for what was not loaded. */
export function manifestOf(given: GivenManifest<unknown, Settings>): Manifest {
  // Only the loader and the build make them, and neither leaves anything out.
  const manifest = given as Partial<Manifest> | null | undefined
  if (!Array.isArray(manifest?.entities) || typeof manifest.hash !== 'string')
    throw new TypeError(
      'a connector is the name of a packaged one, or what loadManifest gives: await loadManifest(…)',
    )
  return manifest as Manifest
}

/** The name of a packaged manifest in its module: `facebookMarketing` of `tenon/facebook-marketing`. */
export function constantName(type: string): string {
  return type.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

async function loadBuilt(type: string): Promise<Manifest | null> {
  const file = packageFile(`dist/connectors/${type}/index.js`)
  if (!existsSync(file)) return null
  // Written by this project's build.
  const module = (await import(file.href)) as Readonly<Record<string, Manifest>>
  return module[constantName(type)] ?? null
}

async function readSource(type: string): Promise<Manifest | null> {
  const file = packageFile(`manifests/${type}.yaml`)
  if (!existsSync(file)) return null
  const { loadManifestFile, requireManifest } = await import('../language/manifest/load.ts')
  return requireManifest(await loadManifestFile(fileURLToPath(file)))
}
