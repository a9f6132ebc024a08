// The connectors that come with the package: prebuilt JSON and validators; in a checkout their YAML.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ConnectorError } from '../errors.ts'
import { deepFreeze } from '../manifest/freeze.ts'
import { inputsOf } from '../manifest/inputs.ts'
import { type IsValid, provideValidator } from '../manifest/made-validators.ts'
import type { Manifest } from '../manifest/manifest.ts'

const BUILT = new URL('../connectors/', import.meta.url)
const SOURCES = new URL('../../manifests/', import.meta.url)

/** The packaged manifest of a type. Throws `connector_unknown`, with the way to a manifest of one's own. */
export async function loadPackaged(type: string): Promise<Manifest> {
  if (/^[a-z][a-z0-9-]*$/.test(type)) {
    const built = new URL(`${type}/manifest.json`, BUILT)
    if (existsSync(built)) return readBuilt(built)
    const source = new URL(`${type}.yaml`, SOURCES)
    if (existsSync(source)) {
      const { loadManifestFile, requireManifest } = await import('../manifest/load.ts')
      return requireManifest(await loadManifestFile(fileURLToPath(source)))
    }
  }
  throw new ConnectorError(
    'connector_unknown',
    `there is no packaged connector "${type}"; load a manifest of your own with loadManifest('manifests/${type}.yaml')`,
    { details: { connector: type } },
  )
}

function readBuilt(file: URL): Manifest {
  // Written by this project's build from a manifest that had passed every check.
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const require = createRequire(file)
  for (const { name, schema } of inputsOf(manifest)) {
    provideValidator(schema, () => require(`./validators/${name}.cjs`) as IsValid)
  }
  return deepFreeze(manifest)
}
