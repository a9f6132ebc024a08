// The manifest that a command means: a path, a type in the working folder, or a connector of the package.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConnectorError } from '../errors.ts'
import { loadManifestFile } from '../manifest/load.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { nearest } from '../manifest/suggest.ts'
import { packageFile } from '../package-file.ts'
import { UsageError } from './exit-codes.ts'

export interface FoundManifest {
  readonly manifest: Manifest
  readonly path: string
}

/** Loads it. Throws UsageError when there is none, `manifest_invalid` when it has problems. */
export async function findManifest(type: string): Promise<FoundManifest> {
  const path = await pathOf(type)
  const { manifest, problems } = await loadManifestFile(path)
  if (manifest !== null) return { manifest, path }
  throw new ConnectorError(
    'manifest_invalid',
    `${path} has ${problems.length} problems; tenon lint ${path} shows them`,
    {
      details: { problems },
    },
  )
}

async function pathOf(type: string): Promise<string> {
  if (/[/\\]|\.(ya?ml|json)$/.test(type)) {
    if (existsSync(type)) return type
    throw new UsageError(`there is no file ${type}`)
  }
  for (const folder of ['manifests', fileURLToPath(packageFile('manifests'))]) {
    const path = join(folder, `${type}.yaml`)
    if (existsSync(path)) return path
  }
  const types = await packagedTypes()
  const near = nearest(type, types)
  throw new UsageError(
    `there is no connector "${type}"${near === null ? '' : `, did you mean "${near}"`}; there is ${types.join(', ')}. A path such as manifests/${type}.yaml works as well`,
  )
}

/** The types that can be named: those of the working folder and of the package. */
export async function packagedTypes(): Promise<string[]> {
  const files = await Promise.all(
    ['manifests', fileURLToPath(packageFile('manifests'))].map((folder) =>
      readdir(folder).catch(() => []),
    ),
  )
  const types = files.flat().filter((file) => file.endsWith('.yaml'))
  return [...new Set(types.map((file) => file.slice(0, -'.yaml'.length)))].toSorted()
}
