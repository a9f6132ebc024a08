// Which manifests a command is about: found, loaded, watched.
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, statSync, watch } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { loadManifestFile } from '../language/manifest/load.ts'
import type { ProblemReport } from '../language/manifest/format-problems.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import type { ManifestProblem } from '../language/manifest/problem.ts'
import type { CommandContext } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { textAt } from './written-files.ts'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ConnectorError } from '../errors.ts'
import { didYouMean } from '../language/manifest/suggest.ts'
import { packageFile } from '../package-file.ts'

/** A manifest file: how it is called in messages, and where it is. */
export interface ManifestFile {
  /** Relative to the working folder where it lies below it, with `/`. */
  readonly name: string
  readonly path: string
}

const DEFAULT = 'manifests'

/**
 * The manifests that the arguments of a command name: files, folders (their `*.yaml` and `*.yml`, no deeper) and
 * patterns (for shells that leave them as they are), and types of the folder `manifests`. Without arguments all of it.
 * A file named twice is taken once. Throws UsageError for what is not there and for a folder without manifests.
 */
export function findManifests(folder: string, names: readonly string[]): readonly ManifestFile[] {
  const found = (names.length === 0 ? [DEFAULT] : names).map((name) => ({
    name,
    paths: pathsOf(folder, name),
  }))
  const missing = found.filter(({ paths }) => paths === null).map(({ name }) => name)
  if (names.length === 0 && missing.length > 0) {
    throw new UsageError(
      `There is no folder "${DEFAULT}" here; name the manifests, or begin one: ${BEGIN}`,
    )
  }
  if (missing.length > 0)
    throw new UsageError(
      `There is no ${missing.join(', and no ')}${ofPackage(missing) ?? instead(folder, missing)}`,
    )
  const empty = found.find(({ paths }) => paths?.length === 0)
  if (empty !== undefined)
    throw new UsageError(
      `There are no manifests (*.yaml, *.yml) in ${empty.name}; name another folder, or begin one: ${BEGIN}`,
    )
  const paths = new Set(found.flatMap((entry) => entry.paths ?? []))
  return [...paths].map((path) => ({ name: nameOf(folder, path), path }))
}

/** A hint where somebody means a connector of the package, whose manifest is none of this folder. */
function ofPackage(missing: readonly string[]): string | null {
  const packaged = missing.filter(
    (name) => isType(name) && existsSync(packageFile(`manifests/${name}.yaml`)),
  )
  if (packaged.length === 0) return null
  return `; ${packaged.join(', ')} of the package is typed and checked already: name a manifest file of your own`
}

const BEGIN = 'tenon init acme-crm'

/** What can be named here. */
function instead(folder: string, missing: readonly string[]): string {
  const here = (pathsOf(folder, DEFAULT) ?? []).map((path) => nameOf(folder, path))
  if (here.length === 0)
    return `; give the path of a manifest, such as ${DEFAULT}/acme.yaml, or begin one: ${BEGIN}`
  const types = here.map((name) => basename(name).replace(/\.ya?ml$/, ''))
  const [one = ''] = missing
  const more = types.length > MAX_NAMED ? `, and ${types.length - MAX_NAMED} more` : ''
  return `${didYouMean(one, [...types, ...here])}; give the path of a manifest, or what the folder ${DEFAULT} has: ${types.slice(0, MAX_NAMED).join(', ')}${more}`
}

const MAX_NAMED = 10

function isType(name: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(name)
}

/** Null: nothing of that name is there. */
function pathsOf(folder: string, name: string): readonly string[] | null {
  const path = resolve(folder, name)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() === true) return [path]
  if (stat?.isDirectory() === true) {
    return readdirSync(path)
      .filter((entry) => /\.ya?ml$/.test(entry))
      .sort()
      .map((entry) => join(path, entry))
  }
  const ofType = resolve(folder, DEFAULT, `${name}.yaml`)
  if (isType(name) && existsSync(ofType)) return [ofType]
  if (!/[*?{[]/.test(name)) return null
  const matches = globSync(name, { cwd: folder }).map((match) => resolve(folder, match))
  return matches.length === 0 ? null : matches.sort()
}

function nameOf(folder: string, path: string): string {
  const inside = relative(folder, path)
  return (inside.startsWith('..') || isAbsolute(inside) ? path : inside).replaceAll('\\', '/')
}

/** Manifests that were loaded, and what is wrong with the others. */
export interface LoadedManifests extends ProblemReport {
  readonly loaded: readonly Manifest[]
}

/** Loads all of them, whatever problems there are. */
export async function loadManifests(files: readonly ManifestFile[]): Promise<LoadedManifests> {
  const started = performance.now()
  const loaded: Manifest[] = []
  const problems: ManifestProblem[] = []
  const texts = new Map<string, string>()
  let isPart = false
  for (const { name, path } of files) {
    const result = await loadManifestFile(path)
    if (result.manifest !== null) loaded.push(result.manifest)
    isPart ||= result.isPart === true
    problems.push(...result.problems.map((problem) => ({ ...problem, file: name })))
    // That a file cannot be read is one of the problems; it has no frame then.
    if (result.problems.length > 0) texts.set(name, (await textAt(path).catch(() => null)) ?? '')
  }
  const elapsedMs = performance.now() - started
  return { loaded, problems, manifests: files.length, texts, elapsedMs, isPart }
}

/** Editors write a file in several steps. */
const SETTLE_MS = 100

/** Resolves when the user interrupts. What fails is told and waited for: the next change may mend it. */
export async function watchManifests(
  { folder, signal, terminal: { err } }: CommandContext,
  names: readonly string[],
  run: () => Promise<unknown>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  const again = (): void => {
    running = running.then(run).catch((error: unknown) => {
      err.write(`${error instanceof Error ? error.message : String(error)}\n`)
    })
  }
  for (const place of new Set(findManifests(folder, names).map(({ path }) => dirname(path))))
    watch(place, { signal }, (_event, file) => {
      if (file !== null && !/\.ya?ml$/.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(again, SETTLE_MS)
    })
  err.write('Watching; Ctrl+C stops.\n')
  if (!signal.aborted) await once(signal, 'abort')
  clearTimeout(timer)
  await running
}

/** The folder of the package. */
const PACKAGED = fileURLToPath(packageFile('manifests'))

export interface FoundManifest {
  readonly manifest: Manifest
  readonly path: string
  /** It is one of the package: who names it did not write it. */
  readonly isPackaged: boolean
}

/** Loads it, as named in this folder. Throws UsageError when there is none, `manifest_invalid` when it has problems. */
export async function findManifest(type: string, folder: string): Promise<FoundManifest> {
  const path = await pathOf(type, folder)
  const { manifest, problems } = await loadManifestFile(path)
  if (manifest !== null) {
    const isPackaged = dirname(resolve(folder, path)) === PACKAGED
    return { manifest, path, isPackaged }
  }
  throw new ConnectorError(
    'manifest_invalid',
    `${path} has ${problems.length} problem${problems.length === 1 ? '' : 's'}; tenon lint ${path} shows ${problems.length === 1 ? 'it' : 'them'}`,
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
  return [placed(folder, 'manifests'), PACKAGED]
}

/** A name that opens the file, also where the command's folder is not the process's own; else as it was typed, for messages. */
function placed(folder: string, name: string): string {
  return folder === process.cwd() ? name : resolve(folder, name)
}
