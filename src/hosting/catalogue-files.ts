// The manifests of a service: those of the package, and files and folders of the operator's.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadPackaged } from '../client/packaged.ts'
import { ConnectorError } from '../errors.ts'
import { loadManifestFile } from '../language/manifest/load.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { packageFile } from '../package-file.ts'
import { majorKey, majorOf } from '../service/catalogue.ts'

/** A manifest, and where a sandbox finds it and its demo data: a packaged type, or a file. */
export interface ServedManifest {
  readonly manifest: Manifest
  readonly source: string
}

/** Whether it is one of the package, and not a file of the operator's. */
export function isPackaged({ manifest, source }: ServedManifest): boolean {
  return source === manifest.type
}

/** Where the manifests are, by type. In a host's bundle those of the package are no files. */
export function filesByType(served: readonly ServedManifest[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    served.map((each) => {
      const { type } = each.manifest
      return [
        type,
        isPackaged(each) ? fileURLToPath(packageFile(`manifests/${type}.yaml`)) : each.source,
      ]
    }),
  )
}

/** The manifests that are loaded, and the types that could have been. */
export interface ServedManifests {
  readonly served: readonly ServedManifest[]
  readonly types: readonly string[]
}

interface LoadOptions {
  readonly folder?: URL
  readonly mayLack?: boolean
}

/**
 * Loads the packaged manifests and those of `sources`, files or folders; a type of the operator's replaces the
 * packaged one of its major, and comes after one of another major. With `wanted` of the packaged ones only these. Throws
 * `manifest_invalid` with the problems of all files at once, and `config_invalid` for a wanted type that is nowhere, and
 * where there is nothing to load. `folder`: of the packaged ones; with `mayLack` a wanted type may come later.
 */
export async function loadServedManifests(
  sources: readonly string[],
  wanted: readonly string[] | null,
  { folder = packageFile('manifests'), mayLack = false }: LoadOptions = {},
): Promise<ServedManifests> {
  const served = new Map<string, ServedManifest>()
  const serve = (manifest: Manifest, source: string): void => {
    const key = majorKey(manifest)
    served.delete(key)
    served.set(key, { manifest, source })
  }
  const packaged = await packagedTypes(folder)
  if (packaged.length === 0 && sources.length === 0) throw filesMissing(folder)
  for (const type of packaged)
    if (wanted === null || wanted.includes(type)) serve(await loadPackaged(type), type)
  const files = (await Promise.all(sources.map(filesOf))).flat()
  const results = await Promise.all(
    files.map(async (source) => ({ source, ...(await loadManifestFile(source)) })),
  )
  const problems = results.flatMap(({ manifest, problems }) => (manifest === null ? problems : []))
  const [first] = problems
  if (first !== undefined) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    throw new ConnectorError(
      'manifest_invalid',
      `${first.file}:${first.line}:${first.column} ${first.message}${more}`,
      { details: { problems } },
    )
  }
  const own = results.flatMap(({ manifest, source }) =>
    manifest === null ? [] : [{ manifest, source, major: Number(majorOf(manifest.version)) }],
  )
  own.sort((a, b) => a.major - b.major)
  for (const { manifest, source } of own) serve(manifest, source)
  const there = new Set([...served.values()].map(({ manifest }) => manifest.type))
  const types = [...new Set([...packaged, ...there])]
  const missing = (wanted ?? []).filter((type) => !there.has(type))
  if (missing.length === 0 || mayLack) return { served: [...served.values()], types }
  throw new ConnectorError(
    'config_invalid',
    `there is no manifest for ${missing.join(', ')}; there is ${types.join(', ')}`,
  )
}

async function packagedTypes(folder: URL): Promise<readonly string[]> {
  // In a host's bundle there is no such folder: it names its manifests itself.
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
}

/** A service without connectors would look like a service that works. */
function filesMissing(folder: URL): ConnectorError {
  return new ConnectorError(
    'config_invalid',
    `there is no manifest in ${fileURLToPath(folder)}, where those of the package are expected: a bundler or file tracing left files of the package out. Have all files of node_modules/tenon copied (in Next: outputFileTracingIncludes), or name manifests of your own with the setting manifests (TENON_MANIFESTS)`,
  )
}

/** The manifests of a file or a folder. Throws `manifest_invalid` where there is none. */
export async function filesOf(source: string): Promise<readonly string[]> {
  const found = await stat(source).catch(() => null)
  if (found === null)
    throw new ConnectorError('manifest_invalid', `${source} is neither a file nor a folder`)
  if (!found.isDirectory()) return [source]
  const names = (await readdir(source)).filter((name) => /\.(ya?ml|json)$/.test(name)).toSorted()
  if (names.length > 0) return names.map((name) => join(source, name))
  throw new ConnectorError('manifest_invalid', `there is no manifest in ${source}`)
}
