// The manifest that a command means: a path, a type in the working folder, or a connector of the package.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConnectorError } from '../errors.ts'
import { loadManifestFile } from '../language/manifest/load.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { didYouMean } from '../language/manifest/suggest.ts'
import { packageFile } from '../package-file.ts'
import { UsageError } from './exit-codes.ts'

export interface FoundManifest {
  readonly manifest: Manifest
  readonly path: string
}

/** Loads it, as named in this folder. Throws UsageError when there is none, `manifest_invalid` when it has problems. */
export async function findManifest(type: string, folder: string): Promise<FoundManifest> {
  const path = await pathOf(type, folder)
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

async function pathOf(type: string, folder: string): Promise<string> {
  if (/[/\\]|\.(ya?ml|json)$/.test(type)) {
    const path = placed(folder, type)
    if (existsSync(path)) return path
    throw new UsageError(`there is no file ${type}`)
  }
  for (const place of places(folder)) {
    const path = join(place, `${type}.yaml`)
    if (existsSync(path)) return path
  }
  const types = await packagedTypes(folder)
  throw new UsageError(
    `there is no connector "${type}"${didYouMean(type, types)}; there is ${types.join(', ')}. A path such as manifests/${type}.yaml works as well`,
  )
}

/** The types that can be named: those of the working folder and of the package. */
export async function packagedTypes(folder: string): Promise<string[]> {
  const files = await Promise.all(places(folder).map((place) => readdir(place).catch(() => [])))
  const types = files.flat().filter((file) => file.endsWith('.yaml'))
  return [...new Set(types.map((file) => file.slice(0, -'.yaml'.length)))].toSorted()
}

function places(folder: string): readonly string[] {
  return [placed(folder, 'manifests'), fileURLToPath(packageFile('manifests'))]
}

/** A name that opens the file, also where the command's folder is not the process's own; else as it was typed, for messages. */
function placed(folder: string, name: string): string {
  return folder === process.cwd() ? name : resolve(folder, name)
}
