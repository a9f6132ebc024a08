// Which manifests a command is about.
import { globSync, readdirSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'

import { UsageError } from './exit-codes.ts'

/** A manifest file: how it is called in messages, and where it is. */
export interface ManifestFile {
  /** Relative to the working folder where it lies below it, with `/`. */
  readonly name: string
  readonly path: string
}

const DEFAULT = 'manifests'

/**
 * The manifests that the arguments of a command name: files, folders (their `*.yaml` and `*.yml`, no deeper) and
 * patterns (for shells that leave them as they are). Without arguments those of the folder `manifests`.
 * A file named twice is taken once. Throws UsageError for what is not there and for a folder without manifests.
 */
export function findManifests(folder: string, names: readonly string[]): readonly ManifestFile[] {
  const found = (names.length === 0 ? [DEFAULT] : names).map((name) => ({
    name,
    paths: pathsOf(folder, name),
  }))
  const missing = found.filter(({ paths }) => paths === null).map(({ name }) => name)
  if (names.length === 0 && missing.length > 0) {
    throw new UsageError(`There is no folder "${DEFAULT}" here; name the manifests`)
  }
  if (missing.length > 0) throw new UsageError(`There is no ${missing.join(', and no ')}`)
  const empty = found.find(({ paths }) => paths?.length === 0)
  if (empty !== undefined) throw new UsageError(`There are no manifests in ${empty.name}`)
  const paths = new Set(found.flatMap((entry) => entry.paths ?? []))
  return [...paths].map((path) => ({ name: nameOf(folder, path), path }))
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
  if (!/[*?{[]/.test(name)) return null
  const matches = globSync(name, { cwd: folder }).map((match) => resolve(folder, match))
  return matches.length === 0 ? null : matches.sort()
}

function nameOf(folder: string, path: string): string {
  const inside = relative(folder, path)
  return (inside.startsWith('..') || isAbsolute(inside) ? path : inside).replaceAll('\\', '/')
}
