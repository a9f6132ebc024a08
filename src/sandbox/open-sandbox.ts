// Sandboxes by name: the manifest and the demo data next to it, found and loaded.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Manifest as TypedManifest, Settings } from '../client/connectors.ts'
import type { ConnectorSettings } from '../client/generated/index.ts'
import { ConnectorError } from '../errors.ts'
import { loadManifest, loadManifestFile, requireManifest } from '../language/manifest/load.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { packageFile } from '../package-file.ts'
import type { Demo } from './data/demo-types.ts'
import { readDemo, requireDemo } from './data/read-demo.ts'
import { createSandbox, type DemoSettings, type Sandbox, type SandboxOptions } from './sandbox.ts'

/** The types of a packaged connector's credentials and settings; plain data for any other. */
export type SettingsOf<K> = K extends keyof ConnectorSettings ? ConnectorSettings[K] : DemoSettings

/**
 * Starts a sandbox for a shipped connector (`jira`), for a manifest file (`manifests/acme.yaml`), for a manifest that was
 * loaded, or for one that is written in code, as the object that its YAML stands for.
 *
 * Demo data is the file of the same name in the folder `demo` next to the manifest; without one, and for objects,
 * records are made up. Options of a loaded manifest have its types.
 * Throws `connector_unknown`, and `manifest_invalid` for faulty manifests and demo data, with all problems in
 * `details.problems`.
 */
export async function sandbox<T, S extends Settings>(
  source: TypedManifest<T, S>,
  options?: SandboxOptions,
): Promise<Sandbox<S>>
export async function sandbox<K extends string>(
  source: K | object,
  options?: SandboxOptions,
): Promise<Sandbox<SettingsOf<K>>>
export async function sandbox(
  source: string | object,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const { manifest, demo } =
    typeof source === 'string'
      ? await readShipped(manifestPath(source))
      : { manifest: manifestOf(source), demo: null }
  // Demo credentials fit the manifest's schemas, and so do the types that were made of them.
  return await createSandbox(manifest, demo, options)
}

async function readShipped(path: string): Promise<{ manifest: Manifest; demo: Demo | null }> {
  const manifest = requireManifest(await loadManifestFile(path))
  return { manifest, demo: await loadDemo(path, manifest) }
}

/** A manifest as its authors write it says `manifest: 1`; a loaded one is what came of that. */
function manifestOf(source: object): Manifest {
  if (!('manifest' in source) && 'hash' in source) return source as Manifest
  return requireManifest(loadManifest({ object: source, file: 'manifest' }))
}

/** What was read last for a manifest. */
const read = new WeakMap<
  Manifest,
  { readonly path: string; readonly text: Buffer; readonly demo: Demo }
>()

/** The demo data next to a manifest file; null when there is none. Throws `manifest_invalid`. */
export async function loadDemo(manifestFile: string, manifest: Manifest): Promise<Demo | null> {
  const path = demoPath(manifestFile)
  if (!existsSync(path)) return null
  const text = await readFile(path)
  const known = read.get(manifest)
  if (known?.path === path && known.text.equals(text)) return known.demo
  const demo = requireDemo(readDemo(text, path, manifest))
  read.set(manifest, { path, text, demo })
  return demo
}

function demoPath(manifestFile: string): string {
  const name = basename(manifestFile, extname(manifestFile))
  return join(dirname(manifestFile), 'demo', `${name}.yaml`)
}

function manifestPath(source: string): string {
  if (/[/\\]|\.(ya?ml|json)$/.test(source)) return resolve(source)
  const path = fileURLToPath(packageFile(`manifests/${source}.yaml`))
  if (existsSync(path)) return path
  throw new ConnectorError('connector_unknown', `there is no connector "${source}"`, {
    details: { connector: source },
  })
}
